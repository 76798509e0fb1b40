#include "experiments/config_fields.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/closest_name.h"

namespace accelscope::experiments {
namespace {

// Names that tutorials use for fields which the file calls otherwise.
std::string hint_for(std::string_view key, std::span<const std::string_view> known) {
  struct Hint {
    std::string_view key, field, text;
  };
  static constexpr Hint kHints[] = {
      {"num_runs", "runs", "; tutorials speak of num_runs, the field is called `runs`"},
      {"num_threads", "threads",
       "; tutorials speak of num_threads, the field is called `threads`, a list: [1, 4]"},
  };
  for (const Hint& hint : kHints)
    if (hint.key == key && std::find(known.begin(), known.end(), hint.field) != known.end())
      return std::string(hint.text);
  return base::suggestion(key, known);
}

}  // namespace

std::string problem_in_words(const Problem& problem) {
  std::string words = problem.line > 0 ? fmt::format("line {}: ", problem.line) : std::string();
  if (!problem.place.empty()) words += fmt::format("{}: ", problem.place);
  return words + problem.text;
}

Fields::Fields(const JsonNode& node, std::string place, Problems& problems)
    : node_(node), place_(std::move(place)), problems_(problems) {
  if (!node.is_object())
    problems.errors.push_back(
        {node.line, place_, fmt::format("an object is expected, this is {}", kind_in_words(node.kind))});
}

std::string Fields::place_of(std::string_view key) const {
  if (key.empty()) return place_;
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

std::uint64_t Fields::line_of(std::string_view key) const {
  const JsonNode* value = node_.find(key);
  return value == nullptr ? node_.line : value->line;
}

void Fields::error(std::string_view key, std::string text) const {
  problems_.errors.push_back({line_of(key), place_of(key), std::move(text)});
}

void Fields::wrong_kind(std::string_view key, const JsonNode& value, std::string_view expected) const {
  error(key, fmt::format("{} is expected, this is {}", expected, kind_in_words(value.kind)));
}

const JsonNode* Fields::find(std::string_view key, Need need) const {
  const JsonNode* value = node_.find(key);
  if (value != nullptr && value->kind != JsonNode::Kind::kNull) return value;
  if (need == Need::kRequired && node_.is_object()) error(key, "is missing");
  return nullptr;
}

std::string Fields::text(std::string_view key, Need need) const {
  const JsonNode* value = find(key, need);
  if (value == nullptr) return {};
  if (!value->is_text()) {
    wrong_kind(key, *value, "a text");
    return {};
  }
  if (value->text.empty() && need == Need::kRequired) error(key, "is empty");
  if (value->text.find('\0') != std::string::npos) error(key, "holds a zero byte");
  return value->text;
}

std::int64_t Fields::integer(std::string_view key, std::int64_t otherwise, std::int64_t least,
                             std::int64_t most) const {
  const JsonNode* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_integer()) {
    wrong_kind(key, *value, "a whole number");
    return otherwise;
  }
  if (value->integer >= least && value->integer <= most) return value->integer;
  error(key, fmt::format("{} is out of range: {} to {} are possible", value->integer, least, most));
  return otherwise;
}

double Fields::number(std::string_view key, double otherwise, double least, double most) const {
  const JsonNode* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) {
    wrong_kind(key, *value, "a number");
    return otherwise;
  }
  if (value->real >= least && value->real <= most) return value->real;
  error(key, fmt::format("{} is out of range: {} to {} are possible", value->real, least, most));
  return otherwise;
}

const JsonNode* Fields::array(std::string_view key) const {
  const JsonNode* value = find(key);
  if (value == nullptr || value->is_array()) return value;
  wrong_kind(key, *value, "an array");
  return nullptr;
}

std::vector<std::string> Fields::texts(std::string_view key) const {
  std::vector<std::string> texts;
  const JsonNode* list = array(key);
  if (list == nullptr) return texts;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const JsonNode& item = list->items[i];
    if (item.is_text())
      texts.push_back(item.text);
    else
      problems_.errors.push_back({item.line, fmt::format("{}[{}]", place_of(key), i),
                                  fmt::format("a text is expected, this is {}", kind_in_words(item.kind))});
  }
  return texts;
}

void Fields::check_keys(std::span<const std::string_view> known, bool unknown_is_error) const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const std::string& key = node_.keys[i];
    const std::uint64_t line = node_.items[i].line;
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      Problem problem{line, place_of(key), "unknown key" + hint_for(key, known)};
      (unknown_is_error ? problems_.errors : problems_.warnings).push_back(std::move(problem));
    }
    const auto here = node_.keys.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(node_.keys.begin(), here, key) != here)
      problems_.errors.push_back({line, place_of(key), "is given twice"});
  }
}

}  // namespace accelscope::experiments
