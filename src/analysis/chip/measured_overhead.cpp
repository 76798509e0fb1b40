#include "analysis/chip/measured_overhead.h"

#include <algorithm>

namespace accelscope::analysis::chip {

const LevelOverhead* overhead_of(const MeasuredOverhead& overhead, int level, std::string_view policy) {
  const auto found =
      std::find_if(overhead.costs.begin(), overhead.costs.end(),
                   [&](const LevelOverhead& cost) { return cost.level == level && cost.policy == policy; });
  return found == overhead.costs.end() ? nullptr : &*found;
}

}  // namespace accelscope::analysis::chip
