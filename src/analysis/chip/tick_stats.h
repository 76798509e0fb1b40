// How the lengths of many intervals are spread: sums exact, percentiles as `stats/quantile.h` defines them.
//
// An interval that ends before it begins is a defect of the recording. It is counted on its own and takes no
// part in anything else, because hiding it in a mean would make both wrong.
//
// Values; a sample has one owner and one thread. Lengths below 2^32 ticks take four bytes each.
//
//   TickSample sample;
//   sample.add(dispatch.end - dispatch.start);
//   const TickStats exec = sample.stats();   // exec.n == 0: nothing was recorded
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"

namespace accelscope::analysis::chip {

using base::Ticks;

struct TickSum {
  std::uint64_t n = 0;         // intervals with both ends recorded, in order
  std::uint64_t negative = 0;  // ended before they began: not in n, not in the total
  Ticks total = {};

  void add(Ticks length);
  void add(const TickSum& other);
  double mean() const { return n == 0 ? 0 : static_cast<double>(total.value) / static_cast<double>(n); }
};

// In ticks. Percentiles lie between ticks, so they are no integers. All are zero when n is.
struct TickStats : TickSum {
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  Ticks max = {};
};

class TickSample {
 public:
  void add(Ticks length);
  TickStats stats() const;
  const TickSum& sum() const { return sum_; }

 private:
  friend TickStats stats_of_all(std::span<const TickSample* const> samples);

  TickSum sum_;
  Ticks max_ = {};
  std::vector<std::uint32_t> narrow_;
  std::vector<std::int64_t> wide_;  // too long for 32 bits: longer than all of narrow_
};

// As if all their lengths were in one sample.
TickStats stats_of_all(std::span<const TickSample* const> samples);

}  // namespace accelscope::analysis::chip
