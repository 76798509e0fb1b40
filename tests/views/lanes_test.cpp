#include "views/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/trace_sketch.h"
#include "trace/vocabulary.h"
#include "views/random_trace.h"

namespace accelscope::views {
namespace {

using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TraceBuilder;
using trace::TrackId;

class Lanes : public ::testing::Test, protected tests::OneTrackSketch {
 protected:
  Lanes() : OneTrackSketch("core") {}

  static Trace split(const Trace& trace) {
    auto laned = split_overlaps(trace);
    EXPECT_TRUE(laned) << laned.error().to_string();
    EXPECT_FALSE(needs_lanes(*laned));
    return std::move(*laned);
  }
  static SliceId find(const Trace& trace, std::string_view name) {
    for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
      if (trace.text(trace.slices().name[row]) == name) return SliceId{row};
    return SliceId::kNone;
  }
  static std::string_view track_of(const Trace& trace, std::string_view slice) {
    return trace.text(trace.track(trace.slices().track[index(find(trace, slice))]).name);
  }
};

TEST_F(Lanes, NestedTracksStayAsTheyAre) {
  add("child", 1, 5, add("parent", 0, 5));
  add("next", 5, 5);
  const Trace trace = finish();
  EXPECT_FALSE(needs_lanes(trace));
  EXPECT_EQ(split(trace).tracks().size(), 1U);
}

TEST_F(Lanes, TheLaterOfTwoOverlappingSlicesMovesWithItsSubtree) {
  add("a child", 1, 2, add("a", 0, 10));
  const SliceId b = add("b", 5, 15);
  const SliceId inner = add("b child", 6, 12, b);
  add("b grandchild", 7, 8, inner);
  add("c", 10, 12);
  const Trace trace = finish();
  ASSERT_TRUE(needs_lanes(trace));
  const Trace laned = split(trace);
  ASSERT_EQ(laned.tracks().size(), 2U);
  const trace::Track& lane = laned.tracks()[1];
  EXPECT_EQ(laned.text(lane.name), "core (lane 2)");
  EXPECT_EQ(lane.parent, TrackId{0});
  EXPECT_EQ(lane.level, trace::TrackLevel::kLane);
  EXPECT_EQ(lane.clock, laned.tracks()[0].clock);
  EXPECT_EQ(track_of(laned, "a"), "core");
  EXPECT_EQ(track_of(laned, "a child"), "core");
  EXPECT_EQ(track_of(laned, "c"), "core");
  EXPECT_EQ(track_of(laned, "b"), "core (lane 2)");
  EXPECT_EQ(track_of(laned, "b grandchild"), "core (lane 2)");
  const SliceId b_child = find(laned, "b child");
  EXPECT_EQ(laned.slices().parent[index(b_child)], find(laned, "b"));
}

TEST_F(Lanes, AChildThatSticksOutLeavesItsParentAndKeepsItAsOwner) {
  const SliceId parent = add("parent", 0, 10);
  add("sticks out", 8, 12, parent);
  add("fits", 2, 5, parent);
  const Trace laned = split(finish());
  EXPECT_EQ(track_of(laned, "sticks out"), "core (lane 2)");
  EXPECT_EQ(track_of(laned, "fits"), "core");
  const std::uint32_t row = index(find(laned, "sticks out"));
  EXPECT_EQ(laned.slices().parent[row], SliceId::kNone);
  EXPECT_EQ(laned.slices().owner[row], find(laned, "parent"));
}

TEST_F(Lanes, EverythingAttachedToAMovedSliceSurvives) {
  const SliceId a = add("a", 0, 10);
  const SliceId b = add("b", 5, 15);
  const SliceId far = add("far", 20, 21);
  builder.set_owner(b, far);
  builder.add_slice_arg(b, "bytes", trace::Value::of_uint(64));
  builder.add_flow(a, b, builder.intern(trace::flow::kDependency), builder.intern("label"));
  builder.add_stage(b, builder.intern(trace::stage::kReady), Ticks{-2});
  const auto run = builder.add_run({.name = builder.intern("run"), .root = b});
  builder.slices().run[index(b)] = run;
  const Trace laned = split(finish());
  const SliceId moved = find(laned, "b");
  EXPECT_EQ(track_of(laned, "b"), "core (lane 2)");
  EXPECT_EQ(laned.slices().owner[index(moved)], find(laned, "far"));
  EXPECT_EQ(laned.find_arg(laned.slices().first_arg[index(moved)], "bytes"), trace::Value::of_uint(64));
  EXPECT_EQ(laned.flows().from[0], find(laned, "a"));
  EXPECT_EQ(laned.flows().to[0], moved);
  EXPECT_EQ(laned.text(laned.flows().label[0]), "label");
  EXPECT_EQ(laned.stages().slice[0], moved);
  EXPECT_EQ(laned.stages().offset[0], Ticks{-2});
  EXPECT_EQ(laned.run(run).root, moved);
  EXPECT_EQ(laned.slices().run[index(moved)], run);
}

TEST_F(Lanes, AMomentStrictlyInsideAnUnrelatedSliceMovesAndTouchingOnesStay) {
  add("long", 5, 10);
  add("at start", 5, 5);
  add("inside", 7, 7);
  add("at end", 10, 10);
  const Trace laned = split(finish());
  EXPECT_EQ(track_of(laned, "at start"), "core");
  EXPECT_EQ(track_of(laned, "inside"), "core (lane 2)");
  EXPECT_EQ(track_of(laned, "at end"), "core");
}

// A slice as it must be found again, whatever its id became.
using Shape = std::tuple<std::int64_t, std::int64_t, std::string>;

std::multiset<Shape> shapes(const Trace& trace) {
  std::multiset<Shape> all;
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    all.emplace(trace.slices().start[row].value, trace.slices().duration[row].value,
                std::string(trace.text(trace.slices().name[row])));
  return all;
}

TEST(LanesProperty, WildTracesLoseNothingAndNestAfterwards) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    TraceBuilder builder;
    const auto clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
    for (const char* name : {"one", "two"}) {
      const TrackId track = builder.add_track({.name = builder.intern(name), .clock = clock});
      test::RandomTrace(seed).add_wild(builder, track, 40, 30);
    }
    const auto trace = std::move(builder).finish();
    ASSERT_TRUE(trace);
    const auto laned = split_overlaps(*trace);
    ASSERT_TRUE(laned) << laned.error().to_string();
    ASSERT_FALSE(needs_lanes(*laned)) << "seed " << seed;
    ASSERT_EQ(shapes(*trace), shapes(*laned)) << "seed " << seed;
  }
}

TEST(LanesProperty, AsManyLanesAsSlicesOverlap) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    test::RandomTrace random(seed);
    TraceBuilder builder;
    const auto clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
    const TrackId track = builder.add_track({.name = builder.intern("core"), .clock = clock});
    std::map<std::int64_t, int> changes;
    for (int i = 0; i < 60; ++i) {
      const std::int64_t start = random.below(100);
      const std::int64_t length = 1 + random.below(20);
      builder.add_slice({.track = track, .start = Ticks{start}, .duration = Ticks{length}});
      ++changes[start];
      --changes[start + length];
    }
    int overlapping = 0;
    int most = 0;
    for (const auto& change : changes) most = std::max(most, overlapping += change.second);
    const auto trace = std::move(builder).finish();
    const auto laned = split_overlaps(*trace);
    ASSERT_TRUE(laned);
    ASSERT_EQ(laned->tracks().size(), static_cast<std::size_t>(most)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace accelscope::views
