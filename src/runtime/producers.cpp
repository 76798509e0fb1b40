#include "runtime/producers.h"

#include <algorithm>
#include <bit>

namespace accelscope::runtime {

using recorder::EdgeReason;

void Producers::clear() {
  found_.clear();
  distinct_.clear();
}

void Producers::find(const Graph& graph, std::uint32_t task, const TensorMap* map,
                     std::span<const std::uint64_t> ids) {
  clear();
  for (const std::uint32_t dependency : graph.dependencies_of(task))
    found_.push_back({ids[dependency], EdgeReason::kExplicit, 0});
  const auto look_up = [&](const TensorView& view, Access access, std::uint32_t argument) {
    if (access == Access::kCreatedOutput) return;
    if (const std::uint32_t creator = graph.buffers[view.buffer].made_by; creator != kNoTask)
      found_.push_back({ids[creator], EdgeReason::kCreator, argument});
    if (map == nullptr) return;
    map->find(view, access, [&](std::uint64_t producer) {
      found_.push_back({producer, EdgeReason::kTensorMap, argument});
    });
  };
  const std::span<const Argument> arguments = graph.arguments_of(task);
  for (std::uint32_t i = 0; i < arguments.size(); ++i) look_up(arguments[i].view, arguments[i].access, i);
  if (const Predicate& predicate = graph.tasks[task].predicate; predicate.present)
    look_up(predicate.view, Access::kInput, static_cast<std::uint32_t>(arguments.size()));

  std::sort(found_.begin(), found_.end());
  const auto same = [](const FoundProducer& a, const FoundProducer& b) {
    return a.producer == b.producer && a.reason == b.reason;
  };
  found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
  for (const FoundProducer& found : found_)
    if (distinct_.empty() || distinct_.back() != found.producer) distinct_.push_back(found.producer);
}

TaskLayout layout_of(const Task& task) {
  TaskLayout layout;
  if (task.kind != TaskKind::kKernel) return layout;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    if (task.kernels[lane] != kNoKernel) layout.lanes |= 1U << lane;
  layout.lane_count = static_cast<std::uint32_t>(std::popcount(layout.lanes));
  layout.shape = layout.lane_count > 1 ? Shape::kMix : layout.lanes == 1 ? Shape::kCube : Shape::kVector;
  layout.can_be_early = task.blocks == 1 && !task.sync_start && !task.predicate.present;
  return layout;
}

}  // namespace accelscope::runtime
