#include "runtime/deadlock.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "runtime/graph_check.h"

namespace accelscope::runtime {
namespace {

struct ResourceWords {
  std::string_view what;
  std::string_view unit;
  std::string_view option;
};

ResourceWords words_of(Resource resource) {
  switch (resource) {
    case Resource::kTaskWindow:
      return {"the task window", "slots", "a larger window"};
    case Resource::kHeap:
      return {"the heap", "bytes", "a larger heap"};
    case Resource::kDependencyPool:
      return {"the dependency pool", "entries", "a larger pool"};
    case Resource::kTensorMap:
      return {"the tensor map", "entries", "a larger map"};
  }
  return {};
}

}  // namespace

RunFault deadlock_of(const Graph& graph, std::uint32_t task, const Shortage& shortage,
                     const std::vector<std::uint32_t>& oldest) {
  const ResourceWords words = words_of(shortage.resource);
  const std::string place =
      shortage.resource == Resource::kTensorMap ? "" : fmt::format(" of ring {}", shortage.ring);
  RunFault fault{.kind = RunFault::Kind::kDeadlock, .text = {}, .tasks = {task}};
  if (shortage.can_never_be_met()) {
    fault.text =
        fmt::format("{} needs {} {} of {}{}, which has {} in all: it wants {}", task_in_words(graph, task),
                    shortage.needed, words.unit, words.what, place, shortage.capacity, words.option);
    return fault;
  }
  std::string holders;
  for (const std::uint32_t holder : oldest) {
    fault.tasks.push_back(holder);
    holders += fmt::format("{}{}", holders.empty() ? "" : ", ", task_in_words(graph, holder));
  }
  fault.text = fmt::format(
      "deadlock: {} waits for {} {} of {}{}, of which {} of {} are in use, and no task runs that could give "
      "any back. In use by {}, held by scopes that have not ended, or by tasks to come. The graph wants {}, "
      "or "
      "scopes that end earlier",
      task_in_words(graph, task), shortage.needed, words.unit, words.what, place, shortage.used,
      shortage.capacity, holders.empty() ? "tasks of other rings" : holders, words.option);
  return fault;
}

}  // namespace accelscope::runtime
