// The parts of graph_check.h: each looks at one side of a graph. For graph_check.cpp only.
#pragma once

#include <optional>
#include <string>

#include "runtime/graph_check.h"

namespace accelscope::runtime {

// What is wrong with a view, as the end of a sentence about it; nothing when it is fine.
std::optional<std::string> problem_of_view(const Graph& graph, const TensorView& view, bool written);

// Whether everything that a task refers to by number is there: what is not cannot be looked at further.
bool numbers_are_sound(const Graph& graph, GraphProblems& problems);

void check_buffers(const Graph& graph, GraphProblems& problems);
void check_tasks(const Graph& graph, const KnownKernels& kernels, GraphProblems& problems);
// Order of steps, lives of buffers, scopes, expectations.
void check_order(const Graph& graph, GraphProblems& problems);
// Explicit dependencies, and circles of them.
void check_dependencies(const Graph& graph, GraphProblems& problems);

}  // namespace accelscope::runtime
