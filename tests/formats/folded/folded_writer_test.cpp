#include "formats/folded/folded_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/trace_sketch.h"
#include "views/random_trace.h"

namespace accelscope::formats::folded {
namespace {

using base::Frequency;
using trace::ClockId;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

class Folded : public ::testing::Test, protected tests::TraceSketch {
 protected:
  TrackId add_track(std::string_view name, TrackId parent = TrackId::kNone, ClockId clock = ClockId{0}) {
    return builder.add_track({.name = builder.intern(name), .parent = parent, .clock = clock});
  }
  std::string written() {
    base::MemoryOutput out;
    auto result = write(finish(), out);
    EXPECT_TRUE(result) << result.error().to_string();
    notes = *result;
    return std::string(out.bytes());
  }

  trace::QualityTable notes;
};

TEST_F(Folded, EqualStacksAreOneSortedLine) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId process = add_track("app");
  const TrackId thread = add_track("main", process);
  for (const std::int64_t start : {0, 100}) {
    const SliceId root = add(thread, "run", start, start + 50);
    add(thread, "conv", start + 10, start + 30, root);
    add(thread, "add", start + 30, start + 35, root);
  }
  EXPECT_EQ(written(), "app;main;run 50\napp;main;run;add 10\napp;main;run;conv 40\n");
  EXPECT_TRUE(notes.rows().empty());
}

TEST_F(Folded, ParentsMayBeLoggedAfterTheirChildren) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId thread = add_track("main");
  const SliceId child = add(thread, "child", 0, 10);
  builder.set_parent(child, add(thread, "parent", 0, 30));
  EXPECT_EQ(written(), "main;parent 20\nmain;parent;child 10\n");
}

TEST_F(Folded, NamesThatWouldBreakALineAreChanged) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId thread = add_track("a;b");
  add(thread, "two\nlines 7", 0, 10);
  add(thread, "", 10, 12);
  EXPECT_EQ(written(), "a:b;(unnamed) 2\na:b;two lines 7 10\n");
}

TEST_F(Folded, OtherClocksStandApart) {
  add_clock("host", Frequency::nanoseconds());
  const ClockId device = add_clock("device", Frequency::mhz(50));
  const ClockId ticks = add_clock("ticks", Frequency::unknown());
  const TrackId process = add_track("app");
  add(add_track("main", process), "op", 0, 10);
  add(add_track("npu", process, device), "op", 0, 10);
  add(add_track("odd", process, ticks), "op", 0, 10);
  EXPECT_EQ(written(), "(clock: device);app;npu;op 200\n(clock: ticks);app;odd;op 10\napp;main;op 10\n");
  EXPECT_EQ(notes.count("time.unknown_unit"), 1U);
}

TEST_F(Folded, NegativeSelfTimesCountAsZero) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId thread = add_track("main");
  add(thread, "child", 0, 12, add(thread, "parent", 0, 10));
  EXPECT_EQ(written(), "main;parent;child 12\n");
  EXPECT_EQ(notes.count("folded.negative_self_time"), 1U);
}

TEST_F(Folded, VeryDeepStacksCountForTheirBeginning) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId thread = add_track("main");
  SliceId parent = SliceId::kNone;
  for (int depth = 0; depth < 3000; ++depth) parent = add(thread, "f", depth, 6000 - depth, parent);
  const std::string text = written();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 999);
  EXPECT_EQ(notes.count("folded.too_deep"), 2001U);
}

TEST(FoldedProperty, LinesSumToTheDurationsOfTheRoots) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    trace::TraceBuilder builder;
    const auto clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
    test::RandomTrace random(seed);
    for (const char* name : {"one", "two"})
      random.add_nested(builder, builder.add_track({.name = builder.intern(name), .clock = clock}), 0, 500,
                        6);
    const auto trace = std::move(builder).finish();
    ASSERT_TRUE(trace);
    std::int64_t expected = 0;
    for (std::uint32_t row = 0; row < trace->slices().size(); ++row)
      if (trace->slices().parent[row] == SliceId::kNone) expected += trace->slices().duration[row].value;
    base::MemoryOutput out;
    ASSERT_TRUE(write(*trace, out));
    std::int64_t sum = 0;
    std::string_view rest = out.bytes();
    std::string previous;
    while (!rest.empty()) {
      const std::string line(rest.substr(0, rest.find('\n')));
      rest.remove_prefix(line.size() + 1);
      sum += std::stoll(line.substr(line.rfind(' ')));
      const std::string stack = line.substr(0, line.rfind(' '));
      ASSERT_NE(stack, previous);
      previous = stack;
    }
    ASSERT_EQ(sum, expected) << "seed " << seed;
  }
}

TEST_F(Folded, OneNameUnderManyParentsCostsNoMore) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId track = add_track("main");
  constexpr int kParents = 20'000;
  for (int i = 0; i < kParents; ++i) {
    const SliceId parent = add(track, "task " + std::to_string(i), i * 10, i * 10 + 10);
    add(track, "kernel", i * 10 + 1, i * 10 + 9, parent);
  }
  const std::string lines = written();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2 * kParents);
}

}  // namespace
}  // namespace accelscope::formats::folded
