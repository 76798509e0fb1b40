// Dumps made up for demonstrations, tests and benchmarks. The same call gives the same dump.
//
// Pure functions, safe from any thread; the caller owns the result.
//
//   std::string fast = write_etdump(toy_dump(ToySpeed::kFast));
//   std::string slow = write_etdump(toy_dump(ToySpeed::kSlow));   // the same model without its fast kernels
#pragma once

#include <cstdint>

#include "formats/etdump/etdump_writer.h"

namespace accelscope::formats::etdump {

// A small convolutional model: one delegate call with XNNPACK-like operators and two operators of the
// framework. The first run is cold (about 1.35 times as long), run 6 has a spike (about 1.22 times). A seed
// other than 0 adds up to 2 percent to each run, different ones for each seed.
enum class ToySpeed : std::uint8_t { kFast, kSlow };
struct ToyRuns {
  std::uint32_t count = 10;
  std::uint32_t seed = 0;
};
Dump toy_dump(ToySpeed speed, ToyRuns runs = {});

// One run with everything that is unusual: allocations, debug values, numbered delegate events with metadata,
// events on two foreign clocks, an unnamed event, a loop over one instruction, control events.
Dump quirks_dump();

// A 32-bit counter that overflows in the first block (9300 ticks long), two methods in turn: 5 complete
// executions, 1 aborted, 1 empty.
Dump wrap_dump();

// Many runs of a larger model, `events` profile events in all; 173 201 make about 13.8 MB.
Dump large_dump(std::uint32_t events);

}  // namespace accelscope::formats::etdump
