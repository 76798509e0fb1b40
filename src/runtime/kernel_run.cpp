#include "runtime/kernel_run.h"

#include <fmt/core.h>

#include <exception>

#include "runtime/graph_check.h"

namespace accelscope::runtime {

KernelFailure run_kernel(const accelscope_kernel& kernel, const accelscope_kernel_call& call) {
  try {
    const int answer = kernel.run(&call);
    if (answer == 0) return {};
    return {true, fmt::format("its kernel '{}' returned {}", kernel.name, answer)};
  } catch (const std::exception& error) {
    return {true, fmt::format("its kernel '{}' threw: {}", kernel.name, error.what())};
  } catch (...) {
    return {true, fmt::format("its kernel '{}' threw", kernel.name)};
  }
}

std::string block_in_words(const Graph& graph, std::uint32_t task, std::uint32_t block) {
  const std::string which = graph.tasks[task].blocks > 1 ? fmt::format(", block {}", block) : std::string();
  return task_in_words(graph, task) + which;
}

RunFault fault_of_kernel(const Graph& graph, std::uint32_t task, std::uint32_t block, std::uint32_t core,
                         const KernelFailure& failure) {
  return {
      .kind = RunFault::Kind::kKernel,
      .text = fmt::format("{} failed on core {}: {}", block_in_words(graph, task, block), core, failure.why),
      .tasks = {task}};
}

}  // namespace accelscope::runtime
