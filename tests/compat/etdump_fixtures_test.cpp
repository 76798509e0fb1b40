// The kit's CSV files, made again from the ETDumps that lie beside them.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/mapped_file.h"
#include "compat/csv_comparison.h"
#include "compat/inspector_csv.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/etrecord/join.h"

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

TEST(EtdumpFixtures, ShowBackendsThatAnEtRecordNames) {
  const std::string path = std::string(ACCELSCOPE_FIXTURES_DIR) + "/etdump/gen_toy_sme2_on_t1.etdump";
  const auto file = base::MappedFile::open(path);
  if (!file) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto trace = formats::etdump::read(*file);
  ASSERT_TRUE(trace) << trace.error().to_string();
  formats::etrecord::EtRecord record;
  formats::etrecord::Method& method = record.method("forward");
  for (formats::etrecord::Instruction instruction = 0; instruction < 8; ++instruction)
    method.delegates[instruction].backend = "XnnpackBackend";
  const auto joined = formats::etrecord::join(*trace, record);
  ASSERT_TRUE(joined) << joined.error().to_string();
  const InspectorTable table = inspector_table(*joined);
  EXPECT_EQ(table.events.size(), inspector_table(*trace).events.size());
  std::size_t delegated = 0;
  for (const auto& row : timeline_rows(table, "toy")) {
    EXPECT_NE(row.delegate_backend, "delegated") << row.name;
    if (row.delegate_backend == "XnnpackBackend") ++delegated;
  }
  EXPECT_EQ(delegated, 90U);  // nine operators in ten runs
  EXPECT_EQ(joined->text(joined->runs().back().method), "forward");
  EXPECT_EQ(joined->runs().back().index, 9U);
}

}  // namespace
}  // namespace accelscope::compat
