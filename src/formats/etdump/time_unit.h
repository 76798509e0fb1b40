// The unit of an ETDump's times, which the file does not record: the person who made it has to say.
//
// Plain values and pure functions, safe from any thread; nothing is owned.
//
//   ACCELSCOPE_TRY(const TimeUnit unit, parse_time_unit("cycles:1.2GHz"));
//   unit.frequency.to_seconds(ticks);
//   parse_time_unit("ns")       // what runtimes on Linux, Android and macOS write
//   parse_time_unit("cycles")   // a counter of unknown speed: ticks have no length in seconds
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::formats::etdump {

struct TimeUnit {
  std::string name = "ns";  // as shown: "ns", "us", "ms", "s" or "cycles"
  base::Frequency frequency = base::Frequency::nanoseconds();

  static TimeUnit nanoseconds() { return {}; }
  static TimeUnit cycles(base::Frequency frequency = base::Frequency::unknown()) {
    return {"cycles", frequency};
  }
};

// "ns", "us", "µs", "ms", "s", "cycles", or "cycles:" and a frequency ("cycles:400MHz").
base::Result<TimeUnit> parse_time_unit(std::string_view text);

}  // namespace accelscope::formats::etdump
