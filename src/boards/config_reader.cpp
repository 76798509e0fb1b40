#include "boards/config_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/closest_name.h"
#include "base/number_in.h"
#include "base/units.h"

namespace accelscope::boards {
namespace {

using base::ErrorCode;
using base::Location;
using Kind = ConfigNode::Kind;

// Exactly digits / scale; nothing for what is no plain decimal or has too many digits.
struct Decimal {
  std::int64_t digits = 0;
  std::int64_t scale = 1;
};

std::optional<Decimal> decimal_in(std::string_view text) {
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  std::size_t places = 0;
  if (point != std::string_view::npos) {
    digits += text.substr(point + 1);
    places = text.size() - point - 1;
  }
  constexpr std::size_t kMostPlaces = 12;
  const auto value = base::number_in<std::int64_t>(digits);
  if (!value || digits.front() == '-' || places > kMostPlaces) return std::nullopt;
  Decimal made{*value, 1};
  for (std::size_t i = 0; i < places; ++i) made.scale *= 10;
  return made;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string made(text.substr(0, kMost));
  for (char& c : made)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  if (text.size() > kMost) made += "...";
  return made;
}

std::string in_words(const ConfigNode& node) {
  switch (node.kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kBool:
    case Kind::kNumber:
      return shown(node.text);
    case Kind::kText:
      return fmt::format("the text `{}`", shown(node.text));
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
  }
  return "something else";
}

base::Status ConfigProblems::status() const {
  if (kept_.empty()) return {};
  std::vector<Problem> sorted = kept_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Problem& a, const Problem& b) { return a.line < b.line; });
  const auto place = [&](const Problem& problem) {
    return problem.line > 0 ? Location::line(file_, problem.line) : Location::of_file(file_);
  };
  base::Error error{ErrorCode::kMalformed, sorted.front().text, place(sorted.front())};
  for (std::size_t i = 1; i < sorted.size(); ++i)
    error.message += fmt::format("\n{}: {}", place(sorted[i]).to_string(), sorted[i].text);
  if (count_ > kept_.size()) error.message += fmt::format("\n{}: and {} more", file_, count_ - kept_.size());
  return tl::unexpected(std::move(error));
}

ConfigMap::ConfigMap(const ConfigNode& node, ConfigProblems& problems) : ConfigMap(&node, "", problems) {}

ConfigMap::ConfigMap(const ConfigNode* node, std::string path, ConfigProblems& problems)
    : node_(node), path_(std::move(path)), problems_(&problems) {
  if (node_ == nullptr) return;
  if (!node_->is_map()) {
    if (path_.empty())
      problems.add(node_->line, "a map of keys and values is expected, this is {}", in_words(*node_));
    else
      problems.add(node_->line, "`{}`: a map is expected, this is {}", path_, in_words(*node_));
    node_ = nullptr;
    return;
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    if (!seen.insert(node_->keys[i]).second)
      problems.add(node_->items[i].line, "`{}`: is given twice", path_of(node_->keys[i]));
}

std::string ConfigMap::path_of(std::string_view key) const {
  return path_.empty() ? shown(key) : fmt::format("{}.{}", path_, shown(key));
}

std::uint64_t ConfigMap::line_of(std::string_view key) const {
  if (node_ == nullptr) return 0;
  const ConfigNode* value = node_->find(key);
  return value != nullptr ? value->line : path_.empty() ? 0 : node_->line;
}

const ConfigNode* ConfigMap::find(std::string_view key) {
  if (node_ == nullptr) return nullptr;
  known_.push_back(key);
  const ConfigNode* value = node_->find(key);
  return value == nullptr || value->kind == Kind::kNull ? nullptr : value;
}

const ConfigNode* ConfigMap::find(std::string_view key, std::string_view older_name) {
  const ConfigNode* value = find(key);
  const ConfigNode* older = find(older_name);
  if (value != nullptr && older != nullptr)
    problem(older_name, "is another name of `{}`, which is given, too", path_of(key));
  return value != nullptr ? value : older;
}

void ConfigMap::wrong_kind(std::string_view key, const ConfigNode& value, std::string_view expected) {
  problems_->add(value.line, "`{}`: {} is expected, this is {}", path_of(key), expected, in_words(value));
}

void ConfigMap::complain_if_missing(std::string_view key) {
  if (present() && !has(key)) problem(key, "is missing");
}

std::optional<std::string> ConfigMap::text(std::string_view key) {
  const ConfigNode* value = find(key);
  if (value == nullptr) return std::nullopt;
  // Names may look like numbers: `part: 7` is as good as `part: "7"`.
  if (value->kind == Kind::kText || value->kind == Kind::kNumber) return value->text;
  wrong_kind(key, *value, "a text");
  return std::nullopt;
}

std::optional<bool> ConfigMap::boolean(std::string_view key) {
  const ConfigNode* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == Kind::kBool) return value->text == "true";
  wrong_kind(key, *value, "true or false");
  return std::nullopt;
}

std::optional<std::uint64_t> ConfigMap::integer_of(const ConfigNode& node, std::string_view key,
                                                   ConfigRange range) {
  const auto value =
      node.kind == Kind::kNumber ? base::number_in<std::uint64_t>(node.text) : std::optional<std::uint64_t>();
  if (value && *value >= range.least && *value <= range.most) return value;
  wrong_kind(key, node, fmt::format("a whole number from {} to {}", range.least, range.most));
  return std::nullopt;
}

std::optional<std::uint64_t> ConfigMap::integer(std::string_view key, ConfigRange range) {
  const ConfigNode* value = find(key);
  return value == nullptr ? std::nullopt : integer_of(*value, key, range);
}

std::optional<double> ConfigMap::number(std::string_view key, double least, double most) {
  const ConfigNode* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto number =
      value->kind == Kind::kNumber ? base::number_in<double>(value->text) : std::optional<double>();
  if (number && *number >= least && *number <= most) return number;
  wrong_kind(key, *value, fmt::format("a number from {} to {}", least, most));
  return std::nullopt;
}

std::optional<std::int64_t> ConfigMap::scaled(std::string_view key, std::int64_t factor,
                                              std::string_view unit) {
  const ConfigNode* value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto decimal = value->kind == Kind::kNumber ? decimal_in(value->text) : std::optional<Decimal>();
  const base::Int128 whole =
      decimal ? static_cast<base::Int128>(decimal->digits) * factor / decimal->scale : 0;
  if (whole > 0 && whole <= base::Bytes::max().value) return static_cast<std::int64_t>(whole);
  wrong_kind(key, *value, fmt::format("a decimal number above 0, in {},", unit));
  return std::nullopt;
}

ConfigMap ConfigMap::map(std::string_view key) {
  return {find(key), path_of(key), *problems_};
}

std::span<const ConfigNode> ConfigMap::list(std::string_view key) {
  const ConfigNode* value = find(key);
  if (value == nullptr) return {};
  if (value->kind == Kind::kList) return value->items;
  wrong_kind(key, *value, "a list");
  return {};
}

std::string ConfigMap::required_text(std::string_view key) {
  complain_if_missing(key);
  auto value = text(key);
  if (value && value->empty()) problem(key, "is empty");
  return std::move(value).value_or("");
}

std::uint64_t ConfigMap::required_integer(std::string_view key, ConfigRange range) {
  complain_if_missing(key);
  return integer(key, range).value_or(range.least);
}

ConfigMap ConfigMap::required_map(std::string_view key) {
  complain_if_missing(key);
  return map(key);
}

ConfigMap ConfigMap::item(const ConfigNode& node, std::string_view list_key, std::size_t index) const {
  return {&node, fmt::format("{}[{}]", path_of(list_key), index), *problems_};
}

std::vector<std::size_t> ConfigMap::unknown_items() const {
  std::vector<std::size_t> found;
  if (node_ == nullptr) return found;
  for (std::size_t i = 0; i < node_->keys.size(); ++i)
    if (std::find(known_.begin(), known_.end(), node_->keys[i]) == known_.end()) found.push_back(i);
  return found;
}

std::vector<std::string> ConfigMap::unknown() const {
  std::vector<std::string> keys;
  for (const std::size_t i : unknown_items()) keys.push_back(path_of(node_->keys[i]));
  return keys;
}

void ConfigMap::refuse_unknown() {
  for (const std::size_t i : unknown_items()) {
    const std::string& key = node_->keys[i];
    // Words of garbage are no misspellings, and looking for the nearest name of thousands takes long.
    const bool may_be_misspelt = key.size() < 100 && !problems_->full();
    problems_->add(node_->items[i].line, "`{}`: is not known{}", path_of(key),
                   may_be_misspelt ? base::suggestion(key, known_) : "");
  }
}

}  // namespace accelscope::boards
