#include "formats/chrome_json/json_walker.h"

#include <fmt/format.h>

#include <bitset>
#include <optional>

#include "formats/chrome_json/number.h"

namespace accelscope::formats::chrome_json {
namespace {

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text.push_back(static_cast<char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6U));
    byte(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12U));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  } else {
    byte(0xF0 | (code >> 18U));
    byte(0x80 | ((code >> 12U) & 0x3FU));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  }
}

std::optional<std::uint32_t> four_hex_digits(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : text.substr(0, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9')
      value = value * 16 + static_cast<std::uint32_t>(c - '0');
    else if (lower >= 'a' && lower <= 'f')
      value = value * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    else
      return std::nullopt;
  }
  return value;
}

// Appends what the escape at the front of `rest`, behind "\u", stands for, and removes it. Half a surrogate
// pair becomes U+FFFD: JavaScript writes such strings, and UTF-8 cannot hold them.
bool take_unicode_escape(std::string_view& rest, std::string& text) {
  constexpr std::uint32_t kReplacement = 0xFFFD;
  const auto unit = four_hex_digits(rest);
  if (!unit) return false;
  rest.remove_prefix(4);
  if (*unit < 0xD800 || *unit > 0xDFFF) {
    append_utf8(text, *unit);
    return true;
  }
  const auto low = rest.starts_with("\\u") ? four_hex_digits(rest.substr(2)) : std::nullopt;
  if (*unit > 0xDBFF || !low || *low < 0xDC00 || *low > 0xDFFF) {
    append_utf8(text, kReplacement);
    return true;
  }
  append_utf8(text, 0x10000 + ((*unit - 0xD800) << 10U) + (*low - 0xDC00));
  rest.remove_prefix(6);
  return true;
}

char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

}  // namespace

bool JsonWalker::unescape(std::uint32_t token, std::string_view& text) {
  decoded_.clear();
  std::string_view rest = text;
  while (true) {
    const std::size_t clean = std::min(rest.find('\\'), rest.size());
    decoded_.append(rest.substr(0, clean));
    rest.remove_prefix(clean);
    if (rest.empty()) break;
    const std::size_t escape_offset = offset_of(token) + 1 + (text.size() - rest.size());
    // A string never ends behind a lone backslash: the quotation mark would be part of it.
    const char kind = rest[1];
    rest.remove_prefix(2);
    const char plain = simple_escape(kind);
    if (plain != '\0') {
      decoded_.push_back(plain);
    } else if (kind != 'u' || !take_unicode_escape(rest, decoded_)) {
      fail_at_offset(escape_offset, "an escape in a string that JSON does not have");
      return false;
    }
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
