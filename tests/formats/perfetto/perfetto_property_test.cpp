// Random traces through the writer and back: what is read must be what was written.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "formats/perfetto/perfetto_writer.h"
#include "formats/perfetto/replay.h"
#include "trace/trace_builder.h"
#include "views/lanes.h"
#include "views/random_trace.h"

namespace accelscope::formats::perfetto {
namespace {

using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TraceBuilder;
using trace::TrackId;

// Tags every slice with a number of its own, by which it is found again.
void tag_slices(TraceBuilder& builder) {
  const auto name = builder.intern("tag");
  for (std::uint32_t row = 0; row < builder.slice_count(); ++row)
    if (row % 3 != 0) builder.add_slice_arg(SliceId{row}, name, trace::Value::of_uint(row));
}

std::string tag_of(const Trace& trace, std::uint32_t row) {
  const trace::Value value = trace.find_arg(trace.slices().first_arg[row], "tag");
  return value.type == trace::ValueType::kNull ? "" : "uint " + std::to_string(value.as_uint());
}

using Shape = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::string, std::string>;

std::multiset<Shape> shapes(const Trace& trace) {
  std::multiset<Shape> all;
  const trace::SliceTable& slices = trace.slices();
  for (std::uint32_t row = 0; row < slices.size(); ++row) {
    const SliceId parent = slices.parent[row];
    all.emplace(trace.text(trace.track(slices.track[row]).name), trace.text(slices.name[row]),
                slices.start[row].value, trace.end_of(SliceId{row}).value, tag_of(trace, row),
                parent == SliceId::kNone ? "" : trace.text(slices.name[index(parent)]));
  }
  return all;
}

std::multiset<Shape> shapes(const test::Replay& replay) {
  std::multiset<Shape> all;
  for (const test::ReplayedSlice& slice : replay.slices) {
    if (slice.is_instant) continue;
    const auto tag = slice.args.find("tag");
    all.emplace(test::track_name(replay.tracks.at(slice.track)), slice.name, slice.start, slice.end,
                tag == slice.args.end() ? "" : tag->second,
                slice.parent ? replay.slices[*slice.parent].name : "");
  }
  return all;
}

test::Replay round_trip(const Trace& trace) {
  base::MemoryOutput out;
  const auto written = write(trace, out);
  EXPECT_TRUE(written) << written.error().to_string();
  return test::replay(out.bytes());
}

struct Sheet {
  explicit Sheet(int track_count) {
    const auto clock = builder.add_clock({builder.intern("host"), base::Frequency::nanoseconds()});
    for (int i = 0; i < track_count; ++i)
      tracks.push_back(
          builder.add_track({.name = builder.intern("track " + std::to_string(i)), .clock = clock}));
  }
  TraceBuilder builder;
  std::vector<TrackId> tracks;
};

TEST(PerfettoProperty, NestedTracesComeBackAsTheyWere) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Sheet sheet(3);
    test::RandomTrace random(seed);
    for (const TrackId track : sheet.tracks) random.add_nested(sheet.builder, track, 0, 200, 6);
    tag_slices(sheet.builder);
    const auto trace = std::move(sheet.builder).finish();
    ASSERT_TRUE(trace);
    const test::Replay replay = round_trip(*trace);
    ASSERT_EQ(replay.errors, std::vector<std::string>{}) << "seed " << seed;
    ASSERT_EQ(shapes(*trace), shapes(replay)) << "seed " << seed;
  }
}

TEST(PerfettoProperty, OverlapsThroughLanesAreAllThereOnce) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Sheet sheet(2);
    test::RandomTrace random(seed);
    for (const TrackId track : sheet.tracks) random.add_wild(sheet.builder, track, 40, 40);
    tag_slices(sheet.builder);
    const auto trace = std::move(sheet.builder).finish();
    ASSERT_TRUE(trace);
    const auto laned = views::split_overlaps(*trace);
    ASSERT_TRUE(laned);
    const test::Replay replay = round_trip(*laned);
    ASSERT_EQ(replay.errors, std::vector<std::string>{}) << "seed " << seed;
    ASSERT_EQ(shapes(*laned), shapes(replay)) << "seed " << seed;
    ASSERT_EQ(trace->slices().size(), shapes(replay).size());
  }
}

TEST(PerfettoProperty, EveryFlowIsDrawnTheRightWayOrSaidInWords) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Sheet sheet(3);
    test::RandomTrace random(seed);
    for (const TrackId track : sheet.tracks) random.add_nested(sheet.builder, track, 0, 20, 5);
    const std::uint32_t count = sheet.builder.slice_count();
    if (count == 0) continue;
    for (std::uint32_t row = 0; row < count; ++row)
      sheet.builder.add_slice_arg(SliceId{row}, "number", trace::Value::of_uint(row));
    std::multiset<std::pair<std::string, std::string>> wanted;
    for (int i = 0; i < 30; ++i) {
      const auto from = static_cast<std::uint32_t>(random.below(count));
      const auto to = static_cast<std::uint32_t>(random.below(count));
      sheet.builder.add_flow(SliceId{from}, SliceId{to}, sheet.builder.intern("flow"));
      wanted.emplace("uint " + std::to_string(from), "uint " + std::to_string(to));
    }
    const auto trace = std::move(sheet.builder).finish();
    ASSERT_TRUE(trace);
    base::MemoryOutput out;
    const auto notes = write(*trace, out);
    ASSERT_TRUE(notes);
    const test::Replay replay = test::replay(out.bytes());
    ASSERT_EQ(replay.errors, std::vector<std::string>{}) << "seed " << seed;
    for (const test::ReplayedFlow& flow : replay.flows) {
      const auto found =
          wanted.find({replay.slices[flow.from].args.at("number"), replay.slices[flow.to].args.at("number")});
      ASSERT_NE(found, wanted.end()) << "an arrow that nobody asked for, seed " << seed;
      wanted.erase(found);
    }
    ASSERT_EQ(wanted.size(),
              notes->count("perfetto.flow_against_time") + notes->count("perfetto.flow_same_time"));
  }
}

TEST(PerfettoProperty, FractionsOfNanosecondsNeverBreakTheNesting) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Sheet sheet(0);
    const auto clock = sheet.builder.add_clock({sheet.builder.intern("hbm"), {3'200'000'000, 1}});
    const TrackId track = sheet.builder.add_track({.name = sheet.builder.intern("bank"), .clock = clock});
    test::RandomTrace random(seed);
    random.add_nested(sheet.builder, track, 0, 60, 6);
    tag_slices(sheet.builder);
    const auto trace = std::move(sheet.builder).finish();
    ASSERT_TRUE(trace);
    const test::Replay replay = round_trip(*trace);
    ASSERT_EQ(replay.errors, std::vector<std::string>{}) << "seed " << seed;
    std::multiset<std::tuple<std::string, std::uint64_t, std::uint64_t>> expected;
    std::multiset<std::tuple<std::string, std::uint64_t, std::uint64_t>> got;
    for (std::uint32_t row = 0; row < trace->slices().size(); ++row)
      expected.emplace(trace->text(trace->slices().name[row]), trace->slices().start[row].value * 10 / 32,
                       trace->end_of(SliceId{row}).value * 10 / 32);
    for (const test::ReplayedSlice& slice : replay.slices)
      if (!slice.is_instant) got.emplace(slice.name, slice.start, slice.end);
    ASSERT_EQ(expected, got) << "seed " << seed;
  }
}

}  // namespace
}  // namespace accelscope::formats::perfetto
