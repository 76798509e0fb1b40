// What comes from the performance monitor and from the scopes.
#include "formats/chip_run/helpers.h"

namespace accelscope::formats::chip_run {
namespace {

using trace::Ticks;
using trace::Trace;

pmu_csv::PmuTable table_of(std::vector<pmu_csv::PmuRow> rows) {
  pmu_csv::PmuTable table;
  table.counters = {"vec_busy_cycles", "icache_miss"};
  table.rows = std::move(rows);
  return table;
}

TEST(Pmu, TheNthRowBelongsToTheNthDispatchOfItsTaskOnItsCore) {
  auto capture = empty_capture(0, 2, 2);
  run(capture, 0, {.task = 1, .start = 10, .end = 20});
  run(capture, 0, {.task = 2, .start = 30, .end = 40});
  run(capture, 0, {.task = 1, .start = 50, .end = 60});
  run(capture, 1, {.task = 1, .start = 10, .end = 20});
  Siblings siblings;
  const auto row = [](std::int32_t core, std::uint64_t task, std::uint64_t total, std::uint64_t busy) {
    return pmu_csv::PmuRow{.core = core,
                           .task = task,
                           .function = 6,
                           .total_cycles = total,
                           .event_type = 2,
                           .values = {busy, 9}};
  };
  siblings.pmu = table_of({row(1, 1, 1, 1), row(0, 1, 100, 25), row(0, 1, 0, 0), row(0, 9, 5, 5)});
  const Trace trace = trace_of(std::move(capture), siblings);
  ASSERT_EQ(trace.slices().size(), 4U);
  EXPECT_EQ(arg_of(trace, 0, "pmu_total_cycles").as_uint(), 100U);
  EXPECT_EQ(arg_of(trace, 0, "vec_busy_cycles").as_uint(), 25U);
  EXPECT_EQ(arg_of(trace, 0, "icache_miss").as_uint(), 9U);
  EXPECT_EQ(arg_of(trace, 0, "utilisation vec").as_double(), 25.0);
  EXPECT_EQ(arg_of(trace, 0, "utilisation icache_miss").type, trace::ValueType::kNull);
  EXPECT_EQ(arg_of(trace, 1, "pmu_total_cycles").type, trace::ValueType::kNull);
  EXPECT_EQ(arg_of(trace, 2, "pmu_total_cycles").as_uint(), 0U);
  EXPECT_EQ(arg_of(trace, 2, "utilisation vec").type, trace::ValueType::kNull) << "nothing to divide by";
  EXPECT_EQ(arg_of(trace, 3, "pmu_total_cycles").as_uint(), 1U);
  EXPECT_EQ(quality_of(trace, "chip_run.pmu_row_unmatched")->count, 1U);
  EXPECT_EQ(quality_of(trace, "chip_run.dispatch_without_pmu")->count, 1U);
  EXPECT_EQ(trace.text(fact_of(trace, "pmu event type").as_text()), "2 PIPE");
  EXPECT_EQ(trace.text(trace.slices().name[0]), "func_6") << "the monitor knows the function, too";
  EXPECT_EQ(trace.text(trace.slices().name[1]), "task");
}

scope_stats::ScopeStats scopes() {
  scope_stats::ScopeStats stats;
  stats.total = 3;
  stats.task_window_max = {16, 16, 16, 16};
  stats.heap_max = {100, 200, 300, 400};
  stats.tensormap_max = 64;
  const auto boundary = [&](std::uint32_t ring, std::uint64_t tasks, std::uint64_t heap,
                            std::uint64_t tensormap) {
    stats.boundaries.push_back({.site = "a.cpp:1",
                                .ring = ring,
                                .task_window_end = tasks,
                                .heap_start = 10,
                                .heap_end = 10 + heap,
                                .tensormap = tensormap});
  };
  boundary(1, 0, 0, 0);
  boundary(1, 2, 150, 9);
  boundary(0, 0, 0, 4);
  return stats;
}

TEST(Scopes, BoundariesArePlacedWhereTheirLastTaskWasSubmitted) {
  auto capture = empty_capture(1, 0);
  submit(capture, task_id(1, 0), 100, 110);
  submit(capture, task_id(1, 1), 120, 130);
  Siblings siblings;
  siblings.scope_stats = scopes();
  const Trace trace = trace_of(std::move(capture), siblings);
  const trace::RowRange heap = trace.counters_of(track_named(trace, "ring 1 heap"));
  ASSERT_EQ(heap.count, 2U);
  EXPECT_EQ(trace.counters().time[heap.first], Ticks{100});
  EXPECT_EQ(trace.counters().time[heap.first + 1], Ticks{130});
  EXPECT_EQ(trace.counters().bits[heap.first + 1], 150U);
  const trace::RowRange tensormap = trace.counters_of(track_named(trace, "tensormap"));
  ASSERT_EQ(tensormap.count, 3U);
  EXPECT_EQ(trace.counters().time[tensormap.first + 2], Ticks{130}) << "never before the boundary above it";
  EXPECT_EQ(track_named(trace, "ring 2 heap"), trace::TrackId::kNone);
  EXPECT_EQ(quality_of(trace, "chip_run.scope_times_estimated")->count, 3U);
  EXPECT_EQ(fact_of(trace, "scope peak ring 1 heap").as_uint(), 150U);
  EXPECT_EQ(fact_of(trace, "scope capacity ring 1 heap").as_uint(), 200U);
  EXPECT_EQ(fact_of(trace, "scope peak ring 1 task window").as_uint(), 2U);
  EXPECT_EQ(fact_of(trace, "scope peak tensormap").as_uint(), 9U);
  EXPECT_EQ(fact_of(trace, "scope peak ring 2 heap").type, trace::ValueType::kNull);
}

TEST(Scopes, WithoutSubmitsOnlyThePeaksAreKept) {
  Siblings siblings;
  siblings.scope_stats = scopes();
  const Trace trace = trace_of(empty_capture(1, 0, 3), siblings);
  EXPECT_EQ(trace.counters().size(), 0U);
  EXPECT_EQ(quality_of(trace, "chip_run.scopes_without_times")->count, 3U);
  EXPECT_EQ(fact_of(trace, "scope peak ring 1 heap").as_uint(), 150U);
}

TEST(Scopes, FollowTheClockOfTheOrchestrator) {
  auto capture = empty_capture(1, 0);
  submit_on_host(capture, task_id(1, 1), 5000, 6000);
  Siblings siblings;
  siblings.scope_stats = scopes();
  const Trace trace = trace_of(std::move(capture), siblings);
  const trace::TrackId track = track_named(trace, "ring 1 heap");
  EXPECT_TRUE(trace.clock_of(track).frequency.is_nanoseconds());
  EXPECT_EQ(trace.counters().time[trace.counters_of(track).first + 1], Ticks{6000});
}

}  // namespace
}  // namespace accelscope::formats::chip_run
