// A graph carried out task by task in the order of submission, by kernels that are as simple as can be: what
// every run must come to.
#pragma once

#include <string_view>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

// The numbers of every buffer at the end. Throws std::runtime_error for a kernel that is not known here.
std::vector<std::vector<double>> naive_run(const Graph& graph);

// One sentence for each expectation that is not met.
std::vector<std::string> unmet(const Graph& graph, const std::vector<std::vector<double>>& memory);

// A kernel of this name that says only on which engine it runs, for graph_check.h.
const accelscope_kernel* naive_kernel(std::string_view name);

}  // namespace accelscope::runtime
