#include "runtime/graph_json.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "base/closest_name.h"
#include "base/number_in.h"

namespace accelscope::runtime {
namespace {

std::string_view in_words(base::JsonKind kind) {
  switch (kind) {
    case base::JsonKind::kObject:
      return "an object";
    case base::JsonKind::kArray:
      return "an array";
    case base::JsonKind::kString:
      return "a text";
    case base::JsonKind::kNumber:
      return "a number";
    case base::JsonKind::kTrue:
      return "true";
    case base::JsonKind::kFalse:
      return "false";
    case base::JsonKind::kNull:
      return "null";
    case base::JsonKind::kNothing:
      break;
  }
  return "nothing";
}

}  // namespace

void GraphJson::go_to(std::uint64_t offset, std::string_view key) {
  cursor_ = base::JsonCursor(text_.substr(offset), name_, offset);
  path_ = {{key, 0}};
}

std::string GraphJson::place() const {
  std::string words;
  for (const Part& part : path_) {
    if (part.key.empty())
      words += fmt::format("[{}]", part.index);
    else
      words += fmt::format("{}{}", words.empty() ? "" : ".", part.key);
  }
  return words;
}

void GraphJson::complain(std::uint64_t offset, std::string_view text) {
  ++count_;
  if (problems_.size() >= kMostProblems) return;
  const std::string where = place();
  problems_.push_back({offset, fmt::format("{}{}{}", where, where.empty() ? "" : ": ", text)});
}

void GraphJson::wrong_kind(std::string_view expected) {
  const base::JsonKind what = kind();
  // Nothing at all is no JSON; the cursor says so when it moves on.
  if (what != base::JsonKind::kNothing)
    complain(offset(), fmt::format("{} is expected, this is {}", expected, in_words(what)));
  skip();
}

bool GraphJson::is(base::JsonKind wanted, std::string_view words) {
  if (kind() == wanted) return true;
  wrong_kind(words);
  return false;
}

std::size_t GraphJson::known_key(std::span<const std::string_view> known, std::uint64_t& seen) {
  const std::string_view key = cursor_.key();
  const auto position = static_cast<std::size_t>(std::ranges::find(known, key) - known.begin());
  if (position == known.size()) {
    path_.push_back({key, 0});
    complain(cursor_.value_offset(), "unknown key" + base::suggestion(key, known));
    path_.pop_back();
    return position;
  }
  const std::uint64_t bit = std::uint64_t{1} << position;
  if ((seen & bit) != 0) {
    path_.push_back({key, 0});
    complain(cursor_.value_offset(), "is given twice");
    path_.pop_back();
    return known.size();
  }
  seen |= bit;
  return position;
}

std::optional<std::uint64_t> GraphJson::whole_number(std::uint64_t least, std::uint64_t most) {
  if (!is(base::JsonKind::kNumber, "a whole number")) return std::nullopt;
  const std::uint64_t start = offset();
  cursor_.number();
  if (!cursor_.ok()) return std::nullopt;
  const std::string_view token = text_.substr(start, cursor_.offset() - start);
  const auto value = base::number_in<std::uint64_t>(token);
  if (value && *value >= least && *value <= most) return value;
  complain(start, fmt::format("{} is no whole number from {} to {}", token, least, most));
  return std::nullopt;
}

std::optional<double> GraphJson::number() {
  if (!is(base::JsonKind::kNumber, "a number")) return std::nullopt;
  const double value = cursor_.number();
  if (!cursor_.ok()) return std::nullopt;
  return value;
}

std::optional<bool> GraphJson::truth() {
  if (kind() != base::JsonKind::kTrue && kind() != base::JsonKind::kFalse) {
    wrong_kind("true or false");
    return std::nullopt;
  }
  const bool value = cursor_.boolean();
  if (!cursor_.ok()) return std::nullopt;
  return value;
}

std::optional<std::string> GraphJson::text() {
  if (!is(base::JsonKind::kString, "a text")) return std::nullopt;
  const std::uint64_t start = offset();
  std::string value(cursor_.string());
  if (!cursor_.ok()) return std::nullopt;
  if (!value.empty() && value.find('\0') == std::string::npos) return value;
  complain(start, value.empty() ? "is empty" : "holds a zero byte");
  return std::nullopt;
}

}  // namespace accelscope::runtime
