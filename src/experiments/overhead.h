// What recording costs on this machine: for each level and policy, beside the cost of reading the counter.
//
// Times are those of the thread that produces, with the collector's two threads beside it as in a run and a
// file that goes nowhere. Everything takes turns in rounds, so that a drift favours nobody; a time is the
// median over bursts of its rounds' medians, and its spread says how far those lie apart. The loop around a
// task, without hooks, is measured and taken off; nothing else is.
//
// Takes about as long as it is told, on one thread and those of the collector. Nothing is written.
//
//   ACCELSCOPE_TRY(const Overhead overhead, measure_overhead({.time = std::chrono::seconds(3)}));
//   for (const PolicyCost& cost : overhead.costs) show(cost.level, cost.policy, cost.task.ns);
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "capture/run_policy.h"

namespace accelscope::experiments {

struct OverheadOptions {
  std::chrono::milliseconds time{3000};
  // Of the tasks whose file is measured; times are of tasks that do nothing.
  base::Nanoseconds task_length{10'000};
  std::function<void(std::chrono::milliseconds done)> progress = {};
};

struct MeasuredTime {
  double ns = 0;
  double spread = 0;  // from the 10th to the 90th percentile of the rounds, as a fraction of the time
};

// What a level leaves of one task, and needs: of one core, one scheduler thread and one orchestrator.
struct LevelBytes {
  int level = 0;
  std::uint32_t records = 0;
  std::uint32_t reads = 0;
  double in_memory = 0;  // of buffers, their headers included
  double on_disk = 0;    // of irregular tasks on a made-up clock; the file's own beginning and end left out
  std::uint64_t buffers = 0;
};

struct PolicyCost {
  int level = 0;
  capture::RunPolicy policy = capture::RunPolicy::kBlock;
  // Bursts that fit the pool: what the hooks of one task cost when the host keeps up.
  MeasuredTime task = {};
  // Tasks of no length without end: what one costs when the host cannot keep up, and how many of its records
  // are lost, from 0 to 1.
  MeasuredTime flooded = {};
  double lost = 0;
};

struct Overhead {
  base::Frequency counter = base::Frequency::unknown();
  MeasuredTime loop = {};      // what was taken off the others
  MeasuredTime read = {};      // of the counter
  MeasuredTime disabled = {};  // all hooks of a task at level 0
  std::vector<LevelBytes> bytes = {};
  std::vector<PolicyCost> costs = {};  // by level, then policy; level 0 has none
  std::uint32_t rounds = 0;
};

base::Result<Overhead> measure_overhead(const OverheadOptions& options);

}  // namespace accelscope::experiments
