// `accelscope bench` from config to report, with stand-ins for the runner and for adb.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>

#include "cli/analysis_program.h"
#include "experiments/bench_folder.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using experiments::BenchFolder;
using experiments::kToyConfig;
using tests::read_file;
using tests::write_file;

// A bench folder with its config, and the program in it.
class Bench {
 public:
  explicit Bench(std::string_view config = kToyConfig) { write_file(folder_.file("toy.json"), config); }
  ~Bench() {
    for (const char* name : {"STAND_IN_BEHAVIOUR", "STAND_IN_WHEN"}) unsetenv(name);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  ProgramResult bench(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"bench", "toy.json"});
    return accelscope(words, {.folder = folder_.path()});
  }
  ProgramResult validate(const std::string& runs = "out_toy/results") const {
    return accelscope({"validate", folder_.file(runs)});
  }
  static void runner_should(const char* behaviour, const char* when) {
    setenv("STAND_IN_BEHAVIOUR", behaviour, 1);
    setenv("STAND_IN_WHEN", when, 1);
  }

  const BenchFolder& folder() const { return folder_; }
  std::string runs(std::string_view name = {}) const {
    return folder_.file("out_toy/results/" + std::string(name));
  }

 private:
  BenchFolder folder_;
};

void expect_documented_files(const std::string& runs) {
  for (const std::string_view name :
       {"manifest.json", "metrics.json", "analysis_summary.json", "report.md", "operator_analysis.json",
        "kernel_view.md", "findings.json", "toy_pipeline_summary.json", "toy_pipeline_summary.md"})
    EXPECT_TRUE(fs::exists(runs + "/" + std::string(name))) << name;
}

TEST(Bench, WritesTheDocumentedFiles) {
  const Bench toy;
  const ProgramResult result = toy.bench({"--json", "--rounds", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  expect_documented_files(toy.runs());
  for (const std::string_view name :
       {"on/toy_on_t1_r1.etdump", "on/toy_on_t1_r2_latency.log", "on/toy_on_t1_r1_exec_all_runs_timeline.csv",
        "on/toy_on_t1_r1_exec_run0_timeline.csv", "off/toy_off_t1_r2_exec_ops_stats.csv",
        "on_trace/toy_on_trace_t1_xnntrace.log"})
    EXPECT_TRUE(fs::exists(toy.runs(name))) << name;
  const findings::Findings report = findings_in(result);
  ASSERT_EQ(verdicts(report).size(), 1U);
  EXPECT_TRUE(contains(verdicts(report)[0], "on is 3")) << verdicts(report)[0];
  EXPECT_EQ(metadata(report, "Config File"), "toy.json");
  EXPECT_EQ(metadata(report, "Order"), "interleaved");
  EXPECT_TRUE(contains(result.standard_error, "5 of 5 steps ok")) << result.standard_error;

  const ProgramResult check = toy.validate();
  EXPECT_EQ(check.exit_code, 0) << check.standard_output;
  EXPECT_TRUE(contains(check.standard_output, "complete")) << check.standard_output;
  EXPECT_EQ(accelscope({"validate", "--compat", toy.runs()}).exit_code, 0);

  const ProgramResult json = accelscope({"validate", toy.runs(), "--json"});
  simdjson::dom::parser parser;
  simdjson::dom::element list;
  ASSERT_EQ(parser.parse(json.standard_output).get(list), simdjson::SUCCESS) << json.standard_output;
  EXPECT_EQ(std::string_view(list["schema"]), "accelscope.run_checklist/1");
  EXPECT_TRUE(bool(list["complete"]));
  EXPECT_EQ(simdjson::dom::array(list["checks"]).size(), 10U);
  for (const simdjson::dom::element one : list["checks"])
    EXPECT_EQ(std::string_view(one["status"]), "ok") << std::string_view(one["id"]);
  EXPECT_EQ(accelscope({"report", "--compat", toy.runs(), "--out", toy.folder().file("kit.md")}).exit_code,
            0);
}

TEST(Bench, DeviceFactsComeFromTheManifest) {
  const Bench toy;
  ASSERT_EQ(toy.bench({"--rounds", "1"}).exit_code, 0);
  std::string manifest = read_file(toy.runs("manifest.json"));
  const std::size_t before = manifest.find("\"before\"");
  ASSERT_NE(before, std::string::npos);
  const std::size_t facts = manifest.find("\"architecture\": \"", before);
  ASSERT_NE(facts, std::string::npos) << manifest;
  const std::size_t value = facts + std::string_view("\"architecture\": \"").size();
  manifest.replace(value, manifest.find('"', value) - value, "a machine elsewhere");
  write_file(toy.runs("manifest.json"), manifest);
  const findings::Findings report = findings_in(accelscope({"report", toy.runs(), "--json"}));
  bool found = false;
  for (const findings::KeyValue& fact : report.provenance.device)
    if (fact.key == "architecture") {
      found = true;
      EXPECT_EQ(fact.value, "a machine elsewhere");
    }
  EXPECT_TRUE(found);
}

TEST(Bench, GivesTheSameNumbersFromCsvFilesAlone) {
  const Bench toy;
  const findings::Findings whole = findings_in(toy.bench({"--json", "--rounds", "3"}));
  std::vector<fs::path> dumps;
  for (const auto& entry : fs::recursive_directory_iterator(toy.runs()))
    if (entry.path().extension() == ".etdump") dumps.push_back(entry.path());
  ASSERT_EQ(dumps.size(), 6U);
  for (const fs::path& dump : dumps) fs::remove(dump);
  const findings::Findings tables = findings_in(accelscope({"report", toy.runs(), "--json"}));
  EXPECT_EQ(rows_of(tables, "latency", "latency"), rows_of(whole, "latency", "latency"));
  EXPECT_EQ(rows_of(tables, "categories", "categories"), rows_of(whole, "categories", "categories"));
  // 6 runs, and the warm-up of each round does not count.
  EXPECT_EQ(findings::find_metric(tables, "speedup")->n, 12U);
}

TEST(Bench, RunsOnADevice) {
  const Bench toy;
  setenv("STAND_IN_ADB_DEVICES", "SERIAL1\tdevice", 1);
  const ProgramResult result =
      toy.bench({"--rounds", "2", "--device", "SERIAL1", "--adb", STAND_IN_ADB_SCRIPT, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string runs = toy.folder().file("out_toy/android");
  expect_documented_files(runs);
  const ProgramResult check = toy.validate("out_toy/android");
  EXPECT_EQ(check.exit_code, 0) << check.standard_output;
  const findings::Findings report = findings_in(result);
  bool named = false;
  for (const findings::KeyValue& fact : report.provenance.device) named = named || fact.value == "SERIAL1";
  EXPECT_TRUE(named);
}

struct Misbehaviour {
  const char* behaviour;
  std::string_view status;
  std::string_view reason;  // part of what is recorded
};

class MisbehavingRunner : public testing::TestWithParam<Misbehaviour> {};

TEST_P(MisbehavingRunner, IsRecordedAndTheRestGoesOn) {
  std::string config(kToyConfig);
  config.insert(config.find('{') + 1, R"("timeout_seconds": 1,)");
  const Bench toy(config);
  Bench::runner_should(GetParam().behaviour, "on_t1_r2");
  const ProgramResult result = toy.bench({"--rounds", "2", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.standard_error, "4 of 5 steps ok")) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_error, GetParam().status)) << result.standard_error;
  const findings::Findings report = findings_in(result);
  const trace::QualityRow* row = row_in(report, "run_directory.step_not_ok");
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(contains(row->sentence, GetParam().reason)) << row->sentence;
  expect_documented_files(toy.runs());
  // The other round says something; what the failed one left says nothing.
  EXPECT_EQ(verdicts(report).size(), 1U);
  EXPECT_EQ(findings::find_metric(report, "speedup")->n, 9U);
  const ProgramResult check = toy.validate();
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_TRUE(contains(check.standard_output, "--resume")) << check.standard_output;

  unsetenv("STAND_IN_BEHAVIOUR");
  EXPECT_EQ(toy.bench({"--rounds", "2", "--resume"}).exit_code, 0);
  const ProgramResult mended = toy.validate();
  EXPECT_EQ(mended.exit_code, 0) << mended.standard_output;
}

INSTANTIATE_TEST_SUITE_P(Bench, MisbehavingRunner,
                         testing::Values(Misbehaviour{"crash", "crashed", "signal 11"},
                                         Misbehaviour{"hang", "timeout", "time limit"},
                                         Misbehaviour{"half", "failed", "cut off"},
                                         Misbehaviour{"exit3", "failed", "status 3"},
                                         Misbehaviour{"no_etdump", "failed", "did not write"}),
                         [](const auto& test) { return std::string(test.param.behaviour); });

// Nothing of it is left over either: not from an earlier run that was replaced.
TEST(Bench, AnExperimentThatFailsAltogetherSaysNothing) {
  const Bench toy;
  ASSERT_EQ(toy.bench({"--rounds", "2"}).exit_code, 0);
  Bench::runner_should("crash", "on_t1");
  const ProgramResult result = toy.bench({"--rounds", "1", "--replace", "--json"});
  EXPECT_EQ(result.exit_code, 1);
  const findings::Findings report = findings_in(result);
  EXPECT_TRUE(has_row(report, "trust.failed_experiment"));
  EXPECT_TRUE(verdicts(report).empty());
  for (const trace::QualityRow& row : report.quality.rows())
    EXPECT_FALSE(row.sentence.starts_with("on: runs vary")) << row.sentence;
  expect_documented_files(toy.runs());
}

TEST(Bench, InterruptedKeepsWhatIsDoneAndResumes) {
  const Bench toy;
  Bench::runner_should("hang", "off_t1_r1");
  const ProgramResult result = accelscope({"bench", "toy.json", "--rounds", "2"},
                                          {.folder = toy.folder().path(), .interrupt_when = [&] {
                                             return toy.folder().runner_calls().size() >= 2;
                                           }});
  EXPECT_EQ(result.exit_code, 130) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_error, "--resume")) << result.standard_error;
  EXPECT_TRUE(fs::exists(toy.runs("on/toy_on_t1_r1.etdump")));
  const ProgramResult half = toy.validate();
  EXPECT_EQ(half.exit_code, 1);
  EXPECT_TRUE(contains(half.standard_output, "have not run")) << half.standard_output;

  unsetenv("STAND_IN_BEHAVIOUR");
  const ProgramResult rest = toy.bench({"--rounds", "2", "--resume"});
  EXPECT_EQ(rest.exit_code, 0) << rest.standard_error;
  EXPECT_TRUE(contains(rest.standard_error, "1 of them from before")) << rest.standard_error;
  EXPECT_EQ(toy.validate().exit_code, 0);
}

TEST(Bench, RunsOnlyWhatIsNamed) {
  const Bench toy;
  const ProgramResult result = toy.bench({"--rounds", "1", "--only", "on,off"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(toy.folder().runner_calls().size(), 2U);
  EXPECT_TRUE(contains(result.standard_error, "2 of 3 steps ok")) << result.standard_error;
  const ProgramResult wrong = toy.bench({"--only", "onn", "--resume"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(contains(wrong.standard_error, "onn")) << wrong.standard_error;
}

TEST(Bench, RefusesAFolderThatHoldsARun) {
  const Bench toy;
  ASSERT_EQ(toy.bench({"--rounds", "1"}).exit_code, 0);
  const ProgramResult again = toy.bench({"--rounds", "1"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_TRUE(contains(again.standard_error, "--resume")) << again.standard_error;
  EXPECT_TRUE(contains(again.standard_error, "--replace")) << again.standard_error;
  EXPECT_EQ(toy.bench({"--rounds", "1", "--resume", "--replace"}).exit_code, 1);
  EXPECT_EQ(toy.bench({"--rounds", "0"}).exit_code, 1);
}

TEST(Bench, SuggestsTheKeyThatWasMeant) {
  std::string config(kToyConfig);
  config.replace(config.find("\"runs\""), 6, "\"run\"");
  const Bench toy(config);
  const ProgramResult result = toy.bench({"--rounds", "1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.standard_error, "did you mean `runs`?")) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_error, "line 4")) << result.standard_error;
  EXPECT_FALSE(fs::exists(toy.runs("manifest.json")));

  const ProgramResult compat = toy.bench({"--rounds", "1", "--compat"});
  EXPECT_EQ(compat.exit_code, 0) << compat.standard_error;
  EXPECT_TRUE(contains(compat.standard_error, "warning: ")) << compat.standard_error;
  EXPECT_TRUE(fs::exists(toy.runs("on/toy_on_t1_exec_all_runs_timeline_robust_stats.json")));
  EXPECT_TRUE(fs::exists(toy.runs("on/toy_on_t1_category_summary.csv")));
}

TEST(Bench, AnalysesAloneWithoutRunning) {
  const Bench toy;
  const ProgramResult nothing = toy.bench({"--analysis-only", "--rounds", "1"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_FALSE(fs::exists(toy.runs("manifest.json")));
  ASSERT_EQ(toy.bench({"--rounds", "1"}).exit_code, 0);
  const std::size_t calls = toy.folder().runner_calls().size();
  for (const std::string_view name : {"metrics.json", "report.md", "on/toy_on_t1_exec_all_runs_timeline.csv"})
    fs::remove(toy.runs(name));
  EXPECT_EQ(toy.validate().exit_code, 1);
  const ProgramResult again = toy.bench({"--analysis-only", "--rounds", "1"});
  EXPECT_EQ(again.exit_code, 0) << again.standard_error;
  EXPECT_EQ(toy.folder().runner_calls().size(), calls);
  EXPECT_EQ(toy.validate().exit_code, 0) << toy.validate().standard_output;
}

TEST(Bench, SaysWhatIsWrongWithTheConfig) {
  for (const std::string_view config : {"", "{", "[]", "{\"model\": 7}", "{\"model\": \"gone.pte\"}"}) {
    const Bench toy(config);
    const ProgramResult result = toy.bench();
    EXPECT_EQ(result.exit_code, 1) << config;
    EXPECT_NE(result.standard_error, "") << config;
  }
  const ProgramResult absent = accelscope({"bench", "/no/such/config.json"});
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_TRUE(contains(absent.standard_error, "/no/such/config.json")) << absent.standard_error;
}

}  // namespace
}  // namespace accelscope::cli
