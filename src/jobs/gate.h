// What a gate makes of a comparison: slower than allowed fails, undecided is skipped unless the gate is
// strict.
//
// A pure function; safe from any thread.
//
//   const report::GateCase result = gate_case("latency of forward: ...", "latency ", test, {.slowdown =
//   0.03});
#pragma once

#include <string>
#include <string_view>

#include "report/junit.h"
#include "stats/comparison.h"

namespace accelscope::jobs {

struct Gate {
  double slowdown = 0;  // the slowdown that is too much, as a fraction
  bool strict = false;  // what cannot be decided fails, too
};

// The test must have been made with the gate's slowdown as threshold. `subject` begins the message: "latency
// ".
report::GateCase gate_case(std::string name, std::string_view subject, const stats::Comparison& test,
                           const Gate& gate);

}  // namespace accelscope::jobs
