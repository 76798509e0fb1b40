// Every real capture: what is read equals what a tree of the JSON holds, row by row.
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "formats/chip_swimlane/helpers.h"
#include "formats/gzip/gzip.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using simdjson::dom::element;

const std::string kFolder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane";

std::vector<std::string> capture_files() {
  std::vector<std::string> files;
  if (!std::filesystem::exists(kFolder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder))
    if (entry.path().filename().string().starts_with("chip_swimlane_records.json"))
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

base::MappedFile open_capture(const std::string& path) {
  auto file = base::MappedFile::open(path);
  EXPECT_TRUE(file) << path;
  if (!gzip::looks_like_gzip(file->text())) return std::move(*file);
  auto unpacked = gzip::gunzip(*file);
  EXPECT_TRUE(unpacked) << path;
  return std::move(*unpacked);
}

simdjson::dom::array array_of(element value) {
  simdjson::dom::array array;
  EXPECT_EQ(value.get_array().get(array), simdjson::SUCCESS);
  return array;
}

std::size_t size_of(element document, std::string_view key) {
  element rows;
  return document[key].get(rows) == simdjson::SUCCESS ? array_of(rows).size() : 0;
}

std::size_t objects_of(element document, std::string_view key) {
  element threads;
  std::size_t count = 0;
  if (document[key].get(threads) == simdjson::SUCCESS)
    for (const element thread : array_of(threads)) count += array_of(thread).size();
  return count;
}

void expect_core_rows(const Capture& capture, element document) {
  for (const element row : array_of(document["aicore_tasks"].value())) {
    const auto column = [&](std::size_t i) { return row.at(i).get_int64().value(); };
    const CoreRows& core = capture.cores.at(static_cast<std::size_t>(column(0)));
    const auto position = static_cast<std::size_t>(column(2) - 1);
    ASSERT_LT(position, core.task.size());
    EXPECT_EQ(core.task[position], static_cast<std::uint64_t>(column(1)));
    EXPECT_EQ(core.sequence[position], column(2));
    EXPECT_EQ(core.start[position], column(3));
    EXPECT_EQ(core.end[position], column(4));
    EXPECT_EQ(core.receive[position], column(3) - column(5));
  }
  for (const element row : array_of(document["aicpu_tasks"].value())) {
    const auto column = [&](std::size_t i) { return row.at(i).get_int64().value(); };
    const CoreRows& core = capture.cores.at(static_cast<std::size_t>(column(0)));
    const auto position = static_cast<std::size_t>(column(1) - 1);
    ASSERT_LT(position, core.dispatch.size());
    EXPECT_EQ(core.dispatch[position], column(2));
    EXPECT_EQ(core.finish[position], column(3));
  }
}

void expect_phases(const Capture& capture, element document) {
  element threads;
  if (document["aicpu_scheduler_phases"].get(threads) != simdjson::SUCCESS) return;
  std::size_t thread = 0;
  for (const element rows : array_of(threads)) {
    ASSERT_LT(thread, capture.scheduler_threads.size());
    std::size_t position = 0;
    for (const element row : array_of(rows)) {
      ASSERT_LT(position, capture.scheduler_threads[thread].size());
      const PhaseRow& phase = capture.scheduler_threads[thread][position++];
      EXPECT_EQ(capture.phase_kinds.at(phase.kind), row["kind"].get_string().value());
      EXPECT_EQ(phase.start, row["start_cycles"].get_int64().value());
      EXPECT_EQ(phase.end, row["end_cycles"].get_int64().value());
      EXPECT_EQ(phase.loop, row["loop_iter"].get_uint64().value());
      EXPECT_EQ(phase.tasks_processed, row["tasks_processed"].get_uint64().value());
      std::uint64_t hits = 0;
      EXPECT_EQ(phase.pop_hits.has_value(), row["pop_hit"].get(hits) == simdjson::SUCCESS);
      EXPECT_EQ(phase.pop_hits.value_or(0), hits);
      ASSERT_TRUE(phase.queues_at_end);
      EXPECT_EQ((*phase.queues_at_end)[1], row["shared_at_end"].at(1).get_int64().value());
    }
    ++thread;
  }
}

TEST(Fixtures, AreReadAsTheyStand) {
  const std::vector<std::string> files = capture_files();
  if (files.empty())
    GTEST_SKIP() << "no conformance data in " << kFolder << ": set ACCELSCOPE_FIXTURES to run this test";
  for (const std::string& path : files) {
    SCOPED_TRACE(path);
    const base::MappedFile file = open_capture(path);
    EXPECT_TRUE(looks_like_chip_swimlane(file.text()));
    const auto read = read_capture(file);
    ASSERT_TRUE(read) << read.error().to_string();
    const Capture& capture = *read;
    simdjson::dom::parser parser;
    const element document = parser.parse(file.text().data(), file.size()).value();
    const auto level = static_cast<int>(document["chip_swimlane_level"].get_int64().value());
    EXPECT_EQ(capture.stated_level, level);
    EXPECT_EQ(capture.level, level);
    EXPECT_EQ(capture.era, Era::kRawCycles);
    EXPECT_EQ(capture.frequency.ticks, document["metadata"]["clock_freq_hz"].get_int64().value());
    EXPECT_EQ(capture.cores.size(), document["metadata"]["num_cores"].get_uint64().value());
    EXPECT_EQ(capture.cores[0].type, CoreType::kCube);
    EXPECT_EQ(capture.cores.back().type, CoreType::kVector);
    EXPECT_EQ(capture.core_to_thread.size(), size_of(document["metadata"].value(), "core_to_thread"));
    EXPECT_EQ(capture.counts.core_rows, size_of(document, "aicore_tasks"));
    EXPECT_EQ(capture.counts.scheduler_rows, size_of(document, "aicpu_tasks"));
    EXPECT_EQ(capture.counts.phases, objects_of(document, "aicpu_scheduler_phases"));
    EXPECT_EQ(capture.counts.submits, objects_of(document, "aicpu_orchestrator_phases") +
                                          objects_of(document, "host_orchestrator_phases"));
    EXPECT_EQ(capture.uploads.size(), size_of(document, "host_device_uploads"));
    EXPECT_EQ(capture.counts.rejected_rows, 0U);
    EXPECT_EQ(capture.counts.core_rows_unmatched, 0U);
    EXPECT_EQ(capture.counts.scheduler_rows_unmatched, 0U);
    expect_core_rows(capture, document);
    expect_phases(capture, document);
    for (const trace::QualityRow& row : capture.quality.rows())
      ADD_FAILURE() << row.id << ": " << row.sentence;
  }
}

TEST(Fixtures, OfTheHostHaveItsClockAndUploads) {
  for (const std::string& path : capture_files()) {
    if (path.find("hbg_bgemm") == std::string::npos) continue;
    const auto capture = read_capture(open_capture(path));
    ASSERT_TRUE(capture);
    ASSERT_TRUE(capture->clock_anchors);
    EXPECT_EQ(capture->clock_anchors->provider, "sim_syscnt");
    EXPECT_EQ(capture->clock_anchors->device_unit, "syscnt_cycles");
    ASSERT_EQ(capture->clock_anchors->samples.size(), 6U);
    const ClockAnchor& anchor = capture->clock_anchors->samples[3];
    EXPECT_EQ(anchor.position, ClockAnchor::Position::kAfter);
    EXPECT_EQ(anchor.host_after_ns - anchor.host_before_ns, anchor.round_trip_ns);
    EXPECT_TRUE(anchor.usable);
    ASSERT_TRUE(capture->host_capture);
    EXPECT_EQ(capture->host_capture->status, "complete");
    EXPECT_EQ(capture->host_capture->recorded, 1000U);
    EXPECT_EQ(capture->orchestrator_source, "host");
    ASSERT_EQ(capture->host_orchestrators.size(), 1U);
    EXPECT_EQ(capture->phase_kinds.at(capture->host_orchestrators[0][999].phase), "submit");
    EXPECT_EQ(capture->uploads.at(1).phase, "arena_h2d");
    EXPECT_EQ(capture->uploads.at(1).bytes, 777'984U);
    return;
  }
  GTEST_SKIP() << "no conformance data in " << kFolder;
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
