// Sums up the steps of a path by function.
//
// One path owns one; names are the trace's, which must outlive it.
//
//   PathFunctions functions(trace);
//   functions.add(name, compute, stall);
//   path.functions = std::move(functions).by_compute();
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "analysis/chip/critical_path.h"

namespace accelscope::analysis::chip {

class PathFunctions {
 public:
  explicit PathFunctions(const trace::Trace& trace) : trace_(trace) {}

  void add(trace::StringId function, Ticks compute, Ticks stall) {
    const auto [found, is_new] = place_.try_emplace(function, functions_.size());
    if (is_new) functions_.push_back({.function = function});
    FunctionOnPath& sum = functions_[found->second];
    sum.compute += compute;
    sum.stall += stall;
    ++sum.steps;
  }

  std::vector<FunctionOnPath> by_compute() && {
    std::sort(functions_.begin(), functions_.end(), [&](const FunctionOnPath& a, const FunctionOnPath& b) {
      if (a.compute != b.compute) return a.compute > b.compute;
      if (a.stall != b.stall) return a.stall > b.stall;
      return trace_.text(a.function) < trace_.text(b.function);
    });
    return std::move(functions_);
  }

 private:
  const trace::Trace& trace_;
  std::unordered_map<trace::StringId, std::size_t> place_;
  std::vector<FunctionOnPath> functions_;
};

}  // namespace accelscope::analysis::chip
