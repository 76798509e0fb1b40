#include "runtime/graph_check.h"

#include <fmt/core.h>

#include "runtime/graph_check_parts.h"

namespace accelscope::runtime {

void GraphProblems::add(GraphProblem::Of of, std::size_t number, std::string text) {
  if (first.size() < kMost) first.push_back({of, static_cast<std::uint32_t>(number), std::move(text)});
  ++count;
}

GraphProblems problems_of(const Graph& graph, const KnownKernels& kernels) {
  GraphProblems problems;
  if (!numbers_are_sound(graph, problems)) return problems;
  check_buffers(graph, problems);
  check_tasks(graph, kernels, problems);
  check_order(graph, problems);
  check_dependencies(graph, problems);
  return problems;
}

std::string listed(const std::vector<std::string>& lines, std::uint64_t count) {
  constexpr std::size_t kShown = 50;
  std::string list = fmt::format("{} error{} in the graph:", count, count == 1 ? "" : "s");
  for (std::size_t i = 0; i < lines.size() && i < kShown; ++i) list += fmt::format("\n  {}", lines[i]);
  const std::size_t shown = std::min(lines.size(), kShown);
  if (count > shown) list += fmt::format("\n  and {} more", count - shown);
  return list;
}

base::Status check(const Graph& graph, const KnownKernels& kernels) {
  const GraphProblems problems = problems_of(graph, kernels);
  if (problems.count == 0) return {};
  std::vector<std::string> lines;
  lines.reserve(problems.first.size());
  for (const GraphProblem& problem : problems.first) lines.push_back(problem.text);
  return base::fail(base::ErrorCode::kMalformed, "{}", listed(lines, problems.count));
}

std::string task_in_words(const Graph& graph, std::uint32_t task) {
  if (task < graph.task_names.size() && !graph.task_names[task].empty())
    return fmt::format("`{}`", graph.task_names[task]);
  std::string kernels;
  if (task < graph.tasks.size()) {
    if (graph.tasks[task].kind != TaskKind::kKernel)
      kernels = graph.tasks[task].kind == TaskKind::kDummy ? "dummy" : "alloc";
    for (const std::int32_t kernel : graph.tasks[task].kernels)
      if (kernel >= 0 && static_cast<std::size_t>(kernel) < graph.functions.size())
        kernels += fmt::format("{}{}", kernels.empty() ? "" : ", ",
                               graph.functions[static_cast<std::size_t>(kernel)].name);
  }
  return kernels.empty() ? fmt::format("task {}", task) : fmt::format("task {} ({})", task, kernels);
}

}  // namespace accelscope::runtime
