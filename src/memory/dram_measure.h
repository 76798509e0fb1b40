// What a DRAM delivers under a load that one can name: sequential, random, random blocks, interleaved
// streams, with writes among them, as fast as it goes or with a gap between requests.
//
// Every request is one burst, and every channel has its own sequence of them in its share of the span. With a
// gap of 0 every channel's queue is kept full, and latency counts from a place in the queue; else one request
// arrives at every channel each `gap` clocks, and latency counts from there. Pure functions, safe from any
// thread; they own what they return.
//
//   ACCELSCOPE_TRY(const Pattern pattern, pattern_of("blk16"));
//   ACCELSCOPE_TRY(const DramMeasurement measured, measure_dram(preset, {}, {.pattern = pattern}));
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "memory/dram_options.h"
#include "memory/dram_preset.h"
#include "memory/statistics.h"
#include "memory/timing.h"

namespace accelscope::memory {

struct Pattern {
  enum class Kind : std::uint8_t { kStream, kRandom, kBlocks, kStreams };
  Kind kind = Kind::kStream;
  std::uint32_t count = 1;  // bursts of a block, or streams

  bool operator==(const Pattern&) const = default;
};
// "stream", "random", "blk16", "str4"; an error that lists them for anything else.
base::Result<Pattern> pattern_of(std::string_view text);
std::string to_string(const Pattern& pattern);

// The bursts of one channel in order, below `bursts`.
class AddressSequence {
 public:
  AddressSequence(const Pattern& pattern, std::uint64_t bursts, std::uint64_t seed);
  std::uint64_t next();

 private:
  std::uint64_t random();

  Pattern pattern_;
  std::uint64_t bursts_;
  std::uint64_t state_;
  std::uint64_t index_ = 0;
  std::uint64_t block_ = 0;
};

struct DramLoad {
  Pattern pattern = {};
  double write_percent = 0;
  base::Cycles gap{};                       // clocks of the memory; 0: as fast as it goes
  double offered = 0;                       // or a share of the peak, 0 to 1, for gaps that are no clocks
  std::uint64_t requests = 300'000;         // of all channels
  base::Bytes span{std::int64_t{2} << 30};  // of all channels
  std::uint64_t seed = 1;
  // Called now and then with the requests done; false stops, and the result is of what was done.
  std::function<bool(std::uint64_t)> progress = nullptr;
};

struct DramMeasurement {
  std::uint64_t requests = 0;
  base::Picoseconds elapsed{};
  base::BytesPerSecond bandwidth{};
  base::BytesPerSecond peak{};
  double of_peak = 0;  // 0 to 1
  double clocks_of_tick = 1;
  // In picoseconds.
  double mean_latency = 0;
  double median_latency = 0;
  double p99_latency = 0;
  bool stopped = false;
  ModelStatistics statistics;
};

base::Result<DramMeasurement> measure_dram(const DramPreset& preset, const DramOptions& options,
                                           const DramLoad& load, Fidelity fidelity = Fidelity::kEvent);

}  // namespace accelscope::memory
