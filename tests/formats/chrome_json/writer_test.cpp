#include "formats/chrome_json/writer.h"

#include "support.h"
#include "trace/trace_builder.h"
#include "views/four_clocks.h"

namespace accelscope::formats::chrome_json {
namespace {

using base::Frequency;
using trace::Nesting;
using trace::TraceBuilder;
using trace::TrackKind;
using trace::TrackLevel;

Trace finish(TraceBuilder&& builder) {
  auto trace = std::move(builder).finish();
  EXPECT_TRUE(trace) << trace.error().to_string();
  return *std::move(trace);
}

TEST(Writer, WritesOneEventPerLine) {
  TraceBuilder builder;
  const auto clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
  const TrackId process = builder.add_track({.name = builder.intern("app \"x\""),
                                             .level = TrackLevel::kProcess,
                                             .kind = TrackKind::kGroup,
                                             .external_id = 12});
  const TrackId thread = builder.add_track(
      {.name = builder.intern("main"), .parent = process, .clock = clock, .external_id = 34},
      Nesting::kByStart);
  const SliceId a = builder.add_slice({.track = thread,
                                       .start = Ticks{-1},
                                       .duration = Ticks{1501},
                                       .name = builder.intern("a\n"),
                                       .category = builder.category("op")});
  builder.add_slice_arg(a, "u", Value::of_uint(18446744073709551615U));
  builder.add_slice_arg(a, "d", Value::of_double(3));
  builder.add_slice_arg(a, "j", Value::of_json(builder.intern("[1]")));
  builder.add_slice_arg(a, "b", Value::of_bytes(builder.intern("\x01\xFF")));
  builder.add_slice_arg(a, "n", Value::of_double(std::numeric_limits<double>::quiet_NaN()));
  builder.add_instant({.track = thread, .time = Ticks{1000}, .name = builder.intern("i")});
  builder.add_fact("model", Value::of_string(builder.intern("toy")));
  EXPECT_EQ(written(finish(std::move(builder))),
            R"({"displayTimeUnit":"ns","otherData":{
"model":"toy"
},"traceEvents":[
{"ph":"M","pid":12,"name":"process_name","args":{"name":"app \"x\""}},
{"ph":"M","pid":12,"name":"process_sort_index","args":{"sort_index":0}},
{"ph":"M","pid":12,"tid":34,"name":"thread_name","args":{"name":"main"}},
{"ph":"M","pid":12,"tid":34,"name":"thread_sort_index","args":{"sort_index":0}},
{"ph":"X","pid":12,"tid":34,"ts":-0.001,"dur":1.501,"name":"a\n","cat":"op","args":{"u":18446744073709551615,"d":3.0,"j":[1],"b":"01ff","n":null}},
{"ph":"i","pid":12,"tid":34,"s":"t","ts":1,"name":"i"}
]}
)");
}

TEST(Writer, RoundsStartsAndEndsDown) {
  TraceBuilder builder;
  // A tick is 833 1/3 ps.
  const auto clock = builder.add_clock({builder.intern("dram"), Frequency::mhz(1200)});
  const auto unknown = builder.add_clock({builder.intern("cycles"), Frequency::unknown()});
  const TrackId track = builder.add_track({.name = builder.intern("t"), .clock = clock});
  const TrackId other = builder.add_track({.name = builder.intern("u"), .clock = unknown});
  builder.add_slice({.track = track, .start = Ticks{-1}, .duration = Ticks{3}, .name = builder.intern("a")});
  builder.add_slice(
      {.track = track, .start = Ticks{2}, .duration = Ticks{1200}, .name = builder.intern("b")});
  builder.add_slice({.track = other, .start = Ticks{7}, .duration = Ticks{20}, .name = builder.intern("c")});
  const Trace trace = must_read(written(finish(std::move(builder))));
  EXPECT_EQ(start_of(trace, slice_named(trace, "a")).value, -1);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "a")).value, 2);
  EXPECT_EQ(start_of(trace, slice_named(trace, "b")).value, 1);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "b")).value, 1000);
  EXPECT_EQ(start_of(trace, slice_named(trace, "c")).value, 7);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "c")).value, 20);
}

TEST(Writer, DrawsEveryClockOnTheFirstWhereItCan) {
  base::MemoryOutput out;
  const auto notes = write(test::four_clocks_trace(), out);
  ASSERT_TRUE(notes);
  const Trace trace = must_read(out.bytes());
  const auto span = [&](std::string_view name) {
    const SliceId slice = slice_named(trace, name);
    return std::pair(start_of(trace, slice).value, duration_of(trace, slice).value);
  };
  EXPECT_EQ(span("on host"), (std::pair<std::int64_t, std::int64_t>(0, 10)));
  EXPECT_EQ(span("on device"), (std::pair<std::int64_t, std::int64_t>(1200, 200)));
  EXPECT_EQ(span("on core"), (std::pair<std::int64_t, std::int64_t>(1200, 200)));
  EXPECT_EQ(span("alone"), (std::pair<std::int64_t, std::int64_t>(3, 1)));
  EXPECT_EQ(notes->count("time.mapped_clock"), 2U);
  EXPECT_EQ(notes->count("time.unrelated_clock"), 1U);
  EXPECT_EQ(notes->count("time.unknown_unit"), 1U);
}

TEST(Writer, StretchesTimesBeforeRoundingThem) {
  TraceBuilder builder;
  const auto clock = builder.add_clock({builder.intern("dram"), Frequency::mhz(1200)});
  const TrackId track = builder.add_track({.name = builder.intern("t"), .clock = clock});
  builder.add_slice({.track = track, .start = Ticks{1}, .duration = Ticks{4}, .name = builder.intern("a")});
  const Trace original = finish(std::move(builder));
  base::MemoryOutput out;
  const auto notes = write(original, out, {.stretch = 1000});
  ASSERT_TRUE(notes);
  const Trace trace = must_read(out.bytes());
  EXPECT_EQ(start_of(trace, slice_named(trace, "a")).value, 833);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "a")).value, 4166 - 833);
  EXPECT_EQ(notes->count("time.stretched"), 1U);
  EXPECT_EQ(notes->count("time.rounded_below_ns"), 1U);
  const auto refused = write(original, out, {.stretch = 0});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::kUsage);
}

TEST(Writer, GivesEveryTrackIdsOfItsOwn) {
  TraceBuilder builder;
  const auto clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
  const auto group = [&](const char* name, TrackId parent, std::int64_t id, std::int32_t order) {
    return builder.add_track({.name = builder.intern(name),
                              .parent = parent,
                              .kind = TrackKind::kGroup,
                              .external_id = id,
                              .order = order});
  };
  const auto lane = [&](const char* name, TrackId parent, std::int64_t id) {
    const TrackId track = builder.add_track(
        {.name = builder.intern(name), .parent = parent, .clock = clock, .external_id = id});
    builder.add_slice({.track = track, .duration = Ticks{1}, .name = builder.intern(name)});
  };
  const TrackId p = group("p", TrackId::kNone, 5, 1);
  const TrackId q = group("q", TrackId::kNone, 5, 0);
  const TrackId core = group("core", p, 0, 0);
  lane("x", core, 1);
  lane("y", core, 9);
  lane("z", p, 9);
  lane("w", q, 9);
  const Trace trace = must_read(written(finish(std::move(builder))));
  const auto ids = [&](std::string_view name) {
    const trace::Track& track = trace.track(trace.slices().track[index(slice_named(trace, name))]);
    return std::pair(trace.track(track.parent).external_id, track.external_id);
  };
  // q is drawn first, so it gets the first free number. 9 is claimed twice in p; 1 is taken there.
  EXPECT_EQ(ids("w"), (std::pair<std::int64_t, std::int64_t>(1, 9)));
  EXPECT_EQ(ids("x"), (std::pair<std::int64_t, std::int64_t>(2, 1)));
  EXPECT_EQ(ids("y"), (std::pair<std::int64_t, std::int64_t>(2, 2)));
  EXPECT_EQ(ids("z"), (std::pair<std::int64_t, std::int64_t>(2, 3)));
  EXPECT_NE(track_named(trace, "core / x"), TrackId::kNone);
}

TEST(Writer, StatesBecomeSlices) {
  TraceBuilder builder;
  const auto clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
  const TrackId track =
      builder.add_track({.name = builder.intern("engine"), .kind = TrackKind::kStates, .clock = clock});
  builder.add_state(track, Ticks{0}, Ticks{10}, builder.intern("stalled"), builder.intern("memory"));
  const Trace trace = must_read(written(finish(std::move(builder))));
  const SliceId stalled = slice_named(trace, "stalled");
  ASSERT_NE(stalled, SliceId::kNone);
  EXPECT_EQ(text_arg(trace, stalled, "cause"), "memory");
}

TEST(Writer, ParentsOfEqualBoundsComeFirst) {
  TraceBuilder builder;
  const auto clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
  const TrackId track =
      builder.add_track({.name = builder.intern("t"), .clock = clock}, Nesting::kByCompletion);
  for (const char* name : {"innermost", "inner", "outer"})
    builder.add_slice(
        {.track = track, .start = Ticks{5}, .duration = Ticks{9}, .name = builder.intern(name)});
  const Trace trace = must_read(written(finish(std::move(builder))));
  EXPECT_EQ(trace.slices().parent[index(slice_named(trace, "inner"))], slice_named(trace, "outer"));
  EXPECT_EQ(trace.slices().parent[index(slice_named(trace, "innermost"))], slice_named(trace, "inner"));
}

TEST(Writer, FlowsFindTheirSlicesAgainUnderInnerOnes) {
  // "full" is covered by its children and never the innermost; "gap" has a moment of its own.
  const Trace original = must_read_events(
      R"({"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"full"},{"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"same"},
         {"ph":"X","pid":1,"tid":1,"ts":0,"dur":4,"name":"left"},{"ph":"X","pid":1,"tid":1,"ts":4,"dur":6,"name":"right"},
         {"ph":"X","pid":1,"tid":2,"ts":0,"dur":10,"name":"gap"},{"ph":"X","pid":1,"tid":2,"ts":0,"dur":5,"name":"child"},
         {"ph":"X","pid":1,"tid":2,"ts":5,"dur":0,"name":"nothing"})");
  TraceBuilder builder;
  builder.append(original);
  const auto flow = builder.intern("dependency");
  const auto connect = [&](const char* from, const char* to) {
    builder.add_flow(slice_named(original, from), slice_named(original, to), flow, builder.intern(from));
  };
  connect("full", "gap");
  connect("same", "child");
  connect("left", "nothing");
  connect("gap", "full");
  const Trace before = finish(std::move(builder));
  const Trace after = must_read(written(before));
  ASSERT_EQ(after.flows().size(), 4U);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(after.flows().from[i], before.flows().from[i]) << i;
    EXPECT_EQ(after.flows().to[i], before.flows().to[i]) << i;
    EXPECT_EQ(after.text(after.flows().type[i]), "dependency");
    EXPECT_EQ(after.text(after.flows().label[i]), before.text(before.flows().label[i]));
  }
}

TEST(Writer, AnEmptyTraceIsADocument) {
  const std::string text = written(finish(TraceBuilder()));
  EXPECT_EQ(text, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n]}\n");
  EXPECT_EQ(must_read(text).tracks().size(), 0U);
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
