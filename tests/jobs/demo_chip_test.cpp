// The chip's run of `accelscope demo`: a recording in which everything holds that must, and whose report
// shows what was put into it.
#include "jobs/demo_chip.h"

#include <gtest/gtest.h>

#include "jobs/compare.h"
#include "jobs/demo_chip_schedule.h"
#include "jobs/validate.h"
#include "support/temporary_folder.h"

namespace accelscope::jobs {
namespace {

using tests::read_file;
using tests::TemporaryFolder;

double share_of(const findings::Findings& report, std::string_view limit) {
  const findings::Section* section = find_section(report, "bottleneck");
  const findings::Metric* metric =
      section == nullptr ? nullptr : find_metric(*section, "share." + std::string(limit));
  return metric == nullptr ? -1 : metric->value.value_or(-1);
}

TEST(DemoChip, EverythingHoldsThatMustAndNothingIsDoubtful) {
  const TemporaryFolder folder;
  const auto chip = demo_chip({.folder = folder.file("chip")});
  ASSERT_TRUE(chip) << chip.error().to_string();
  for (const std::string& path : {chip->before, chip->after}) {
    const auto valid = validate({path}, {});
    ASSERT_TRUE(valid) << valid.error().to_string();
    EXPECT_EQ(valid->invariants.size(), 14U);
    for (const analysis::chip::Invariant& invariant : valid->invariants)
      EXPECT_EQ(invariant.state, analysis::chip::InvariantState::kHolds)
          << path << ": " << invariant.id << ", " << invariant.first_violation;
    for (const trace::QualityRow& row : valid->trace.quality().rows())
      EXPECT_EQ(row.severity, trace::Severity::kInfo) << row.sentence;
  }
  for (const trace::QualityRow& row : chip->report.quality.rows())
    EXPECT_EQ(row.severity, trace::Severity::kInfo) << row.sentence;
}

TEST(DemoChip, TheReportShowsEveryKindOfWait) {
  const TemporaryFolder folder;
  const auto chip = demo_chip({.folder = folder.file("chip"), .version = "1.2.3"});
  ASSERT_TRUE(chip) << chip.error().to_string();
  EXPECT_EQ(chip->report.kind, "chip report");
  EXPECT_EQ(chip->report.provenance.version, "1.2.3");
  for (const std::string_view limit : {"submission", "scheduling", "dependencies", "compute"})
    EXPECT_GT(share_of(chip->report, limit), 5) << limit;
  for (const std::string_view limit : {"scheduling", "dependencies", "compute"})
    EXPECT_GT(share_of(chip->report, "submission"), share_of(chip->report, limit) + 10) << limit;
  EXPECT_EQ(share_of(chip->report, "unknown"), 0);
}

TEST(DemoChip, EveryNamedFileIsThereAndTheReportIsFirst) {
  const TemporaryFolder folder;
  const auto chip = demo_chip({.folder = folder.file("new/chip")});
  ASSERT_TRUE(chip) << chip.error().to_string();
  ASSERT_EQ(chip->files.size(), 3U);
  EXPECT_TRUE(chip->files.front().path.ends_with("/report.md")) << chip->files.front().path;
  for (const WrittenFile& file : chip->files) EXPECT_GT(read_file(file.path).size(), 1000U) << file.path;
}

TEST(DemoChip, TheSecondRunIsShorterAndItsSlowerFunctionFailsAGate) {
  const TemporaryFolder folder;
  const auto chip = demo_chip({.folder = folder.file("chip")});
  ASSERT_TRUE(chip) << chip.error().to_string();
  CompareJobOptions options;
  options.baseline = chip->before;
  options.candidate = chip->after;
  options.gate = 0.03;
  const auto compared = compare(options);
  ASSERT_TRUE(compared) << compared.error().to_string();
  for (const report::GateCase& gate : compared->gate)
    EXPECT_EQ(gate.passed, gate.name.find("RMSNORM") == std::string::npos) << gate.name << gate.message;
  EXPECT_EQ(compared->gate.size(), 1 + kDemoChipFunctions.size());
}

TEST(DemoChip, TheRecordingsAreTheSameEveryTime) {
  const TemporaryFolder folder;
  const auto first = demo_chip({.folder = folder.file("a")});
  const auto second = demo_chip({.folder = folder.file("b")});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(read_file(first->before), read_file(second->before));
  EXPECT_EQ(read_file(first->after), read_file(second->after));
  EXPECT_NE(read_file(first->before), read_file(first->after));
}

TEST(DemoChip, EitherFaultMakesTheRunLonger) {
  const auto last_end = [](const DemoChipOptions& options) {
    std::int64_t last = 0;
    for (const auto& core : demo_chip_schedule(options).capture.cores)
      last = std::max(last, core.end.empty() ? 0 : core.end.back());
    return last;
  };
  EXPECT_GT(last_end({.slow_submission = true}), last_end({}));
  EXPECT_GT(last_end({.slow_norm = true}), last_end({}));
}

}  // namespace
}  // namespace accelscope::jobs
