// Order, joins, duplicates and phantoms.
#include <algorithm>

#include "formats/chip_swimlane/helpers.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using Tasks = std::vector<std::uint64_t>;
using Times = std::vector<std::int64_t>;

TEST(Joins, CountWhatFindsNoPartner) {
  const Capture capture = capture_of(
      current_file(2, R"("aicore_tasks":[[0,1,1,10,20,1],[0,2,2,30,40,1],[0,3,3,50,60,1],[1,4,1,10,20,1]],
      "aicpu_tasks":[[0,3,45,66],[0,1,5,25],[0,9,80,90],[0,1,6,26],[3,1,70,80]])"));
  EXPECT_EQ(capture.cores[0].dispatch, (Times{5, kNoTime, 45}));
  EXPECT_EQ(capture.cores[0].finish, (Times{25, kNoTime, 66}));
  EXPECT_EQ(capture.cores[1].dispatch, Times{kNoTime});
  EXPECT_EQ(capture.counts.core_rows, 4U);
  EXPECT_EQ(capture.counts.scheduler_rows, 5U);
  EXPECT_EQ(capture.counts.core_rows_unmatched, 2U);
  EXPECT_EQ(capture.counts.scheduler_rows_unmatched, 3U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.unmatched_core_row"), 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.unmatched_scheduler_row"), 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.duplicate_scheduler_row"), 1U);
}

TEST(Rows, OutOfOrderAreSortedAndKept) {
  const Capture capture = capture_of(current_file(
      1,
      R"("aicore_tasks":[[0,3,3,50,60,1],[1,9,1,5,6,0],[0,1,1,10,20,1],[0,4,4,70,80,1],[0,2,2,30,40,1]],"aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2, 3, 4}));
  EXPECT_EQ(capture.cores[0].start, (Times{10, 30, 50, 70}));
  EXPECT_TRUE(capture.quality.rows().empty());
}

TEST(Rows, OfTheDefectAreTold) {
  const Capture capture = capture_of(phantom_capture());
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2, 3}));
  EXPECT_EQ(capture.cores[1].task, (Tasks{10, 11, 12, 0, 0, 0, 0, 0, 13}));
  EXPECT_EQ(capture.cores[2].task, (Tasks{20, 21, 22}));
  EXPECT_EQ(capture.counts.core_rows, 21U);
  EXPECT_EQ(capture.counts.rejected_rows, 6U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.phantom_row"), 6U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.lost_rows"), 0U);
  EXPECT_EQ(capture.quality.rows().size(), 1U);
}

TEST(Rows, LeftBehindMayContinueTheNumbers) {
  // Core 1's old rows 3 to 5 follow core 0's last row as if they were its own, but are older.
  const Capture capture = capture_of(current_file(
      1,
      R"("aicore_tasks":[[0,1,1,1000,1100,1],[0,2,2,1200,1300,1],[0,12,3,30,40,1],[0,13,4,50,60,1],[0,14,5,70,80,1],
      [1,10,1,1,5,1],[1,11,2,10,20,1],[1,12,3,30,40,1],[1,13,4,50,60,1],[1,14,5,70,80,1]],"aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2}));
  EXPECT_EQ(capture.cores[1].task.size(), 5U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.phantom_row"), 3U);
}

TEST(Rows, WithOneNumberKeepTheOneThatFits) {
  // No other core has the row that does not fit, and it comes first.
  const Capture capture = capture_of(current_file(
      2, R"("aicore_tasks":[[0,1,1,100,200,1],[0,99,2,50,60,1],[0,2,2,300,400,1],[0,3,3,500,600,1]],
      "aicpu_tasks":[[0,1,90,210],[0,2,250,410],[0,3,450,610]])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2, 3}));
  EXPECT_EQ(capture.cores[0].dispatch, (Times{90, 250, 450}));
  EXPECT_EQ(capture.counts.rejected_rows, 1U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.duplicate_row"), 1U);
}

TEST(Rows, ThatFitEquallyKeepTheOneThatNoOtherCoreHas) {
  // Both rows 2 of core 0 begin after its row 1; the first of them is core 1's.
  const Capture capture = capture_of(current_file(
      1,
      R"("aicore_tasks":[[0,1,1,100,200,1],[0,8,2,210,220,1],[0,2,2,300,400,1],[1,7,1,100,150,1],[1,8,2,210,220,1]],
      "aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2}));
  EXPECT_EQ(capture.cores[1].task, (Tasks{7, 8}));
}

TEST(Rows, BehindAGapAreRealUnlessAnotherCoreHasThem) {
  const Capture capture = capture_of(current_file(
      1, R"("aicore_tasks":[[0,1,1,100,200,1],[0,2,4,300,400,1],[0,3,5,500,600,1],[1,7,1,100,150,1],
      [1,2,4,300,401,1]],"aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2, 3}));
  EXPECT_EQ(capture.cores[0].sequence, (std::vector<std::uint32_t>{1, 4, 5}));
  EXPECT_EQ(capture.cores[1].task, (Tasks{7, 2}));
  EXPECT_EQ(capture.counts.rejected_rows, 0U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.lost_rows"), 4U);
}

TEST(Rows, OnSeveralCoresStayOnOne) {
  // After a loss on core 1 its real rows stand behind a gap, too; what is left of them on core 0 is older
  // than core 0's own rows.
  const Capture capture =
      capture_of(current_file(1, R"("aicore_tasks":[[0,1,1,1000,1100,1],[0,11,5,30,40,1],[0,12,6,50,60,1],
      [1,10,1,1,5,1],[1,11,5,30,40,1],[1,12,6,50,60,1]],"aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1}));
  EXPECT_EQ(capture.cores[1].task, (Tasks{10, 11, 12}));
  EXPECT_EQ(capture.quality.count("chip_swimlane.phantom_row"), 2U);
  EXPECT_EQ(capture.quality.count("chip_swimlane.lost_rows"), 3U);
}

TEST(Rows, OfOneTaskOnManyCoresAreNoPhantoms) {
  // Blocks of one task that start and end together, as a coarse clock sees them.
  const Capture capture = capture_of(current_file(
      1, R"("aicore_tasks":[[0,5,1,100,200,1],[1,5,1,100,200,1],[2,5,1,100,200,1]],"aicpu_tasks":[])"));
  for (const std::size_t core : {0U, 1U, 2U}) EXPECT_EQ(capture.cores[core].task, Tasks{5});
  EXPECT_TRUE(capture.quality.rows().empty());
}

TEST(Rows, ThatOverlapAreKeptAndSaid) {
  const Capture capture =
      capture_of(current_file(1, R"("aicore_tasks":[[0,1,1,100,200,1],[0,2,2,150,400,1]],"aicpu_tasks":[])"));
  EXPECT_EQ(capture.cores[0].task, (Tasks{1, 2}));
  EXPECT_EQ(capture.quality.count("chip_swimlane.overlapping_rows"), 1U);
  EXPECT_EQ(capture.counts.rejected_rows, 0U);
}

// The defect as it was measured: buffers of 1024 rows that go around the cores, and a last buffer that is
// taken for full.
TEST(Rows, OfALongRunWithTheDefectAreTold) {
  constexpr std::uint32_t kBuffer = 1024;
  const SyntheticRun run{.tasks = 24'000, .level = 1, .cores = 6};
  std::string rows;
  std::uint64_t phantoms = 0;
  std::vector<CoreRows> cores;
  for (std::uint32_t core = 0; core < run.cores; ++core) cores.push_back(synthetic_core(run, core));
  const auto add = [&](std::size_t on, const CoreRows& of, std::size_t row) {
    rows += (rows.empty() ? "[" : ",[") + std::to_string(on) + "," + std::to_string(of.task[row]) + "," +
            std::to_string(of.sequence[row]) + "," + std::to_string(of.start[row]) + "," +
            std::to_string(of.end[row]) + ",1]";
  };
  for (std::size_t core = 0; core < cores.size(); ++core) {
    const std::size_t size = cores[core].task.size();
    for (std::size_t row = 0; row < size; ++row) add(core, cores[core], row);
    // The last buffer was another core's second, or first.
    const CoreRows& other = cores[(core + 1) % cores.size()];
    const std::size_t buffer = core % 2;
    for (std::size_t slot = size % kBuffer; slot < kBuffer; ++slot, ++phantoms)
      add(core, other, buffer * kBuffer + slot);
  }
  const Capture capture = capture_of(
      "{\"chip_swimlane_level\":1,\"metadata\":{\"clock_freq_hz\":50000000,\"num_cores\":6,\"core_types\":["
      "\"aic\","
      "\"aic\",\"aiv\",\"aiv\",\"aiv\",\"aiv\"]},\"aicore_tasks\":[" +
      rows + "],\"aicpu_tasks\":[]}");
  ASSERT_GT(phantoms, 500U);
  EXPECT_EQ(capture.counts.core_rows, run.tasks + phantoms);
  EXPECT_EQ(capture.counts.rejected_rows, phantoms);
  for (std::size_t core = 0; core < cores.size(); ++core)
    EXPECT_EQ(capture.cores[core].task, cores[core].task);
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
