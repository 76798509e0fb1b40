// The kit's CSV files, made again from the ETDumps that lie beside them.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/mapped_file.h"
#include "compat/csv_comparison.h"
#include "compat/inspector_csv.h"
#include "formats/etdump/etdump_reader.h"

namespace accelscope::compat {
namespace {

namespace fs = std::filesystem;

// Compares with the file of this name, and says whether there is one.
bool matches_file(const std::string& path, const base::MemoryOutput& made) {
  const auto file = base::MappedFile::open(path);
  if (!file) return false;
  EXPECT_EQ(first_difference(file->text(), made.bytes()), "") << path;
  EXPECT_TRUE(file->text() == made.bytes()) << path << ": equal in value, but not byte by byte";
  return true;
}

TEST(EtdumpFixtures, GiveTheKitsCsvFiles) {
  const fs::path folder = fs::path(ACCELSCOPE_FIXTURES_DIR) / "executorch";
  if (!fs::exists(folder)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  std::size_t compared = 0;
  std::set<std::string> cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".etdump") && !path.ends_with(".etdp")) continue;
    const auto file = base::MappedFile::open(path);
    ASSERT_TRUE(file) << file.error().to_string();
    const auto trace = formats::etdump::read(*file);
    ASSERT_TRUE(trace) << trace.error().to_string();
    const InspectorTable table = inspector_table(*trace);
    const std::string model = kit_model_id(path);
    const std::string prefix = (entry.path().parent_path() / kit_csv_prefix(path)).string();
    base::MemoryOutput all_runs, one_run, statistics;
    write_timeline_csv(all_runs, timeline_rows(table, model));
    write_timeline_csv(one_run, timeline_rows_of_run(table, model, 0));
    write_ops_stats_csv(statistics, ops_stats_rows(table, model));
    EXPECT_TRUE(matches_file(prefix + "_all_runs_timeline.csv", all_runs)) << path;
    EXPECT_TRUE(matches_file(prefix + "_run0_timeline.csv", one_run)) << path;
    EXPECT_TRUE(matches_file(prefix + "_ops_stats.csv", statistics)) << path;
    ++compared;
    cases.insert(fs::relative(path, folder).begin()->string());
  }
  EXPECT_EQ(compared, 10U);
  EXPECT_EQ(cases.size(), 5U);
}

}  // namespace
}  // namespace accelscope::compat
