// The arguments of a task as records, before it runs and after it has.
//
// What is read is recorded before, what is written after. Called by the scheduler thread that hands out the
// task's first block, and by the one that completes it: nobody else touches those elements then, because who
// writes them waits for this task, or this task for them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/actor_recorders.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

using recorder::TensorStage;

constexpr recorder::TensorRole role_of(Access access) {
  using recorder::TensorRole;
  return access == Access::kInput   ? TensorRole::kIn
         : access == Access::kInOut ? TensorRole::kInOut
                                    : TensorRole::kOut;
}

// The recorder's types are numbered as those of kernels, and then come those that kernels do not have.
constexpr recorder::DataType recorded_type(DataType type) {
  static_assert(static_cast<int>(recorder::DataType::kFloat32) == static_cast<int>(DataType::kFloat32));
  static_assert(static_cast<int>(recorder::DataType::kInt64) == static_cast<int>(DataType::kInt64));
  static_assert(static_cast<int>(recorder::DataType::kUint8) == static_cast<int>(DataType::kUInt8));
  static_assert(static_cast<int>(recorder::DataType::kBool) == static_cast<int>(DataType::kBool));
  return static_cast<recorder::DataType>(type);
}

template <class Machine>
void record_tensors(SharedState<Machine>& shared, const TaskSlot<Machine>& slot, TensorStage stage,
                    SchedulerRecorders<typename Machine::Clock>& recorders) {
  if ((recorders.flags & kDfxDumpTensor) == 0) return;
  const Graph& graph = shared.plan.graph;
  const std::span<const Argument> arguments = graph.arguments_of(slot.task);
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    if (stage == TensorStage::kBefore ? !reads(argument.access) : !writes(argument.access)) continue;
    recorder::TensorDescription tensor{
        .task = slot.id,
        .argument = i,
        .role = role_of(argument.access),
        .stage = stage,
        .data_type = recorded_type(graph.buffers[argument.view.buffer].type),
        .dimensions = static_cast<std::uint8_t>(argument.view.dimensions),
        .start_offset = argument.view.start,
    };
    std::copy(argument.view.shape.begin(), argument.view.shape.end(), tensor.shape);
    std::copy(argument.view.strides.begin(), argument.view.strides.end(), tensor.strides);
    recorders.tensors.on_tensor(
        tensor, shared.plan.run_kernels ? shared.memory.address(argument.view.buffer) : nullptr);
  }
}

}  // namespace accelscope::runtime
