// What executor_runner says about its own times: a source of latencies that does not pass through the event
// tracer, and so shows what tracing costs.
//
// A pure function of text; safe from any thread.
//
//   const RunnerLog log = parse_runner_log(text);
//   if (log.total_ms) fmt::print("{} ms per execution\n", *log.total_ms / *log.executions);
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace accelscope::experiments {

struct RunnerLog {
  // "Model executed successfully 10 time(s) in 2.760345 ms.": the last such line.
  std::optional<std::int64_t> executions = {};
  std::optional<double> total_ms = {};
  // "Iteration 3 of 10: 0.276 ms", in the order of the log; of newer runners only.
  std::vector<double> iteration_ms = {};
  // "Model loaded in 1.25 ms".
  std::optional<double> load_ms = {};
  // The word "nan" stands somewhere: outputs may be broken.
  bool mentions_nan = false;

  bool empty() const { return !total_ms && iteration_ms.empty() && !load_ms; }
};

RunnerLog parse_runner_log(std::string_view text);

}  // namespace accelscope::experiments
