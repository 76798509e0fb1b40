// Small traces, drawn slice by slice.
//
// One test owns one sketch; finish() leaves it empty.
//
//   OneTrackSketch sketch;
//   const SliceId outer = sketch.add("outer", 0, 10);
//   sketch.add("inner", 2, 5, outer);
//   const Trace trace = sketch.finish();
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

#include "trace/trace_builder.h"

namespace accelscope::tests {

struct TraceSketch {
  trace::TraceBuilder builder;

  trace::ClockId add_clock(std::string_view name, base::Frequency frequency) {
    return builder.add_clock({builder.intern(name), frequency});
  }
  trace::SliceId add(trace::TrackId track, std::string_view name, std::int64_t start, std::int64_t end,
                     trace::SliceId parent = trace::SliceId::kNone) {
    return builder.add_slice({.track = track,
                              .start = trace::Ticks{start},
                              .duration = trace::Ticks{end - start},
                              .name = builder.intern(name),
                              .parent = parent});
  }
  trace::Trace finish() {
    auto finished = std::move(builder).finish();
    EXPECT_TRUE(finished) << finished.error().to_string();
    return std::move(*finished);
  }
};

struct OneTrackSketch : TraceSketch {
  trace::ClockId clock = add_clock("host", base::Frequency::nanoseconds());
  trace::TrackId track;

  explicit OneTrackSketch(std::string_view name = "main", trace::Nesting nesting = trace::Nesting::kExplicit)
      : track(builder.add_track({.name = builder.intern(name), .clock = clock}, nesting)) {}

  using TraceSketch::add;
  trace::SliceId add(std::string_view name, std::int64_t start, std::int64_t end,
                     trace::SliceId parent = trace::SliceId::kNone) {
    return add(track, name, start, end, parent);
  }
};

}  // namespace accelscope::tests
