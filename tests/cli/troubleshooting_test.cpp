// Every row of the troubleshooting table in docs/edge-ml.md, brought about; and every row has a test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "cli/analysis_program.h"
#include "experiments/bench_folder.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using experiments::BenchFolder;
using experiments::kToyConfig;
using tests::TemporaryFolder;
using tests::write_file;

// Recordings with a manifest of the kit.
class Runs {
 public:
  explicit Runs(std::string_view latency_ms = "[0.26]", ToyRuns runs = {}) {
    make_toy(path() + "/on/toy_on_t1.etdump", ToySpeed::kFast, runs);
    make_toy(path() + "/off/toy_off_t1.etdump", ToySpeed::kSlow, runs);
    const std::string results =
        R"("results": [{"experiment": "on", "metrics": {"threads": 1, "latency_ms": )" +
        std::string(latency_ms) + R"(, "etdump_rel": "on/toy_on_t1.etdump"}}]})";
    write_file(path() + "/manifest.json", R"({"config": "gone.json", "model": "toy.pte", )" + results);
    write_file(path() + "/metrics.json", "{" + results);
  }
  std::string path() const { return folder_.file("runs"); }
  findings::Findings report() const { return findings_in(accelscope({"report", path(), "--json"})); }
  std::string checklist() const { return accelscope({"validate", path()}).standard_output; }

 private:
  TemporaryFolder folder_;
};

ProgramResult bench(const BenchFolder& folder, std::vector<std::string> words) {
  if (!fs::exists(folder.file("toy.json"))) write_file(folder.file("toy.json"), kToyConfig);
  words.insert(words.begin(), {"bench", "toy.json", "--rounds", "1"});
  return accelscope(words, {.folder = folder.path()});
}

void no_timeline_csv() {
  const Runs runs;
  EXPECT_TRUE(contains(runs.checklist(), "has no timeline CSV beside it")) << runs.checklist();
  EXPECT_EQ(verdicts(runs.report()).size(), 1U);
  for (const std::string_view name : {"/on/toy_on_t1.etdump", "/off/toy_off_t1.etdump"})
    ASSERT_EQ(accelscope({"operators", "--compat", runs.path().append(name)}).exit_code, 0);
  EXPECT_FALSE(contains(runs.checklist(), "has no timeline CSV")) << runs.checklist();
}

void three_times_too_high() {
  EXPECT_TRUE(has_row(Runs("[0.775]").report(), "trust.nested_rows_summed"));
  EXPECT_FALSE(has_row(Runs().report(), "trust.nested_rows_summed"));
}

void metrics_disagree() {
  const Runs runs("[0.40]");
  EXPECT_TRUE(has_row(runs.report(), "trust.disagrees"));
  EXPECT_TRUE(contains(runs.checklist(), "they should agree within 5 %")) << runs.checklist();
  EXPECT_FALSE(has_row(Runs().report(), "trust.disagrees"));
}

void config_not_found() {
  const Runs runs;
  EXPECT_TRUE(has_row(runs.report(), "run_directory.no_config"));
  EXPECT_EQ(metadata(runs.report(), "Roles by"), "names that say on and off");
  const findings::Findings named =
      findings_in(accelscope({"report", runs.path(), "--json", "--baseline", "off", "--candidate", "on"}));
  EXPECT_EQ(metadata(named, "Roles by"), "--baseline and --candidate");
}

void expect_report_mends(const std::string& file) {
  const Runs runs;
  EXPECT_FALSE(fs::exists(runs.path() + "/" + file));
  EXPECT_TRUE(contains(runs.checklist(), "accelscope report " + runs.path())) << runs.checklist();
  ASSERT_EQ(accelscope({"report", runs.path()}).exit_code, 0);
  EXPECT_TRUE(contains(runs.checklist(), "ok       " + file + " is there and can be read"))
      << runs.checklist();
}
void no_operator_analysis() {
  expect_report_mends("operator_analysis.json");
}
void no_kernel_view() {
  expect_report_mends("kernel_view.md");
}

bool advises(const findings::Findings& report, std::string_view part) {
  for (const findings::Section& section : report.sections) {
    if (contains(section.empty_hint, part)) return true;
    for (const findings::Statement& statement : section.statements)
      if (contains(statement.text, part)) return true;
  }
  return false;
}
void kernels_unknown() {
  EXPECT_TRUE(advises(Runs().report(), "xnntrace"));
}
void operators_not_identified() {
  EXPECT_TRUE(advises(Runs().report(), "--etrecord"));
}

void threads_differ() {
  const TemporaryFolder folder;
  make_toy(folder.file("toy_on_t1.etdump"), ToySpeed::kFast);
  make_toy(folder.file("toy_off_t4.etdump"), ToySpeed::kSlow);
  const std::vector<std::string> words = {"report",  folder.path(), "--baseline",
                                          "toy_off", "--candidate", "toy_on"};
  EXPECT_TRUE(contains(accelscope(words).standard_error, "--allow-thread-mismatch"));
  std::vector<std::string> insisting = words;
  insisting.emplace_back("--allow-thread-mismatch");
  EXPECT_EQ(accelscope(insisting).exit_code, 0);
}

void inconclusive() {
  const TemporaryFolder folder;
  make_toy(folder.file("a.etdump"), ToySpeed::kFast, {.count = 3, .seed = 1});
  make_toy(folder.file("b.etdump"), ToySpeed::kFast, {.count = 3, .seed = 2});
  const findings::Findings comparison =
      findings_in(accelscope({"compare", folder.file("a.etdump"), folder.file("b.etdump"), "--json"}));
  ASSERT_EQ(verdicts(comparison).size(), 1U);
  EXPECT_TRUE(contains(verdicts(comparison)[0], "nconclusive")) << verdicts(comparison)[0];
}

void wrong_unit() {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const auto median = [&](const std::string& unit) {
    const findings::Findings latency =
        findings_in(accelscope({"latency", folder.file("toy.etdump"), "--json", "--time-unit", unit}));
    const findings::Metric* found = findings::find_metric(latency, "median");
    return found != nullptr ? *found : findings::Metric{};
  };
  EXPECT_TRUE(has_row(findings_in(accelscope({"latency", folder.file("toy.etdump"), "--json"})),
                      "etdump.unit_assumed"));
  EXPECT_EQ(median("cycles").unit, "ticks");
  EXPECT_EQ(median("cycles:2GHz").unit, "ms");
  EXPECT_DOUBLE_EQ(*median("cycles:2GHz").value * 2, *median("ns").value);
}

void too_few_runs() {
  EXPECT_TRUE(has_row(Runs("[0.26]", {.count = 5}).report(), "trust.few_runs"));
  EXPECT_FALSE(has_row(Runs("[0.26]", {.count = 30}).report(), "trust.few_runs"));
}

void first_run_slow() {
  EXPECT_TRUE(has_row(Runs().report(), "trust.warm_up"));
}

void one_run_cut_out() {
  const TemporaryFolder folder;
  write_file(folder.file("toy_exec_run0_timeline.csv"), timeline_csv({"1.0"}));
  EXPECT_TRUE(
      has_row(findings_in(accelscope({"latency", folder.file("toy_exec_run0_timeline.csv"), "--json"})),
              "trust.one_run_file"));
}

void expect_runner_fails(const char* behaviour, std::string_view status) {
  const BenchFolder folder;
  std::string config(kToyConfig);
  config.insert(config.find('{') + 1, R"("timeout_seconds": 1,)");
  write_file(folder.file("toy.json"), config);
  setenv("STAND_IN_BEHAVIOUR", behaviour, 1);
  setenv("STAND_IN_WHEN", "on_t1", 1);
  const ProgramResult failed = bench(folder, {});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_TRUE(contains(failed.standard_error, status)) << failed.standard_error;
  unsetenv("STAND_IN_BEHAVIOUR");
  EXPECT_EQ(bench(folder, {"--resume"}).exit_code, 0);
}
void runner_crashed() {
  expect_runner_fails("crash", "crashed");
}
void runner_hangs() {
  expect_runner_fails("hang", "timeout");
}

void etdump_cut_off() {
  const TemporaryFolder folder;
  const std::string whole = toy_etdump(ToySpeed::kFast);
  write_file(folder.file("cut.etdump"), whole.substr(0, whole.size() / 2));
  const ProgramResult result = accelscope({"report", folder.file("cut.etdump")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.standard_error, "cut off")) << result.standard_error;
}

void no_device() {
  const BenchFolder folder;
  setenv("STAND_IN_ADB_OFFLINE", "1", 1);
  const ProgramResult result = bench(folder, {"--device", "SERIAL9", "--adb", STAND_IN_ADB_SCRIPT});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.standard_error, "SERIAL9")) << result.standard_error;
  const ProgramResult no_adb = bench(folder, {"--android", "--adb", "/no/such/adb"});
  EXPECT_EQ(no_adb.exit_code, 1);
  EXPECT_TRUE(contains(no_adb.standard_error, "/no/such/adb")) << no_adb.standard_error;
}

void directory_in_use() {
  const BenchFolder folder;
  ASSERT_EQ(bench(folder, {}).exit_code, 0);
  EXPECT_TRUE(contains(bench(folder, {}).standard_error, "--replace"));
  EXPECT_EQ(bench(folder, {"--replace"}).exit_code, 0);
}

void interrupted() {
  const BenchFolder folder;
  write_file(folder.file("toy.json"), kToyConfig);
  setenv("STAND_IN_BEHAVIOUR", "hang", 1);
  setenv("STAND_IN_WHEN", "on_t1", 1);
  const ProgramResult result =
      accelscope({"bench", "toy.json", "--rounds", "1"},
                 {.folder = folder.path(), .interrupt_when = [&] { return !folder.runner_calls().empty(); }});
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_TRUE(contains(result.standard_error, "--resume")) << result.standard_error;
  unsetenv("STAND_IN_BEHAVIOUR");
  EXPECT_EQ(bench(folder, {"--resume"}).exit_code, 0);
}

const std::map<std::string, void (*)()>& rows() {
  static const std::map<std::string, void (*)()> kRows = {
      {"no timeline CSV", no_timeline_csv},
      {"latency three times too high", three_times_too_high},
      {"metrics and recordings disagree", metrics_disagree},
      {"config not found", config_not_found},
      {"no operator analysis", no_operator_analysis},
      {"no kernel view", no_kernel_view},
      {"kernels unknown", kernels_unknown},
      {"non-delegated operators not identified", operators_not_identified},
      {"thread counts differ", threads_differ},
      {"inconclusive", inconclusive},
      {"unit wrong", wrong_unit},
      {"too few runs", too_few_runs},
      {"first run slow", first_run_slow},
      {"one run cut out", one_run_cut_out},
      {"runner crashed", runner_crashed},
      {"runner hangs", runner_hangs},
      {"ETDump cut off", etdump_cut_off},
      {"adb device not found", no_device},
      {"run directory in use", directory_in_use},
      {"interrupted", interrupted}};
  return kRows;
}

std::vector<std::string> names_of_rows() {
  std::vector<std::string> names;
  for (const auto& [name, test] : rows()) names.push_back(name);
  return names;
}

class Troubleshooting : public testing::TestWithParam<std::string> {};

TEST_P(Troubleshooting, Row) {
  rows().at(GetParam())();
}

INSTANTIATE_TEST_SUITE_P(EdgeMl, Troubleshooting, testing::ValuesIn(names_of_rows()), [](const auto& row) {
  std::string name = row.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(TroubleshootingTable, HasATestForEveryRow) {
  std::istringstream page(tests::read_file(ACCELSCOPE_SOURCE_DIR "/docs/edge-ml.md"));
  std::vector<std::string> listed;
  bool here = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) here = line == "## Troubleshooting";
    if (!here || !line.starts_with("| ") || line.starts_with("| what you see")) continue;
    listed.push_back(line.substr(2, line.find(" |", 2) - 2));
  }
  std::sort(listed.begin(), listed.end());
  EXPECT_EQ(listed, names_of_rows());
}

}  // namespace
}  // namespace accelscope::cli
