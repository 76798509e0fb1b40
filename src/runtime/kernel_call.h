// What a kernel is given of a task: its tensors, its numbers.
//
// The tensors of a task are described once, and every kernel of it sees the range that its function names.
// The memory is the caller's, and so is what call_of() points into. Pure functions, safe from any thread.
//
//   std::vector<accelscope_tensor> tensors;
//   describe_tensors(graph, task, [&](std::uint32_t buffer) { return memory[buffer]; }, tensors);
//   const accelscope_kernel_call call = call_of(graph, task, tensors, lane, block);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

// `data`: the first element of the buffer, or null where only shapes are asked about.
inline accelscope_tensor describe_tensor(const Argument& argument, DataType type, std::byte* data) {
  const TensorView& view = argument.view;
  accelscope_tensor tensor{};
  tensor.data = data == nullptr ? nullptr : data + view.start * facts_of(type).bytes;
  tensor.data_type = static_cast<std::uint32_t>(type);
  tensor.access = (reads(argument.access) ? 1U : 0U) | (writes(argument.access) ? 2U : 0U);
  tensor.dimensions = view.dimensions;
  for (std::uint32_t i = 0; i < view.dimensions; ++i) {
    tensor.shape[i] = view.shape[i];
    tensor.strides[i] = view.strides[i];
  }
  return tensor;
}

// `memory_of(buffer)` is its first element as a std::byte*.
template <class MemoryOf>
void describe_tensors(const Graph& graph, std::uint32_t task, MemoryOf&& memory_of,
                      std::vector<accelscope_tensor>& tensors) {
  tensors.clear();
  for (const Argument& argument : graph.arguments_of(task))
    tensors.push_back(
        describe_tensor(argument, graph.buffers[argument.view.buffer].type, memory_of(argument.view.buffer)));
}

// A range of a function, of as many entries as a task has.
constexpr Range within(Range range, std::size_t entries) {
  return range == kAll ? Range{0, static_cast<std::uint32_t>(entries)} : range;
}

// `tensors` are all of the task's; `lane` is its position in Task::kernels, where there must be one.
inline accelscope_kernel_call call_of(const Graph& graph, std::uint32_t task,
                                      std::span<const accelscope_tensor> tensors, std::uint32_t lane,
                                      std::uint32_t block) {
  const Function& function = graph.functions[static_cast<std::size_t>(graph.tasks[task].kernels[lane])];
  const std::span<const double> scalars = graph.scalars_of(task);
  const Range of_tensors = within(function.arguments, tensors.size());
  const Range of_scalars = within(function.scalars, scalars.size());
  accelscope_kernel_call call{};
  call.tensors = tensors.data() + of_tensors.first;
  call.scalars = scalars.data() + of_scalars.first;
  call.tensor_count = of_tensors.count;
  call.scalar_count = of_scalars.count;
  call.block = block;
  call.blocks = graph.tasks[task].blocks;
  call.lane = lane;
  return call;
}

}  // namespace accelscope::runtime
