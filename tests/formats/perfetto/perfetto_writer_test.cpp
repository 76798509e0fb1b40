#include "formats/perfetto/perfetto_writer.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <limits>

#include "formats/perfetto/replay.h"
#include "support/trace_sketch.h"
#include "views/four_clocks.h"
#include "views/lanes.h"

namespace accelscope::formats::perfetto {
namespace {

using base::Frequency;
using test::Replay;
using test::ReplayedSlice;
using trace::ClockId;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;
using trace::Value;

class Perfetto : public ::testing::Test, protected tests::TraceSketch {
 protected:
  TrackId add_track(std::string_view name, ClockId clock = ClockId{0}) {
    return builder.add_track({.name = builder.intern(name), .clock = clock});
  }
  // Writes what was built and reads it back.
  Replay round_trip(const Options& options = {}) { return round_trip(finish(), options); }
  Replay round_trip(const Trace& trace, const Options& options = {}) {
    base::MemoryOutput out;
    auto written = write(trace, out, options);
    EXPECT_TRUE(written) << written.error().to_string();
    if (written) notes = *written;
    Replay replay = test::replay(out.bytes());
    EXPECT_EQ(replay.errors, std::vector<std::string>{});
    return replay;
  }
  base::Error refusal(const Options& options = {}) {
    const Trace trace = finish();
    base::MemoryOutput out;
    auto written = write(trace, out, options);
    EXPECT_FALSE(written);
    return written ? base::Error{} : written.error();
  }
  static std::string parent_name(const Replay& replay, const ReplayedSlice& slice) {
    return slice.parent ? replay.slices[*slice.parent].name : "";
  }

  trace::QualityTable notes;
};

TEST_F(Perfetto, BytesOfATrackWithOneSlice) {
  add_clock("c", Frequency::nanoseconds());
  add(add_track("t"), "n", 5, 300);
  const Trace trace = finish();
  base::MemoryOutput out;
  ASSERT_TRUE(write(trace, out));
  using std::string_literals::operator""s;
  const std::string expected =
      // Descriptors: the root, our own track, the trace's track.
      "\x0A\x11\x50\x01\x68\x01\xE2\x03\x0A\x08\x00\x58\x03\x98\x01\x01\xA0\x01\x01"
      "\x0A\x27\x50\x01\xE2\x03\x22\x08\x02\x12\x11"
      "AccelScope: trust"
      "\x60\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\x78\x02"
      "\x0A\x10\x50\x01\xE2\x03\x0B\x08\x01\x12\x01t\x58\x03\x60\x00\x78\x02"
      // The sequence: its number, state cleared, defaults (track 1, clock 64), clocks 6 and 64 at 5 ns.
      "\x0A\x20\x50\x02\x68\x01\xDA\x03\x07\x5A\x02\x58\x01\xD0\x03\x40"
      "\x32\x10\x0A\x04\x08\x06\x10\x05\x0A\x06\x08\x40\x10\x05\x18\x01\x10\x06"
      // Begin, 0 ns later, announcing name 1; end, 295 ns later.
      "\x0A\x15\x40\x00\x50\x02\x68\x02\x62\x07\x12\x05\x08\x01\x12\x01n\x5A\x04\x48\x01\x50\x01"
      "\x0A\x0B\x40\xA7\x02\x50\x02\x68\x02\x5A\x02\x48\x02"s;
  ASSERT_GE(out.bytes().size(), expected.size());
  EXPECT_EQ(out.bytes().substr(0, expected.size()), expected);
}

TEST_F(Perfetto, SlicesKeepNamesCategoriesTimesAndNesting) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId track = add_track("main");
  const SliceId root = add(track, "root", 1000, 9000);
  const SliceId child = add(track, "child", 2000, 3000, root);
  builder.slices().category[index(child)] = builder.category("operator");
  add(track, "next", 3000, 3000, root);
  const Replay replay = round_trip();
  EXPECT_EQ(replay.slice("root").start, 1000U);
  EXPECT_EQ(replay.slice("root").end, 9000U);
  EXPECT_EQ(replay.slice("root").category, "");
  EXPECT_EQ(replay.slice("child").category, "operator");
  EXPECT_EQ(replay.slice("child").start, 2000U);
  EXPECT_EQ(replay.slice("child").end, 3000U);
  EXPECT_EQ(parent_name(replay, replay.slice("child")), "root");
  EXPECT_EQ(parent_name(replay, replay.slice("next")), "root");
  EXPECT_EQ(replay.slice("next").end, 3000U);
  EXPECT_TRUE(notes.rows().empty());
}

TEST_F(Perfetto, EqualTimesInEveryCombination) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId track = add_track("main");
  const SliceId inner = add(track, "same bounds inner", 0, 5);
  const SliceId outer = add(track, "same bounds outer", 0, 5);
  builder.set_parent(inner, outer);
  add(track, "moment at end", 5, 5, inner);
  const SliceId moment_child = add(track, "moment child", 5, 5);
  const SliceId moment = add(track, "moment", 5, 5);
  builder.set_parent(moment_child, moment);
  add(track, "follows", 5, 9);
  const Replay replay = round_trip();
  EXPECT_EQ(parent_name(replay, replay.slice("same bounds inner")), "same bounds outer");
  EXPECT_EQ(parent_name(replay, replay.slice("moment at end")), "same bounds inner");
  EXPECT_EQ(parent_name(replay, replay.slice("moment child")), "moment");
  EXPECT_EQ(parent_name(replay, replay.slice("moment")), "");
  EXPECT_EQ(parent_name(replay, replay.slice("follows")), "");
  EXPECT_EQ(replay.slice("follows").end, 9U);
}

TEST_F(Perfetto, ArgumentsKeepTheirTypes) {
  add_clock("host", Frequency::nanoseconds());
  const SliceId slice = add(add_track("main"), "op", 0, 10);
  builder.add_slice_arg(slice, "int", Value::of_int(-5));
  builder.add_slice_arg(slice, "uint", Value::of_uint(std::numeric_limits<std::uint64_t>::max()));
  builder.add_slice_arg(slice, "double", Value::of_double(0.25));
  builder.add_slice_arg(slice, "yes", Value::of_bool(true));
  builder.add_slice_arg(slice, "no", Value::of_bool(false));
  builder.add_slice_arg(slice, "text", Value::of_string(builder.intern("conv")));
  builder.add_slice_arg(slice, "empty", Value::of_string(builder.intern("")));
  builder.add_slice_arg(slice, "bytes", Value::of_bytes(builder.intern(std::string_view("\x00\xFF\x1F", 3))));
  builder.add_slice_arg(slice, "null", Value::null());
  builder.add_slice_arg(
      slice, "json",
      Value::of_json(builder.intern(R"({"shape":[1,-2,0.5],"deep":{"t":true,"n":null},"e":[],"s":"x"})")));
  builder.add_slice_arg(slice, "broken json", Value::of_json(builder.intern("{\"a\":")));
  const Replay replay = round_trip();
  const std::map<std::string, std::string> expected = {
      {"int", "int -5"},
      {"uint", "uint 18446744073709551615"},
      {"double", "double 0.250000"},
      {"yes", "bool true"},
      {"no", "bool false"},
      {"text", "string conv"},
      {"empty", "string "},
      {"bytes", "string 00ff1f"},
      {"null", "string null"},
      {"json",
       "dict {shape: list [int 1, int -2, double 0.500000], deep: dict {t: bool true, n: string null}, "
       "e: string [], s: string x}"},
      {"broken json", "string {\"a\":"},
  };
  EXPECT_EQ(replay.slice("op").args, expected);
}

TEST_F(Perfetto, WhatElseIsKnownOfASliceIsAnnotated) {
  add_clock("host", Frequency::mhz(500));
  const TrackId track = add_track("main");
  const SliceId slice = add(track, "op", 100, 110);
  builder.add_flag(slice, trace::SliceFlag::kEstimated);
  builder.add_flag(slice, trace::SliceFlag::kEndUnknown);
  builder.set_owner(slice, add(track, "call", 0, 1));
  builder.slices().task[index(slice)] =
      builder.add_task({.external_id = 77, .name = builder.intern("gemm"), .kind = builder.intern("AIC")});
  builder.add_stage(slice, builder.intern("ready"), Ticks{-20});
  builder.add_stage(slice, builder.intern("finish"), Ticks{12});
  builder.slices().run[index(slice)] = builder.add_run({.name = builder.intern("run 3"),
                                                        .method = builder.intern("forward"),
                                                        .index = 3,
                                                        .status = trace::RunStatus::kAborted,
                                                        .root = slice});
  const Replay replay = round_trip();
  const auto& args = replay.slice("op").args;
  EXPECT_EQ(args.at("AccelScope flags"), "string end unknown, estimated");
  EXPECT_EQ(args.at("AccelScope owner"), "string call");
  EXPECT_EQ(args.at("AccelScope task"), "dict {id: uint 77, name: string gemm}");
  EXPECT_EQ(args.at("AccelScope stages, ns from start"), "dict {ready: int -40, finish: int 24}");
  EXPECT_EQ(args.at("AccelScope run"),
            "dict {name: string run 3, method: string forward, index: uint 3, status: string aborted}");
}

TEST_F(Perfetto, TracksKeepTheirTree) {
  const ClockId clock = add_clock("host", Frequency::nanoseconds());
  const auto add_level = [&](const char* name, TrackId parent, trace::TrackLevel level, std::int64_t id,
                             std::int32_t order) {
    return builder.add_track({.name = builder.intern(name),
                              .parent = parent,
                              .level = level,
                              .clock = clock,
                              .external_id = id,
                              .order = order});
  };
  using trace::TrackLevel;
  const TrackId app = add_level("app", TrackId::kNone, TrackLevel::kProcess, 42, 2);
  add_level("worker", app, TrackLevel::kThread, 43, 1);
  add_level("main", app, TrackLevel::kThread, 42, 0);
  add_level("nameless", app, TrackLevel::kThread, 0, 0);
  const TrackId chip = add_level("chip", TrackId::kNone, TrackLevel::kProcess, 7, 1);
  add_level("core 10", chip, TrackLevel::kCore, 10, 10);
  add_level("core 2", chip, TrackLevel::kCore, 2, 2);
  add_level("same pid", TrackId::kNone, TrackLevel::kProcess, 42, 3);
  const Replay replay = round_trip();
  EXPECT_EQ(replay.tracks.at(0).process_ordering(), 1U);
  EXPECT_EQ(replay.tracks.at(0).thread_ordering(), 1U);
  const auto* process = replay.track_named("app");
  ASSERT_TRUE(process && process->has_process());
  EXPECT_EQ(process->process().pid(), 42);
  EXPECT_EQ(process->sibling_order_rank(), 1);
  const auto* worker = replay.track_named("worker");
  ASSERT_TRUE(worker && worker->has_thread());
  EXPECT_EQ(worker->thread().pid(), 42);
  EXPECT_EQ(worker->thread().tid(), 43);
  EXPECT_EQ(worker->parent_uuid(), process->uuid());
  EXPECT_EQ(worker->sibling_order_rank(), 2);
  EXPECT_EQ(replay.track_named("main")->sibling_order_rank(), 0);
  EXPECT_GT(replay.track_named("nameless")->thread().tid(), 0);
  // A group of cores is a plain track, which keeps its children in our order.
  const auto* group = replay.track_named("chip");
  EXPECT_FALSE(group->has_process());
  EXPECT_EQ(group->child_ordering(), 3U);
  EXPECT_EQ(group->sibling_order_rank(), 0);
  EXPECT_EQ(replay.track_named("core 2")->parent_uuid(), group->uuid());
  EXPECT_EQ(replay.track_named("core 2")->sibling_order_rank(), 0);
  EXPECT_EQ(replay.track_named("core 10")->sibling_order_rank(), 1);
  EXPECT_EQ(replay.track_named("core 10")->sibling_merge_behavior(), 2U);
  EXPECT_NE(replay.track_named("same pid")->process().pid(), 42);
  EXPECT_EQ(notes.count("perfetto.made_up_ids"), 2U);
}

TEST_F(Perfetto, CountersInstantsAndStates) {
  const ClockId clock = add_clock("host", Frequency::nanoseconds());
  const auto add_counter_track = [&](const char* name, trace::CounterType type, const char* unit) {
    return builder.add_track({.name = builder.intern(name),
                              .kind = trace::TrackKind::kCounter,
                              .clock = clock,
                              .counter_type = type,
                              .counter_unit = builder.intern(unit)});
  };
  const TrackId whole = add_counter_track("whole", trace::CounterType::kInt64, "bytes");
  const TrackId real = add_counter_track("real", trace::CounterType::kDouble, "W");
  builder.add_counter(whole, Ticks{10}, std::int64_t{-3});
  builder.add_counter(whole, Ticks{20}, std::int64_t{9});
  builder.add_counter(real, Ticks{15}, 1.5);
  const TrackId states =
      builder.add_track({.name = builder.intern("dma"), .kind = trace::TrackKind::kStates, .clock = clock});
  builder.add_state(states, Ticks{0}, Ticks{10}, builder.intern("busy"), builder.intern("load"));
  builder.add_state(states, Ticks{10}, Ticks{5}, builder.intern("idle"), {});
  const TrackId slices = add_track("main");
  add(slices, "op", 5, 10);
  add(slices, "next", 10, 20);
  const std::uint32_t instant = builder.add_instant({slices, Ticks{10}, builder.intern("mark")});
  builder.add_instant_arg(instant, builder.intern("why"), Value::of_int(1));
  builder.add_instant({slices, Ticks{30}, builder.intern("late")});
  const Replay replay = round_trip();
  ASSERT_EQ(replay.samples.size(), 3U);
  EXPECT_EQ(replay.samples[0].integer, -3);
  EXPECT_EQ(replay.samples[1].real, 1.5);
  EXPECT_EQ(replay.samples[1].time, 15U);
  EXPECT_EQ(replay.samples[2].integer, 9);
  EXPECT_EQ(replay.track_named("whole")->counter().unit(), 3U);
  EXPECT_EQ(replay.track_named("real")->counter().unit_name(), "W");
  EXPECT_EQ(replay.slice("busy").args.at("cause"), "string load");
  EXPECT_EQ(replay.slice("busy").end, 10U);
  EXPECT_EQ(replay.slice("idle").start, 10U);
  EXPECT_EQ(replay.slice("idle").args.count("cause"), 0U);
  EXPECT_TRUE(replay.slice("mark").is_instant);
  EXPECT_EQ(replay.slice("mark").start, 10U);
  EXPECT_EQ(replay.slice("mark").args.at("why"), "int 1");
  EXPECT_EQ(parent_name(replay, replay.slice("mark")), "next");
  EXPECT_EQ(parent_name(replay, replay.slice("late")), "");
}

TEST_F(Perfetto, FlowsBindToTheRightSlices) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId one = add_track("one");
  const TrackId two = add_track("two");
  const auto dependency = builder.intern("dependency");
  const SliceId a = add(one, "a", 0, 10);
  const SliceId b = add(two, "b", 5, 20);
  const SliceId child = add(two, "b child", 5, 6, b);
  const SliceId c = add(one, "c", 30, 40);
  const SliceId d = add(two, "d", 30, 40);
  builder.add_flow(a, b, dependency);
  builder.add_flow(a, c, dependency, builder.intern("data"));
  builder.add_flow(b, c, dependency);
  builder.add_flow(d, c, dependency);      // equal starts, and c is written first
  builder.add_flow(child, b, dependency);  // equal starts on one track, and b begins first
  builder.add_flow(c, d, dependency);
  const Replay replay = round_trip();
  std::vector<std::string> arrows;
  for (const test::ReplayedFlow& flow : replay.flows)
    arrows.push_back(replay.slices[flow.from].name + " -> " + replay.slices[flow.to].name);
  std::sort(arrows.begin(), arrows.end());
  EXPECT_EQ(arrows,
            (std::vector<std::string>{"a -> b", "a -> c", "b -> c", "b child -> b", "c -> d", "d -> c"}));
  EXPECT_EQ(replay.slice("a").args.at("AccelScope flow to"),
            "dict {slice: string c, track: string one, starts at ns: uint 30, type: string dependency, "
            "label: string data}");
  EXPECT_TRUE(notes.rows().empty());
}

TEST_F(Perfetto, AFlowAgainstTimeIsSaidNotDrawn) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId one = add_track("one");
  const TrackId two = add_track("two");
  const SliceId late = add(one, "late", 50, 60);
  const SliceId early = add(two, "early", 10, 20);
  const SliceId moment = add(one, "moment", 70, 70);
  const SliceId later = add(two, "later", 70, 80);
  builder.add_flow(late, early, builder.intern("dependency"));
  builder.add_flow(later, moment, builder.intern("dependency"));
  const Replay replay = round_trip();
  EXPECT_TRUE(replay.flows.empty());
  EXPECT_EQ(replay.slice("late").args.at("AccelScope flow to, not drawn"),
            "dict {slice: string early, track: string two, starts at ns: uint 10, type: string dependency, "
            "why not drawn: string against time}");
  EXPECT_EQ(replay.slice("early").args.at("AccelScope flow from, not drawn"),
            "dict {slice: string late, track: string one, starts at ns: uint 50, type: string dependency, "
            "why not drawn: string against time}");
  EXPECT_EQ(replay.slice("moment").args.count("AccelScope flow from, not drawn"), 1U);
  EXPECT_EQ(notes.count("perfetto.flow_against_time"), 1U);
  EXPECT_EQ(notes.count("perfetto.flow_same_time"), 1U);
}

TEST_F(Perfetto, TimesAreRoundedDownAndStretchedBeforeThat) {
  const auto build = [&] {
    builder = {};
    add_clock("ddr", Frequency{2'400'000'000, 2});  // 833 1/3 ps
    add(add_track("bank"), "read", 1, 5);
  };
  build();
  Replay replay = round_trip();
  EXPECT_EQ(replay.slice("read").start, 0U);
  EXPECT_EQ(replay.slice("read").end, 4U);
  EXPECT_EQ(notes.count("time.rounded_below_ns"), 1U);
  build();
  replay = round_trip({.stretch = 1000});
  EXPECT_EQ(replay.slice("read").start, 833U);
  EXPECT_EQ(replay.slice("read").end, 4166U);
  EXPECT_EQ(notes.count("time.stretched"), 1U);
  build();
  replay = round_trip({.stretch = 3000});
  EXPECT_EQ(replay.slice("read").start, 2500U);
  EXPECT_EQ(notes.count("time.rounded_below_ns"), 0U);
}

TEST_F(Perfetto, NegativeTimesMoveEverything) {
  add_clock("host", Frequency::nanoseconds());
  add(add_track("one"), "early", -30, -10);
  add(add_track("two"), "late", 5, 6);
  const Replay replay = round_trip();
  EXPECT_EQ(replay.slice("early").start, 0U);
  EXPECT_EQ(replay.slice("early").end, 20U);
  EXPECT_EQ(replay.slice("late").start, 35U);
  EXPECT_EQ(notes.count("perfetto.shifted"), 1U);
}

TEST_F(Perfetto, RelatedClocksAreMappedAndOthersDrawnAsTheyAre) {
  const Replay replay = round_trip(test::four_clocks_trace());
  EXPECT_EQ(replay.slice("on host").start, 0U);
  EXPECT_EQ(replay.slice("on device").start, 1200U);
  EXPECT_EQ(replay.slice("on device").end, 1400U);
  EXPECT_EQ(replay.slice("on core").start, 1200U);
  EXPECT_EQ(replay.slice("on core").end, 1400U);
  EXPECT_EQ(replay.slice("alone").start, 3U);
  EXPECT_EQ(notes.count("time.mapped_clock"), 2U);
  EXPECT_EQ(notes.count("time.unrelated_clock"), 1U);
  EXPECT_EQ(notes.count("time.unknown_unit"), 1U);
}

TEST_F(Perfetto, TheTrustTrackTellsWhatTheFileIsMadeOf) {
  add_clock("host", Frequency::unknown());
  add(add_track("main"), "op", 10, 20);
  builder.quality().add({.id = "etdump.aborted_run",
                         .severity = trace::Severity::kWarning,
                         .sentence = "A run has no end.",
                         .count = 2,
                         .first_place = base::Location::byte("a.etdump", 312)});
  builder.add_fact("device", Value::of_string(builder.intern("board 7")));
  builder.add_fact("cores", Value::of_int(4));
  builder.add_source({"a.etdump", "etdump", "gzip", 1234});
  builder.add_accounting({builder.intern("core 0"), builder.intern("ring full"), 10, 7, 3});
  const Replay replay = round_trip();
  const auto* trust = replay.track_named("AccelScope: trust");
  ASSERT_TRUE(trust);
  const ReplayedSlice& row = replay.slice("warning: etdump.aborted_run");
  EXPECT_EQ(row.track, trust->uuid());
  EXPECT_EQ(row.start, 10U);
  EXPECT_EQ(row.args.at("what"), "string A run has no end.");
  EXPECT_EQ(row.args.at("count"), "uint 2");
  EXPECT_EQ(row.args.at("first at"), "string a.etdump: byte 312");
  EXPECT_EQ(replay.slice("facts").args.at("device"), "string board 7");
  EXPECT_EQ(replay.slice("facts").args.at("cores"), "int 4");
  EXPECT_EQ(replay.slice("source: a.etdump").args.at("bytes"), "uint 1234");
  EXPECT_EQ(replay.slice("records of core 0").args.at("why dropped"), "string ring full");
  EXPECT_EQ(replay.slice("clock: host").args.at("frequency"), "string unknown; drawn as 1 ns per tick");
  // What the writer itself has to say is in the file too.
  EXPECT_EQ(replay.slice("warning: time.unknown_unit").args.count("what"), 1U);
}

TEST_F(Perfetto, TextThatIsNotUtf8IsRepaired) {
  add_clock("host", Frequency::nanoseconds());
  add(add_track("tr\xFF"), "na\xC0me", 0, 1);
  const Replay replay = round_trip();
  EXPECT_TRUE(replay.track_named("tr\xEF\xBF\xBD"));
  EXPECT_EQ(replay.slice("na\xEF\xBF\xBDme").end, 1U);
}

TEST_F(Perfetto, OverlapsAreRefusedByTrackName) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId track = add_track("core 7");
  add(track, "a", 0, 10);
  add(track, "b", 5, 15);
  const base::Error error = refusal();
  EXPECT_NE(error.message.find("core 7"), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("'b'"), std::string::npos) << error.message;
}

TEST_F(Perfetto, ImpossibleStretchesAndSpansAreRefused) {
  const auto build = [&] {
    builder = {};
    add_clock("host", Frequency::nanoseconds());
    const TrackId track = add_track("main");
    add(track, "first", std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::min() + 1);
    add(track, "last", 0, std::numeric_limits<std::int64_t>::max());
  };
  build();
  EXPECT_EQ(refusal().code, base::ErrorCode::kTooLarge);
  build();
  EXPECT_EQ(refusal({.stretch = 0}).code, base::ErrorCode::kUsage);
}

TEST_F(Perfetto, SlicesDeeperThanPerfettoCanHoldAreLeftOutAndCounted) {
  add_clock("host", Frequency::nanoseconds());
  const TrackId track = add_track("main");
  SliceId parent = SliceId::kNone;
  for (int depth = 0; depth < 600; ++depth)
    parent = add(track, fmt::format("f{}", depth), depth, 2000 - depth, parent);
  add(track, "after", 3000, 3001);
  const Replay replay = round_trip();
  EXPECT_EQ(replay.slice("f511").start, 511U);
  EXPECT_EQ(replay.slice("f511").end, 2000U - 511U);
  EXPECT_EQ(replay.slice("f0").end, 2000U);
  EXPECT_EQ(parent_name(replay, replay.slice("after")), "");
  EXPECT_EQ(notes.count("perfetto.too_deep"), 88U);
}

TEST_F(Perfetto, AnEmptyTraceIsAFileToo) {
  const Replay replay = round_trip();
  EXPECT_TRUE(replay.slices.empty());
}

}  // namespace
}  // namespace accelscope::formats::perfetto
