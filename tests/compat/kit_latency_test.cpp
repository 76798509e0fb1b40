#include "compat/kit_latency.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compat/inspector_csv.h"
#include "compat/kit_fixtures.h"

namespace accelscope::compat {
namespace {

using formats::timeline_csv::TimelineRow;

std::string error_of(const base::Result<KitTimeline>& result) {
  return result ? "none" : result.error().to_string();
}

TEST(KitCsv, IsTheSameFromRowsAndFromTheirFile) {
  const std::vector<TimelineRow> rows = {
      {.model_id = "größe", .name = "Method::execute", .duration_ms = 0.009999999999999787, .run_index = 0},
      {.model_id = "größe", .name = "Conv, \"x\" #1", .duration_ms = 1e-07, .run_index = 0},
      {.model_id = "größe", .name = "Method::execute", .duration_ms = 12.176066500000001, .run_index = 7}};
  base::MemoryOutput out;
  write_timeline_csv(out, rows);
  const auto read = timeline_of(out.bytes());
  ASSERT_TRUE(read) << error_of(read);
  const KitTimeline made = kit_timeline(rows);
  EXPECT_EQ(made.model_id, "größe");
  EXPECT_EQ(read->model_id, made.model_id);
  EXPECT_EQ(read->names, made.names);
  ASSERT_EQ(read->events.size(), made.events.size());
  for (std::size_t i = 0; i < made.events.size(); ++i) {
    EXPECT_EQ(read->events[i].name, made.events[i].name);
    EXPECT_EQ(read->events[i].run_index, made.events[i].run_index);
    EXPECT_EQ(read->events[i].duration_ms, made.events[i].duration_ms);
    EXPECT_EQ(read->events[i].pandas_ms, made.events[i].pandas_ms);
  }
  EXPECT_NE(made.events[0].pandas_ms, made.events[0].duration_ms);
}

TEST(KitCsv, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of(timeline_of("")),
            "test.csv:1: the header has no column 'name', which the kit's CSV files have");
  EXPECT_EQ(error_of(timeline_of("name,run_index\n")),
            "test.csv:1: the header has no column 'duration_ms', which the kit's CSV files have");
  EXPECT_EQ(error_of(timeline_of("name,duration_ms,run_index\na,1,0\na,x,0\n")),
            "test.csv:3: 'x' in column 'duration_ms' is not a number");
  EXPECT_EQ(error_of(timeline_of("name,duration_ms,run_index\na,1,second\n")),
            "test.csv:2: 'second' in column 'run_index' is not a number");
  EXPECT_EQ(error_of(timeline_of("name,duration_ms,run_index\na,1,9223372036854775807\n")),
            "test.csv:2: '9223372036854775807' in column 'run_index' is not a number");
  EXPECT_FALSE(timeline_of("name,duration_ms\n\"never closed"));
}

TEST(KitLatency, AddsUpExecutionsOfOneIndex) {
  const auto timeline = timeline_of(
      "name,duration_ms,run_index\n"
      "Method::execute,2.5,1\nMethod::execute,1,0\nMethod::execute,0.25,1\nmethod::execute,9,0\nadd,7,0\n");
  ASSERT_TRUE(timeline);
  const auto latencies = kit_latencies(*timeline);
  ASSERT_TRUE(latencies);
  EXPECT_EQ(latencies->ms, (std::vector<double>{1, 2.75}));
  EXPECT_EQ(latencies->run_indices, (std::vector<double>{0, 1}));
  EXPECT_FALSE(latencies->indices_are_floats);
  EXPECT_EQ(kit_report_latencies(*timeline).value(), (std::vector<double>{1, 2.75}));
}

TEST(KitLatency, FallsBackToOperatorsInReportsOnly) {
  const auto timeline = timeline_of(
      "name,duration_ms,run_index\nmethod::EXECUTE,50,0\nadd,1,0\nmul,2,1\nadd,4,0\nDELEGATE_CALL,9,1\n");
  ASSERT_TRUE(timeline);
  const auto strict = kit_latencies(*timeline);
  ASSERT_FALSE(strict);
  EXPECT_EQ(strict.error().message, "No 'Method::execute' event found in timeline CSV");
  EXPECT_EQ(kit_report_latencies(*timeline).value(), (std::vector<double>{5, 2}));
  const auto empty = timeline_of("name,duration_ms,run_index\r\n");
  ASSERT_TRUE(empty);
  EXPECT_FALSE(kit_latencies(*empty));
  EXPECT_TRUE(kit_report_latencies(*empty).value().empty());
}

TEST(KitLatency, TreatsMissingRunIndicesAsEachReaderDoes) {
  const auto timeline = timeline_of(
      "name,duration_ms,run_index\nMethod::execute,3,\nMethod::execute,1,0\nMethod::execute,,1\n"
      "Method::execute,2,nan\n");
  ASSERT_TRUE(timeline);
  const auto latencies = kit_latencies(*timeline);
  ASSERT_TRUE(latencies);
  EXPECT_EQ(latencies->ms, (std::vector<double>{1, 0}));
  EXPECT_EQ(latencies->run_indices, (std::vector<double>{0, 1}));
  EXPECT_TRUE(latencies->indices_are_floats);
  EXPECT_EQ(count_run_indices(*timeline), 2U);
  EXPECT_FALSE(kit_report_latencies(*timeline));
  const auto none = timeline_of("name,duration_ms,run_index\nMethod::execute,3,\n");
  ASSERT_TRUE(none);
  EXPECT_FALSE(kit_latencies(*none));
}

TEST(KitLatency, NeedsNoRunIndexForOneExecution) {
  const auto one = timeline_of("name,duration_ms\nMethod::execute,3\nadd,1\n");
  ASSERT_TRUE(one);
  const auto latencies = kit_latencies(*one);
  ASSERT_TRUE(latencies);
  EXPECT_EQ(latencies->ms, (std::vector<double>{3}));
  EXPECT_EQ(kit_report_latencies(*one).value(), (std::vector<double>{3}));
  const auto two = timeline_of("name,duration_ms\nMethod::execute,3\nMethod::execute,1\n");
  ASSERT_TRUE(two);
  const auto failed = kit_latencies(*two);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "No run_index column and multiple Method::execute events found");
  EXPECT_EQ(kit_report_latencies(*two).value(), (std::vector<double>{4}));
}

}  // namespace
}  // namespace accelscope::compat
