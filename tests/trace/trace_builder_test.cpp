#include "trace/trace_builder.h"

#include <gtest/gtest.h>

#include "trace/self_time.h"

namespace accelscope::trace {
namespace {

TEST(TraceBuilder, NestsSlicesThatArriveInCompletionOrder) {
  TraceBuilder builder;
  const ClockId clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
  const TrackId track = builder.add_track({.name = builder.intern("main"), .clock = clock}, Nesting::kByCompletion);
  builder.add_slice({.track = track, .start = Ticks{2}, .duration = Ticks{3}, .name = builder.intern("child")});
  builder.add_slice({.track = track, .start = Ticks{1}, .duration = Ticks{9}, .name = builder.intern("root")});
  const auto trace = std::move(builder).finish();
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->text(trace->slices().name[0]), "root");
  EXPECT_EQ(trace->slices().parent[1], SliceId{0});
  const std::vector<Ticks> self = self_times(*trace, trace->slices_of(track));
  EXPECT_EQ(self[0].value, 6);
  EXPECT_EQ(self[1].value, 3);
}

}  // namespace
}  // namespace accelscope::trace
