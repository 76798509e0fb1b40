#include "base/json_cursor.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

#include "base/digits.h"
#include "base/json_text.h"

namespace accelscope::base {
namespace {

bool is_blank(char c) {
  // Nearly all that is asked about is no blank, and greater.
  return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
}

bool is_number_char(char c) {
  return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Of numbers, true, false and null.
bool is_token_char(char c) {
  return is_number_char(c) || (c >= 'a' && c <= 'z');
}

// Whether the text ends inside this word.
bool is_cut(std::string_view rest, std::string_view word) {
  return rest.size() < word.size() && word.starts_with(rest);
}

// Where a string ends or has an escape: the first '"' or '\\' from `p` on, else `end`. Most strings are
// shorter than what a call of memchr pays for.
const char* find_quote_or_escape(const char* p, const char* end) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  // The upper bit of the first byte that is zero, and perhaps of bytes behind it.
  const auto zeros = [](std::uint64_t word) { return (word - kEach) & ~word & (kEach << 7U); };
  for (; end - p >= 8; p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    const std::uint64_t found = zeros(word ^ (kEach * '"')) | zeros(word ^ (kEach * '\\'));
    if (found != 0) return p + std::countr_zero(found) / 8;
  }
  while (p != end && *p != '"' && *p != '\\') ++p;
  return p;
}

}  // namespace

JsonCursor::JsonCursor(std::string_view text, std::string path, std::uint64_t offset_in_file)
    : path_(std::move(path)),
      begin_(text.data()),
      at_(text.data()),
      end_(text.data() + text.size()),
      value_start_(text.data()),
      base_offset_(offset_in_file) {}

std::uint64_t JsonCursor::offset() const {
  return base_offset_ + static_cast<std::uint64_t>(at_ - begin_);
}

Status JsonCursor::status() const {
  if (ok_) return {};
  return tl::unexpected<Error>(error_);
}

void JsonCursor::fail_at_cursor(ErrorCode code, std::string message) {
  if (!ok_) return;
  ok_ = false;
  error_ = Error{code, std::move(message), Location::byte(path_, offset())};
}

void JsonCursor::fail_here(ErrorCode code, std::string message) {
  if (!ok_) return;
  at_ = value_start_;
  fail_at_cursor(code, std::move(message));
}

void JsonCursor::skip_blanks() {
  while (at_ != end_ && is_blank(*at_)) ++at_;
}

bool JsonCursor::take(char expected, std::string_view what) {
  if (!ok_) return false;
  skip_blanks();
  value_start_ = at_;
  if (at_ == end_) {
    fail_at_cursor(ErrorCode::kTruncated, fmt::format("the file ends where {} is expected", what));
    return false;
  }
  if (*at_ != expected) {
    fail_at_cursor(ErrorCode::kMalformed, fmt::format("{} is expected here", what));
    return false;
  }
  ++at_;
  return true;
}

JsonKind JsonCursor::kind() {
  if (!ok_) return JsonKind::kNothing;
  skip_blanks();
  if (at_ == end_) return JsonKind::kNothing;
  switch (*at_) {
    case '{':
      return JsonKind::kObject;
    case '[':
      return JsonKind::kArray;
    case '"':
      return JsonKind::kString;
    case 't':
      return JsonKind::kTrue;
    case 'f':
      return JsonKind::kFalse;
    case 'n':
      return JsonKind::kNull;
    default:
      return *at_ == '-' || is_digit(*at_) ? JsonKind::kNumber : JsonKind::kNothing;
  }
}

void JsonCursor::begin_object() {
  if (!take('{', "an object")) return;
  fresh_ = true;
  if (++depth_ > kMaxDepth) fail_at_cursor(ErrorCode::kTooLarge, "nested too deeply");
}

void JsonCursor::begin_array() {
  if (!take('[', "an array")) return;
  fresh_ = true;
  if (++depth_ > kMaxDepth) fail_at_cursor(ErrorCode::kTooLarge, "nested too deeply");
}

// Moves over the comma before a member; false at the closing bracket.
bool JsonCursor::separator(char closing) {
  if (!ok_) return false;
  skip_blanks();
  if (at_ == end_) {
    fail_at_cursor(ErrorCode::kTruncated,
                   closing == ']' ? "the file ends inside an array" : "the file ends inside an object");
    return false;
  }
  const bool first = fresh_;
  fresh_ = false;
  if (*at_ == closing) {
    ++at_;
    --depth_;
    return false;
  }
  if (first) return true;
  if (*at_ != ',') {
    fail_at_cursor(ErrorCode::kMalformed, fmt::format("a comma or '{}' is expected here", closing));
    return false;
  }
  ++at_;
  skip_blanks();
  if (at_ != end_ && *at_ == closing) {
    fail_at_cursor(ErrorCode::kMalformed, "a value is expected behind the comma");
    return false;
  }
  return true;
}

bool JsonCursor::next_element() {
  // As tables are written: a comma and perhaps some blanks between two rows.
  if (ok_ && !fresh_ && at_ != end_ && *at_ == ',') {
    const char* next = at_ + 1;
    while (next != end_ && is_blank(*next)) ++next;
    if (next != end_ && *next == '[') {
      at_ = next;
      return true;
    }
  }
  return separator(']');
}

bool JsonCursor::next_key() {
  key_ = {};
  if (!separator('}')) return false;
  skip_blanks();
  const char* start = at_;
  if (!read_string(key_, key_buffer_) || !take(':', "a colon")) return false;
  value_start_ = start;
  return true;
}

std::uint64_t JsonCursor::unsigned_integer() {
  if (!ok_) return 0;
  skip_blanks();
  value_start_ = at_;
  std::uint64_t value = 0;
  // Three words, and the byte behind them.
  if (end_ - at_ > 24) {
    const char* behind = read_plain_integer(at_, value);
    if (behind != nullptr && !is_number_char(*behind)) {
      at_ = behind;
      return value;
    }
  }
  value = 0;
  const char* digit = at_;
  // Nineteen digits always fit.
  const char* safe_end = digit + 19 < end_ ? digit + 19 : end_;
  while (digit != safe_end && is_digit(*digit)) value = value * 10 + static_cast<unsigned>(*digit++ - '0');
  if (digit != end_ && digit == at_ + 19 && is_digit(*digit)) {
    const unsigned last = static_cast<unsigned>(*digit - '0');
    if (value > (std::numeric_limits<std::uint64_t>::max() - last) / 10 ||
        (digit + 1 != end_ && is_digit(digit[1]))) {
      fail_at_cursor(ErrorCode::kMalformed, "the number does not fit 64 bits");
      return 0;
    }
    value = value * 10 + last;
    ++digit;
  }
  if (digit == at_ || (digit != end_ && is_number_char(*digit)) || (*at_ == '0' && digit - at_ > 1)) {
    fail_at_cursor(at_ == end_ ? ErrorCode::kTruncated : ErrorCode::kMalformed,
                   "an integer that is not negative is expected here");
    return 0;
  }
  at_ = digit;
  return value;
}

// The row as nearly every file has it: no blanks but one behind a comma, and not at the end of the text. 0,
// and not moved, when it is otherwise.
std::size_t JsonCursor::plain_row(std::span<std::uint64_t> values) {
  // What a row of the most digits takes, and a word beyond it.
  constexpr std::ptrdiff_t kLongestValue = 20;
  if (end_ - at_ < static_cast<std::ptrdiff_t>(values.size() + 1) * kLongestValue || *at_ != '[') return 0;
  const char* p = at_ + 1;
  for (std::size_t column = 0; column < values.size(); ++column) {
    p = read_plain_integer(p, values[column]);
    if (p == nullptr) return 0;
    if (*p == ']') {
      at_ = p + 1;
      return column + 1;
    }
    if (*p != ',') return 0;
    ++p;
    if (*p == ' ') ++p;
  }
  return 0;
}

std::size_t JsonCursor::unsigned_row(std::span<std::uint64_t> values) {
  if (!ok_) return 0;
  skip_blanks();
  const char* row = at_;
  if (const std::size_t count = plain_row(values); count > 0) {
    value_start_ = row;
    return count;
  }
  begin_array();
  std::size_t count = 0;
  while (next_element()) {
    const std::uint64_t value = unsigned_integer();
    if (!ok_) return 0;
    if (count == values.size()) {
      value_start_ = row;
      fail_here(ErrorCode::kMalformed, fmt::format("this row has more than {} columns", values.size()));
      return 0;
    }
    values[count++] = value;
  }
  value_start_ = row;
  return ok_ ? count : 0;
}

std::int64_t JsonCursor::integer() {
  if (!ok_) return 0;
  skip_blanks();
  const char* start = at_;
  const bool negative = at_ != end_ && *at_ == '-';
  if (negative) {
    ++at_;
    if (at_ != end_ && is_blank(*at_)) fail_at_cursor(ErrorCode::kMalformed, "a digit is expected here");
  }
  const std::uint64_t magnitude = unsigned_integer();
  value_start_ = start;
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (magnitude > kMax + (negative ? 1U : 0U)) {
    fail_here(ErrorCode::kMalformed, "the number does not fit 64 bits with a sign");
    return 0;
  }
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::string_view JsonCursor::number_token() {
  if (!ok_) return {};
  skip_blanks();
  value_start_ = at_;
  const char* stop = at_;
  while (stop != end_ && is_number_char(*stop)) ++stop;
  const std::string_view token(at_, static_cast<std::size_t>(stop - at_));
  // JSON's grammar: digits without a leading zero, a fraction with digits, an exponent with digits.
  const char* p = at_;
  const auto digits = [&] {
    const char* from = p;
    while (p != stop && is_digit(*p)) ++p;
    return p != from;
  };
  if (p != stop && *p == '-') ++p;
  const bool zero = p != stop && *p == '0';
  const char* whole = p;
  bool good = digits() && !(zero && p - whole > 1);
  if (good && p != stop && *p == '.') {
    ++p;
    good = digits();
  }
  if (good && p != stop && (*p == 'e' || *p == 'E')) {
    ++p;
    if (p != stop && (*p == '+' || *p == '-')) ++p;
    good = digits();
  }
  if (!good || p != stop) {
    fail_at_cursor(stop == end_ ? ErrorCode::kTruncated : ErrorCode::kMalformed, "a number is expected here");
    return {};
  }
  at_ = stop;
  return token;
}

double JsonCursor::number() {
  const std::string_view token = number_token();
  double value = 0;
  if (ok_ && std::from_chars(token.data(), token.data() + token.size(), value).ec != std::errc{})
    fail_here(ErrorCode::kMalformed, "the number does not fit a double");
  return ok_ ? value : 0;
}

std::int64_t JsonCursor::scaled_decimal(int decimals) {
  const std::string_view token = number_token();
  if (!ok_) return 0;
  const bool negative = token.front() == '-';
  std::int64_t value = 0;
  bool fits = true;
  int places = -1;  // behind the point; -1 before it
  for (const char c : token.substr(negative ? 1 : 0)) {
    if (c == '.') {
      places = 0;
    } else if (!is_digit(c)) {
      fits = false;
    } else if (places < decimals) {
      fits = fits && !__builtin_mul_overflow(value, std::int64_t{10}, &value) &&
             !__builtin_add_overflow(value, std::int64_t{c - '0'}, &value);
      if (places >= 0) ++places;
    }
  }
  for (int place = places < 0 ? 0 : places; place < decimals; ++place)
    fits = fits && !__builtin_mul_overflow(value, std::int64_t{10}, &value);
  if (!fits) {
    fail_here(ErrorCode::kMalformed, "the number does not fit 64 bits, or has an exponent");
    return 0;
  }
  return negative ? -value : value;
}

bool JsonCursor::boolean() {
  const JsonKind what = kind();
  value_start_ = at_;
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (what == JsonKind::kTrue && rest.starts_with("true")) {
    at_ += 4;
    return true;
  }
  if (what == JsonKind::kFalse && rest.starts_with("false")) {
    at_ += 5;
    return false;
  }
  fail_at_cursor(
      is_cut(rest, "true") || is_cut(rest, "false") ? ErrorCode::kTruncated : ErrorCode::kMalformed,
      "true or false is expected here");
  return false;
}

bool JsonCursor::take_null() {
  if (kind() != JsonKind::kNull) return false;
  value_start_ = at_;
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (!rest.starts_with("null")) {
    fail_at_cursor(is_cut(rest, "null") ? ErrorCode::kTruncated : ErrorCode::kMalformed,
                   "null is expected here");
    return false;
  }
  at_ += 4;
  return true;
}

// Moves past a string without looking at its escapes, but tells whether it has some.
bool JsonCursor::skip_string(bool& has_escapes) {
  const char* p = find_quote_or_escape(at_ + 1, end_);
  has_escapes = p != end_ && *p != '"';
  while (p != end_ && *p != '"') p = find_quote_or_escape(end_ - p > 1 ? p + 2 : end_, end_);
  if (p == end_) {
    fail_at_cursor(ErrorCode::kTruncated, "this string has no end");
    return false;
  }
  at_ = p + 1;
  return true;
}

bool JsonCursor::read_string(std::string_view& result, std::string& buffer) {
  if (!ok_) return false;
  if (at_ == end_ || *at_ != '"') {
    fail_at_cursor(at_ == end_ ? ErrorCode::kTruncated : ErrorCode::kMalformed, "a string is expected here");
    return false;
  }
  const char* first = at_ + 1;
  bool has_escapes = false;
  if (!skip_string(has_escapes)) return false;
  const std::string_view text(first, static_cast<std::size_t>(at_ - 1 - first));
  if (!has_escapes) {
    result = text;
    return true;
  }
  if (const auto bad = unescape_json(text, buffer)) {
    at_ = first + *bad;
    fail_at_cursor(ErrorCode::kMalformed, "JSON has no such escape");
    return false;
  }
  result = buffer;
  return true;
}

std::string_view JsonCursor::string() {
  if (!ok_) return {};
  skip_blanks();
  value_start_ = at_;
  std::string_view result;
  if (!read_string(result, string_buffer_)) return {};
  return result;
}

std::string_view JsonCursor::raw_value() {
  if (!ok_) return {};
  skip_blanks();
  const char* start = at_;
  skip_value();
  return ok_ ? std::string_view(start, static_cast<std::size_t>(at_ - start)) : std::string_view();
}

void JsonCursor::skip_value() {
  if (!ok_) return;
  skip_blanks();
  value_start_ = at_;
  int open = 0;
  bool has_escapes = false;
  do {
    skip_blanks();
    if (at_ == end_) return fail_at_cursor(ErrorCode::kTruncated, "the file ends inside a value");
    const char c = *at_;
    if (c == '"') {
      if (!skip_string(has_escapes)) return;
    } else if (c == '{' || c == '[') {
      if (depth_ + ++open > kMaxDepth) return fail_at_cursor(ErrorCode::kTooLarge, "nested too deeply");
      ++at_;
    } else if (c == '-' || is_digit(c) || c == 't' || c == 'f' || c == 'n') {
      while (at_ != end_ && is_token_char(*at_)) ++at_;
    } else if (open > 0 && (c == ',' || c == ':')) {
      ++at_;
    } else if (open > 0 && (c == ']' || c == '}')) {
      --open;
      ++at_;
    } else {
      return fail_at_cursor(ErrorCode::kMalformed, "a value is expected here");
    }
  } while (open > 0);
}

void JsonCursor::skip_value_to(std::uint64_t offset_behind_it) {
  if (!ok_) return;
  skip_blanks();
  value_start_ = at_;
  at_ = begin_ + (offset_behind_it - base_offset_);
}

void JsonCursor::expect_end() {
  if (!ok_) return;
  skip_blanks();
  if (at_ != end_) fail_at_cursor(ErrorCode::kMalformed, "something follows the end of the document");
}

}  // namespace accelscope::base
