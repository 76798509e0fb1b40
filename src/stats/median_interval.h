// The confidence interval of a median from order statistics alone: no assumption but independent runs.
//
// The number of values below the true median is binomial with chance one half, so the values of ranks r and
// n + 1 - r enclose it with a chance that can be counted. The ranks are the narrowest whose chance is at
// least the level; since ranks are whole, the actual coverage is somewhat above it. Nothing here throws.
//
// Pure functions; safe from any thread. Spans are read during the call only.
//
//   if (const auto interval = median_interval(latencies, 0.95)) show(interval->interval, interval->coverage);
//   else say("needs {} runs", smallest_count_for_median_interval(0.95));   // 6
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "stats/interval.h"

namespace accelscope::stats {

struct MedianInterval {
  Interval interval;
  std::size_t low_rank = 0;  // counted from one
  std::size_t high_rank = 0;
  double coverage = 0;
};

// Empty when there are too few values for the level, when one is not finite, and when the level is not
// strictly between 0 and 1.
std::optional<MedianInterval> median_interval(std::span<const double> values, double level = 0.95);

// How many values the level needs at least; 0 when the level is not strictly between 0 and 1.
std::size_t smallest_count_for_median_interval(double level = 0.95);

}  // namespace accelscope::stats
