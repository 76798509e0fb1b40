// Whether two views of a buffer share elements, and whether one has all of the other's.
//
// A view is a set of elements, so the order of its dimensions, dimensions of one element and dimensions that
// are walked without moving (stride 0) do not matter. A Region is that set in its simplest form: sums of a
// few progressions, in which neighbouring progressions are merged (a contiguous view is one range). Whoever
// asks about one view often makes its region once.
//
// The answers are exact for ranges, for boxes in one row-major grid, and for any two views as long as the
// search takes no more than kMaxOverlapSteps steps. Beyond that, which takes strides that have nothing to do
// with each other and interleave, two views are said to meet and none to be covered: right to wait for,
// nothing to rely on. Views must end before element 2^62.
//
// Plain values and pure functions, safe from any thread.
//
//   if (meet(region_of(read), region_of(written))) wait_for(writer);
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "runtime/tensor.h"

namespace accelscope::runtime {

// 0, stride, 2 * stride, ... most * stride.
struct Progression {
  std::uint64_t stride;
  std::uint64_t most;

  bool operator==(const Progression&) const = default;
};

// The elements begin + one of each progression. Strides descend; none is a multiple of another that could be
// merged with it.
struct Region {
  std::uint32_t buffer = 0;
  std::uint32_t count = 0;  // of progressions
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // behind the last element; begin for no elements
  std::array<Progression, kMaxDimensions> progressions = {};

  bool empty() const { return begin == end; }
  bool is_range() const { return count == 0 || (count == 1 && progressions[0].stride == 1); }
  std::span<const Progression> parts() const { return {progressions.data(), count}; }

  bool operator==(const Region&) const = default;
};

Region region_of(const TensorView& view);

inline constexpr std::uint32_t kMaxOverlapSteps = 4096;

// Regions of different buffers and those without elements do not meet, and none covers another.
bool meet(const Region& a, const Region& b);
// Whether b has every element of a.
bool is_covered(const Region& a, const Region& b);

}  // namespace accelscope::runtime
