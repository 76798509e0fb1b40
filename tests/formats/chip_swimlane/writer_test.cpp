// What is written reads back the same, and looks as today's recorder writes it.
#include "formats/chip_swimlane/capture_writer.h"

#include <simdjson.h>

#include "formats/chip_swimlane/helpers.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::formats::chip_swimlane {
namespace {

std::string swimlane_text(const Capture& capture) {
  base::MemoryOutput out;
  write_capture(capture, out);
  return std::string(out.bytes());
}

void expect_same(const Capture& a, const Capture& b) {
  EXPECT_EQ(a.level, b.level);
  EXPECT_EQ(a.frequency, b.frequency);
  EXPECT_EQ(a.core_to_thread, b.core_to_thread);
  ASSERT_EQ(a.cores.size(), b.cores.size());
  for (std::size_t core = 0; core < a.cores.size(); ++core) {
    EXPECT_EQ(a.cores[core].type, b.cores[core].type);
    EXPECT_EQ(a.cores[core].task, b.cores[core].task);
    EXPECT_EQ(a.cores[core].sequence, b.cores[core].sequence);
    EXPECT_EQ(a.cores[core].start, b.cores[core].start);
    EXPECT_EQ(a.cores[core].end, b.cores[core].end);
    EXPECT_EQ(a.cores[core].receive, b.cores[core].receive);
    EXPECT_EQ(a.cores[core].dispatch, b.cores[core].dispatch);
    EXPECT_EQ(a.cores[core].finish, b.cores[core].finish);
  }
  EXPECT_EQ(a.counts.phases, b.counts.phases);
  EXPECT_EQ(a.counts.submits, b.counts.submits);
  EXPECT_EQ(a.scheduler_threads.size(), b.scheduler_threads.size());
}

TEST(Writer, RoundTripsEveryGeneration) {
  for (const SampleCapture& sample : sample_captures()) {
    SCOPED_TRACE(sample.name);
    const Capture capture = capture_of(sample.json);
    const std::string json = swimlane_text(capture);
    const Capture again = capture_of(json);
    EXPECT_EQ(again.era, Era::kRawCycles);
    expect_same(capture, again);
    EXPECT_TRUE(again.quality.rows().empty());
    // Whatever there is, is written: nothing is lost from the second to the third.
    EXPECT_EQ(swimlane_text(again), json);
    simdjson::dom::parser parser;
    EXPECT_EQ(parser.parse(json).error(), simdjson::SUCCESS);
  }
}

TEST(Writer, KeepsWhatTheHostRecorded) {
  const Capture capture = capture_of(sample_captures().back().json);
  const Capture again = capture_of(swimlane_text(capture));
  EXPECT_EQ(again.orchestrator_source, "host");
  ASSERT_TRUE(again.clock_anchors);
  ASSERT_EQ(again.clock_anchors->samples.size(), 2U);
  EXPECT_EQ(again.clock_anchors->samples[1].device_cycles, 71'450'000'000);
  EXPECT_EQ(again.clock_anchors->samples[1].position, ClockAnchor::Position::kAfter);
  EXPECT_EQ(again.host_capture->pool, 3U);
  EXPECT_EQ(again.uploads.at(0).bytes, 64U);
  EXPECT_EQ(again.host_orchestrators.at(0).at(1).start, 1'676'898'867'000);
}

TEST(Writer, WritesTodaysKeysInTheirOrder) {
  Capture capture;
  capture.level = 1;
  capture.frequency = base::Frequency::mhz(50);
  capture.cores.resize(2);
  capture.cores[0].type = CoreType::kCube;
  capture.cores[1].type = CoreType::kVector;
  capture.cores[1].task = {4'294'967'297};
  capture.cores[1].sequence = {1};
  capture.cores[1].start = {71'440'945'822};
  capture.cores[1].end = {71'440'954'640};
  capture.cores[1].receive = {71'440'945'813};
  EXPECT_EQ(swimlane_text(capture),
            "{\n  \"chip_swimlane_level\": 1,\n"
            "  \"metadata\": {\"clock_freq_hz\":50000000,\"num_cores\":2,\"core_types\":[\"aic\",\"aiv\"]},\n"
            "  \"aicore_tasks\": [\n    [1, 4294967297, 1, 71440945822, 71440954640, 9]\n  ],\n"
            "  \"aicpu_tasks\": []\n}\n");
}

TEST(Writer, WritesEmptyStreamsOfItsLevel) {
  Capture capture;
  capture.level = 4;
  capture.frequency = base::Frequency::mhz(50);
  const Capture again = capture_of(swimlane_text(capture));
  EXPECT_EQ(again.level, 4);
  EXPECT_EQ(again.quality.count("chip_swimlane.level_mismatch"), 0U);
}

TEST(SyntheticRun, IsWholeAtEveryLevel) {
  for (int level = 1; level <= 4; ++level) {
    SCOPED_TRACE(level);
    const SyntheticRun run{.tasks = 1'000, .level = level, .cores = 7};
    base::MemoryOutput out;
    write_synthetic_run(run, out);
    const Capture capture = capture_of(out.bytes());
    EXPECT_EQ(capture.level, level);
    EXPECT_EQ(capture.counts.core_rows, 1'000U);
    EXPECT_EQ(capture.counts.submits, level == 4 ? 1'000U : 0U);
    for (const trace::QualityRow& row : capture.quality.rows())
      ADD_FAILURE() << row.id << ": " << row.sentence;
    std::uint64_t dispatched = 0;
    for (const std::vector<PhaseRow>& thread : capture.scheduler_threads)
      for (const PhaseRow& row : thread)
        if (capture.phase_kinds[row.kind] == "dispatch") dispatched += row.tasks_processed;
    EXPECT_EQ(dispatched, level >= 3 ? 1'000U : 0U);
  }
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
