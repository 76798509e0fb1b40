// A measurement of the recorder's cost that is made up, for tests and seeds.
//
// Pure functions.
//
//   const findings::Findings document = jobs::overhead_document(tests::sample_overhead(), {10'000}, "here");
#pragma once

#include "experiments/overhead.h"
#include "experiments/synthetic_task.h"

namespace accelscope::tests {

// Level L under any policy costs 40 L ns per task.
inline experiments::Overhead sample_overhead(double spread = 0.02) {
  experiments::Overhead overhead{.counter = base::Frequency::mhz(2300),
                                 .loop = {0.3, 0.01},
                                 .read = {10, spread},
                                 .disabled = {2, 0.05},
                                 .rounds = 12};
  for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level) {
    const experiments::TaskShape shape = experiments::shape_of_task(level);
    overhead.bytes.push_back({.level = level,
                              .records = shape.records,
                              .reads = shape.reads,
                              .in_memory = 32.0 * shape.records,
                              .on_disk = 4.0 * shape.records,
                              .buffers = 100'000ULL * shape.records});
  }
  for (int level = 1; level <= kMaxChipSwimlaneLevel; ++level)
    for (const auto policy :
         {capture::RunPolicy::kBlock, capture::RunPolicy::kDrop, capture::RunPolicy::kOverwrite})
      overhead.costs.push_back({.level = level,
                                .policy = policy,
                                .task = {40.0 * level, spread},
                                .flooded = {100.0 * level, spread},
                                .lost = policy == capture::RunPolicy::kDrop ? 0.5 : 0});
  return overhead;
}

}  // namespace accelscope::tests
