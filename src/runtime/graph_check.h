// Everything that can be wrong with a graph, found at once, before anything runs.
//
// Kernels are asked, too, whether they can work with the shapes they are given; where they come from is the
// caller's matter. What depends on the chip (more blocks that begin together than there are cores) or on the
// size of the rings is for the runtime. Pure functions, safe from any thread; a graph of a million tasks
// takes some tenths of a second.
//
//   ACCELSCOPE_CHECK(check(graph, {.find = [&](std::string_view name) { return registry.find(name); }}));
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "base/result.h"
#include "runtime/graph.h"

namespace accelscope::runtime {

struct KnownKernels {
  // nullptr when there is none of this name. Empty: names of kernels are not looked up at all.
  std::function<const accelscope_kernel*(std::string_view name)> find = {};
  std::vector<std::string_view> names = {};  // for suggestions
};

struct GraphProblem {
  enum class Of : std::uint8_t { kGraph, kBuffer, kFunction, kTask, kExpectation };

  Of of = Of::kGraph;
  std::uint32_t number = 0;  // of the buffer, function, task or expectation
  std::string text = {};     // says which, by name
};

struct GraphProblems {
  static constexpr std::size_t kMost = 1000;

  std::vector<GraphProblem> first = {};  // kMost at most
  std::uint64_t count = 0;

  void add(GraphProblem::Of of, std::size_t number, std::string text);
};

GraphProblems problems_of(const Graph& graph, const KnownKernels& kernels);

// An error that lists them.
base::Status check(const Graph& graph, const KnownKernels& kernels);

// "3 errors in the graph:" and a line for each of the first; they are lines already.
std::string listed(const std::vector<std::string>& lines, std::uint64_t count);

// For messages: "`load`", or "task 17 (gemm)" when it has no name.
std::string task_in_words(const Graph& graph, std::uint32_t task);

}  // namespace accelscope::runtime
