// An interval that holds an unknown quantity with a stated confidence.
//
// Plain data; copy it between threads as you like. It owns nothing.
//
//   if (!interval.contains(1.0)) fmt::print("[{}, {}] at {} %\n", interval.low, interval.high, 100 *
//   interval.level);
#pragma once

namespace accelscope::stats {

struct Interval {
  double low = 0;
  double high = 0;
  double level = 0.95;  // the confidence that was asked for, 0 to 1

  bool contains(double value) const { return low <= value && value <= high; }
  bool operator==(const Interval&) const = default;
};

}  // namespace accelscope::stats
