// The arguments of a task as records, before it runs and after it has.
//
// What is read is recorded before, what is written after. Called by the scheduler thread that hands out the
// task's first block, and by the one that completes it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/actor_recorders.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

enum class TensorStage : std::uint8_t { kBefore = 0, kAfter = 1 };

constexpr std::uint8_t role_of(Access access) {
  return access == Access::kInput ? 0 : access == Access::kInOut ? 2 : 1;
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
    recorder::TensorRecord record{};
    record.task = slot.id;
    record.argument = i;
    record.role = role_of(argument.access);
    record.stage = static_cast<std::uint8_t>(stage);
    record.data_type = static_cast<std::uint8_t>(graph.buffers[argument.view.buffer].type);
    record.dimensions = static_cast<std::uint8_t>(argument.view.dimensions);
    std::copy(argument.view.shape.begin(), argument.view.shape.end(), record.shape);
    recorders.tensors.on_fact(record);
  }
}

}  // namespace accelscope::runtime
