// Shapes that a single number hides: a jump in the middle, two speeds, spikes at a regular distance.
//
// Each function is quiet (empty result) unless the shape is plainly there; values that are not finite make it
// quiet, too. Nothing here throws. Pure functions; safe from any thread. Spans are read during the call only.
//
//   if (const auto step = step_change(latencies)) say("from run {} on", step->position);
//   if (const auto modes = two_modes(latencies)) say("{} or {}", modes->low_median, modes->high_median);
//   if (const auto spacing = spike_spacing(latencies)) say("a spike every {} runs", spacing->runs);
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace accelscope::stats {

struct StepLimits {
  double smallest_change = 0.03;  // of the median before the step
  double largest_p = 0.01;
};

// The place where the cumulative sum of ranks is farthest from what it should be (Pettitt's test, with its
// asymptotic p value, which is on the safe side for few runs). A steady drift is a step for this test as
// well: look at both. Needs 8 values.
struct Step {
  std::size_t position = 0;  // the first run of the new level
  double before_median = 0;
  double after_median = 0;
  double p = 1;
};
std::optional<Step> step_change(std::span<const double> values, const StepLimits& limits = {});

// Two speeds. The values are split at the widest gap that leaves at least 15 % of them (and four) on either
// side. It counts as two modes when the medians lie more than 5 raw MAD of the wider group apart and at least
// 3 %, and the gap is at least half of that distance. Values from one bell pass for two once in 25 samples of
// 12, once in a hundred of 20, and hardly ever above. Needs 12 values.
struct Modes {
  double low_median = 0;
  double high_median = 0;
  double high_share = 0;  // of the values, 0 to 1
  double border = 0;      // the middle of the gap
};
std::optional<Modes> two_modes(std::span<const double> values);

// Values above Tukey's upper fence whose distances are all equal, up to a tenth of the median distance: at
// least four of them, and not neighbours.
struct SpikeSpacing {
  std::size_t runs = 0;  // the median distance
  std::size_t spikes = 0;
};
std::optional<SpikeSpacing> spike_spacing(std::span<const double> values);

}  // namespace accelscope::stats
