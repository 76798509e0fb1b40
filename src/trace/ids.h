// 32-bit names for the rows of a Trace's tables. An id is the row's position; kNone stands for "no such row".
// Trivial values; safe everywhere.
//
//   SliceId parent = trace.slices().parent[index(id)];
//   if (parent != SliceId::kNone) ...
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/string_interner.h"

namespace accelscope::trace {

using base::StringId;

enum class SliceId : std::uint32_t { kNone = 0xFFFFFFFF };
enum class TrackId : std::uint32_t { kNone = 0xFFFFFFFF };
enum class ClockId : std::uint32_t { kNone = 0xFFFFFFFF };
enum class TaskId : std::uint32_t { kNone = 0xFFFFFFFF };
enum class RunId : std::uint32_t { kNone = 0xFFFFFFFF };
enum class ArgId : std::uint32_t { kNone = 0xFFFFFFFF };
enum class ResourceId : std::uint32_t { kNone = 0xFFFFFFFF };
// Categories are few: 16 bits, and 0 is "no category".
enum class CategoryId : std::uint16_t { kNone = 0 };

template <class Id>
requires std::is_enum_v<Id>
constexpr std::underlying_type_t<Id> index(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

// Consecutive rows of a table: [first, first + count).
struct RowRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  constexpr std::uint32_t end() const { return first + count; }
  constexpr bool empty() const { return count == 0; }
  constexpr bool contains(std::uint32_t row) const { return row >= first && row - first < count; }
};

}  // namespace accelscope::trace
