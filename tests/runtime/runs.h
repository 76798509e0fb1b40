// Small graphs, kernels and chips for tests of the runtime.
//
// Kernels: "add_one" (vector) and "double" (cube) change the elements of their last argument from those of
// the first; "raise" (vector) counts its i32 up; "wait" takes as many nanoseconds as its first number says;
// "fail" returns 7, "throw" throws.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/graph_builder.h"
#include "runtime/run.h"

namespace accelscope::runtime {

inline float* elements(const accelscope_tensor& tensor) {
  return static_cast<float*>(tensor.data);
}

// The part of a tensor's elements that belongs to a block.
inline std::pair<std::uint32_t, std::uint32_t> part_of(const accelscope_kernel_call& call) {
  const std::uint32_t all = call.tensors[call.tensor_count - 1].shape[0];
  return {all * call.block / call.blocks, all * (call.block + 1) / call.blocks};
}

template <class Change>
int change_elements(const accelscope_kernel_call* call, Change&& change) {
  if (call->tensor_count == 0) return 0;
  const auto [from, to] = part_of(*call);
  const accelscope_tensor& in = call->tensors[0];
  const accelscope_tensor& out = call->tensors[call->tensor_count - 1];
  for (std::uint32_t i = from; i < to; ++i)
    elements(out)[i * out.strides[0]] = change(elements(in)[i * in.strides[0]]);
  return 0;
}

inline void work_in_first_number(const accelscope_kernel_call* call, accelscope_kernel_work* work) {
  *work = {};
  work->nanoseconds = call->scalar_count > 0 ? call->scalars[0] : 0;
}

inline const KernelRegistry& test_kernels() {
  static const KernelRegistry registry = [] {
    static const std::array<accelscope_kernel, 7> kernels = {{
        {.name = "add_one",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run =
             [](const accelscope_kernel_call* call) {
               return change_elements(call, [](float value) { return value + 1; });
             },
         .check = nullptr,
         .work = work_in_first_number},
        {.name = "double",
         .engine = ACCELSCOPE_ENGINE_CUBE,
         .run =
             [](const accelscope_kernel_call* call) {
               return change_elements(call, [](float value) { return value * 2; });
             },
         .check = nullptr,
         .work = work_in_first_number},
        {.name = "wait",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = [](const accelscope_kernel_call*) { return 0; },
         .check = nullptr,
         .work = work_in_first_number},
        {.name = "cube_wait",
         .engine = ACCELSCOPE_ENGINE_CUBE,
         .run = [](const accelscope_kernel_call*) { return 0; },
         .check = nullptr,
         .work = work_in_first_number},
        {.name = "raise",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run =
             [](const accelscope_kernel_call* call) {
               *static_cast<std::int32_t*>(call->tensors[0].data) += 1;
               return 0;
             },
         .check = nullptr,
         .work = work_in_first_number},
        {.name = "fail",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = [](const accelscope_kernel_call*) { return 7; },
         .check = nullptr,
         .work = work_in_first_number},
        {.name = "throw",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = [](const accelscope_kernel_call*) -> int { throw std::runtime_error("no luck"); },
         .check = nullptr,
         .work = work_in_first_number},
    }};
    static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, kernels.size(), kernels.data()};
    KernelRegistry made;
    EXPECT_TRUE(made.add(table, "tests"));
    return made;
  }();
  return registry;
}

inline device::Chip small_chip(std::uint32_t clusters = 2, std::uint32_t threads = 1) {
  return {.name = "small",
          .clusters = clusters,
          .scheduler_threads = threads,
          .counter = base::Frequency::mhz(1000)};
}

inline TensorView row(std::uint32_t buffer, std::uint32_t count, std::uint64_t start = 0) {
  return contiguous_view(buffer, std::array<std::uint32_t, 1>{count}, start);
}

inline std::vector<float> floats(const std::vector<std::byte>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// What must begin, begins; faults are for the test to look at.
inline RunOutcome run_small(const Graph& graph, const device::Chip& chip, const RunOptions& options = {},
                            const device::Costs& costs = {}, const KernelRegistry& kernels = test_kernels()) {
  base::Result<RunOutcome> outcome = run(graph, kernels, chip, costs, options);
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  return outcome ? std::move(*outcome) : RunOutcome{};
}

}  // namespace accelscope::runtime
