// Small helpers for tests that build traces by hand.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "trace/trace_builder.h"

namespace accelscope::trace {

// A builder with one nanosecond clock and one track.
struct OneTrack {
  TraceBuilder builder;
  TrackId track;

  explicit OneTrack(Nesting nesting = Nesting::kByStart) {
    const ClockId clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
    track = builder.add_track({.name = builder.intern("main"), .clock = clock}, nesting);
  }

  SliceId slice(std::string_view name, std::int64_t start, std::int64_t end) {
    return builder.add_slice({.track = track,
                              .start = Ticks{start},
                              .duration = Ticks{end - start},
                              .name = builder.intern(name)});
  }

  Trace finish() {
    auto trace = std::move(builder).finish();
    EXPECT_TRUE(trace) << trace.error().to_string();
    return std::move(*trace);
  }
};

inline std::uint32_t row_named(const Trace& trace, std::string_view name) {
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    if (trace.text(trace.slices().name[row]) == name) return row;
  ADD_FAILURE() << "no slice named " << name;
  return 0;
}

inline std::string_view parent_name(const Trace& trace, std::string_view name) {
  const SliceId parent = trace.slices().parent[row_named(trace, name)];
  return parent == SliceId::kNone ? std::string_view("none") : trace.text(trace.slices().name[index(parent)]);
}

}  // namespace accelscope::trace
