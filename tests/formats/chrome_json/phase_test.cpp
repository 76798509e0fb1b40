// What each phase of event becomes.
#include "support.h"

namespace accelscope::formats::chrome_json {
namespace {

TEST(Phase, CompleteEventsAreSlicesNestedByTheirTimes) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":1,"tid":2,"ts":10.5,"dur":2,"name":"child","cat":"op"},
         {"ph":"X","pid":1,"tid":2,"ts":10,"dur":5.25,"name":"parent"},
         {"ph":"X","pid":1,"tid":3,"ts":11,"dur":1,"name":"elsewhere"})");
  ASSERT_EQ(trace.slices().size(), 3U);
  const SliceId parent = slice_named(trace, "parent");
  const SliceId child = slice_named(trace, "child");
  EXPECT_EQ(start_of(trace, parent).value, 10'000);
  EXPECT_EQ(duration_of(trace, parent).value, 5250);
  EXPECT_EQ(trace.slices().parent[index(child)], parent);
  EXPECT_EQ(trace.category_name(trace.slices().category[index(child)]), "op");
  EXPECT_EQ(trace.slices().parent[index(slice_named(trace, "elsewhere"))], SliceId::kNone);
  EXPECT_EQ(trace.text(trace.clocks()[0].name), "chrome");
  EXPECT_TRUE(trace.clocks()[0].frequency.is_nanoseconds());
  const TrackId thread = trace.slices().track[index(child)];
  EXPECT_EQ(trace.track(thread).external_id, 2);
  EXPECT_EQ(trace.track(trace.track(thread).parent).external_id, 1);
  EXPECT_TRUE(trace.quality().rows().empty());
}

TEST(Phase, OverlappingSlicesAreKeptAsTheyAre) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":1,"tid":1,"ts":0,"dur":10,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":5,"dur":10,"name":"b"})");
  EXPECT_EQ(duration_of(trace, slice_named(trace, "a")).value, 10'000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "b")).value, 10'000);
  EXPECT_EQ(trace.slices().parent[index(slice_named(trace, "b"))], SliceId::kNone);
}

TEST(Phase, CompleteEventsMayLackTheirDuration) {
  const Trace trace = must_read_events(R"({"ph":"X","pid":1,"tid":1,"ts":5,"name":"a"})");
  EXPECT_TRUE(has_flag(flags_of(trace, SliceId{0}), SliceFlag::kEndUnknown));
  EXPECT_EQ(trace.quality().count("chrome.missing_duration"), 1U);
}

TEST(Phase, NegativeDurationsAreFlagged) {
  const Trace trace = must_read_events(R"({"ph":"X","pid":1,"tid":1,"ts":5,"dur":-1,"name":"a"})");
  EXPECT_TRUE(has_flag(flags_of(trace, SliceId{0}), SliceFlag::kEndUnknown));
  EXPECT_EQ(trace.quality().count("trace.negative_duration"), 1U);
}

TEST(Phase, BeginAndEndMakeSlicesPerThread) {
  const Trace trace = must_read_events(
      R"({"ph":"B","pid":1,"tid":1,"ts":1,"name":"outer","args":{"x":1}},
         {"ph":"B","pid":1,"tid":2,"ts":1,"name":"other"},
         {"ph":"B","pid":1,"tid":1,"ts":2,"name":"inner"},
         {"ph":"E","pid":1,"tid":1,"ts":3},
         {"ph":"E","pid":1,"tid":2,"ts":9},
         {"ph":"E","pid":1,"tid":1,"ts":4,"args":{"y":2}})");
  const SliceId outer = slice_named(trace, "outer");
  EXPECT_EQ(duration_of(trace, outer).value, 3000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "inner")).value, 1000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "other")).value, 8000);
  EXPECT_EQ(trace.slices().parent[index(slice_named(trace, "inner"))], outer);
  EXPECT_EQ(arg_of(trace, outer, "x").as_int(), 1);
  EXPECT_EQ(arg_of(trace, outer, "y").as_int(), 2);
}

TEST(Phase, WhatIsCutAtTheEdgesOfTheRecordingIsFlagged) {
  const Trace trace = must_read_events(
      R"({"ph":"i","pid":1,"tid":1,"ts":1,"name":"first"},
         {"ph":"E","pid":1,"tid":1,"ts":3,"name":"began earlier"},
         {"ph":"B","pid":1,"tid":1,"ts":4,"name":"never ended"},
         {"ph":"X","pid":1,"tid":1,"ts":5,"dur":2,"name":"last"})");
  const SliceId early = slice_named(trace, "began earlier");
  EXPECT_EQ(start_of(trace, early).value, 1000);
  EXPECT_EQ(duration_of(trace, early).value, 2000);
  EXPECT_TRUE(has_flag(flags_of(trace, early), SliceFlag::kBeginUnknown));
  const SliceId open = slice_named(trace, "never ended");
  EXPECT_EQ(duration_of(trace, open).value, 3000);
  EXPECT_TRUE(has_flag(flags_of(trace, open), SliceFlag::kEndUnknown));
  EXPECT_EQ(trace.slices().parent[index(slice_named(trace, "last"))], open);
  EXPECT_EQ(trace.quality().count("chrome.end_without_begin"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.begin_without_end"), 1U);
}

TEST(Phase, InstantsKeepTheirScope) {
  const Trace trace = must_read_events(
      R"({"ph":"i","pid":1,"tid":1,"ts":1,"name":"thread","s":"t","args":{"k":"v"}},
         {"ph":"I","pid":1,"tid":1,"ts":2,"name":"process","s":"p"},
         {"ph":"R","pid":1,"tid":1,"ts":3,"name":"mark"},
         {"ph":"i","pid":1,"tid":1,"ts":4,"name":"global","s":"g"})");
  const trace::InstantTable& instants = trace.instants();
  ASSERT_EQ(instants.size(), 4U);
  EXPECT_EQ(trace.text(trace.find_arg(instants.first_arg[0], "k").as_text()), "v");
  EXPECT_EQ(trace.text(trace.find_arg(instants.first_arg[1], "scope").as_text()), "process");
  EXPECT_EQ(instants.first_arg[2], ArgId::kNone);
  EXPECT_EQ(trace.text(trace.find_arg(instants.first_arg[3], "scope").as_text()), "global");
  EXPECT_EQ(instants.time[3].value, 4000);
}

TEST(Phase, CountersAreATrackPerSeries) {
  const Trace trace = must_read_events(
      R"({"ph":"C","pid":1,"ts":1,"name":"mem","args":{"used":5,"free":7}},
         {"ph":"C","pid":1,"ts":2,"name":"mem","args":{"used":6,"free":6.5}},
         {"ph":"C","pid":1,"ts":1,"name":"load","args":{"value":-9223372036854775808}},
         {"ph":"C","pid":1,"ts":1,"name":"load","id":3,"args":{"value":"12"}},
         {"ph":"C","pid":2,"ts":1,"name":"load","args":{"value":1,"note":"idle"}},
         {"ph":"C","pid":2,"ts":1,"name":"huge","args":{"value":18446744073709551615}})");
  const TrackId used = track_named(trace, "mem used");
  ASSERT_NE(used, TrackId::kNone);
  EXPECT_EQ(trace.track(used).counter_type, trace::CounterType::kInt64);
  EXPECT_EQ(trace.counters_of(used).count, 2U);
  EXPECT_EQ(trace.counters().bits[trace.counters_of(used).first + 1], 6U);
  const TrackId free = track_named(trace, "mem free");
  EXPECT_EQ(trace.track(free).counter_type, trace::CounterType::kDouble);
  EXPECT_EQ(std::bit_cast<double>(trace.counters().bits[trace.counters_of(free).first]), 7.0);
  EXPECT_EQ(std::bit_cast<double>(trace.counters().bits[trace.counters_of(free).first + 1]), 6.5);
  const TrackId load = track_named(trace, "load");
  EXPECT_EQ(static_cast<std::int64_t>(trace.counters().bits[trace.counters_of(load).first]),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(trace.counters().size(), 8U);
  EXPECT_EQ(trace.quality().count("chrome.counter_not_a_number"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.counter_rounded"), 1U);
}

// Every series has the event's name in its own: a long name times many series must not fill the memory.
TEST(Phase, LongNamesOfCountersAreCutInTheirSeries) {
  const std::string name = std::string(255, 'n') + "\xC3\xA9" + std::string(100, 'm');
  const Trace trace =
      must_read_events(R"({"ph":"C","ts":1,"pid":1,"name":")" + name + R"(","args":{"a":1,"b":2}},)" +
                       R"({"ph":"C","ts":1,"pid":1,"name":")" + name + R"(","args":{"value":1}})");
  EXPECT_NE(track_named(trace, std::string(255, 'n') + " a"), TrackId::kNone);
  EXPECT_NE(track_named(trace, std::string(255, 'n') + " b"), TrackId::kNone);
  EXPECT_NE(track_named(trace, name), TrackId::kNone);
}

TEST(Phase, AsyncEventsHaveATrackPerCategoryAndId) {
  const Trace trace = must_read_events(
      R"({"ph":"b","pid":1,"tid":1,"ts":1,"name":"request","cat":"net","id":"0x1"},
         {"ph":"b","pid":1,"tid":1,"ts":2,"name":"other","cat":"net","id":"0x2"},
         {"ph":"b","pid":1,"tid":9,"ts":3,"name":"part","cat":"net","id":"0x1"},
         {"ph":"n","pid":1,"tid":1,"ts":4,"name":"note","cat":"net","id":"0x1"},
         {"ph":"e","pid":1,"tid":1,"ts":5,"name":"part","cat":"net","id":"0x1","args":{"bytes":3}},
         {"ph":"e","pid":1,"tid":1,"ts":8,"name":"other","cat":"net","id":"0x2"},
         {"ph":"e","pid":1,"tid":1,"ts":9,"name":"request","cat":"net","id":"0x1"},
         {"ph":"S","pid":1,"tid":1,"ts":1,"name":"old style","cat":"x","id":7},
         {"ph":"F","pid":1,"tid":1,"ts":3,"name":"old style","cat":"x","id":7},
         {"ph":"b","pid":1,"tid":1,"ts":1,"name":"no id"})");
  const SliceId request = slice_named(trace, "request");
  const SliceId part = slice_named(trace, "part");
  EXPECT_EQ(duration_of(trace, request).value, 8000);
  EXPECT_EQ(trace.slices().parent[index(part)], request);
  EXPECT_EQ(arg_of(trace, part, "bytes").as_int(), 3);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "old style")).value, 2000);
  EXPECT_NE(trace.slices().track[index(request)], trace.slices().track[index(slice_named(trace, "other"))]);
  EXPECT_EQ(trace.instants().track[0], trace.slices().track[index(request)]);
  EXPECT_EQ(trace.quality().count("chrome.missing_id"), 1U);
}

TEST(Phase, AsyncSlicesOfOneIdMayOverlap) {
  const Trace trace = must_read_events(
      R"({"ph":"b","pid":1,"ts":1,"name":"a","cat":"c","id":1},{"ph":"b","pid":1,"ts":2,"name":"b","cat":"c","id":1},
         {"ph":"e","pid":1,"ts":3,"name":"a","cat":"c","id":1},{"ph":"e","pid":1,"ts":4,"name":"b","cat":"c","id":1})");
  EXPECT_EQ(duration_of(trace, slice_named(trace, "a")).value, 2000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "b")).value, 2000);
}

TEST(Phase, LocalIdsBelongToTheirProcess) {
  const Trace trace = must_read_events(
      R"({"ph":"b","pid":1,"ts":1,"name":"a","cat":"c","id2":{"local":"0x5"}},
         {"ph":"b","pid":2,"ts":2,"name":"b","cat":"c","id2":{"local":"0x5"}},
         {"ph":"e","pid":1,"ts":5,"cat":"c","id2":{"local":"0x5"}},
         {"ph":"e","pid":2,"ts":9,"cat":"c","id2":{"local":"0x5"}},
         {"ph":"b","pid":1,"ts":1,"name":"g","cat":"c","id2":{"global":"0x6"}},
         {"ph":"e","pid":2,"ts":3,"name":"g","cat":"c","id2":{"global":"0x6"}})");
  EXPECT_EQ(duration_of(trace, slice_named(trace, "a")).value, 4000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "b")).value, 7000);
  EXPECT_EQ(duration_of(trace, slice_named(trace, "g")).value, 2000);
}

TEST(Phase, MetadataNamesAndOrdersTracks) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":1,"tid":2,"ts":1,"dur":1,"name":"a"},
         {"ph":"M","pid":1,"name":"process_name","args":{"name":"python"}},
         {"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}},
         {"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":-5}},
         {"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":12}},
         {"ph":"M","pid":1,"name":"process_labels","args":{"labels":"GPU 0"}},
         {"ph":"M","pid":1,"name":"num_cpus","args":{"number":8}},
         {"ph":"X","pid":3,"tid":4,"ts":1,"dur":1,"name":"b"})");
  const TrackId process = track_named(trace, "python");
  const TrackId thread = track_named(trace, "main");
  ASSERT_NE(process, TrackId::kNone);
  ASSERT_NE(thread, TrackId::kNone);
  EXPECT_EQ(trace.track(thread).parent, process);
  EXPECT_EQ(trace.track(process).order, -5);
  EXPECT_EQ(trace.track(thread).order, 12);
  EXPECT_EQ(trace.text(trace.facts()[0].value.as_text()), "GPU 0");
  EXPECT_EQ(trace.quality().count("chrome.ignored_metadata"), 1U);
  EXPECT_NE(track_named(trace, "process 3"), TrackId::kNone);
  EXPECT_NE(track_named(trace, "thread 4"), TrackId::kNone);
}

TEST(Phase, OthersAreCountedByPhase) {
  const Trace trace = must_read_events(
      R"({"ph":"P","pid":1,"tid":1,"ts":1},{"ph":"N","pid":1,"ts":1,"id":1},{"ph":"P","pid":1,"tid":1,"ts":2},
         {"ph":"odd","ts":1},{"ts":1,"name":"no phase"},{"ph":"X","pid":1,"tid":1,"name":"no time"},{}, 5)");
  EXPECT_EQ(trace.slices().size(), 0U);
  EXPECT_EQ(trace.quality().count("chrome.ignored_phase"), 4U);
  EXPECT_EQ(trace.quality().count("chrome.missing_phase"), 2U);
  EXPECT_EQ(trace.quality().count("chrome.missing_time"), 1U);
  EXPECT_EQ(trace.quality().count("chrome.not_an_event"), 1U);
  const auto rows = trace.quality().rows();
  const auto samples = std::find_if(rows.begin(), rows.end(), [](const trace::QualityRow& row) {
    return row.sentence.find("'P'") != std::string::npos;
  });
  ASSERT_NE(samples, rows.end());
  EXPECT_EQ(samples->count, 2U);
  EXPECT_EQ(samples->first_place, base::Location::byte("test.json", 16));
}

TEST(Phase, ProcessesAndThreadsMayBeTextOrWide) {
  const Trace trace = must_read_events(
      R"({"ph":"X","pid":"gpu","tid":"stream 7","ts":1,"dur":1,"name":"a"},
         {"ph":"X","pid":9007199254740993,"tid":18446744073709551615,"ts":1,"dur":1,"name":"b"},
         {"ph":"X","pid":9007199254740992,"tid":1,"ts":1,"dur":1,"name":"c"},
         {"ph":"X","pid":"9007199254740993","tid":2,"ts":1,"dur":1,"name":"d"},
         {"ph":"X","ts":1,"dur":1,"name":"e"})");
  const auto process_of = [&](std::string_view name) {
    return trace.track(trace.slices().track[index(slice_named(trace, name))]).parent;
  };
  EXPECT_EQ(trace.text(trace.track(process_of("a")).name), "gpu");
  EXPECT_NE(track_named(trace, "stream 7"), TrackId::kNone);
  EXPECT_EQ(trace.track(process_of("b")).external_id, 9007199254740993);
  EXPECT_NE(track_named(trace, "thread 18446744073709551615"), TrackId::kNone);
  EXPECT_NE(process_of("b"), process_of("c"));
  EXPECT_EQ(process_of("b"), process_of("d"));
  EXPECT_EQ(trace.track(process_of("e")).external_id, 0);
}

}  // namespace
}  // namespace accelscope::formats::chrome_json
