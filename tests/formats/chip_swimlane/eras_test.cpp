// Every generation of files, at every level.
#include "formats/chip_swimlane/helpers.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::formats::chip_swimlane {
namespace {

class Eras : public testing::TestWithParam<SampleCapture> {};

TEST_P(Eras, AreToldByTheirFields) {
  const SampleCapture& sample = GetParam();
  EXPECT_TRUE(looks_like_chip_swimlane(sample.json));
  const Capture capture = capture_of(sample.json);
  EXPECT_EQ(capture.era, sample.era);
  EXPECT_EQ(capture.stated_level, sample.stated_level);
  EXPECT_EQ(capture.level, sample.level);
  for (const trace::QualityRow& row : capture.quality.rows()) ADD_FAILURE() << row.id << ": " << row.sentence;
}

TEST_P(Eras, HaveTheSameFourDispatches) {
  const SampleCapture& sample = GetParam();
  const Capture capture = capture_of(sample.json);
  const bool raw = sample.era == Era::kRawCycles;
  ASSERT_EQ(capture.cores.size(), 2U);
  EXPECT_EQ(capture.cores[0].type, CoreType::kCube);
  EXPECT_EQ(capture.cores[1].type, CoreType::kVector);
  EXPECT_EQ(capture.counts.core_rows, 4U);
  EXPECT_EQ(capture.cores[0].task, (std::vector<std::uint64_t>{0, 4'294'967'297}));
  EXPECT_EQ(capture.cores[1].task, (std::vector<std::uint64_t>{4'294'967'296, 4'294'967'298}));
  EXPECT_EQ(capture.cores[0].sequence, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(capture.cores[0].start[0], raw ? 71'440'870'157 : 12'340);
  EXPECT_EQ(capture.cores[1].end[1], raw ? 71'441'049'240 : 75'004);
  EXPECT_EQ(capture.frequency, raw ? base::Frequency::mhz(50) : base::Frequency::nanoseconds());
  EXPECT_EQ(capture.cores[0].function, raw ? std::vector<std::int32_t>{} : (std::vector<std::int32_t>{0, 1}));
  if (capture.level < 2) {
    EXPECT_TRUE(capture.cores[0].dispatch.empty());
    EXPECT_EQ(capture.counts.scheduler_rows, 0U);
  } else {
    ASSERT_EQ(capture.cores[1].finish.size(), 2U);
    EXPECT_EQ(capture.cores[0].dispatch[0], raw ? 71'440'870'000 : 10'120);
    EXPECT_EQ(capture.cores[1].finish[1], raw ? 71'441'049'300 : 76'000);
    EXPECT_EQ(capture.counts.scheduler_rows, 4U);
    EXPECT_EQ(capture.fanout.size(), raw ? 0U : 4U);
  }
}

TEST_P(Eras, HaveTheirPhasesAndSubmissions) {
  const SampleCapture& sample = GetParam();
  const Capture capture = capture_of(sample.json);
  const bool raw = sample.era == Era::kRawCycles;
  if (capture.level < 3) {
    EXPECT_TRUE(capture.scheduler_threads.empty());
    EXPECT_TRUE(capture.core_to_thread.empty());
    return;
  }
  EXPECT_EQ(capture.core_to_thread, (std::vector<std::int32_t>{0, 0}));
  ASSERT_EQ(capture.scheduler_threads.size(), raw ? 4U : 2U);
  EXPECT_EQ(capture.counts.phases, raw ? 4U : 3U);
  const PhaseRow& first = capture.scheduler_threads[0][0];
  EXPECT_EQ(capture.phase_kinds.at(first.kind), "dispatch");
  EXPECT_EQ(first.start, raw ? 71'440'869'900 : 9'000);
  EXPECT_EQ(first.loop, 1U);
  EXPECT_EQ(first.pop_misses, raw ? std::optional<std::uint64_t>(6) : std::nullopt);
  EXPECT_EQ(first.queues_at_start.has_value(), raw);
  EXPECT_TRUE(capture.scheduler_threads[1].empty());
  if (capture.level < 4) return;
  const bool host = !capture.host_orchestrators.empty();
  const auto& submits = host ? capture.host_orchestrators : capture.orchestrators;
  ASSERT_EQ(submits.size(), 1U);
  ASSERT_EQ(submits[0].size(), 2U);
  EXPECT_EQ(capture.phase_kinds.at(submits[0][1].phase), raw ? "submit" : "orch_alloc");
  EXPECT_EQ(submits[0][1].submit_index, raw ? 1U : 0U);
  EXPECT_EQ(capture.orchestrator_totals.has_value(), !raw);
  EXPECT_EQ(capture.clock_anchors.has_value(), host);
  EXPECT_EQ(capture.uploads.size(), host ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(Samples, Eras, testing::ValuesIn(sample_captures()), [](const auto& instance) {
  std::string name = instance.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(OldFiles, HaveTheTotalsOfTheirOrchestrator) {
  for (const SampleCapture& sample : sample_captures()) {
    if (sample.name != "pr500-version-2") continue;
    const Capture capture = capture_of(sample.json);
    ASSERT_TRUE(capture.orchestrator_totals);
    EXPECT_EQ(capture.orchestrator_totals->end, 9'100);
    EXPECT_EQ(capture.orchestrator_totals->submits, 4U);
    ASSERT_EQ(capture.orchestrator_totals->phases.size(), 8U);
    EXPECT_EQ(capture.orchestrator_totals->phases[4], (std::pair<std::string, std::int64_t>("heap", 500)));
    return;
  }
  FAIL() << "no such sample";
}

TEST(OldFiles, NumberRowsByTime) {
  const Capture capture = capture_of(
      R"({"version":0,"tasks":[{"task_id":7,"core_id":0,"start_time_us":5.000,"end_time_us":6.000},
      {"task_id":3,"core_id":0,"start_time_us":1.5,"end_time_us":2},
      {"task_id":7,"core_id":0,"start_time_us":5.000,"end_time_us":6.000}]})");
  EXPECT_EQ(capture.cores.at(0).task, (std::vector<std::uint64_t>{3, 7}));
  EXPECT_EQ(capture.cores[0].start, (std::vector<std::int64_t>{1'500, 5'000}));
  EXPECT_EQ(capture.cores[0].sequence, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(capture.quality.count("chip_swimlane.duplicate_row"), 1U);
}

TEST(OldFiles, NeedNoOptionalFields) {
  const Capture capture = capture_of(
      R"({"version":1,"tasks":[
      {"task_id":1,"core_id":0,"start_time_us":1.0,"end_time_us":2.0,"dispatch_time_us":0.5,"finish_time_us":2.1},
      {"task_id":2,"core_id":0,"start_time_us":3.0,"end_time_us":4.0,"fanout":null},
      {"task_id":3,"core_id":1,"start_time_us":3.0,"end_time_us":4.0,"dispatch_time_us":0.0,"finish_time_us":0.0}]})");
  EXPECT_EQ(capture.level, 2);
  EXPECT_EQ(capture.cores[0].dispatch, (std::vector<std::int64_t>{500, kNoTime}));
  EXPECT_EQ(capture.cores[0].finish, (std::vector<std::int64_t>{2'100, kNoTime}));
  EXPECT_TRUE(capture.cores[1].dispatch.empty());
  EXPECT_TRUE(capture.cores[0].function.empty());
  EXPECT_EQ(capture.counts.core_rows_unmatched, 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.unmatched_core_row"), 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.time_not_taken"), 1U);
}

TEST(OldFiles, WithAVersionThatNothingExplainsSaySo) {
  const Capture empty = capture_of(R"({"version":1,"tasks":[]})");
  EXPECT_EQ(empty.quality.count("chip_swimlane.ambiguous_version"), 1U);
  EXPECT_EQ(empty.quality.count("chip_swimlane.no_rows"), 1U);
  const Capture bare = capture_of(
      R"({"version":2,"tasks":[{"task_id":7,"core_id":0,"start_time_us":5.0,"end_time_us":6.0}]})");
  EXPECT_EQ(bare.quality.count("chip_swimlane.ambiguous_version"), 1U);
  EXPECT_EQ(bare.quality.count("chip_swimlane.level_mismatch"), 1U);
  EXPECT_EQ(bare.stated_level, 2);
  EXPECT_EQ(bare.level, 1);
}

TEST(CurrentFiles, MayHaveTheirKeysInAnyOrder) {
  const Capture capture = capture_of(
      R"({"aicpu_tasks":[[2,2,300,420],[2,1,90,210]],"aicore_tasks":[[2,8,2,350,400,3],[2,7,1,100,200,5]],
      "metadata":{"core_types":["aic","aiv","aiv"],"num_cores":3,"clock_freq_hz":1000000000,"new key":[{}]},
      "something else":{"x":[1,2,"]"]},"chip_swimlane_level":2})");
  ASSERT_EQ(capture.cores.size(), 3U);
  EXPECT_EQ(capture.cores[2].task, (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(capture.cores[2].receive, (std::vector<std::int64_t>{95, 347}));
  EXPECT_EQ(capture.cores[2].dispatch, (std::vector<std::int64_t>{90, 300}));
  EXPECT_EQ(capture.cores[2].finish, (std::vector<std::int64_t>{210, 420}));
  EXPECT_EQ(capture.cores[2].type, CoreType::kVector);
  EXPECT_EQ(capture.level, 2);
  EXPECT_TRUE(capture.frequency.is_nanoseconds());
  EXPECT_TRUE(capture.quality.rows().empty());
}

TEST(CurrentFiles, HaveExactIntegersAndMixedColumns) {
  const Capture capture = capture_of(
      current_file(1, R"("aicore_tasks":[[0,18446744073709551615,1,9223372036854775800,9223372036854775806],
      [0,9007199254740993,2,9223372036854775806,9223372036854775807,1]],"aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task,
            (std::vector<std::uint64_t>{18'446'744'073'709'551'615U, 9'007'199'254'740'993}));
  EXPECT_EQ(capture.cores[0].end[1], std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(capture.cores[0].receive, (std::vector<std::int64_t>{kNoTime, 9'223'372'036'854'775'805}));
}

TEST(Recognition, NeedsALevelOrRowsOfTasks) {
  EXPECT_TRUE(looks_like_chip_swimlane(R"({"chip_swimlane_level":1)"));
  EXPECT_TRUE(looks_like_chip_swimlane(R"({"metadata":{"a":[1]},"aicore_tasks":[)"));
  EXPECT_TRUE(looks_like_chip_swimlane(R"({"version":0,"tasks":[]})"));
  EXPECT_TRUE(looks_like_chip_swimlane(R"({"tasks":[{"task_id":1,"core_id":0})"));
  for (const char* other : {"", "[]", "{}", "{\"version\":1}", R"({"traceEvents":[]})", R"({"tasks":[]})",
                            R"({"version":1,"tasks":[{"task_id":"1","scope":"auto"}],"edges":[]})",
                            R"({"callables":{"version":1}})", "version"})
    EXPECT_FALSE(looks_like_chip_swimlane(other)) << other;
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
