#include "formats/speedscope/speedscope_writer.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>

#include "trace/trace_builder.h"
#include "views/four_clocks.h"
#include "views/random_trace.h"

namespace accelscope::formats::speedscope {
namespace {

using base::Frequency;
using trace::ClockId;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

// profile, name, start, end, name of the enclosing frame
using Shape = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::string>;

// Replays the events as speedscope does: times never decrease, a close is of the frame opened last.
std::multiset<Shape> replay(std::string_view file) {
  std::multiset<Shape> shapes;
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(file.data(), file.size());
  EXPECT_EQ(std::string_view(root["$schema"]), "https://www.speedscope.app/file-format-schema.json");
  std::vector<std::string> frames;
  for (const simdjson::dom::element frame : root["shared"]["frames"].get_array())
    frames.emplace_back(std::string_view(frame["name"]));
  for (const simdjson::dom::element profile : root["profiles"].get_array()) {
    EXPECT_EQ(std::string_view(profile["type"]), "evented");
    std::uint64_t now = profile["startValue"];
    std::vector<std::pair<std::uint64_t, std::uint64_t>> open;  // frame, start
    for (const simdjson::dom::element event : profile["events"].get_array()) {
      const std::uint64_t frame = event["frame"];
      const std::uint64_t at = event["at"];
      EXPECT_GE(at, now);
      now = at;
      if (std::string_view(event["type"]) == "O") {
        open.emplace_back(frame, at);
        continue;
      }
      if (open.empty() || open.back().first != frame) {
        ADD_FAILURE() << "a close that matches no open";
        continue;
      }
      const std::uint64_t start = open.back().second;
      open.pop_back();
      shapes.emplace(std::string_view(profile["name"]), frames.at(frame), start, at,
                     open.empty() ? "" : frames.at(open.back().first));
    }
    EXPECT_TRUE(open.empty());
    EXPECT_LE(now, std::uint64_t(profile["endValue"]));
  }
  return shapes;
}

class Speedscope : public ::testing::Test {
 protected:
  SliceId add(TrackId track, std::string_view name, std::int64_t start, std::int64_t end,
              SliceId parent = SliceId::kNone) {
    return builder.add_slice({.track = track,
                              .start = Ticks{start},
                              .duration = Ticks{end - start},
                              .name = builder.intern(name),
                              .parent = parent});
  }
  base::Result<trace::QualityTable> write_built() {
    auto trace = std::move(builder).finish();
    EXPECT_TRUE(trace) << trace.error().to_string();
    return write(*trace, out);
  }

  trace::TraceBuilder builder;
  base::MemoryOutput out;
};

TEST_F(Speedscope, WholeFileOfASmallTrace) {
  const ClockId clock = builder.add_clock({builder.intern("host"), Frequency::mhz(500)});
  const TrackId process =
      builder.add_track({.name = builder.intern("app"), .kind = trace::TrackKind::kGroup, .clock = clock});
  const TrackId thread =
      builder.add_track({.name = builder.intern("main"), .parent = process, .clock = clock});
  const SliceId root = add(thread, "run", 1000, 1010);
  add(thread, "\"op\"", 1000, 1005, root);
  ASSERT_TRUE(write_built());
  EXPECT_EQ(out.bytes(),
            R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"AccelScope",)"
            R"("shared":{"frames":[{"name":"run"},{"name":"\"op\""}]},)"
            R"("profiles":[{"type":"evented","name":"app / main","unit":"nanoseconds","startValue":0,)"
            R"("endValue":20,"events":[{"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":0},)"
            R"({"type":"C","frame":1,"at":10},{"type":"C","frame":0,"at":20}]}]})");
}

TEST_F(Speedscope, UnknownUnitsAndWhatIsLeftOutAreSaid) {
  const ClockId clock = builder.add_clock({builder.intern("odd"), Frequency::unknown()});
  const TrackId track = builder.add_track({.name = builder.intern("main"), .clock = clock});
  add(track, "op", 5, 9);
  builder.add_instant({track, Ticks{6}, builder.intern("mark")});
  const auto notes = write_built();
  ASSERT_TRUE(notes);
  EXPECT_NE(out.bytes().find(R"("unit":"none")"), std::string_view::npos);
  EXPECT_EQ(notes->count("time.unknown_unit"), 1U);
  EXPECT_EQ(notes->count("speedscope.left_out"), 1U);
}

TEST_F(Speedscope, DrawsEveryClockOnTheFirstWhereItCan) {
  const auto notes = write(test::four_clocks_trace(), out);
  ASSERT_TRUE(notes);
  // One zero for the three that are drawn together, and one for the clock that is alone.
  EXPECT_EQ(replay(out.bytes()), (std::multiset<Shape>{{"on host", "on host", 0, 10, ""},
                                                       {"on device", "on device", 1200, 1400, ""},
                                                       {"on core", "on core", 1200, 1400, ""},
                                                       {"alone", "alone", 0, 1, ""}}));
  EXPECT_EQ(notes->count("time.mapped_clock"), 2U);
  EXPECT_EQ(notes->count("time.unrelated_clock"), 1U);
  EXPECT_EQ(notes->count("time.unknown_unit"), 1U);
}

TEST_F(Speedscope, StretchesTimesBeforeRoundingThem) {
  const ClockId clock = builder.add_clock({builder.intern("dram"), Frequency::mhz(1200)});
  const TrackId track = builder.add_track({.name = builder.intern("bank"), .clock = clock});
  add(track, "first", 0, 1);
  add(track, "read", 1, 5);
  const auto trace = std::move(builder).finish();
  ASSERT_TRUE(trace);
  const auto notes = write(*trace, out, {.stretch = 1000});
  ASSERT_TRUE(notes);
  EXPECT_EQ(replay(out.bytes()),
            (std::multiset<Shape>{{"bank", "first", 0, 833, ""}, {"bank", "read", 833, 4166, ""}}));
  EXPECT_EQ(notes->count("time.stretched"), 1U);
  EXPECT_EQ(notes->count("time.rounded_below_ns"), 2U);
}

TEST_F(Speedscope, OverlapsAreRefusedByTrackName) {
  const ClockId clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
  const TrackId track = builder.add_track({.name = builder.intern("core 7"), .clock = clock});
  add(track, "a", 0, 10);
  add(track, "b", 5, 15);
  const auto refused = write_built();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("core 7"), std::string::npos);
}

TEST(SpeedscopeProperty, NestedTracesComeBackAsTheyWere) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    trace::TraceBuilder builder;
    const auto clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
    test::RandomTrace random(seed);
    for (const char* name : {"one", "two"}) {
      const TrackId track = builder.add_track({.name = builder.intern(name), .clock = clock});
      builder.add_slice({.track = track, .start = Ticks{1000}, .name = builder.intern("first")});
      random.add_nested(builder, track, 1000, 1200, 6);
    }
    const auto trace = std::move(builder).finish();
    ASSERT_TRUE(trace);
    std::multiset<Shape> expected;
    const trace::SliceTable& slices = trace->slices();
    for (std::uint32_t row = 0; row < slices.size(); ++row) {
      const SliceId parent = slices.parent[row];
      expected.emplace(trace->text(trace->track(slices.track[row]).name), trace->text(slices.name[row]),
                       slices.start[row].value - 1000, trace->end_of(SliceId{row}).value - 1000,
                       parent == SliceId::kNone ? "" : trace->text(slices.name[index(parent)]));
    }
    base::MemoryOutput out;
    const auto written = write(*trace, out);
    ASSERT_TRUE(written) << written.error().to_string();
    ASSERT_EQ(replay(out.bytes()), expected) << "seed " << seed;
  }
}

}  // namespace
}  // namespace accelscope::formats::speedscope
