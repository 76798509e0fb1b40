// Calls a kernel, and says in words what became of it.
//
// Kernels come from anywhere and may throw. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "accelscope/accelscope_kernel.h"
#include "runtime/kernel_call.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

struct KernelFailure {
  bool failed = false;
  std::string why = {};
};

KernelFailure run_kernel(const accelscope_kernel& kernel, const accelscope_kernel_call& call);

// "task 17 (gemm), block 3"; the block only where there are several.
std::string block_in_words(const Graph& graph, std::uint32_t task, std::uint32_t block);

RunFault fault_of_kernel(const Graph& graph, std::uint32_t task, std::uint32_t block, std::uint32_t core,
                         const KernelFailure& failure);

}  // namespace accelscope::runtime
