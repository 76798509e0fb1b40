// What `accelscope overhead` measured, as far as the explanation of a run quotes it.
//
// Plain data and a pure function.
//
//   if (const LevelOverhead* cost = overhead_of(overhead, 2, "block")) say(cost->task_ns);
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace accelscope::analysis::chip {

struct LevelOverhead {
  int level = 0;  // of the recorder, 1 to 3
  std::string policy = {};
  double task_ns = 0;
};

struct MeasuredOverhead {
  std::string machine = {};  // in words
  std::string date = {};
  bool noisy = false;  // the machine was, by the measurement's own words
  std::vector<LevelOverhead> costs = {};
};

// Null when it was not measured.
const LevelOverhead* overhead_of(const MeasuredOverhead& overhead, int level, std::string_view policy);

}  // namespace accelscope::analysis::chip
