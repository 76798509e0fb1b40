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

std::span<const accelscope_kernel> attention_kernels();
std::span<const accelscope_kernel> elementwise_kernels();
std::span<const accelscope_kernel> matrix_kernels();
std::span<const accelscope_kernel> plain_kernels();
std::span<const accelscope_kernel> row_kernels();

inline std::array<std::span<const accelscope_kernel>, 5> builtin_kernels() {
  return {elementwise_kernels(), row_kernels(), attention_kernels(), matrix_kernels(), plain_kernels()};
}

// Of a struct with the functions run, check and work.
template <class Kernel>
constexpr accelscope_kernel vector_kernel(const char* name) {
  return {name, ACCELSCOPE_ENGINE_VECTOR, Kernel::run, Kernel::check, Kernel::work};
}

}  // namespace accelscope::runtime
