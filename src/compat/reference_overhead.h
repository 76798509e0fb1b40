// The reference's analysis of scheduler overhead, by its own rules, right or wrong: what its tool prints in
// six parts, as plain data and as its text.
//
// Known to be wrong, and kept so for comparison: a task counts as ready before it was submitted, and never
// when none of its producers was timed (parts 1 and 6); release, dummy, early dispatch, drain and graph
// preparation count as idle (part 5). Our own answer is in analysis/chip. Pure functions of a run.
//
//   const ReferenceOverhead overhead = reference_overhead(run);
//   fmt::print("{}", reference_overhead_text(overhead));
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compat/reference_run.h"
#include "compat/reference_sweep.h"

namespace accelscope::compat {

// Part 1. Shares of the window, in microseconds.
struct OverheadVerdict {
  std::size_t tasks = 0;  // rows
  double window = 0;      // first start to last end
  std::array<bool, kEngineCount> has_engine = {};
  std::array<double, kEngineCount> engine = {};
  double all = 0;
  double working = 0;
};

// Part 2: gaps between two tasks of a core whose second was there before the first had ended.
struct EngineSwitches {
  bool present = false;
  std::vector<double> per_core = {};  // total of each core that ran something
  std::size_t events = 0;
  double total = 0;
  double during_overhead = 0;
};

// Part 3 and 4: one value per row, sorted.
struct OverheadDistribution {
  std::vector<double> sorted = {};
  double total = 0;
};

// Part 5.
struct LoopThread {
  std::int64_t number = 0;
  std::uint64_t loops = 0;
  std::uint64_t tasks = 0;
  double total = 0;
};
struct DegreeCount {
  std::uint64_t edges = 0;
  std::uint64_t max = 0;
};
struct LoopBudget {
  std::vector<LoopThread> threads = {};
  std::uint64_t finishes = 0;
  double complete = 0;
  double async_poll = 0;
  double dispatch = 0;
  double idle = 0;
  DegreeCount fanout = {};
  DegreeCount fanin = {};
  std::uint64_t pop_hits = 0;
  std::uint64_t pop_misses = 0;
};

// Part 6.
struct LatencyPath {
  std::size_t hops = 0;
  double span = 0;
  double compute = 0;
  double scheduler = 0;
};

struct ReferenceOverhead {
  OverheadVerdict verdict = {};
  std::array<EngineSwitches, kEngineCount> switches = {};
  OverheadDistribution head = {};
  OverheadDistribution tail = {};
  LoopBudget loops = {};
  LatencyPath path = {};
};

// The run must have times of dispatch.
ReferenceOverhead reference_overhead(const ReferenceRun& run);
std::string reference_overhead_text(const ReferenceOverhead& overhead);

}  // namespace accelscope::compat
