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
  kUnknown = 0,
  kFloat32 = 1,
  kFloat16 = 2,
  kBfloat16 = 3,
  kFloat64 = 4,
  kInt8 = 5,
  kInt16 = 6,
  kInt32 = 7,
  kInt64 = 8,
  kUint8 = 9,
  kUint16 = 10,
  kUint32 = 11,
  kUint64 = 12,
  kBool = 13,  // a byte
};
inline constexpr std::uint32_t kDataTypes = 14;

// 0 for a type that is not known.
constexpr std::uint32_t element_bytes(DataType type) {
  constexpr std::uint8_t kBytes[kDataTypes] = {0, 4, 2, 2, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1};
  const auto number = static_cast<std::uint32_t>(type);
  return number < kDataTypes ? kBytes[number] : 0;
}

}  // namespace accelscope::recorder
