// A large file's scheduler rows are read in another thread. Whatever the file looks like, the answer is that
// of the same file when it is small.
#include <gtest/gtest.h>

#include "formats/chip_swimlane/helpers.h"

namespace accelscope::formats::chip_swimlane {
namespace {

// Blanks that make a file large enough for a second thread.
const std::string kManyBlanks(1'100'000, ' ');

constexpr std::string_view kCoreRows =
    R"("aicore_tasks": [[0,7,1,100,200,5],[0,8,2,300,400,5],[2,9,1,100,150,5]])";
constexpr std::string_view kSchedulerRows = R"("aicpu_tasks" : [[0,1,90,210],[0,2,290,410],[2,1,0,160]])";

std::string file_with(std::initializer_list<std::string_view> members) {
  std::string streams;
  for (const std::string_view member : members) {
    if (!streams.empty()) streams += ", ";
    streams += member;
  }
  return current_file(2, streams);
}

void expect_same_as_small(const std::string& small) {
  SCOPED_TRACE(small);
  const Capture expected = capture_of(small);
  const Capture large = capture_of(small + kManyBlanks);
  ASSERT_EQ(large.cores.size(), expected.cores.size());
  for (std::size_t core = 0; core < expected.cores.size(); ++core) {
    EXPECT_EQ(large.cores[core].start, expected.cores[core].start);
    EXPECT_EQ(large.cores[core].dispatch, expected.cores[core].dispatch);
    EXPECT_EQ(large.cores[core].finish, expected.cores[core].finish);
  }
  EXPECT_EQ(large.counts.scheduler_rows, expected.counts.scheduler_rows);
  EXPECT_EQ(large.counts.scheduler_rows_unmatched, expected.counts.scheduler_rows_unmatched);
  ASSERT_EQ(large.quality.rows().size(), expected.quality.rows().size());
  for (std::size_t row = 0; row < expected.quality.rows().size(); ++row) {
    EXPECT_EQ(large.quality.rows()[row].id, expected.quality.rows()[row].id);
    EXPECT_EQ(large.quality.rows()[row].count, expected.quality.rows()[row].count);
    EXPECT_EQ(large.quality.rows()[row].first_place.to_string(),
              expected.quality.rows()[row].first_place.to_string());
  }
}

TEST(ReadAhead, GivesTheSameRowsAndRemarks) {
  const Capture capture = capture_of(file_with({kCoreRows, kSchedulerRows}) + kManyBlanks);
  EXPECT_EQ(capture.cores[0].dispatch, (std::vector<std::int64_t>{90, 290}));
  EXPECT_EQ(capture.cores[2].dispatch, (std::vector<std::int64_t>{kNoTime}));
  EXPECT_EQ(capture.cores[2].finish, (std::vector<std::int64_t>{160}));
  EXPECT_EQ(capture.quality.count("chip_swimlane.time_not_taken"), 1U);
  expect_same_as_small(file_with({kCoreRows, kSchedulerRows}));
  expect_same_as_small(file_with({kSchedulerRows, kCoreRows}));
}

TEST(ReadAhead, AWrongGuessChangesNothing) {
  constexpr std::string_view kMisleading = R"("extra": {"aicpu_tasks": [[0,1,1,2]], "more": [1, 2]})";
  expect_same_as_small(file_with({kMisleading, kCoreRows, kSchedulerRows}));
  expect_same_as_small(file_with({kCoreRows, kSchedulerRows, kMisleading}));
  expect_same_as_small(file_with({kMisleading, kCoreRows}));
  expect_same_as_small(file_with({R"("extra": ["aicpu_tasks", [[0,1,1,2]]])", kCoreRows, kSchedulerRows}));
  expect_same_as_small(file_with({kCoreRows, R"("aicpu_tasks": null)", R"("extra": [[0,1,1,2]])"}));
  expect_same_as_small(file_with({kCoreRows, R"("aicpu_tasks": [])"}));
  expect_same_as_small(file_with({kCoreRows}));
}

TEST(ReadAhead, FaultsAreNamedWhereTheyAre) {
  for (const std::string_view broken :
       {R"("aicpu_tasks": [[0,1,90,210],[0,2,290]])", R"("aicpu_tasks": [[0,1,90,"x"]])",
        R"("aicpu_tasks": {"a": 1})", R"("aicpu_tasks": [[0,1,90,210])"}) {
    const std::string small = file_with({kCoreRows, broken});
    EXPECT_NE(error_of(small), "") << broken;
    EXPECT_EQ(error_of(small + kManyBlanks), error_of(small)) << broken;
  }
  const std::string twice = file_with({kCoreRows, kSchedulerRows, kSchedulerRows});
  EXPECT_NE(error_of(twice), "");
  EXPECT_EQ(error_of(twice + kManyBlanks), error_of(twice));
}

}  // namespace
}  // namespace accelscope::formats::chip_swimlane
