// The kit's CSV files, read into a Trace and written again.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/mapped_file.h"
#include "compat/csv_comparison.h"
#include "compat/inspector_csv.h"
#include "formats/timeline_csv/timeline_reader.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

TEST(RoundTrip, TimelineFixturesComeBack) {
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "executorch";
  if (!fs::exists(folder)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with("_timeline.csv")) continue;
    ++files;
    const auto file = base::MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().to_string();
    const auto trace = formats::timeline_csv::read_timeline(*file);
    ASSERT_TRUE(trace) << trace.error().to_string();
    const std::string model(trace->text(trace->tracks()[0].name));
    base::MemoryOutput out;
    const InspectorTable table = inspector_table(*trace);
    write_timeline_csv(out, timeline_rows(table, model));
    EXPECT_EQ(first_difference(file->text(), out.bytes()), "") << path;
    const std::size_t ending = path.rfind("all_runs_timeline.csv");
    if (ending == std::string::npos) continue;
    const auto stats = base::MappedFile::open(path.substr(0, ending) + "ops_stats.csv");
    if (!stats) continue;
    out.clear();
    write_ops_stats_csv(out, ops_stats_rows(table, model));
    EXPECT_EQ(first_difference(stats->text(), out.bytes()), "") << path;
    EXPECT_EQ(stats->text(), out.bytes()) << "not byte by byte, though the sums are added as pandas does";
  }
  EXPECT_GT(files, 20U);
}

TEST(RoundTrip, SeveralMethodsComeBack) {
  const std::string_view text =
      "model_id,name,type,delegate_backend,start_us,end_us,duration_ms,pct_total,node_id,run_index,block\r\n"
      "m,Method::init,Method::init,portable,1.0,2.0,0.001,5.555555555555555,0,0,Default\r\n"
      "m,OPERATOR_CALL,OPERATOR_CALL,portable,11.0,12.0,0.001,5.555555555555555,1,0,Execute\r\n"
      "m,OPERATOR_CALL,OPERATOR_CALL,portable,31.0,32.0,0.001,16.666666666666664,1,1,Execute\r\n"
      "m,OPERATOR_CALL,OPERATOR_CALL,portable,13.0,14.0,0.001,5.555555555555555,2,0,Execute\r\n"
      "m,OPERATOR_CALL,OPERATOR_CALL,portable,33.0,34.0,0.001,16.666666666666664,2,1,Execute\r\n"
      "m,Method::execute,Method::execute,portable,10.0,16.0,0.006,33.33333333333333,3,0,Execute\r\n"
      "m,Method::execute,Method::execute,portable,30.0,34.0,0.004,66.66666666666666,3,1,Execute\r\n"
      "m,MOVE_CALL,MOVE_CALL,portable,21.0,23.0,0.002,11.11111111111111,4,0,Execute\r\n"
      "m,Method::execute,Method::execute,portable,20.0,27.0,0.007,38.888888888888886,5,0,Execute\r\n";
  const auto trace =
      formats::timeline_csv::read_timeline(base::MappedFile::from_memory("two_methods.csv", text));
  ASSERT_TRUE(trace) << trace.error().to_string();
  base::MemoryOutput out;
  write_timeline_csv(out, timeline_rows(inspector_table(*trace), "m"));
  EXPECT_EQ(first_difference(text, out.bytes()), "");
}

}  // namespace
}  // namespace accelscope::compat
