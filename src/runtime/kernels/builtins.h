// The built-in kernels, by file. What each takes and does is in docs/kernels.md.
//
// Constant tables, safe from any thread.
//
//   for (const auto& group : builtin_kernels())
//     for (const accelscope_kernel& kernel : group) show(kernel.name);
#pragma once

#include <array>
#include <span>

#include "accelscope/accelscope_kernel.h"

namespace accelscope::runtime {

std::span<const accelscope_kernel> plain_kernels();

inline std::array<std::span<const accelscope_kernel>, 1> builtin_kernels() {
  return {plain_kernels()};
}

}  // namespace accelscope::runtime
