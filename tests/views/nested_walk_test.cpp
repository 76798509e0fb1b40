#include "views/nested_walk.h"

#include <gtest/gtest.h>

#include "support/trace_sketch.h"
#include "views/random_trace.h"

namespace accelscope::views {
namespace {

using Sheet = tests::OneTrackSketch;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

// "a( b( ) )" and so on; " !name" at the first slice that does not fit.
std::string walk(const Trace& trace) {
  std::string text;
  const auto misfit = walk_nested(
      trace.slices(), trace.slices_of(TrackId{0}),
      [&](std::uint32_t row, Ticks, std::size_t) {
        text += std::string(trace.text(trace.slices().name[row])) + "(";
      },
      [&](std::uint32_t, Ticks) { text += ")"; });
  if (misfit) text += " !" + std::string(trace.text(trace.slices().name[index(misfit->slice)]));
  return text;
}

TEST(NestedWalk, ParentsOpenBeforeChildrenOfTheSameStart) {
  Sheet sheet;
  const SliceId leaf = sheet.add("leaf", 0, 5);
  const SliceId middle = sheet.add("middle", 0, 5);
  const SliceId root = sheet.add("root", 0, 5);
  sheet.builder.set_parent(leaf, middle);
  sheet.builder.set_parent(middle, root);
  EXPECT_EQ(walk(sheet.finish()), "root(middle(leaf()))");
}

TEST(NestedWalk, TouchingSlicesAreNeighbours) {
  Sheet sheet;
  sheet.add("a", 0, 5);
  sheet.add("b", 5, 9);
  EXPECT_EQ(walk(sheet.finish()), "a()b()");
}

TEST(NestedWalk, NoLengthAtTheStartOfALongSiblingComesFirst) {
  Sheet sheet;
  sheet.add("long", 5, 9);
  sheet.add("moment", 5, 5);
  EXPECT_EQ(walk(sheet.finish()), "moment()long()");
}

TEST(NestedWalk, NoLengthAtTheEndOfNestedSlicesIsServedInsideOut) {
  Sheet sheet;
  const SliceId outer = sheet.add("outer", 0, 9);
  const SliceId inner = sheet.add("inner", 0, 5, outer);
  sheet.add("after inner", 5, 5, outer);
  sheet.add("in inner", 5, 5, inner);
  EXPECT_EQ(walk(sheet.finish()), "outer(inner(in inner())after inner())");
}

TEST(NestedWalk, NoLengthInsideNoLength) {
  Sheet sheet;
  const SliceId child = sheet.add("child", 3, 3);
  sheet.add("other", 3, 3);
  const SliceId parent = sheet.add("parent", 3, 3);
  sheet.builder.set_parent(child, parent);
  EXPECT_EQ(walk(sheet.finish()), "other()parent(child())");
}

TEST(NestedWalk, NamesTheFirstSliceThatDoesNotFit) {
  Sheet overlap;
  overlap.add("a", 0, 5);
  overlap.add("b", 4, 9);
  EXPECT_EQ(walk(overlap.finish()), "a( !b");

  Sheet unrelated;  // inside in time, but not its child
  unrelated.add("a", 0, 9);
  unrelated.add("b", 4, 5);
  EXPECT_EQ(walk(unrelated.finish()), "a( !b");

  Sheet sticks_out;
  sticks_out.add("child", 2, 9, sticks_out.add("parent", 0, 5));
  EXPECT_EQ(walk(sticks_out.finish()), "parent( !child");

  Sheet early;
  early.add("child", 0, 5, early.add("parent", 2, 9));
  EXPECT_EQ(walk(early.finish()), " !child");
}

TEST(NestedWalk, RandomNestedTracesAreWalkedWhole) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Sheet sheet;
    test::RandomTrace(seed).add_nested(sheet.builder, sheet.track, 0, 60, 6);
    const Trace trace = sheet.finish();
    std::vector<std::uint32_t> open;
    std::uint32_t seen = 0;
    Ticks now{};
    const auto misfit = walk_nested(
        trace.slices(), trace.slices_of(TrackId{0}),
        [&](std::uint32_t row, Ticks start, std::size_t depth) {
          ASSERT_EQ(depth, open.size());
          ASSERT_EQ(trace.slices().parent[row], open.empty() ? SliceId::kNone : SliceId{open.back()});
          ASSERT_GE(start, now);
          now = start;
          open.push_back(row);
          ++seen;
        },
        [&](std::uint32_t row, Ticks end) {
          ASSERT_EQ(open.back(), row);
          ASSERT_EQ(end, trace.end_of(SliceId{row}));
          ASSERT_GE(end, now);
          now = end;
          open.pop_back();
        });
    ASSERT_FALSE(misfit) << "seed " << seed;
    ASSERT_EQ(seen, trace.slices().size());
    ASSERT_TRUE(open.empty());
  }
}

}  // namespace
}  // namespace accelscope::views
