#include <gtest/gtest.h>

#include "formats/timeline_csv/timeline_reader.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::timeline_csv {
namespace {

base::Result<trace::Trace> read(std::string_view text) {
  return read_ops_stats(base::MappedFile::from_memory("ops.csv", text));
}

TEST(OpsStatsReader, LaysRowsEndToEnd) {
  const auto trace = read(
      "model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n"
      "m,Method::execute,Method::execute,portable,1,0.276035,0.276035,60.5\r\n"
      "m,\"Convert (NC, F32)\",\"Convert (NC, F32)\",delegated,2,0.0000015,0.00000075,39.5\r\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  ASSERT_EQ(trace->slices().size(), 2U);
  EXPECT_EQ(trace->slices().start[1].value, 276'035'000);
  EXPECT_EQ(trace->slices().duration[1].value, 1500);
  EXPECT_TRUE(has_flag(trace->slices().flags[0], trace::SliceFlag::kSynthetic));
  EXPECT_EQ(trace->category_name(trace->slices().category[1]), trace::category::kDelegateOperator);
  EXPECT_EQ(trace->find_arg(trace->slices().first_arg[1], arg::kCount), trace::Value::of_int(2));
  EXPECT_EQ(trace->find_arg(trace->slices().first_arg[1], arg::kPercent), trace::Value::of_double(39.5));
  EXPECT_EQ(trace->quality().count("timeline_csv.aggregated"), 1U);
  EXPECT_EQ(trace->text(trace->tracks()[0].name), "m");
}

TEST(OpsStatsReader, SaysWhatIsWrong) {
  const auto no_total = read("name,count\nx,1\n");
  ASSERT_FALSE(no_total);
  EXPECT_EQ(no_total.error().to_string(),
            "ops.csv:1: the header has no column 'total_ms'; it has: name, count");
  const auto bad = read("name,count,total_ms\nx,1,2\ny,1,oops\n");
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, base::Location::line("ops.csv", 3));
  EXPECT_FALSE(read("name,count,total_ms\nx,many,2\n"));
  EXPECT_FALSE(read(""));
}

TEST(OpsStatsReader, LeavesOutRowsWithoutATotal) {
  const auto trace = read("name,count,total_ms\nx,1,\ny,1,nan\nz,1,5\nshort\n");
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->slices().size(), 1U);
  EXPECT_EQ(trace->quality().count("timeline_csv.missing_duration"), 2U);
  EXPECT_EQ(trace->quality().count("timeline_csv.short_row"), 1U);
}

}  // namespace
}  // namespace accelscope::formats::timeline_csv
