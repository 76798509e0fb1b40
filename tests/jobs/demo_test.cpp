// What `accelscope demo` makes: a run directory whose report says what was put into it.
#include "jobs/demo.h"

#include <gtest/gtest.h>

#include "analysis/profile_data.h"
#include "base/mapped_file.h"
#include "findings/findings_json.h"
#include "support/temporary_folder.h"

namespace accelscope::jobs {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

TEST(Demo, EveryNamedFileIsThereAndTheReportIsFirst) {
  const TemporaryFolder folder;
  const auto outcome = demo({.folder = folder.file("new/demo"), .version = "1.2.3"});
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  ASSERT_FALSE(outcome->files.empty());
  EXPECT_TRUE(outcome->files.front().path.ends_with("/run/report.md")) << outcome->files.front().path;
  EXPECT_FALSE(outcome->chip.files.empty());
  for (const WrittenFile& file : outcome->files) {
    EXPECT_GT(read_file(file.path).size(), 100U) << file.path;
    EXPECT_FALSE(file.what.empty()) << file.path;
  }
  EXPECT_EQ(outcome->report.provenance.version, "1.2.3");
}

TEST(Demo, ProfilesAProgramFitsAModelAndRunsALayer) {
  const TemporaryFolder folder;
  const auto outcome = demo({.folder = folder.file("demo"), .version = "1.2.3"});
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  EXPECT_EQ(outcome->board.files.size(), 6U);
  for (const WrittenFile& file : outcome->board.files)
    EXPECT_GT(read_file(file.path).size(), 100U) << file.path;
  EXPECT_NE(find_section(outcome->board.profile, "advice"), nullptr);
  const findings::Section* verdict = find_section(outcome->board.fit, "verdict");
  ASSERT_TRUE(verdict != nullptr && !verdict->statements.empty());
  EXPECT_NE(verdict->statements.front().text.find("smolvlm2 on nexys_video fits"), std::string::npos);
  EXPECT_EQ(outcome->board.fit.provenance.version, "1.2.3");
  const findings::Section* runs = find_section(outcome->board.emulation, "runs");
  ASSERT_NE(runs, nullptr);
  const findings::Table* table = find_table(*runs, "runs");
  ASSERT_TRUE(table != nullptr && table->rows.size() == 6);
  for (const auto& row : table->rows) EXPECT_EQ(std::get<std::string>(row.back()), "yes");
}

TEST(Demo, TheReportSeesTheSpeedupAndTheKernels) {
  const TemporaryFolder folder;
  const auto outcome = demo({.folder = folder.file("demo")});
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  const findings::Findings& report = outcome->report;
  const findings::Section* latency = find_section(report, "latency");
  ASSERT_NE(latency, nullptr);
  const findings::Metric* speedup = find_metric(*latency, "speedup");
  ASSERT_TRUE(speedup != nullptr && speedup->value && speedup->interval);
  EXPECT_NEAR(*speedup->value, 3.02, 0.1);
  EXPECT_LT(speedup->interval->low, *speedup->value);
  const findings::Section* kernels = find_section(report, "kernels");
  ASSERT_NE(kernels, nullptr);
  EXPECT_FALSE(kernels->tables.empty());
  const findings::Section* advice = find_section(report, "recommendations");
  ASSERT_NE(advice, nullptr);
  EXPECT_FALSE(advice->statements.empty());
  for (const trace::QualityRow& row : report.quality.rows())
    EXPECT_NE(row.severity, trace::Severity::kError) << row.sentence;
}

TEST(Demo, OnlyTheReportHoldsTheRecordedTimes) {
  const TemporaryFolder folder;
  const auto outcome = demo({.folder = folder.file("demo")});
  ASSERT_TRUE(outcome) << outcome.error().to_string();
  const auto profiles = [&](const std::string& name) {
    const auto file = base::MappedFile::open(outcome->run.folder + "/" + name);
    const auto saved = findings::read_json(file.value());
    const auto found = analysis::profiles_in(saved.value());
    return found.value().size();
  };
  EXPECT_EQ(profiles("findings.json"), 2U);
  EXPECT_EQ(profiles("operator_analysis.json"), 0U);
}

TEST(Demo, TheRunDirectoryIsTheSameEveryTime) {
  const TemporaryFolder folder;
  const auto first = write_demo_run(folder.file("a"));
  const auto second = write_demo_run(folder.file("b"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(read_file(first->baseline), read_file(second->baseline));
  EXPECT_EQ(read_file(first->candidate), read_file(second->candidate));
  EXPECT_NE(read_file(first->baseline), read_file(first->candidate));
}

TEST(Demo, AFolderThatCannotBeMadeIsNamed) {
  const TemporaryFolder folder;
  write_file(folder.file("taken"), "a file");
  const auto outcome = demo({.folder = folder.file("taken")});
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().to_string().find("taken"), std::string::npos) << outcome.error().to_string();
}

}  // namespace
}  // namespace accelscope::jobs
