// The contract of docs/trace-model.md, "A run of a chip", row by row.
#include "formats/chip_run/helpers.h"

namespace accelscope::formats::chip_run {
namespace {

using trace::SliceId;
using trace::TaskId;
using trace::Ticks;
using trace::Trace;
using trace::TrackId;

TEST(ChipTrace, CoresHaveTracksAlsoWhenTheyRanNothing) {
  auto capture = empty_capture(1, 2, 2);
  run(capture, 1, {.task = 5, .start = 20, .end = 30, .dispatch = 10, .finish = 40, .receive = 15});
  const Trace trace = trace_of(std::move(capture));
  const trace::ChipRun chip = trace::chip_run(trace);
  ASSERT_EQ(chip.cores.size(), 3U);
  EXPECT_EQ(chip.cores[0].engine, "AIC");
  EXPECT_EQ(chip.cores[2].engine, "AIV");
  EXPECT_EQ(chip.cores[2].number, 2);
  EXPECT_EQ(chip.level, 2);
  EXPECT_TRUE(chip.schedulers.empty());
  EXPECT_EQ(trace.clock(chip.clock).frequency, base::Frequency::mhz(50));
  EXPECT_EQ(trace.slices_of(chip.cores[2].track).count, 0U);
  EXPECT_TRUE(trace.track(chip.cores[2].track).coverage_known);
  EXPECT_EQ(trace.track(chip.cores[2].track).covered_from, Ticks{10});
  EXPECT_EQ(trace.track(chip.cores[2].track).covered_to, Ticks{40});
  const auto dispatches = trace::dispatches_of(trace, chip.cores[1].track);
  ASSERT_EQ(dispatches.size(), 1U);
  EXPECT_EQ(dispatches[0].dispatch, Ticks{10});
  EXPECT_EQ(dispatches[0].receive, Ticks{15});
  EXPECT_EQ(dispatches[0].start, Ticks{20});
  EXPECT_EQ(dispatches[0].end, Ticks{30});
  EXPECT_EQ(dispatches[0].finish, Ticks{40});
  EXPECT_EQ(trace.text(dispatches[0].function), "task");
  EXPECT_EQ(kind_of_task(trace, 5), "AIV");
}

TEST(ChipTrace, SequencesAreArgumentsOnlyWhereTheyAreNotPositions) {
  auto capture = empty_capture(1, 0, 1);
  run(capture, 0, {.task = 1, .start = 10, .end = 20, .sequence = 1});
  run(capture, 0, {.task = 2, .start = 30, .end = 40, .sequence = 3});
  run(capture, 0, {.task = 3, .start = 25, .end = 28, .sequence = 4});  // out of order: sorted by start
  const Trace trace = trace_of(std::move(capture));
  ASSERT_EQ(trace.slices().size(), 3U);
  EXPECT_EQ(arg_of(trace, 0, "sequence").type, trace::ValueType::kNull);
  EXPECT_EQ(arg_of(trace, 1, "sequence").as_uint(), 4U);
  EXPECT_EQ(arg_of(trace, 2, "sequence").type, trace::ValueType::kNull);
  EXPECT_EQ(trace.slices().start[1], Ticks{25});
}

TEST(ChipTrace, FunctionsComeFromTheKernelOfTheCore) {
  auto capture = empty_capture(2, 4, 1);
  for (const std::size_t core : {0U, 2U, 3U}) run(capture, core, {.task = 1, .start = 10, .end = 20});
  run(capture, 5, {.task = 2, .start = 10, .end = 20});
  run(capture, 4, {.task = 3, .start = 10, .end = 20});
  run(capture, 5, {.task = 3, .start = 30, .end = 40});
  Siblings siblings;
  siblings.deps = graph_of({{.id = 1, .kernels = {0, 1, 2}, .blocks = 1},
                            {.id = 2, .kernels = {-1, -1, 7}, .blocks = 4, .early_dispatch = true},
                            {.id = 3, .kernels = {-1, 1, 3}, .manual_scope = true}});
  siblings.names.emplace();
  siblings.names->functions = {{0, "MATMUL"}, {1, "ADD"}, {2, "MUL"}, {3, "ADD"}};
  siblings.names->orchestrator = "orch";
  const Trace trace = trace_of(std::move(capture), siblings);
  const trace::ChipRun chip = trace::chip_run(trace);
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_on(trace, chip.cores[0].track), Names{"MATMUL"});
  EXPECT_EQ(names_on(trace, chip.cores[2].track), Names{"ADD (func 1)"});
  EXPECT_EQ(names_on(trace, chip.cores[3].track), Names{"MUL"});
  EXPECT_EQ(names_on(trace, chip.cores[4].track), Names{"ADD (func 1)"});
  EXPECT_EQ(names_on(trace, chip.cores[5].track), (Names{"func_7", "ADD (func 3)"}));
  EXPECT_EQ(name_of_task(trace, 1), "MATMUL+ADD (func 1)+MUL");
  EXPECT_EQ(kind_of_task(trace, 1), "MIX");
  EXPECT_EQ(kind_of_task(trace, 2), "AIV");
  EXPECT_EQ(kind_of_task(trace, 3), "MIX") << "two vector cores of a cluster are queued as MIX";
  const trace::TaskTable& tasks = trace.tasks();
  EXPECT_EQ(tasks.blocks[*row_of_task(trace, 2)], 4U);
  EXPECT_EQ(tasks.flags[*row_of_task(trace, 2)], trace::TaskFlag::kEarlyDispatch);
  EXPECT_EQ(tasks.flags[*row_of_task(trace, 3)], trace::TaskFlag::kManualOrder);
  EXPECT_EQ(trace.text(fact_of(trace, "function 3").as_text()), "ADD (func 3)");
  EXPECT_EQ(trace.text(fact_of(trace, "orchestrator name").as_text()), "orch");
}

TEST(ChipTrace, FunctionsOfOldRowsNameTheirTasks) {
  auto capture = empty_capture(1, 1, 2);
  capture.era = chip_swimlane::Era::kObjectsByVersion0;
  run(capture, 0, {.task = 1, .start = 10, .end = 20, .function = 4});
  run(capture, 1, {.task = 1, .start = 10, .end = 20, .function = 5});
  run(capture, 1, {.task = 1, .start = 30, .end = 40, .function = 5});
  run(capture, 0, {.task = 2, .start = 50, .end = 60, .function = 4});
  capture.fanout = {{1, 2}, {1, 2}, {2, 1}, {1, 99}};
  const Trace trace = trace_of(std::move(capture));
  EXPECT_EQ(name_of_task(trace, 1), "func_4+func_5");
  EXPECT_EQ(kind_of_task(trace, 1), "MIX");
  ASSERT_EQ(trace.task_edges().size(), 2U) << "pairs are distinct";
  EXPECT_EQ(trace.text(trace.task_edges().kind[0]), "fanout");
  EXPECT_EQ(quality_of(trace, "chip_run.edge_of_unknown_task")->count, 1U);
  ASSERT_NE(quality_of(trace, "chip_run.cyclic_dependencies"), nullptr);
  EXPECT_EQ(trace.text(fact_of(trace, "swimlane format").as_text()), "task objects, version 0 to 2");
  EXPECT_EQ(fact_of(trace, "device").type, trace::ValueType::kNull);
}

TEST(ChipTrace, KindsOfTasksThatNoCoreRan) {
  auto capture = empty_capture(1, 0);
  for (const std::uint64_t task : {1U, 2U, 3U, 4U, 5U}) submit(capture, task, 1, 2);
  marker(capture, 0, "dummy_task", 1, 10);
  marker(capture, 0, "predicated_skip", 2, 11);
  phase(capture, 0, "graph_prepare", 12, 15).task = 3;
  run(capture, 0, {.task = task_id(1, (3 << 10) | 6), .start = 20, .end = 30});
  run(capture, 0, {.task = task_id(1, (7 << 10) | 6), .start = 40, .end = 50});
  const Trace trace = trace_of(std::move(capture));
  EXPECT_EQ(kind_of_task(trace, 1), "dummy");
  EXPECT_EQ(kind_of_task(trace, 2), "skipped");
  EXPECT_EQ(kind_of_task(trace, 3), "graph");
  EXPECT_EQ(kind_of_task(trace, 4), "allocation");
  const trace::TaskTable& tasks = trace.tasks();
  EXPECT_EQ(tasks.parent[*row_of_task(trace, task_id(1, (3 << 10) | 6))], TaskId{*row_of_task(trace, 3)});
  EXPECT_EQ(tasks.parent[*row_of_task(trace, task_id(1, (7 << 10) | 6))], TaskId::kNone)
      << "no graph was prepared for it";
  const trace::ChipRun chip = trace::chip_run(trace);
  ASSERT_EQ(chip.schedulers.size(), 1U);
  const trace::RowRange rows = trace.slices_of(chip.schedulers[0]);
  ASSERT_EQ(rows.count, 3U);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row) {
    EXPECT_EQ(trace.category_name(trace.slices().category[row]), "control task");
    EXPECT_EQ(has_flag(trace.slices().flags[row], trace::SliceFlag::kMarker), row + 1 < rows.end());
    EXPECT_NE(trace.slices().task[row], TaskId::kNone);
  }
}

// At a level without markers nothing tells a dummy from an allocation.
TEST(ChipTrace, KindsAreUnknownWhereMarkersWereNotRecorded) {
  auto capture = empty_capture(1, 0, 2);
  run(capture, 0, {.task = 1, .start = 20, .end = 30});
  Siblings siblings;
  siblings.deps = graph_of({{.id = 1, .kernels = {0, -1, -1}}, {.id = 2}, {.id = 3, .kernels = {-1, 4, -1}}});
  const Trace trace = trace_of(std::move(capture), siblings);
  EXPECT_EQ(kind_of_task(trace, 2), "unknown");
  EXPECT_EQ(kind_of_task(trace, 3), "AIV");
  EXPECT_EQ(name_of_task(trace, 2), "");
}

TEST(ChipTrace, PhasesNestAndKeepTheirArguments) {
  auto capture = empty_capture(1, 0, 3);
  run(capture, 0, {.task = 1, .start = 20, .end = 30, .dispatch = 5});
  capture.core_to_thread = {2};
  // Logged as they ended: inner ones first.
  phase(capture, 2, "resolve", 100, 110).loop = 7;
  phase(capture, 2, "complete", 100, 110).queues_at_end = {{1, 2, 3}};
  auto& dispatch = phase(capture, 2, "dispatch", 4, 6);
  dispatch.tasks_processed = 9;
  dispatch.pop_hits = 3;
  dispatch.pop_misses = 0;
  dispatch.queues_at_start = {{4, 5, 6}};
  const Trace trace = trace_of(std::move(capture));
  const trace::ChipRun chip = trace::chip_run(trace);
  ASSERT_EQ(chip.schedulers.size(), 1U) << "threads that recorded nothing are left out";
  EXPECT_EQ(trace.track(chip.schedulers[0]).external_id, 2);
  EXPECT_EQ(chip.cores[0].scheduler, chip.schedulers[0]);
  EXPECT_EQ(names_on(trace, chip.schedulers[0]),
            (std::vector<std::string>{"dispatch", "complete", "resolve"}));
  const std::uint32_t first = trace.slices_of(chip.schedulers[0]).first;
  EXPECT_EQ(trace.slices().parent[first + 2], SliceId{first + 1});
  EXPECT_EQ(arg_of(trace, first, "tasks processed").as_uint(), 9U);
  EXPECT_EQ(arg_of(trace, first, "pop hits").as_uint(), 3U);
  EXPECT_EQ(arg_of(trace, first, "pop misses").as_uint(), 0U);
  EXPECT_EQ(arg_of(trace, first + 1, "pop hits").type, trace::ValueType::kNull);
  EXPECT_EQ(trace.text(arg_of(trace, first, "ready queues at start").as_text()), "[4,5,6]");
  EXPECT_EQ(arg_of(trace, first + 2, "loop").as_uint(), 7U);
  EXPECT_EQ(arg_of(trace, first, "ready queues at end").type, trace::ValueType::kNull);
  const trace::RowRange mix = trace.counters_of(track_named(trace, "MIX"));
  ASSERT_EQ(mix.count, 2U);
  EXPECT_EQ(trace.counters().time[mix.first], Ticks{4});
  EXPECT_EQ(trace.counters().bits[mix.first], 6U);
  EXPECT_EQ(trace.counters().time[mix.first + 1], Ticks{110});
  EXPECT_EQ(trace.counters().bits[mix.first + 1], 3U);
}

TEST(ChipTrace, ControllersAreVotedForWhereTheFileIsSilent) {
  auto capture = empty_capture(3, 0, 3);
  phase(capture, 0, "dispatch", 0, 10);
  phase(capture, 1, "dispatch", 20, 30);
  phase(capture, 1, "complete", 0, 10);
  run(capture, 0, {.task = 1, .start = 50, .end = 60, .dispatch = 25});
  run(capture, 1, {.task = 2, .start = 50, .end = 60, .dispatch = 10});
  run(capture, 2, {.task = 3, .start = 50, .end = 60, .dispatch = 15});
  const Trace trace = trace_of(std::move(capture));
  const trace::ChipRun chip = trace::chip_run(trace);
  EXPECT_EQ(chip.cores[0].scheduler, chip.schedulers[1]);
  EXPECT_EQ(chip.cores[1].scheduler, chip.schedulers[0]);
  EXPECT_EQ(chip.cores[2].scheduler, TrackId::kNone);
  EXPECT_EQ(quality_of(trace, "chip_run.controllers_inferred")->count, 2U);
}

TEST(ChipTrace, SubmitsAreCallsWithTheirTask) {
  auto capture = empty_capture(1, 0);
  submit(capture, 9, 5, 8);
  submit(capture, 4, 1, 3);
  const Trace trace = trace_of(std::move(capture));
  const trace::ChipRun chip = trace::chip_run(trace);
  ASSERT_EQ(chip.orchestrators.size(), 1U);
  EXPECT_FALSE(chip.orchestrated_on_host);
  const trace::RowRange rows = trace.slices_of(chip.orchestrators[0]);
  ASSERT_EQ(rows.count, 2U);
  EXPECT_EQ(trace.slices().task[rows.first], TaskId{*row_of_task(trace, 4)});
  EXPECT_EQ(arg_of(trace, rows.first, "submit index").as_uint(), 1U);
  EXPECT_EQ(trace.category_name(trace.slices().category[rows.first]), "submit");
}

TEST(ChipTrace, StepsOfOldOrchestratorsLieInsideTheirCall) {
  auto capture = empty_capture(1, 0);
  capture.era = chip_swimlane::Era::kObjectsByVersion1;
  capture.phase_kinds.insert(capture.phase_kinds.end(), {"orch_sync", "orch_fanin", "orch_scope_end"});
  capture.orchestrators = {{{0, 3, 10, 12, kind(capture, "orch_sync")},
                            {0, 3, 14, 20, kind(capture, "orch_fanin")},
                            {1, 4, 22, 23, kind(capture, "orch_sync")},
                            {1, 77, 30, 31, kind(capture, "orch_scope_end")}}};
  const Trace trace = trace_of(std::move(capture));
  const trace::ChipRun chip = trace::chip_run(trace);
  EXPECT_EQ(names_on(trace, chip.orchestrators[0]),
            (std::vector<std::string>{"submit", "orch_sync", "orch_fanin", "submit", "orch_sync",
                                      "orch_scope_end"}));
  const std::uint32_t first = trace.slices_of(chip.orchestrators[0]).first;
  EXPECT_EQ(trace.slices().duration[first], Ticks{10});
  EXPECT_TRUE(has_flag(trace.slices().flags[first], trace::SliceFlag::kSynthetic));
  EXPECT_EQ(trace.slices().parent[first + 2], SliceId{first});
  EXPECT_FALSE(row_of_task(trace, 77)) << "the end of a scope submits nothing";
  EXPECT_EQ(kind_of_task(trace, 3), "unknown") << "old files have no markers";
}

TEST(ChipTrace, FactsAndAccounting) {
  auto capture = empty_capture(1, 0, 1);
  run(capture, 0, {.task = 1, .start = 20, .end = 30});
  capture.counts.core_rows = 4;
  capture.counts.rejected_rows = 3;
  capture.host_capture = {.status = "partial", .expected = 10, .recorded = 8, .dropped = 2};
  const Trace trace = trace_of(std::move(capture));
  EXPECT_EQ(trace.text(fact_of(trace, "device").as_text()), "a2a3");
  EXPECT_EQ(fact_of(trace, "swimlane level").as_int(), 1);
  ASSERT_EQ(trace.accounting().size(), 2U);
  EXPECT_EQ(trace.accounting()[0].produced, 4U);
  EXPECT_EQ(trace.accounting()[0].collected, 1U);
  EXPECT_EQ(trace.accounting()[0].dropped, 3U);
  EXPECT_EQ(trace.accounting()[1].dropped, 2U);
}

TEST(ChipTrace, TimesOfAnySizeAreCountedNotTrusted) {
  auto capture = empty_capture(1, 1, 4);
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  run(capture, 0, {.task = 1, .start = -kMax, .end = kMax, .dispatch = kMax, .finish = 0});
  run(capture, 1, {.task = ~std::uint64_t{0}, .start = 30, .end = 20});
  phase(capture, 0, "complete", kMax, -kMax);
  submit(capture, task_id(0xFFFFFFFF, 5), kMax, 0);
  const Trace trace = trace_of(std::move(capture));
  EXPECT_EQ(trace.slices().size(), 4U);
  EXPECT_EQ(trace.quality().count("trace.negative_duration"), 4U);
  EXPECT_EQ(quality_of(trace, "chip_run.stage_out_of_range")->count, 1U);
}

TEST(ChipTrace, CoresOfUnknownKindAreSaid) {
  auto capture = empty_capture(0, 1, 1);
  capture.cores[0].type = chip_swimlane::CoreType::kUnknown;
  const Trace trace = trace_of(std::move(capture));
  EXPECT_EQ(trace::chip_run(trace).cores.at(0).engine, "AIV");
  EXPECT_NE(quality_of(trace, "chip_run.core_type_unknown"), nullptr);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
