// How fast the processor's counter runs (accelscope/recorder/counter_platform.h), measured against the
// system's clock. Safe from any thread; takes as long as it is told.
//
//   const base::Frequency counter = measure_counter(std::chrono::milliseconds(20));
#pragma once

#include <chrono>

#include "base/units.h"

namespace accelscope::capture {

base::Frequency measure_counter(std::chrono::milliseconds time);

}  // namespace accelscope::capture
