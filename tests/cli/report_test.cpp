// `accelscope report` as users run it: on directories of the kit and of our own, and on single files.
#include <gtest/gtest.h>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

void expect_report_files(const std::string& directory) {
  const std::string report = read_file(directory + "/report.md");
  std::size_t place = 0;
  for (const std::string_view title : kReportTitles) {
    const std::size_t found = report.find("\n## " + std::string(title));
    ASSERT_NE(found, std::string::npos) << title;
    EXPECT_GE(found, place) << title;
    place = found;
  }
  EXPECT_TRUE(contains(report, "Config File"));
  EXPECT_EQ(findings_from(read_file(directory + "/operator_analysis.json")).kind, "operators");
  EXPECT_EQ(findings_from(read_file(directory + "/findings.json")).kind, "report");
  EXPECT_TRUE(contains(read_file(directory + "/kernel_view.md"), "Kernel"));
}

// Every file in a directory, with its bytes.
std::vector<std::pair<std::string, std::string>> contents(const std::string& directory) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.is_regular_file()) files.emplace_back(entry.path().string(), read_file(entry.path().string()));
  std::sort(files.begin(), files.end());
  return files;
}

// A pair of recordings without any record beside them.
std::string toy_directory(const TemporaryFolder& folder) {
  std::string directory = folder.file("runs");
  make_toy(directory + "/toy_sme2_on_t1.etdump", ToySpeed::kFast);
  make_toy(directory + "/toy_sme2_off_t1.etdump", ToySpeed::kSlow);
  return directory;
}

std::string kit_manifest(std::string_view config) {
  return R"({"generated_at": "2026-01-01T00:00:00Z", "config": ")" + std::string(config) +
         R"(", "model": "toy.pte", "results": []})";
}

class KitDirectory : public testing::TestWithParam<std::string_view> {};

TEST_P(KitDirectory, GivesAWholeReport) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string directory = fixture_copy(folder, GetParam());
  const ProgramResult result = accelscope({"report", directory, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  expect_report_files(directory);
  const findings::Findings report = findings_in(result);
  ASSERT_EQ(verdicts(report).size(), 1U);
  EXPECT_TRUE(contains(verdicts(report).front(), "3.37x faster")) << verdicts(report).front();
  EXPECT_NE(metadata(report, "Config File"), "");
  // The kit records nothing about the device, and this machine is none of the report's business.
  EXPECT_TRUE(report.provenance.device.empty());
  EXPECT_EQ(report.provenance.generated_at, "2023-11-14T22:13:20Z");

  const auto first = contents(directory);
  EXPECT_EQ(accelscope({"report", directory}).exit_code, 0);
  EXPECT_EQ(contents(directory), first);
}

TEST_P(KitDirectory, GivesTheSameNumbersFromCsvFilesAlone) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string directory = fixture_copy(folder, GetParam());
  const findings::Findings whole = findings_in(accelscope({"report", directory, "--json"}));
  std::vector<fs::path> dumps;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.path().extension() == ".etdump") dumps.push_back(entry.path());
  ASSERT_FALSE(dumps.empty());
  for (const fs::path& dump : dumps) fs::remove(dump);
  const findings::Findings tables = findings_in(accelscope({"report", directory, "--json"}));
  EXPECT_EQ(rows_of(tables, "latency", "latency"), rows_of(whole, "latency", "latency"));
  EXPECT_EQ(rows_of(tables, "categories", "categories"), rows_of(whole, "categories", "categories"));
  EXPECT_EQ(rows_of(tables, "acceleration", "operators"), rows_of(whole, "acceleration", "operators"));
  EXPECT_EQ(verdicts(tables), verdicts(whole));
}

INSTANTIATE_TEST_SUITE_P(Report, KitDirectory,
                         testing::Values("case1_mac_flat_pipeline_output",
                                         "case1_android_flat_pipeline_output", "case2_mac_expdirs",
                                         "case2_android_expdirs"));

TEST(Report, ReadsADirectoryWithoutAnyRecord) {
  const TemporaryFolder folder;
  const std::string directory = toy_directory(folder);
  const ProgramResult result = accelscope({"report", directory, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  expect_report_files(directory);
  const findings::Findings report = findings_in(result);
  ASSERT_EQ(verdicts(report).size(), 1U);
  EXPECT_TRUE(contains(verdicts(report).front(), "3.01x faster")) << verdicts(report).front();
  EXPECT_EQ(metadata(report, "Roles by"), "names that say on and off");
  EXPECT_EQ(metadata(report, "Config File"), "not recorded");
  EXPECT_TRUE(has_row(report, "run_directory.no_record"));
}

TEST(Report, IsTheSameInEveryByteWhenItsDateIsFixed) {
  const TemporaryFolder folder;
  const std::string directory = toy_directory(folder);
  const ProgramResult first = accelscope({"report", directory});
  const auto files = contents(directory);
  const ProgramResult second = accelscope({"report", directory});
  EXPECT_EQ(first.standard_output, second.standard_output);
  EXPECT_EQ(contents(directory), files);
  EXPECT_TRUE(contains(first.standard_output, "2023-11-14T22:13:20Z"));
}

// By --baseline and --candidate, else by the config's pairs, else by names: each overrules the next.
TEST(Report, ChoosesRolesInThisOrder) {
  const TemporaryFolder folder;
  const std::string directory = toy_directory(folder);
  make_toy(directory + "/toy_plain_t1.etdump", ToySpeed::kSlow, {.count = 12, .seed = 3});
  write_file(folder.file("toy.json"), R"({"model": "toy.pte", "experiments": [],
    "analysis": {"compare_pairs": [{"baseline": {"experiment": "plain", "threads": 1},
                                    "candidate": {"experiment": "sme2_on", "threads": 1}}]}})");
  write_file(directory + "/manifest.json", kit_manifest("toy.json"));
  const findings::Findings by_config = findings_in(accelscope({"report", directory, "--json"}));
  EXPECT_EQ(metadata(by_config, "Roles by"), "the config's compare pairs");
  ASSERT_EQ(verdicts(by_config).size(), 1U);
  EXPECT_TRUE(contains(verdicts(by_config)[0], "sme2_on is 3")) << verdicts(by_config)[0];
  EXPECT_TRUE(contains(verdicts(by_config)[0], "than plain")) << verdicts(by_config)[0];

  const findings::Findings by_option = findings_in(
      accelscope({"report", directory, "--json", "--baseline", "sme2_on", "--candidate", "sme2_off"}));
  EXPECT_EQ(metadata(by_option, "Roles by"), "--baseline and --candidate");
  ASSERT_EQ(verdicts(by_option).size(), 1U);
  EXPECT_TRUE(contains(verdicts(by_option)[0], "slower")) << verdicts(by_option)[0];

  write_file(directory + "/manifest.json", kit_manifest("gone.json"));
  const findings::Findings by_name = findings_in(accelscope({"report", directory, "--json"}));
  EXPECT_EQ(metadata(by_name, "Roles by"), "names that say on and off");
  EXPECT_TRUE(contains(verdicts(by_name)[0], "than sme2_off")) << verdicts(by_name)[0];
  EXPECT_EQ(metadata(by_name, "Config File"), "gone.json");

  const ProgramResult unknown =
      accelscope({"report", directory, "--baseline", "sme2_of", "--candidate", "sme2_on"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_TRUE(contains(unknown.standard_error, "did you mean `sme2_off`?")) << unknown.standard_error;
  EXPECT_EQ(accelscope({"report", directory, "--baseline", "sme2_off"}).exit_code, 1);
}

TEST(Report, RefusesDifferentThreadCountsUnlessAsked) {
  const TemporaryFolder folder;
  const std::string directory = folder.file("runs");
  make_toy(directory + "/toy_on_t1.etdump", ToySpeed::kFast);
  make_toy(directory + "/toy_off_t1.etdump", ToySpeed::kSlow);
  make_toy(directory + "/toy_off_t4.etdump", ToySpeed::kSlow, {.count = 10, .seed = 5});
  // Of the two, the one with equal threads is taken.
  const findings::Findings report = findings_in(accelscope({"report", directory, "--json"}));
  ASSERT_EQ(verdicts(report).size(), 1U);
  EXPECT_TRUE(contains(verdicts(report)[0], "off t1")) << verdicts(report)[0];

  const std::vector<std::string> words = {"report",     directory,     "--json", "--baseline",
                                          "toy_off t4", "--candidate", "toy_on"};
  const ProgramResult refused = accelscope(words);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(contains(refused.standard_error, "--allow-thread-mismatch")) << refused.standard_error;
  std::vector<std::string> allowed = words;
  allowed.emplace_back("--allow-thread-mismatch");
  const findings::Findings forced = findings_in(accelscope(allowed));
  EXPECT_TRUE(has_row(forced, "trust.threads_differ"));
}

TEST(Report, RefusesTheKitsThreadMismatch) {
  SKIP_WITHOUT_FIXTURES();
  const TemporaryFolder folder;
  const std::string directory = fixture_copy(folder, "case1_android_flat_pipeline_output");
  const std::vector<std::string> words = {
      "report", directory, "--json", "--baseline", "android_sme2_off t4", "--candidate", "android_sme2_on"};
  const ProgramResult refused = accelscope(words);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(contains(refused.standard_error, "4 threads")) << refused.standard_error;
  std::vector<std::string> allowed = words;
  allowed.emplace_back("--allow-thread-mismatch");
  EXPECT_TRUE(has_row(findings_in(accelscope(allowed)), "trust.threads_differ"));
}

TEST(Report, TakesSavedFindings) {
  const TemporaryFolder folder;
  const std::string directory = toy_directory(folder);
  const ProgramResult whole = accelscope({"report", directory, "--markdown"});
  ASSERT_EQ(whole.exit_code, 0);
  const ProgramResult again = accelscope({"report", directory + "/findings.json", "--markdown"});
  EXPECT_EQ(again.exit_code, 0) << again.standard_error;
  EXPECT_EQ(again.standard_output, whole.standard_output);
  // Of another view, a report is made anew, with the same numbers.
  const findings::Findings report = findings_in(accelscope({"report", directory, "--json"}));
  write_file(folder.file("view.json"), accelscope({"operators", directory, "--json"}).standard_output);
  const findings::Findings made = findings_in(accelscope({"report", folder.file("view.json"), "--json"}));
  EXPECT_EQ(rows_of(made, "latency", "latency"), rows_of(report, "latency", "latency"));
  EXPECT_EQ(verdicts(made), verdicts(report));
  // The table of operators alone holds no executions, and says so.
  const ProgramResult refused = accelscope({"report", directory + "/operator_analysis.json"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(contains(refused.standard_error, "no recorded times")) << refused.standard_error;
}

TEST(Report, WritesNotesTitleAndFileAsAsked) {
  const TemporaryFolder folder;
  const std::string directory = toy_directory(folder);
  write_file(folder.file("notes.md"), "The fan was loud.\n");
  const std::string out = folder.file("mine.md");
  const ProgramResult result = accelscope(
      {"report", directory, "--notes", folder.file("notes.md"), "--title", "Toy of June", "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string report = read_file(out);
  EXPECT_TRUE(report.starts_with("# Toy of June")) << report.substr(0, 80);
  EXPECT_TRUE(contains(report, "The fan was loud.")) << report.substr(report.size() - 500);
  for (const std::string_view name :
       {"report.md", "operator_analysis.json", "kernel_view.md", "findings.json"})
    EXPECT_FALSE(fs::exists(directory + "/" + std::string(name))) << name;
  for (const char* name : {"operator_analysis.json", "kernel_view.md", "findings.json"})
    EXPECT_TRUE(fs::exists(folder.file(name))) << name;
  EXPECT_EQ(accelscope({"report", directory, "--notes", folder.file("none.md")}).exit_code, 1);

  const std::string single = folder.file("single.md");
  EXPECT_EQ(accelscope({"report", directory + "/toy_sme2_on_t1.etdump", "-o", single}).exit_code, 0);
  EXPECT_TRUE(contains(read_file(single), "Config File"));
}

TEST(Report, TakesKernelTablesUnderBothNames) {
  const std::string table =
      "model_id,kernel_name,category,count,dtype,xnn_op,variant,ukernel_shape,arch_chain,has_sme,has_sme2\r\n"
      "toy,xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2,gemm,1,pf16,gemm,minmax,32x32c2,neonsme2,1,1\r\n";
  for (const std::string_view name : {"on_trace/kernels.csv", "toy_on_trace_t1_kernels.csv"}) {
    const TemporaryFolder folder;
    const std::string directory = toy_directory(folder);
    fs::create_directories(directory + "/on_trace");
    write_file(directory + "/" + std::string(name), table);
    const findings::Findings report = findings_in(accelscope({"report", directory, "--json"}));
    const auto kernels = rows_of(report, "kernels", "kernels");
    ASSERT_EQ(kernels.size(), 1U) << name;
    EXPECT_EQ(std::get<std::string>(kernels[0][0]), "xnn_pf16_gemm_minmax_ukernel_32x32c2__neonsme2");
  }
}

TEST(Report, CombinesPlatformsAndNamesTheMissingOne) {
  const TemporaryFolder folder;
  const std::string directory = toy_directory(folder);
  const std::string out = folder.file("both.md");
  const ProgramResult result = accelscope(
      {"report", "--combined", "mac=" + directory, "android=" + folder.file("absent"), "--out", out});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string report = read_file(out);
  EXPECT_TRUE(contains(report, "report.missing_platform"));
  EXPECT_TRUE(contains(report, "android"));
  EXPECT_TRUE(contains(report, "3.01x"));
  EXPECT_FALSE(fs::exists(directory + "/report.md"));

  EXPECT_EQ(accelscope({"report", "--combined", "mac=" + folder.file("absent"), "--out", out}).exit_code, 1);
  EXPECT_EQ(
      accelscope({"report", "--combined", "mac=" + directory, "mac=" + directory, "--out", out}).exit_code,
      1);
  const ProgramResult unnamed = accelscope({"report", "--combined", directory});
  EXPECT_EQ(unnamed.exit_code, 1);
  EXPECT_TRUE(contains(unnamed.standard_error, "NAME=DIR")) << unnamed.standard_error;
  const ProgramResult several = accelscope({"report", directory, directory});
  EXPECT_EQ(several.exit_code, 1);
  EXPECT_TRUE(contains(several.standard_error, "--combined")) << several.standard_error;
}

}  // namespace
}  // namespace accelscope::cli
