#include "formats/chrome_json/writer_text.h"

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "trace/chip_run.h"

namespace accelscope::formats::chrome_json {

using trace::ArgId;
using trace::StringId;
using trace::Value;
using trace::ValueType;

void EventText::put_microseconds(std::int64_t nanoseconds) {
  constexpr std::size_t kRoom = 32;
  char* const begin = out_.reserve(kRoom);
  char* at = begin;
  const auto bits = static_cast<std::uint64_t>(nanoseconds);
  const std::uint64_t magnitude = nanoseconds < 0 ? ~bits + 1 : bits;
  if (nanoseconds < 0) *at++ = '-';
  at = std::to_chars(at, begin + kRoom, magnitude / 1000).ptr;
  const auto decimals = static_cast<unsigned>(magnitude % 1000);
  if (decimals != 0) {
    at[0] = '.';
    at[1] = static_cast<char>('0' + decimals / 100);
    at[2] = static_cast<char>('0' + decimals / 10 % 10);
    at[3] = static_cast<char>('0' + decimals % 10);
    at += decimals % 10 != 0 ? 4 : decimals % 100 != 0 ? 3 : 2;
  }
  out_.advance(static_cast<std::size_t>(at - begin));
}

void EventText::put_quoted_slowly(StringId id) {
  const std::string_view text = trace_.text(id);
  TextKind& kind = kinds_[index(id)];
  if (kind == TextKind::kUnknown) {
    const bool escapes = std::any_of(text.begin(), text.end(), [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
    });
    // The empty text has no bytes to copy, not even an address.
    kind = !escapes && !text.empty() && base::is_valid_utf8(text) ? TextKind::kPlain : TextKind::kEscaped;
  }
  base::append_json_string(out_, text);
}

// A double keeps its type: one without decimals gets them.
void EventText::put_double(double number) {
  if (!std::isfinite(number)) return put("null");
  constexpr std::size_t kRoom = 40;
  char* const place = out_.reserve(kRoom);
  const char* const end = std::to_chars(place, place + kRoom, number).ptr;
  const bool looks_integral = std::all_of(static_cast<const char*>(place), end,
                                          [](char c) { return c == '-' || (c >= '0' && c <= '9'); });
  out_.advance(static_cast<std::size_t>(end - place));
  if (looks_integral) put(".0");
}

void EventText::put_hexadecimal(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  put("\"");
  for (const char byte : bytes) {
    out_.append(kDigits[static_cast<unsigned char>(byte) >> 4U]);
    out_.append(kDigits[static_cast<unsigned char>(byte) & 15U]);
  }
  put("\"");
}

void EventText::put_value(const Value& value) {
  switch (value.type) {
    case ValueType::kNull:
      return put("null");
    case ValueType::kInt:
      return put_integer(value.as_int());
    case ValueType::kUint:
      return put_integer(value.as_uint());
    case ValueType::kDouble:
      return put_double(value.as_double());
    case ValueType::kBool:
      return put(value.as_bool() ? "true" : "false");
    case ValueType::kString:
      return put_quoted(value.as_text());
    case ValueType::kJson:
      return put(value.as_text() == StringId::kEmpty ? "null" : trace_.text(value.as_text()));
    case ValueType::kBytes:
      return put_hexadecimal(trace_.text(value.as_text()));
    case ValueType::kTask:
      put("\"");
      put(trace::task_label(value.as_uint()));
      return put("\"");
  }
}

void EventText::put_arguments(ArgId first, ArgId left_out) {
  const trace::ArgTable& arguments = trace_.args();
  bool any = false;
  for (ArgId id = first; id != ArgId::kNone; id = arguments.next[index(id)]) {
    if (id == left_out) continue;
    put(any ? std::string_view(",") : std::string_view(",\"args\":{"));
    any = true;
    put_quoted(arguments.name[index(id)]);
    put(":");
    put_value(arguments.value(id));
  }
  if (any) put("}");
}

}  // namespace accelscope::formats::chrome_json
