// One trace for the tests of every writer: what is drawn of it must be the same in all of them.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "trace/trace_builder.h"

namespace accelscope::test {

// A host in nanoseconds; a device whose tick is 20 ns and whose 0 is at 1000 ns of the host; a core that is
// related to the device only, the other way round, 10 ns a tick, its 500 being the device's 0; and a clock
// alone, of unknown unit. In nanoseconds of the host: "on host" is [0, 10), "on device" and "on core" are
// [1200, 1400); "alone" is [3, 4).
inline trace::Trace four_clocks_trace() {
  using base::Frequency;
  using trace::ClockId;
  using trace::Ticks;
  trace::TraceBuilder builder;
  const auto add_clock = [&](std::string_view name, Frequency frequency) {
    return builder.add_clock({builder.intern(name), frequency});
  };
  const ClockId host = add_clock("host", Frequency::nanoseconds());
  const ClockId device = add_clock("device", Frequency::mhz(50));
  const ClockId core = add_clock("core", Frequency::mhz(100));
  const ClockId alone = add_clock("alone", Frequency::unknown());
  builder.add_clock_relation({device, host, {}, {{Ticks{0}, Ticks{1000}}, {Ticks{50}, Ticks{2000}}}, {}});
  builder.add_clock_relation({device, core, {}, {{Ticks{0}, Ticks{500}}, {Ticks{50}, Ticks{600}}}, {}});
  const auto add = [&](ClockId clock, std::string_view name, std::int64_t start, std::int64_t end) {
    const trace::TrackId track = builder.add_track({.name = builder.intern(name), .clock = clock});
    builder.add_slice({.track = track,
                       .start = Ticks{start},
                       .duration = Ticks{end - start},
                       .name = builder.intern(name)});
  };
  add(host, "on host", 0, 10);
  add(device, "on device", 10, 20);
  add(core, "on core", 520, 540);
  add(alone, "alone", 3, 4);
  auto trace = std::move(builder).finish();
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

}  // namespace accelscope::test
