#include "formats/timeline_csv/rows.h"

#include <gtest/gtest.h>

#include <limits>

#include "formats/timeline_csv/python_float.h"
#include "formats/timeline_csv/sniff.h"

namespace accelscope::formats::timeline_csv {
namespace {

TEST(PythonFloat, PrintsAsReprDoes) {
  EXPECT_EQ(python_float(0), "0.0");
  EXPECT_EQ(python_float(-0.0), "-0.0");
  EXPECT_EQ(python_float(1), "1.0");
  EXPECT_EQ(python_float(0.1), "0.1");
  EXPECT_EQ(python_float(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(python_float(0.0001), "0.0001");
  EXPECT_EQ(python_float(0.00001), "1e-05");
  EXPECT_EQ(python_float(0.000012345), "1.2345e-05");
  EXPECT_EQ(python_float(1e15), "1000000000000000.0");
  EXPECT_EQ(python_float(1e16), "1e+16");
  EXPECT_EQ(python_float(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(python_float(5e-324), "5e-324");
  EXPECT_EQ(python_float(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(python_float(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(python_float(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Rows, TypeIsTheNameWithoutItsNumber) {
  EXPECT_EQ(type_of_name("Convert (NC, F32, F16) #1"), "Convert (NC, F32, F16)");
  EXPECT_EQ(type_of_name("Method::execute"), "Method::execute");
  EXPECT_EQ(type_of_name("\"quoted\""), "quoted");
  EXPECT_EQ(type_of_name("a #1 #2"), "a #1");
  EXPECT_EQ(type_of_name(""), "");
}

TEST(Rows, AreWrittenAsTheKitWritesThem) {
  base::MemoryOutput out;
  write_timeline_header(out);
  write_timeline_row(out, {.model_id = "m",
                           .name = "Convert (NC, F32, F16) #1",
                           .type = "Convert (NC, F32, F16)",
                           .delegate_backend = "delegated",
                           .start_us = 4581.416,
                           .end_us = 4595.416,
                           .duration_ms = 0.014000000000000234,
                           .pct_total = 10,
                           .node_id = 2,
                           .run_index = 1,
                           .block = "Execute"});
  EXPECT_EQ(
      out.bytes(),
      "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n"
      "m,\"Convert (NC, F32, F16) #1\",\"Convert (NC, F32, F16)\",delegated,4581.416,4595.416,"
      "0.014000000000000234,10.0,2,1,Execute\r\n");
  out.clear();
  write_ops_stats_header(out);
  write_ops_stats_row(out, {.model_id = "m",
                            .name = "a",
                            .type = "a",
                            .delegate_backend = "portable",
                            .count = 3,
                            .total_ms = 0.00001,
                            .avg_ms = 1.5,
                            .pct_total = 100});
  EXPECT_EQ(out.bytes(),
            "model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\r\n"
            "m,a,a,portable,3,1e-05,1.5,100.0\r\n");
}

TEST(Sniff, GoesByTheHeader) {
  EXPECT_TRUE(looks_like_timeline_csv("model_id,name,start_us,duration_ms\n"));
  EXPECT_TRUE(looks_like_timeline_csv("\xEF\xBB\xBF\"name\", Timestamp_MS ,duration_ms"));
  EXPECT_TRUE(looks_like_timeline_csv("name,start_us,end_us\r\nx"));
  // Incomplete, but meant as one: reading it says what is missing.
  EXPECT_TRUE(looks_like_timeline_csv("name,timestamp_ms,end_us\n"));
  EXPECT_FALSE(looks_like_timeline_csv("category,total_ms,avg_ms,pct_of_e2e,operator_count\n"));
  EXPECT_FALSE(looks_like_timeline_csv(""));
  EXPECT_FALSE(looks_like_timeline_csv("{\"traceEvents\":[]}"));
  EXPECT_TRUE(
      looks_like_ops_stats_csv("model_id,name,type,delegate_backend,count,total_ms,avg_ms,pct_total\n"));
  EXPECT_FALSE(looks_like_ops_stats_csv("category,total_ms,avg_ms,pct_of_e2e,operator_count\n"));
  EXPECT_FALSE(looks_like_ops_stats_csv("name,start_us,duration_ms\n"));
}

}  // namespace
}  // namespace accelscope::formats::timeline_csv
