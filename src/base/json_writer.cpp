#include "base/json_writer.h"

#include <charconv>
#include <cmath>
#include <string>

#include "base/utf8.h"

namespace accelscope::base {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void append_escaped(Output& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\t':
      out.append("\\t");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    default:
      break;
  }
  out.append("\\u00");
  out.append(kHexDigits[static_cast<unsigned char>(c) >> 4U]);
  out.append(kHexDigits[static_cast<unsigned char>(c) & 15U]);
}

template <class... Number>
void append_number(Output& out, Number... number) {
  constexpr std::size_t kMaxDigits = 32;
  char* place = out.reserve(kMaxDigits);
  out.advance(static_cast<std::size_t>(std::to_chars(place, place + kMaxDigits, number...).ptr - place));
}

}  // namespace

void append_json_string(Output& out, std::string_view text) {
  std::string repaired;
  if (!is_valid_utf8(text)) {
    repaired = replace_invalid_utf8(text);
    text = repaired;
  }
  out.append('"');
  std::size_t clean_from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!needs_escape(text[i])) continue;
    out.append(text.substr(clean_from, i - clean_from));
    append_escaped(out, text[i]);
    clean_from = i + 1;
  }
  out.append(text.substr(clean_from));
  out.append('"');
}

void JsonWriter::new_line() {
  if (style_ == Style::kCompact) return;
  out_.append('\n');
  for (std::size_t i = 0; i < has_items_.size(); ++i) out_.append("  ");
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_.append(',');
  has_items_.back() = true;
  new_line();
}

JsonWriter& JsonWriter::open(char bracket) {
  before_value();
  out_.append(bracket);
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) new_line();
  out_.append(bracket);
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append_json_string(out_, name);
  out_.append(style_ == Style::kIndented ? std::string_view(": ") : std::string_view(":"));
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_json_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  // Digits alone would be an integer to most parsers, and an error to those that have none of this size.
  constexpr double kBeyondIntegers = 9.2e18;
  if (std::abs(number) < kBeyondIntegers)
    append_number(out_, number);
  else
    append_number(out_, number, std::chars_format::scientific);
  return *this;
}

JsonWriter& JsonWriter::value(bool truth) {
  before_value();
  out_.append(truth ? std::string_view("true") : std::string_view("false"));
  return *this;
}

JsonWriter& JsonWriter::null() {
  before_value();
  out_.append("null");
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_value();
  out_.append(json);
  return *this;
}

JsonWriter& JsonWriter::signed_integer(std::int64_t number) {
  before_value();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::unsigned_integer(std::uint64_t number) {
  before_value();
  append_number(out_, number);
  return *this;
}

}  // namespace accelscope::base
