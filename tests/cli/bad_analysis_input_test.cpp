// Recordings and run directories with something missing or senseless: the report is written where anything
// can be said, and the trust box says what is missing.
#include <gtest/gtest.h>

#include <csignal>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

findings::Findings report_on(const std::string& csv) {
  const TemporaryFolder folder;
  const std::string path = folder.file("toy_exec_all_runs_timeline.csv");
  write_file(path, csv);
  const ProgramResult result = accelscope({"report", path, "--json", "--out", folder.file("report.md")});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view title : kReportTitles)
    EXPECT_TRUE(contains(read_file(folder.file("report.md")), "\n## " + std::string(title))) << title;
  return findings_in(result);
}

std::optional<double> median_in(const findings::Findings& report) {
  const findings::Metric* median = findings::find_metric(report, "median");
  return median != nullptr ? median->value : std::nullopt;
}

TEST(BadRecording, WithoutTimesGivesAReportThatSaysSo) {
  const findings::Findings nothing = report_on(timeline_csv({}));
  EXPECT_TRUE(has_row(nothing, "trust.no_executions"));
  EXPECT_EQ(median_in(nothing), std::nullopt);
  const findings::Findings one = report_on(timeline_csv({"1.5"}));
  EXPECT_TRUE(has_row(one, "trust.one_run"));
  EXPECT_EQ(median_in(one), 1.5);
}

// A time that is no time is left out: it must not become a latency of zero.
TEST(BadRecording, LeavesOutTimesThatMakeNoSense) {
  for (const std::string duration : {"nan", "", "-2.0", "inf"}) {
    const findings::Findings report = report_on(timeline_csv({"1.0", duration, "3.0"}));
    EXPECT_EQ(median_in(report), 2.0) << duration;
    EXPECT_TRUE(has_row(report, "trust.missing_executions")) << duration;
  }
  const findings::Findings zero = report_on(timeline_csv({"0.0", "0.0", "0.0"}));
  ASSERT_TRUE(has_row(zero, "trust.zero_durations"));
  EXPECT_EQ(row_in(zero, "trust.zero_durations")->severity, trace::Severity::kError);
}

TEST(BadRecording, KeepsExecutionsThatShareARunIndex) {
  const findings::Findings report = report_on(timeline_csv({"1.0", "2.0", "3.0"}, {"0", "0", "1"}));
  EXPECT_TRUE(has_row(report, "timeline_csv.run_index_reused"));
  EXPECT_EQ(findings::find_metric(report, "median")->n, 3U);
}

TEST(BadRecording, MixedUnitsAreNotCompared) {
  const TemporaryFolder folder;
  make_toy(folder.file("a.etdump"), ToySpeed::kFast);
  make_toy(folder.file("b.etdump"), ToySpeed::kSlow);
  const ProgramResult ticks =
      accelscope({"latency", folder.file("a.etdump"), "--time-unit", "cycles", "--json"});
  write_file(folder.file("a.json"), ticks.standard_output);
  const ProgramResult result =
      accelscope({"compare", folder.file("a.json"), folder.file("b.etdump"), "--json", "--gate", "3%"});
  EXPECT_EQ(result.exit_code, 2) << result.standard_error;
  const findings::Findings comparison = findings_in(result);
  for (const std::string& verdict : verdicts(comparison)) {
    EXPECT_FALSE(contains(verdict, "faster")) << verdict;
    EXPECT_FALSE(contains(verdict, "slower")) << verdict;
  }
}

TEST(BadRunDirectory, WithHalfItsFilesIsReportedAllTheSame) {
  const TemporaryFolder folder;
  const std::string runs = folder.file("runs");
  make_toy(runs + "/on/toy_on_t1.etdump", ToySpeed::kFast);
  write_file(runs + "/manifest.json", R"({"config": "toy.json", "model": "toy.pte", "results": [
    {"experiment": "on", "metrics": {"threads": 1, "etdump_rel": "on/toy_on_t1.etdump", "log_rel": "on/gone.log"}},
    {"experiment": "off", "metrics": {"threads": 1, "latency_ms": [0.9], "etdump_rel": "off/gone.etdump"}}]})");
  const ProgramResult result = accelscope({"report", runs, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings report = findings_in(result);
  for (const std::string_view id :
       {"run_directory.missing_file", "run_directory.no_files", "trust.no_executions"})
    EXPECT_TRUE(has_row(report, id)) << id;
  EXPECT_TRUE(verdicts(report).empty());
  EXPECT_TRUE(median_in(report));
  for (const std::string_view name :
       {"report.md", "operator_analysis.json", "kernel_view.md", "findings.json"})
    EXPECT_TRUE(fs::exists(runs + "/" + std::string(name))) << name;
}

TEST(BadRunDirectory, UnreadableRecordingsAreNamedAndTheRestIsReported) {
  const TemporaryFolder folder;
  const std::string runs = folder.file("runs");
  make_toy(runs + "/toy_on_t1.etdump", ToySpeed::kFast);
  const std::string whole = toy_etdump(ToySpeed::kSlow);
  write_file(runs + "/toy_off_t1.etdump", whole.substr(0, 1000));
  write_file(runs + "/toy_empty_t1.etdump", "");
  write_file(runs + "/manifest.json", R"({"model": "toy.pte", "results": [{"experiment": "on",
    "metrics": {"threads": 1, "latency_ms": [NaN, "x", -1]}}]})");
  const ProgramResult result = accelscope({"report", runs, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings report = findings_in(result);
  EXPECT_TRUE(has_row(report, "report.unreadable_file"));
  EXPECT_TRUE(has_row(report, "run_directory.empty_file"));
  EXPECT_TRUE(median_in(report));
}

TEST(BadRunDirectory, EmptyFoldersAndWrongFilesAreRefused) {
  const TemporaryFolder folder;
  fs::create_directory(folder.file("nothing"));
  write_file(folder.file("empty.etdump"), "");
  write_file(folder.file("wrong.json"), "{\"a\": 1}");
  write_file(folder.file("cut.json"), "{\"accelscope_findings\": 1, \"kind\"");
  for (const std::string verb : {"report", "latency", "operators", "kernels"})
    for (const std::string_view name : {"nothing", "empty.etdump", "wrong.json", "cut.json", "absent"}) {
      const ProgramResult result = accelscope({verb, folder.file(name)});
      EXPECT_EQ(result.exit_code, 1) << verb << ' ' << name;
      EXPECT_TRUE(contains(result.standard_error, folder.file(name))) << result.standard_error;
      EXPECT_EQ(result.standard_output, "");
    }
  EXPECT_EQ(folder.names().size(), 4U);
}

TEST(BadOutput, FullDisksAreErrors) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  make_toy(folder.file("runs/toy_on_t1.etdump"), ToySpeed::kFast);
  for (const std::string verb : {"report", "latency", "operators", "kernels"})
    for (const std::string_view form : {"--json", "--markdown"})
      EXPECT_EQ(accelscope({verb, folder.file("toy.etdump"), std::string(form)},
                           {.standard_output_to = "/dev/full"})
                    .exit_code,
                1)
          << verb;
  EXPECT_EQ(
      accelscope({"validate", folder.file("runs"), "--json"}, {.standard_output_to = "/dev/full"}).exit_code,
      1);
  EXPECT_EQ(accelscope({"report", folder.file("toy.etdump"), "-o", "/dev/full"}).exit_code, 1);
  EXPECT_EQ(accelscope({"report", folder.file("toy.etdump"), "-o", folder.file("no/such.md")}).exit_code, 1);
}

TEST(BadOutput, AClosedPipeEndsTheProgramQuietly) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const std::string program = std::string(ACCELSCOPE_PROGRAM) + " report " + folder.file("toy.etdump");
  const ProgramResult result =
      tests::run_program({"/bin/bash", "-c", program + " --json | true; echo \"${PIPESTATUS[0]}\""});
  EXPECT_EQ(result.standard_error, "");
  EXPECT_TRUE(result.standard_output == "0\n" || result.standard_output == "141\n") << result.standard_output;
}

}  // namespace
}  // namespace accelscope::cli
