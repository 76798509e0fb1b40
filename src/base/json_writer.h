// JSON, written as it is made: ordered, deterministic, exact integers.
//
// Values go straight to an Output; nothing is kept but the nesting. Doubles are the shortest text that reads
// back to the same value; NaN and infinities, which JSON does not have, become null. Text that is not UTF-8
// is repaired. One thread uses one writer; the Output must outlive it.
//
//   JsonWriter json(out, JsonWriter::Style::kIndented);
//   json.begin_object();
//   json.key("runs").begin_array();  json.value(1.5);  json.end_array();
//   json.member("name", "toy");
//   json.end_object();
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/output.h"

namespace accelscope::base {

class JsonWriter {
 public:
  enum class Style : unsigned char { kCompact, kIndented };

  explicit JsonWriter(Output& out, Style style = Style::kCompact) : out_(out), style_(style) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  template <std::integral T>
  requires(!std::same_as<T, bool>) JsonWriter& value(T number) {
    if constexpr (std::is_signed_v<T>)
      return signed_integer(number);
    else
      return unsigned_integer(number);
  }
  JsonWriter& null();
  // Text that is JSON already, taken as it is.
  JsonWriter& raw(std::string_view json);

  template <class T>
  JsonWriter& member(std::string_view name, const T& content) {
    return key(name).value(content);
  }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& signed_integer(std::int64_t number);
  JsonWriter& unsigned_integer(std::uint64_t number);
  void before_value();
  void new_line();

  Output& out_;
  Style style_;
  std::vector<bool> has_items_;  // one per open bracket
  bool after_key_ = false;
};

// The text between quotation marks, quoted: for writers that build JSON by hand on a hot path.
void append_json_string(Output& out, std::string_view text);

}  // namespace accelscope::base
