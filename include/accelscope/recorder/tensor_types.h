// What is said of a task's argument: which way it goes, when it was looked at, of what type its elements are.
//
// Freestanding; constants and pure functions. Numbers are part of recordings and keep their meaning.
//
//   static_assert(element_bytes(DataType::kBfloat16) == 2);
#pragma once

#include <cstdint>

namespace accelscope::recorder {

inline constexpr std::uint32_t kMaxDimensions = 5;

enum class TensorRole : std::uint8_t { kIn = 0, kOut = 1, kInOut = 2 };
enum class TensorStage : std::uint8_t { kBefore = 0, kAfter = 1 };  // the task

// A type that is not here goes as an unsigned one of the same width.
enum class DataType : std::uint8_t {
  kFloat32 = 0,
  kFloat16 = 1,
  kBfloat16 = 2,
  kInt64 = 3,
  kInt32 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kUint8 = 7,
  kBool = 8,  // a byte
  kFloat64 = 9,
  kUint16 = 10,
  kUint32 = 11,
  kUint64 = 12,
  kUnknown = 255,
};
inline constexpr std::uint32_t kDataTypes = 13;

// 0 for a type that is not known.
constexpr std::uint32_t element_bytes(DataType type) {
  constexpr std::uint8_t kBytes[kDataTypes] = {4, 2, 2, 8, 4, 2, 1, 1, 1, 8, 2, 4, 8};
  const auto number = static_cast<std::uint32_t>(type);
  return number < kDataTypes ? kBytes[number] : 0;
}

}  // namespace accelscope::recorder
