// The tasks that a task must wait for, and why.
//
// Told by name, because they made a buffer that the task uses, or because the tensor map knows that their
// arguments overlap. Kept in the order of their ids, so that a recording does not depend on how they were
// found. Belongs to the orchestrator, which uses it for one task after the other.
//
//   producers.find(graph, task, &map, ids);
//   for (const std::uint64_t id : producers.distinct()) wire(id);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "accelscope/recorder/records.h"
#include "runtime/graph.h"
#include "runtime/task_slot.h"
#include "runtime/tensor_map.h"

namespace accelscope::runtime {

struct FoundProducer {
  std::uint64_t producer = 0;
  recorder::EdgeReason reason = recorder::EdgeReason::kExplicit;
  std::uint32_t argument = 0;

  auto operator<=>(const FoundProducer&) const = default;
};

class Producers {
 public:
  // `map` is null where nothing is found automatically; `ids` are those of the tasks submitted before.
  void find(const Graph& graph, std::uint32_t task, const TensorMap* map, std::span<const std::uint64_t> ids);
  void clear();

  // Each producer once per reason, with the first argument that has it.
  std::span<const FoundProducer> found() const { return found_; }
  std::span<const std::uint64_t> distinct() const { return distinct_; }

 private:
  std::vector<FoundProducer> found_;
  std::vector<std::uint64_t> distinct_;
};

// Where the blocks of a task go.
struct TaskLayout {
  Shape shape = Shape::kControl;
  std::uint32_t lanes = 0;
  std::uint32_t lane_count = 0;
  bool can_be_early = false;
};
TaskLayout layout_of(const Task& task);

}  // namespace accelscope::runtime
