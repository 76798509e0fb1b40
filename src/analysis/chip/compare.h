// Two runs of a chip compared: what happened to each function, to the latency of its tasks and to each phase
// of the scheduler, with the same statistics as everywhere else.
//
// Functions and phases are matched by name, their times taken in the order of the tasks. Speedup is baseline
// over candidate: above 1 the candidate is faster. One recording has one makespan, so its change is shown
// without a verdict. p values are corrected after Holm within each group. Pure functions; plain data that
// points to nothing.
//
//   const RunComparison comparison = compare_runs(before, after, {.threshold = 0.02});
//   const findings::Findings document = comparison_document(comparison);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/samples.h"
#include "stats/comparison.h"

namespace accelscope::analysis::chip {

struct TimesComparison {
  std::string name = {};
  std::uint64_t baseline_count = 0;
  std::uint64_t candidate_count = 0;
  double baseline_total = 0;
  double candidate_total = 0;
  std::optional<stats::Comparison> test = std::nullopt;  // of what both have
};

// A figure of what pipes did, in percent; absent where a run does not have it.
struct FigureComparison {
  std::string id = {};  // as in PipeFigure
  std::optional<double> baseline = std::nullopt;
  std::optional<double> candidate = std::nullopt;
};

struct RunComparison {
  std::string baseline = {};
  std::string candidate = {};
  std::string unit = {};
  double baseline_makespan = 0;
  double candidate_makespan = 0;
  std::vector<TimesComparison> functions = {};  // largest change of the total first
  std::vector<TimesComparison> latencies = {};
  std::vector<TimesComparison> phases = {};
  std::vector<FigureComparison> pipes = {};  // as in the baseline; not tested
  bool sampled = false;                      // some times were picked out of more
};

RunComparison compare_runs(const RunSamples& baseline, const RunSamples& candidate,
                           const stats::CompareOptions& options);

// The verdicts on functions by another threshold, as compare_runs() would give them; nothing else is computed
// again, nor may differ in the options.
void judge_functions(RunComparison& comparison, const stats::CompareOptions& options);

findings::Findings comparison_document(const RunComparison& comparison);

}  // namespace accelscope::analysis::chip
