#include "compat/python_text.h"

#include <fmt/core.h>

#include <cmath>

#include "base/utf8.h"
#include "formats/timeline_csv/python_float.h"

namespace accelscope::compat {
namespace {

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text)
    if (starts_character(c)) ++count;
  return count;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (starts_character(text[i]) && seen++ == count) return text.substr(0, i);
  return text;
}

// The code point at `at` of valid UTF-8, which moves behind it.
std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80U) return lead;
  const int more = lead >= 0xF0U ? 3 : lead >= 0xE0U ? 2 : 1;
  std::uint32_t point = lead & (0x3FU >> static_cast<unsigned>(more));
  for (int i = 0; i < more; ++i) point = point << 6U | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  return point;
}

void append_escape(std::string& out, std::uint32_t point) {
  switch (point) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      break;
  }
  if (point < 0x10000U) {
    out += fmt::format("\\u{:04x}", point);
    return;
  }
  const std::uint32_t above = point - 0x10000U;
  out += fmt::format("\\u{:04x}\\u{:04x}", 0xD800U + (above >> 10U), 0xDC00U + (above & 0x3FFU));
}

}  // namespace

std::string fixed(double value, int decimals) {
  return std::isnan(value) ? "nan" : fmt::format("{:.{}f}", value, decimals);
}

std::string fixed(double value, int decimals, std::size_t width) {
  return fmt::format("{:>{}}", fixed(value, decimals), width);
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t count = characters(text);
  if (count < width) result.append(width - count, ' ');
  return result;
}

std::string shortened(std::string_view text, std::size_t limit, std::size_t keep) {
  if (characters(text) <= limit) return std::string(text);
  return std::string(first_characters(text, keep)) + "...";
}

std::string python_json_string(std::string_view text) {
  const std::string valid = base::is_valid_utf8(text) ? std::string(text) : base::replace_invalid_utf8(text);
  std::string out = "\"";
  for (std::size_t at = 0; at < valid.size();) {
    const std::uint32_t point = next_code_point(valid, at);
    const bool plain = point >= ' ' && point <= '~' && point != '"' && point != '\\';
    if (plain)
      out += static_cast<char>(point);
    else
      append_escape(out, point);
  }
  return out + '"';
}

void python_value(base::JsonWriter& json, double value) {
  if (std::isfinite(value))
    json.raw(formats::timeline_csv::python_float(value));
  else
    json.null();
}

void python_member(base::JsonWriter& json, std::string_view key, double value) {
  json.key(key);
  python_value(json, value);
}

void python_member(base::JsonWriter& json, std::string_view key, std::string_view text) {
  json.key(key).raw(python_json_string(text));
}

}  // namespace accelscope::compat
