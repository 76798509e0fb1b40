#include "formats/chrome_json/json_walker.h"

#include <fmt/core.h>

#include <bitset>

#include "base/json_text.h"
#include "formats/chrome_json/number.h"

namespace accelscope::formats::chrome_json {
bool JsonWalker::unescape(std::uint32_t token, std::string_view& text) {
  if (const auto bad = base::unescape_json(text, decoded_)) {
    fail_at_offset(offset_of(token) + 1 + *bad, "an escape in a string that JSON does not have");
    return false;
  }
  text = decoded_;
  return true;
}

Step JsonWalker::check_scalar() {
  std::string_view text;
  if (peek() == '"') return decode_string(at_, text) ? Step::kDone : Step::kBad;
  text = token_text(at_);
  std::uint64_t ignored = 0;
  if (parse_short_integer(text, ignored) || text == "true" || text == "false" || text == "null" ||
      is_json_number(text))
    return Step::kDone;
  if (text.size() == 1 && std::string_view("]},:").find(text[0]) != std::string_view::npos)
    return fail_at_token(at_, fmt::format("a value is missing before '{}'", text));
  // What the end of the file cuts off is not wrong, only short.
  if (window_.is_last && window_.end() == offset_of(at_) + text.size()) return Step::kNeedsMore;
  constexpr std::size_t kShownBytes = 24;
  return fail_at_token(
      at_, text.size() <= kShownBytes ? fmt::format("'{}' is no JSON value", text) : "this is no JSON value");
}

// The current token must be a key, and a colon must follow; steps over both.
Step JsonWalker::check_key() {
  if (exhausted()) return Step::kNeedsMore;
  if (peek() != '"') return fail_at_token(at_, "a key in quotation marks is missing here");
  std::string_view text;
  if (!decode_string(at_, text)) return Step::kBad;
  ++at_;
  if (exhausted()) return Step::kNeedsMore;
  if (peek() != ':') return fail_at_token(at_, "a ':' is missing between a key and its value");
  ++at_;
  return Step::kDone;
}

Step JsonWalker::skip_value() {
  std::bitset<kMaxDepth> is_object;
  std::uint32_t depth = 0;
  bool value_is_next = true;
  while (true) {
    if (exhausted()) return Step::kNeedsMore;
    const char c = peek();
    if (value_is_next && (c == '{' || c == '[')) {
      if (depth == kMaxDepth)
        return fail_at_token(at_, fmt::format("values are nested more than {} deep", kMaxDepth));
      is_object[depth++] = c == '{';
      ++at_;
      if (exhausted()) return Step::kNeedsMore;
      if (peek() == (c == '{' ? '}' : ']')) {
        value_is_next = false;
        continue;
      }
      if (c == '{')
        if (const Step step = check_key(); step != Step::kDone) return step;
      continue;
    }
    if (value_is_next) {
      if (const Step step = check_scalar(); step != Step::kDone) return step;
      ++at_;
      value_is_next = false;
    } else {
      const bool in_object = is_object[depth - 1];
      ++at_;
      if (c == ',') {
        value_is_next = true;
        if (in_object)
          if (const Step step = check_key(); step != Step::kDone) return step;
        continue;
      }
      if (c != (in_object ? '}' : ']'))
        return fail_at_token(at_ - 1,
                             in_object ? "a ',' or '}' is missing here" : "a ',' or ']' is missing here");
      --depth;
    }
    if (depth == 0) return Step::kDone;
  }
}

std::string_view JsonWalker::minified(std::uint32_t first, std::uint32_t end) {
  const char* const begin = window_.text + window_.positions[first];
  const std::string_view last = token_text(end - 1);
  const std::string_view text(begin, static_cast<std::size_t>(last.data() + last.size() - begin));
  std::size_t spaces = 0;
  for (const char c : text) spaces += is_whitespace(c) ? 1 : 0;
  if (spaces == 0) return text;
  minified_.clear();
  for (std::uint32_t token = first; token < end; ++token) minified_.append(token_text(token));
  return minified_;
}

}  // namespace accelscope::formats::chrome_json
