// How many runs at the start are warm-up: caches cold, code not yet loaded, clocks not yet up.
//
// The runs after the first quarter are taken as settled. Leading runs are warm-up while each of them is far
// above the settled ones (five robust standard deviations above their median, and 2 %) and above nearly all
// runs that follow: all of them below 50 runs, all but 2 % above, so that a rare interior spike does not hide
// a cold start. At most a quarter of the runs is called warm-up; fewer than 8 runs are too few to tell. For
// noise whose order means nothing, the first run is the largest once in n measurements, and most of those
// times it is not far above: that is how often this rule is wrong.
//
// It reports; it drops nothing. A value that is not finite makes it report no warm-up. Nothing here throws.
// Pure function; safe from any thread. Spans are read during the call only.
//
//   const WarmUp warm = warm_up(latencies);
//   const auto steady = std::span(latencies).subspan(warm.runs);
#pragma once

#include <cstddef>
#include <span>

namespace accelscope::stats {

struct WarmUp {
  std::size_t runs = 0;   // leading runs that are warm-up
  std::size_t limit = 0;  // the most that could have been found
  double excess = 0;      // how far their median lies above that of the rest, as a fraction of the latter
};

WarmUp warm_up(std::span<const double> values);

}  // namespace accelscope::stats
