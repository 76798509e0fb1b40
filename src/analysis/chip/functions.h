// What each function cost: how often it ran, how long, and how much the scheduler and the switch added around
// it.
//
// A function is what the dispatches of one name ran. Times are sums over its dispatches, exact, in ticks of
// the cores' clock. What was not recorded is absent (n of it is 0), never zero.
//
// Pure function of a read-only trace; the answer owns what it holds, engines point into the trace.
//
//   const FunctionTimes times = function_times(trace, chip);
//   for (const FunctionTime& f : times.functions) show(trace.text(f.function), f.exec.total, f.exec_share);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/chip/tick_stats.h"
#include "trace/chip_run.h"

namespace accelscope::analysis::chip {

struct FunctionTime {
  trace::StringId function = trace::StringId::kEmpty;  // empty in the total
  std::uint64_t count = 0;                             // dispatches
  std::vector<std::string_view> engines = {};          // that it ran on, by name
  TickStats exec = {};                                 // start to end
  TickStats latency = {};                              // dispatch to finish
  TickStats head = {};                                 // dispatch to start
  TickStats tail = {};                                 // end to finish
  TickSum propagation = {};                            // dispatch to receive
  TickSum local_setup = {};                            // receive to start; a gated dispatch waits in it, too
  // Of the head, what the core spent without other work. Early dispatches, which may wait for producers, are
  // left out.
  TickSum idle_head = {};
  double exec_share = 0;  // of all functions' exec, 0 to 1
};

struct FunctionTimes {
  std::vector<FunctionTime> functions = {};  // most exec first, then by name
  FunctionTime total = {};
};

FunctionTimes function_times(const trace::Trace& trace, const trace::ChipRun& chip);

}  // namespace accelscope::analysis::chip
