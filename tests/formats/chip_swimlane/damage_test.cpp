// Input that contradicts itself or its format: an error with a place, or a row in Quality.
#include "formats/chip_swimlane/helpers.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using Times = std::vector<std::int64_t>;

TEST(Damage, CutOffAnywhereIsAnErrorWithItsByte) {
  for (const SampleCapture& sample : sample_captures()) {
    const std::size_t whole = sample.json.find_last_of('}');
    for (std::size_t size = 1; size <= whole; ++size) {
      const std::string_view cut = std::string_view(sample.json).substr(0, size);
      const std::string error = error_of(cut);
      ASSERT_TRUE(error.starts_with("run.json: byte ")) << sample.name << " " << size << ": " << error;
      ASSERT_EQ(error_code_of(cut), ErrorCode::kTruncated) << sample.name << " " << size << ": " << error;
    }
  }
}

TEST(Damage, OfRowsIsAnErrorAtTheRow) {
  const auto rows = [](const std::string& row) {
    return error_of("{\"chip_swimlane_level\":1,\"aicore_tasks\":[[0,1,1,10,20,1]," + row + "]}");
  };
  EXPECT_EQ(rows("[0,1,2,30]"), "run.json: byte 57: a row of a core has 5 or 6 columns, this one 4");
  EXPECT_EQ(rows("[]"), "run.json: byte 57: a row of a core has 5 or 6 columns, this one 0");
  EXPECT_EQ(rows("[0,1,2,30,40,5,6]"), "run.json: byte 57: this row has more than 6 columns");
  EXPECT_EQ(rows("[0,1,2,-3,4]"), "run.json: byte 64: an integer that is not negative is expected here");
  EXPECT_EQ(rows("{}"), "run.json: byte 57: an array is expected here");
  EXPECT_EQ(rows("[0,1,4294967296,3,4]"),
            "run.json: byte 57: a sequence number beyond 32 bits, or a time beyond 63 bits, in this row");
  EXPECT_EQ(rows("[0,1,2,3,9223372036854775808]"),
            "run.json: byte 57: a sequence number beyond 32 bits, or a time beyond 63 bits, in this row");
  EXPECT_EQ(error_of(R"({"chip_swimlane_level":2,"aicpu_tasks":[[0,1,2]]})"),
            "run.json: byte 40: a row of a scheduler has 4 columns, this one 3");
}

TEST(Damage, OfOtherRecordsIsAnError) {
  EXPECT_NE(error_of("[]"), "");
  EXPECT_NE(error_of("{}"), "");
  EXPECT_NE(error_of(R"({"version":1})"), "");
  EXPECT_NE(error_of(R"({"version":1,"tasks":[{"task_id":1}]})"), "");
  EXPECT_NE(
      error_of(R"({"version":1,"tasks":[{"task_id":1,"core_id":0,"start_time_us":1e3,"end_time_us":2}]})"),
      "");
  EXPECT_NE(error_of(R"({"version":1,"tasks":[],"aicore_tasks":[]})"), "");
  EXPECT_NE(error_of(current_file(
                3, R"("aicore_tasks":[],"aicpu_scheduler_phases":[[{"kind":"x","start_cycles":1}]])")),
            "");
  EXPECT_NE(
      error_of(current_file(
          3,
          R"("aicore_tasks":[],"aicpu_scheduler_phases":[[{"kind":"x","start_cycles":1,"end_cycles":2,"shared_at_end":[1,2]}]])")),
      "");
  EXPECT_NE(
      error_of(current_file(
          3,
          R"("aicore_tasks":[],"aicpu_scheduler_phases":[[{"kind":"x","start_time_us":1,"end_time_us":2}]])")),
      "");
}

TEST(Damage, KeysThatAreThereTwiceAreAnError) {
  EXPECT_EQ(error_of(R"({"chip_swimlane_level":1,"aicore_tasks":[],"aicore_tasks":[]})"),
            "run.json: byte 43: the key \"aicore_tasks\" is there twice");
  EXPECT_NE(error_of(R"({"chip_swimlane_level":1,"chip_swimlane_level":2,"aicore_tasks":[]})"), "");
}

TEST(Quality, OfALevelThatItsStreamsDoNotReach) {
  const Capture low =
      capture_of(current_file(4, R"("aicore_tasks":[[0,1,1,10,20,1]],"aicpu_tasks":[[0,1,5,25]])"));
  EXPECT_EQ(low.stated_level, 4);
  EXPECT_EQ(low.level, 2);
  EXPECT_EQ(low.quality.count("chip_swimlane.level_mismatch"), 1U);
  const Capture high =
      capture_of(current_file(1, R"("aicore_tasks":[[0,1,1,10,20,1]],"aicpu_tasks":[[0,1,5,25]])"));
  EXPECT_EQ(high.level, 2);
  EXPECT_EQ(high.quality.count("chip_swimlane.level_mismatch"), 1U);
  const Capture hole = capture_of(current_file(
      3,
      R"("aicore_tasks":[[0,1,1,10,20,1]],"aicpu_tasks":[],"aicpu_scheduler_phases":[[{"kind":"dispatch","start_cycles":1,"end_cycles":2}]])"));
  EXPECT_EQ(hole.level, 3);
  EXPECT_EQ(hole.quality.count("chip_swimlane.missing_stream"), 1U);
  EXPECT_EQ(hole.quality.count("chip_swimlane.level_mismatch"), 0U);
}

TEST(Quality, OfStreamsWithoutRows) {
  const Capture capture = capture_of(current_file(
      4,
      R"("aicore_tasks":[],"aicpu_tasks":[],"aicpu_scheduler_phases":[[],[],[],[]],"aicpu_orchestrator_phases":[[]])"));
  EXPECT_EQ(capture.level, 4);
  EXPECT_EQ(capture.cores.size(), 4U);
  EXPECT_EQ(capture.scheduler_threads.size(), 4U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.no_rows"), 1U);
  EXPECT_EQ(capture.quality.rows().size(), 1U);
  EXPECT_EQ(capture_of(R"({"chip_swimlane_level":1})").quality.count("chip_swimlane.no_rows"), 1U);
}

TEST(Quality, OfTimesThatRunBackwards) {
  const Capture capture = capture_of(
      current_file(3, R"("aicore_tasks":[[0,1,1,20,10,1],[0,2,2,30,40,31],[0,3,3,50,60,1],[0,4,4,70,80,1]],
      "aicpu_tasks":[[0,1,5,25],[0,2,35,45],[0,3,45,55],[0,4,0,85]],
      "aicpu_scheduler_phases":[[{"kind":"complete","start_cycles":9,"end_cycles":8}]])"));
  EXPECT_EQ(capture.cores[0].end, (Times{20, 40, 60, 80}));
  EXPECT_EQ(capture.cores[0].end_unknown, (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(capture.cores[0].receive, (Times{19, kNoTime, 49, 69}));
  EXPECT_EQ(capture.cores[0].dispatch, (Times{5, 35, 45, kNoTime}));
  EXPECT_EQ(capture.cores[0].finish, (Times{25, 45, 55, 85}));
  EXPECT_EQ(capture.scheduler_threads[0][0].end, 9);
  EXPECT_TRUE(capture.scheduler_threads[0][0].end_unknown);
  EXPECT_EQ(capture.quality.count("chip_swimlane.end_before_start"), 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.receive_too_early"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.dispatch_after_receive"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.finish_before_end"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.time_not_taken"), 1U);
  EXPECT_EQ(capture.counts.rejected_rows, 0U);
  EXPECT_EQ(capture.quality.rows()[0].first_place.kind, base::Location::Kind::kByte);
}

TEST(Quality, OfCoresThatCannotBe) {
  const Capture capture = capture_of(current_file(
      2,
      R"("aicore_tasks":[[4000000000,1,1,10,20,1],[6,2,1,10,20,1],[0,0,1,0,0,0],[18446744073709551615,3,1,10,20,1]],
      "aicpu_tasks":[[6,1,5,25],[65536,1,5,25]])"));
  EXPECT_EQ(capture.cores.size(), 7U);
  EXPECT_EQ(capture.cores[6].task.size(), 1U);
  EXPECT_EQ(capture.cores[6].type, CoreType::kUnknown);
  EXPECT_EQ(capture.counts.core_rows, 4U);
  EXPECT_EQ(capture.counts.rejected_rows, 3U);
  EXPECT_EQ(capture.counts.scheduler_rows_unmatched, 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.impossible_core"), 3U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.empty_slot"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.core_out_of_range"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.core_without_type"), 1U) << "4 and 5 are no cores";
  EXPECT_TRUE(capture.cores[3].exists) << "counted, if without rows";
  EXPECT_FALSE(capture.cores[4].exists);
  EXPECT_FALSE(capture.cores[5].exists);
  EXPECT_TRUE(capture.cores[6].exists);
  const Capture many = capture_of(
      R"({"chip_swimlane_level":1,"metadata":{"clock_freq_hz":1,"num_cores":4000000000},"aicore_tasks":[[1,0,1,1,2]]})");
  EXPECT_EQ(many.cores.size(), 2U);
  EXPECT_EQ(many.quality.count("chip_swimlane.impossible_core"), 1U);
}

TEST(Cores, AreThoseThatTheFileCountsNamesFeedsOrHasRowsOf) {
  const auto existing = [](std::string_view metadata) {
    const Capture capture = capture_of(R"({"chip_swimlane_level":1,"metadata":{"clock_freq_hz":1)" +
                                       std::string(metadata) + R"(},"aicore_tasks":[[5,0,1,1,2]]})");
    std::string numbers;
    for (std::size_t core = 0; core < capture.cores.size(); ++core)
      if (capture.cores[core].exists) numbers += std::to_string(core);
    return numbers;
  };
  EXPECT_EQ(existing(""), "5");
  EXPECT_EQ(existing(R"(,"num_cores":2)"), "015");
  EXPECT_EQ(existing(R"(,"core_types":["aic","?","aiv"])"), "0125");
  EXPECT_EQ(existing(R"(,"core_to_thread":[-1,0,-1,1])"), "135");
  EXPECT_EQ(existing(R"(,"num_cores":8)"), "01234567");
}

TEST(Quality, OfAClockThatIsNotKnown) {
  for (const char* clock :
       {"", "\"clock_freq_hz\":0,", "\"clock_freq_hz\":null,", "\"clock_freq_hz\":18446744073709551615,"}) {
    const Capture capture =
        capture_of(std::string(R"({"chip_swimlane_level":1,"metadata":{)") + clock +
                   R"("num_cores":1,"core_types":["aic"]},"aicore_tasks":[[0,0,1,1,2]]})");
    EXPECT_FALSE(capture.frequency.known()) << clock;
    EXPECT_EQ(capture.quality.count("chip_swimlane.unknown_frequency"), 1U) << clock;
  }
}

TEST(Quality, OfUnknownPhasesAndTwoOrchestrators) {
  const Capture capture = capture_of(current_file(
      4, R"("aicore_tasks":[[0,1,1,10,20,1]],"aicpu_tasks":[[0,1,5,25]],"aicpu_scheduler_phases":[[
      {"kind":"ponder","start_cycles":1,"end_cycles":2},{"kind":"dispatch","start_cycles":2,"end_cycles":3},
      {"kind":"ponder","start_cycles":3,"end_cycles":4}]],
      "aicpu_orchestrator_phases":[[{"submit_idx":0,"task_id":1,"start_cycles":1,"end_cycles":2}]],
      "host_orchestrator_phases":[[{"submit_idx":0,"task_id":1,"start_host_ns":5,"end_host_ns":4}]])"));
  EXPECT_EQ(capture.phase_kinds.at(capture.scheduler_threads[0][2].kind), "ponder");
  EXPECT_EQ(capture.quality.count("chip_swimlane.unknown_phase"), 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.two_orchestrators"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.end_before_start"), 1U);
  EXPECT_EQ(capture.orchestrators.size(), 1U);
  EXPECT_EQ(capture.host_orchestrators.size(), 1U);
  EXPECT_TRUE(capture.host_orchestrators[0][0].end_unknown);
  EXPECT_FALSE(capture.orchestrators[0][0].end_unknown);
}

// The rows of a core come in two groups, out of order, and the second one of them is backwards.
TEST(Quality, OfAnEndThatIsUnknownStaysWithItsRow) {
  const Capture capture = capture_of(current_file(
      1, R"("aicore_tasks":[[0,3,3,50,60],[1,9,1,1,2],[0,1,1,10,20],[0,2,2,40,30],[0,4,4,70,80]])"));
  EXPECT_EQ(capture.cores[0].task, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(capture.cores[0].end, (Times{20, 40, 60, 80}));
  EXPECT_EQ(capture.cores[0].end_unknown, (std::vector<std::uint8_t>{0, 1, 0, 0}));
  EXPECT_TRUE(capture.cores[1].end_unknown.empty());
}

TEST(Quality, OfAHostThatLostRecords) {
  const Capture capture = capture_of(
      R"({"chip_swimlane_level":1,"metadata":{"clock_freq_hz":50000000,"num_cores":1,"core_types":["aic"],
      "host_capture":{"status":"partial","expected_records":10,"recorded_records":7,"dropped_records":3,"error":"pool"},
      "clock_anchors":{"samples":[{"position":"pre_host_orchestration","error":"timeout"},{"position":"elsewhere"}]}},
      "aicore_tasks":[[0,0,1,1,2]]})");
  EXPECT_EQ(capture.quality.count("chip_swimlane.host_capture_incomplete"), 3U);
  EXPECT_EQ(capture.host_capture->error, "pool");
  ASSERT_EQ(capture.clock_anchors->samples.size(), 2U);
  EXPECT_FALSE(capture.clock_anchors->samples[0].usable);
  EXPECT_FALSE(capture.clock_anchors->samples[1].usable);
}

TEST(Quality, OfOldRowsThatDisagreeAboutTheirCore) {
  const Capture capture = capture_of(
      R"({"version":0,"tasks":[{"task_id":1,"core_id":0,"core_type":"aiv","start_time_us":2.0,"end_time_us":1.0},
      {"task_id":2,"core_id":0,"core_type":"aic","start_time_us":3.0,"end_time_us":4.0},
      {"task_id":3,"core_id":4000000000,"core_type":"aic","start_time_us":3.0,"end_time_us":4.0}]})");
  ASSERT_EQ(capture.cores.size(), 1U);
  EXPECT_EQ(capture.cores[0].type, CoreType::kVector);
  EXPECT_EQ(capture.cores[0].end, (Times{2'000, 4'000}));
  EXPECT_EQ(capture.quality.count("chip_swimlane.core_type_conflict"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.end_before_start"), 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.impossible_core"), 1U);
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
