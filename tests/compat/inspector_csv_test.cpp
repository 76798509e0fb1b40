#include "compat/inspector_csv.h"

#include <gtest/gtest.h>

#include "compat/csv_comparison.h"
#include "trace/trace_builder.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

using formats::timeline_csv::OpsStatsRow;
using formats::timeline_csv::TimelineRow;
using trace::RunId;
using trace::SliceFlag;
using trace::SliceId;
using trace::Ticks;
using trace::Trace;
using trace::TraceBuilder;
using trace::TrackId;
using trace::Value;

// Builds traces as the ETDump reader does: every event with its record, chain and instruction.
class TraceMaker {
 public:
  TraceMaker() {
    const trace::ClockId clock =
        builder_.add_clock({builder_.intern("host"), base::Frequency::nanoseconds()});
    host_ = builder_.add_track({.name = builder_.intern("host"), .clock = clock});
    const trace::ClockId gpu = builder_.add_clock({builder_.intern("gpu"), base::Frequency::unknown()});
    foreign_ = builder_.add_track({.name = builder_.intern("foreign"), .clock = gpu});
  }

  void run(std::string_view block) {
    run_ = builder_.add_run({.name = builder_.intern(block)});
    record_ = 0;
  }
  void event(std::string_view name, std::int64_t instruction, std::int64_t start, std::int64_t end,
             SliceFlag flags = SliceFlag::kNone) {
    add(name, instruction, start, end, host_, trace::CategoryId::kNone, flags);
  }
  SliceId delegated(std::string_view name, std::int64_t instruction, std::int64_t start, std::int64_t end) {
    return add(name, instruction, start, end, host_, builder_.category(trace::category::kDelegateOperator),
               SliceFlag::kNone);
  }
  void foreign(std::string_view name, std::int64_t instruction, std::int64_t start, std::int64_t end) {
    add(name, instruction, start, end, foreign_, builder_.category(trace::category::kDelegateOperator),
        SliceFlag::kNone);
  }
  void set_backend(SliceId slice, std::string_view backend, std::string_view source) {
    builder_.add_slice_arg(slice, trace::arg::kBackend, Value::of_string(builder_.intern(backend)));
    builder_.add_slice_arg(slice, trace::arg::kBackendSource, Value::of_string(builder_.intern(source)));
  }
  Trace finish() {
    auto trace = std::move(builder_).finish();
    EXPECT_TRUE(trace);
    return std::move(*trace);
  }

 private:
  SliceId add(std::string_view name, std::int64_t instruction, std::int64_t start, std::int64_t end,
              TrackId track, trace::CategoryId category, SliceFlag flags) {
    const SliceId slice = builder_.add_slice({.track = track,
                                              .start = Ticks{start},
                                              .duration = Ticks{end - start},
                                              .name = builder_.intern(name),
                                              .category = category,
                                              .flags = flags,
                                              .run = run_});
    const bool method_level = name.find("::") != std::string_view::npos;
    builder_.add_slice_arg(slice, trace::arg::kRecord, Value::of_int(record_++));
    builder_.add_slice_arg(slice, trace::arg::kChain, Value::of_int(method_level ? -1 : 0));
    builder_.add_slice_arg(slice, trace::arg::kInstruction, Value::of_int(instruction));
    return slice;
  }

  TraceBuilder builder_;
  TrackId host_ = TrackId::kNone;
  TrackId foreign_ = TrackId::kNone;
  RunId run_ = RunId::kNone;
  std::int64_t record_ = 0;
};

std::vector<std::string> names(const InspectorTable& table) {
  std::vector<std::string> result;
  for (const InspectorEvent& event : table.events) result.emplace_back(event.name);
  return result;
}

TEST(InspectorTable, GroupsRunsWithTheSameEvents) {
  TraceMaker maker;
  maker.run("Default");
  maker.event("Method::init", 0, 1, 2);
  for (const std::int64_t t : {100, 300}) {
    maker.run("Execute");
    maker.event("native_call_a", 0, t + 1, t + 5);
    maker.event("Method::execute", 0, t, t + 10);
  }
  maker.run("Execute");
  maker.event("Method::execute", 0, 200, 220);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  EXPECT_EQ(names(table), (std::vector<std::string>{"Method::init", "native_call_a", "Method::execute",
                                                    "Method::execute"}));
  EXPECT_EQ(table.events[1].start_ns, (std::vector<double>{101, 301}));
  EXPECT_EQ(table.events[3].start_ns, (std::vector<double>{200}));
}

TEST(InspectorTable, KeepsTheLastOfARepeatedInstruction) {
  TraceMaker maker;
  maker.run("Execute");
  maker.event("native_call_a", 3, 10, 11);
  maker.event("OPERATOR_CALL", 3, 9, 12);
  maker.event("native_call_b", 4, 13, 14);
  maker.event("native_call_a", 3, 20, 23);
  maker.event("OPERATOR_CALL", 3, 19, 24);
  maker.event("Method::execute", 0, 0, 30);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  EXPECT_EQ(names(table),
            (std::vector<std::string>{"native_call_a", "OPERATOR_CALL", "native_call_b", "Method::execute"}));
  EXPECT_EQ(table.events[0].duration_ms, (std::vector<double>{3e-6}));
}

TEST(InspectorTable, DividesBackendTimesBeforeSubtracting) {
  TraceMaker maker;
  maker.run("Execute");
  maker.delegated("Convert (NC, F32, F16) #1", 0, 4581416, 4595416);
  maker.event("DELEGATE_CALL", 0, 4579616, 4860169);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  EXPECT_EQ(table.events[0].duration_ms[0], 0.014000000000000234);
  EXPECT_EQ(table.events[1].duration_ms[0], 0.280553);
}

TEST(InspectorTable, TakesForeignClocksForNanosecondsAndSkipsWhatWeMade) {
  TraceMaker maker;
  maker.run("Execute");
  maker.foreign("shader", 0, 900000, 900500);
  maker.event("DELEGATE_CALL", 0, 10, 20);
  maker.event("Method::step", 0, 5, 25, SliceFlag::kSynthetic);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  EXPECT_EQ(names(table), (std::vector<std::string>{"shader", "DELEGATE_CALL"}));
  EXPECT_NEAR(table.events[0].duration_ms[0], 0.0005, 1e-12);
}

TEST(InspectorTable, IsOneTickShortWhereTheCounterOverflowed) {
  constexpr std::int64_t kWrap = std::int64_t{1} << 32;
  TraceMaker maker;
  maker.run("Execute");
  maker.event("native_call_a", 0, kWrap - 5, kWrap + 4, SliceFlag::kWrapped);
  maker.event("Method::execute", 0, kWrap + 10, kWrap + 30);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  EXPECT_EQ(table.events[0].duration_ms[0], 8e-6);
  EXPECT_EQ(table.events[1].start_ns[0], 10);
  EXPECT_EQ(table.events[1].duration_ms[0], 2e-5);
}

TEST(InspectorCsv, NumbersRowsAndRuns) {
  TraceMaker maker;
  for (const std::int64_t t : {1000, 3000}) {
    maker.run("Execute");
    maker.event("native_call_a", 0, t + 100, t + 400);
    maker.event("Method::execute", 0, t, t + 700);
  }
  maker.run("Execute");
  maker.event("Method::execute", 0, 2000, 3000);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  const std::vector<TimelineRow> rows = timeline_rows(table, "m");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[1].node_id, 0U);
  EXPECT_EQ(rows[1].run_index, 1U);
  EXPECT_EQ(rows[4].node_id, 2U);
  EXPECT_EQ(rows[4].run_index, 0U);
  EXPECT_DOUBLE_EQ(rows[0].pct_total, 15);  // 300 of 300 + 700 + 1000
  EXPECT_DOUBLE_EQ(rows[1].pct_total, 30);  // 300 of 300 + 700
  const std::vector<TimelineRow> second = timeline_rows_of_run(table, "m", 1);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[1].node_id, 1U);
  EXPECT_DOUBLE_EQ(second[1].start_us, 3);
  EXPECT_DOUBLE_EQ(second[1].end_us, 3.7);
  EXPECT_TRUE(timeline_rows_of_run(table, "m", 2).empty());
}

TEST(InspectorCsv, NamesABackendOnlyFromAnEtRecord) {
  TraceMaker maker;
  maker.run("Execute");
  maker.set_backend(maker.delegated("a", 0, 10, 20), "XnnpackBackend", "etrecord");
  maker.set_backend(maker.delegated("b", 0, 20, 30), "XNNPACK", "inferred from names");
  maker.event("DELEGATE_CALL", 0, 10, 30);
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  const std::vector<TimelineRow> rows = timeline_rows(table, "m");
  EXPECT_EQ(rows[0].delegate_backend, "XnnpackBackend");
  EXPECT_EQ(rows[1].delegate_backend, "delegated");
  EXPECT_EQ(rows[2].delegate_backend, "portable");
}

TEST(InspectorCsv, CountsRowsNotCallsInTheStatistics) {
  TraceMaker maker;
  for (const std::int64_t t : {1000, 3000}) {
    maker.run("Execute");
    maker.delegated("Convert #1", 0, t + 100, t + 200);
    maker.delegated("Convert #2", 0, t + 200, t + (t == 1000 ? 500 : 700));
    maker.event("Method::execute", 0, t, t + 1000);
  }
  const Trace trace = maker.finish();
  const InspectorTable table = inspector_table(trace);
  const std::vector<OpsStatsRow> rows = ops_stats_rows(table, "m");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "Method::execute");
  EXPECT_EQ(rows[1].name, "Convert");
  EXPECT_EQ(rows[1].count, 2U);
  EXPECT_NEAR(rows[1].total_ms, 0.0005, 1e-15);
  EXPECT_NEAR(rows[1].avg_ms, 0.00025, 1e-15);
  EXPECT_NEAR(rows[1].pct_total, 100.0 / 3, 1e-9);
}

TEST(InspectorCsv, NamesFilesAsTheKitDoes) {
  EXPECT_EQ(kit_model_id("out/toy_t1.etdump"), "toy_t1");
  EXPECT_EQ(kit_model_id("docs.etdp"), "docs");
  EXPECT_EQ(kit_csv_prefix("out/toy_t1.etdump"), "toy_t1_exec");
  EXPECT_EQ(kit_csv_prefix("out/toy_xtrace.etdump"), "toy_xtrace");
  EXPECT_EQ(kit_csv_prefix("docs.etdp"), "docs.etdp_exec");
}

TEST(CsvComparison, SeesWhatDiffers) {
  const std::string_view file = "name,start_us\na,1.0\n";
  EXPECT_EQ(first_difference(file, "name,start_us\na,1.0000000001\n"), "");
  EXPECT_NE(first_difference(file, "name,start_us\na,1.00001\n"), "");
  EXPECT_NE(first_difference(file, "name,start_us\nb,1.0\n"), "");
  EXPECT_NE(first_difference(file, "name,start_us\n"), "");
  EXPECT_NE(first_difference(file, "name,start_us\na,1.0\na,1.0\n"), "");
}

}  // namespace
}  // namespace accelscope::compat
