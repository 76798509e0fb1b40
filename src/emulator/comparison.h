// What a run left in the memories, held against what was expected.
//
// Reads the state only. Pure functions; several may compare at the same time.
//
//   ACCELSCOPE_TRY(const Comparison found, compare(core.state(), expectation, {.steps = 1}));
//   if (found.different > 0) ...found.first.front().tensor
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "emulator/expectation.h"
#include "emulator/state.h"

namespace accelscope::emulator {

// An element is as expected when it is within absolute + relative * |expected|, or within so many steps. A
// step is what the last bit of the larger of both is worth in the memory's format; of a format with scales,
// what that of the block's largest expected element is worth. By default nothing but equality will do; 0 and
// -0 are equal, and so are two that are no numbers.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double steps = 0;
};

struct Difference {
  std::size_t tensor = 0;  // which of the expectation
  std::uint64_t row = 0;
  std::uint64_t column = 0;
  float expected = 0;
  float got = 0;
};

struct TensorComparison {
  std::uint64_t checked = 0;
  std::uint64_t different = 0;
  double largest_error = 0;  // |expected - got|; infinite where only one is a number
  double largest_steps = 0;
};

struct Comparison {
  std::uint64_t checked = 0;
  std::uint64_t different = 0;
  double largest_error = 0;
  double largest_steps = 0;
  std::vector<TensorComparison> tensors = {};  // as in the expectation
  std::vector<Difference> first = {};          // at most kMostDifferences of all tensors together
};
inline constexpr std::size_t kMostDifferences = 20;

// Fails where a tensor lies outside of the memories, which it names.
base::Result<Comparison> compare(const State& state, const Expectation& expectation,
                                 const Tolerance& tolerance);

// "Y[3, 17]: expected 0.5, got 0.25 (vram, element 1041)".
std::string describe(const Difference& difference, const Expectation& expectation);

}  // namespace accelscope::emulator
