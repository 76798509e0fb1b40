// A typed value of eight bytes: an argument of a slice, a fact about the run.
//
// Texts are interned; nested JSON and raw bytes are kept as texts whose type says what they are. Trivial to
// copy and share.
//
//   Value size = Value::of_uint(4096);
//   Value shape = Value::of_json(strings.intern("[1,3,96,96]"));
#pragma once

#include <bit>
#include <cstdint>

#include "trace/ids.h"

namespace accelscope::trace {

enum class ValueType : std::uint8_t { kNull, kInt, kUint, kDouble, kBool, kString, kJson, kBytes, kTask };

struct Value {
  ValueType type = ValueType::kNull;
  std::uint64_t bits = 0;

  static constexpr Value null() { return {}; }
  static constexpr Value of_int(std::int64_t value) {
    return {ValueType::kInt, static_cast<std::uint64_t>(value)};
  }
  static constexpr Value of_uint(std::uint64_t value) { return {ValueType::kUint, value}; }
  static constexpr Value of_double(double value) {
    return {ValueType::kDouble, std::bit_cast<std::uint64_t>(value)};
  }
  static constexpr Value of_bool(bool value) { return {ValueType::kBool, value ? 1U : 0U}; }
  static constexpr Value of_string(StringId text) { return {ValueType::kString, index(text)}; }
  // The text is valid JSON: an object or an array.
  static constexpr Value of_json(StringId text) { return {ValueType::kJson, index(text)}; }
  // The text is raw bytes, not for reading.
  static constexpr Value of_bytes(StringId text) { return {ValueType::kBytes, index(text)}; }

  // The 64-bit id of a task on a chip, which is shown as its label: "r1t5" (chip_run.h).
  static constexpr Value of_task(std::uint64_t external_id) { return {ValueType::kTask, external_id}; }

  constexpr std::int64_t as_int() const { return static_cast<std::int64_t>(bits); }
  constexpr std::uint64_t as_uint() const { return bits; }
  constexpr double as_double() const { return std::bit_cast<double>(bits); }
  constexpr bool as_bool() const { return bits != 0; }
  constexpr bool holds_text() const {
    return type == ValueType::kString || type == ValueType::kJson || type == ValueType::kBytes;
  }
  constexpr StringId as_text() const { return static_cast<StringId>(bits); }

  constexpr bool operator==(const Value&) const = default;
};

}  // namespace accelscope::trace
