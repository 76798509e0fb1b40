// Recordings of chips that are damaged, contradict themselves, or are given where they make no sense: a
// message and exit code 1, or a row in the trust box; no crash, and nothing overwritten.
#include <gtest/gtest.h>

#include "cli/chip_program.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

// Two tasks, in a form that is easy to damage.
std::string small_swimlane() {
  return R"({"chip_swimlane_level": 2,
  "metadata": {"clock_freq_hz": 50000000, "num_cores": 3, "core_types": ["aic", "aiv", "aiv"]},
  "aicore_tasks": [[1, 0, 1, 1000, 2000, 10], [2, 1, 1, 3000, 4000, 10]],
  "aicpu_tasks": [[1, 1, 900, 2100], [2, 1, 2500, 4100]]})";
}

struct Damage {
  std::string_view from;
  std::string_view to;
};

std::string damaged(std::initializer_list<Damage> all) {
  std::string text = small_swimlane();
  for (const Damage& one : all) replace(text, one.from, one.to);
  return text;
}

// No verb reads it, each says why, and what is in the place of the output stays.
void expect_refused(const std::string& json, std::string_view message) {
  SCOPED_TRACE(message);
  const TemporaryFolder folder;
  const std::string path = folder.file("chip_swimlane_records.json");
  write_file(path, json);
  write_file(folder.file("out.pftrace"), "old");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"report", path},
                                                {"validate", path},
                                                {"compare", path, path},
                                                {"convert", path, "-o", folder.file("out.pftrace")}}) {
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1) << words[0];
    EXPECT_TRUE(contains(result.standard_error, path + ": ")) << result.standard_error;
    EXPECT_TRUE(contains(result.standard_error, message)) << words[0] << ": " << result.standard_error;
    EXPECT_EQ(result.standard_output, "");
  }
  EXPECT_EQ(read_file(folder.file("out.pftrace")), "old");
  EXPECT_EQ(folder.names().size(), 2U);
}

TEST(BadChipFile, ThatCannotBeReadIsRefusedWithAPlace) {
  const std::string whole = small_swimlane();
  expect_refused(whole.substr(0, whole.size() - 20), "the file ends");
  expect_refused(whole.substr(0, 80), "byte 80: the file ends");
  expect_refused("", "is empty (0 bytes)");
  expect_refused(damaged({{"[2, 1, 1, 3000", "[-2, 1, 1, 3000"}}), "an integer that is not negative");
  expect_refused(damaged({{"[2, 1, 1, 3000", "[\"two\", 1, 1, 3000"}}), "byte ");
}

struct OddCase {
  std::string name;
  std::string swimlane;
  std::string id;        // of the row in the trust box
  std::string sentence;  // part of it
  int validate_exit = 0;
  std::string violated = {};  // what validate prints below the invariant
};

class OddChipFile : public testing::TestWithParam<OddCase> {};

// Read all the same: the report names it, and nothing but its own output is written.
TEST_P(OddChipFile, IsReadAndNamed) {
  const OddCase& odd = GetParam();
  const TemporaryFolder folder;
  const std::string path = folder.file("chip_swimlane_records.json");
  write_file(path, odd.swimlane);
  const ProgramResult report = accelscope({"report", path, "--json"});
  EXPECT_EQ(report.exit_code, 0) << report.standard_error;
  const findings::Findings findings = findings_in(report);
  const trace::QualityRow* row = row_in(findings, odd.id);
  ASSERT_NE(row, nullptr) << report.standard_output.substr(0, 1500);
  EXPECT_TRUE(contains(row->sentence, odd.sentence)) << row->sentence;
  const ProgramResult validate = accelscope({"validate", path});
  EXPECT_EQ(validate.exit_code, odd.validate_exit) << validate.standard_output;
  EXPECT_TRUE(contains(validate.standard_output, odd.id)) << validate.standard_output;
  EXPECT_TRUE(contains(validate.standard_output, odd.violated)) << validate.standard_output;
  const ProgramResult convert = accelscope({"convert", path, "-o", folder.file("out.pftrace")});
  EXPECT_EQ(convert.exit_code, 0) << convert.standard_error;
  EXPECT_TRUE(contains(convert.standard_error, odd.id)) << convert.standard_error;
  EXPECT_EQ(accelscope({"compare", path, path}).exit_code, 0);
  EXPECT_EQ(folder.names().size(), 2U);
}

constexpr std::string_view kPhases =
    R"({"clock_freq_hz": 50000000, "core_to_thread": [0, 0, 0], "num_cores")";

std::vector<OddCase> odd_cases() {
  return {
      {"LevelAboveItsStreams", damaged({{"level\": 2", "level\": 4"}}), "chip_swimlane.level_mismatch",
       "says that it was recorded at level 4, but what is in it is level 2"},
      {"LevelBelowItsStreams", damaged({{"level\": 2", "level\": 1"}}), "chip_swimlane.level_mismatch",
       "says that it was recorded at level 1, but what is in it is level 2"},
      {"NegativeDuration", damaged({{"1000, 2000, 10", "2000, 1000, 10"}}), "chip_swimlane.end_before_start",
       "ends before it starts: it is shown with a duration of zero", 1,
       "1 violation: t0 on core 1 ends before it starts"},
      {"BackwardsPhase",
       damaged(
           {{R"({"clock_freq_hz": 50000000, "num_cores")", kPhases},
            {"level\": 2", "level\": 3"},
            {"4100]]}",
             R"(4100]], "aicpu_scheduler_phases": [[{"kind": "dispatch", "start_cycles": 890, "end_cycles": 880,
             "tasks_processed": 2}, {"kind": "complete", "start_cycles": 4200, "end_cycles": 4300,
             "tasks_processed": 2}]]})"}}),
       "chip_swimlane.end_before_start", "A scheduler phase ends before it starts", 1,
       "1 violation: a dispatch of scheduler 0"},
      {"FinishBeforeEnd", damaged({{"900, 2100", "900, 1500"}}), "chip_swimlane.finish_before_end",
       "saw the end of a task before its core did", 1,
       "1 violation: t0 on core 1: its moments are not in order"},
      {"DispatchAfterStart", damaged({{"900, 2100", "1500, 2100"}}), "chip_swimlane.dispatch_after_receive",
       "", 1, "1 violation: t0 on core 1: its moments are not in order"},
      {"UnknownPhase",
       damaged(
           {{R"({"clock_freq_hz": 50000000, "num_cores")", kPhases},
            {"level\": 2", "level\": 3"},
            {"4100]]}",
             R"(4100]], "aicpu_scheduler_phases": [[{"kind": "juggle", "start_cycles": 890, "end_cycles": 920}]]})"}}),
       "chip_swimlane.unknown_phase", "of a kind that is not known here: kept under its name", 1,
       "2 violations: 0 handed out, 2 dispatches"},
      {"CoreBeyondTheirNumber", damaged({{"[2, 1, 1, 3000", "[7, 1, 1, 3000"}}),
       "chip_swimlane.core_out_of_range", "beyond the number of cores", 1,
       "t1 on core 7 has no record of its scheduler"},
      {"ImpossibleCore", damaged({{"[2, 1, 1, 3000", "[4000000000, 1, 1, 3000"}}),
       "chip_swimlane.impossible_core", "rejected", 1, "1 violation: cores: 1 of 2 are here"},
      {"NumberMissing", damaged({{"[2, 1, 1, 3000", "[2, 1, 5, 3000"}, {"[2, 1, 2500", "[2, 5, 2500"}}),
       "chip_swimlane.lost_rows", "the recorder lost that row", 1, "1 violation: t1 on core 2 has number 5"},
  };
}

// Core 9 is not counted by the file, but ran something; of 3 to 8 it does not speak at all.
TEST(BadChipFile, CoresThatItNeverSpeaksOfAreNotIdle) {
  const TemporaryFolder folder;
  const std::string path = folder.file("chip_swimlane_records.json");
  write_file(path, damaged({{"[2, 1, 1, 3000", "[9, 1, 1, 3000"}, {"[2, 1, 2500", "[9, 1, 2500"}}));
  const findings::Findings report = findings_in(accelscope({"report", path, "--json"}));
  const findings::Section* section = findings::find_section(report, "core_time");
  ASSERT_NE(section, nullptr);
  const findings::Table* cores = findings::find_table(*section, "cores");
  const findings::Table* engines = findings::find_table(*section, "engines");
  ASSERT_TRUE(cores != nullptr && engines != nullptr);
  std::vector<std::string> names;
  for (const auto& row : cores->rows) names.push_back(std::get<std::string>(row[0]));
  EXPECT_EQ(names, (std::vector<std::string>{"AIC 0", "AIV 1", "AIV 2", "AIV 9"}));
  // From the first dispatch to the last finish, times four.
  EXPECT_TRUE(contains(engines->note, "they sum to 12800 ticks exactly")) << engines->note;
  EXPECT_EQ(row_in(report, "chip_swimlane.core_out_of_range")->count, 1U);
}

INSTANTIATE_TEST_SUITE_P(BadChip, OddChipFile, testing::ValuesIn(odd_cases()),
                         [](const auto& odd) { return odd.param.name; });

// The report on the small swimlane with these files beside it.
findings::Findings report_with(const TemporaryFolder& folder,
                               std::initializer_list<std::pair<std::string_view, std::string>> files,
                               std::vector<std::string> more = {}) {
  write_file(folder.file("swimlane.json"), chip_swimlane({.tasks = 4}));
  for (const auto& [name, text] : files) write_file(folder.file(name), text);
  std::vector<std::string> words = {"report", folder.file("swimlane.json"), "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramResult result = accelscope(words);
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  return findings_in(result);
}

TEST(BadChipSibling, DependenciesOfAnotherRunAreNotUsed) {
  const TemporaryFolder folder;
  const findings::Findings report = report_with(
      folder,
      {{"deps.json",
        R"({"tasks":[{"task_id":"77","kernel_ids":[-1,0,-1],"block_num":1}],"tensors":[],"edges":[]})"}});
  const trace::QualityRow* row = row_in(report, "chip_run.deps_of_another_run");
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(contains(row->sentence, "it describes 0 of the 4 tasks that ran")) << row->sentence;
  EXPECT_TRUE(has_row(report, "trust.chip_no_dependencies"));
}

TEST(BadChipSibling, CyclesAreErrors) {
  const TemporaryFolder folder;
  const findings::Findings report = report_with(
      folder, {{"deps.json", chip_deps({.tasks = 4}, R"({"pred":"0","succ":"3","source":"creator"},)"
                                                     R"({"pred":"3","succ":"0","source":"creator"})")}});
  for (const std::string_view id : {"chip_run.cyclic_dependencies", "trust.chip_cycles"}) {
    const trace::QualityRow* row = row_in(report, id);
    ASSERT_NE(row, nullptr) << id;
    EXPECT_EQ(row->severity, trace::Severity::kError);
    EXPECT_EQ(row->count, 2U);
  }
  const ProgramResult validate = accelscope({"validate", folder.file("swimlane.json")});
  EXPECT_EQ(validate.exit_code, 1);
  EXPECT_TRUE(contains(validate.standard_output, "2 violations: 2 tasks are on a cycle or behind one"))
      << validate.standard_output;
}

TEST(BadChipSibling, TwoThatClaimOnePlaceAreNamedAndOneIsChosenByHand) {
  const TemporaryFolder folder;
  const std::string deps = chip_deps({.tasks = 4});
  const findings::Findings report = report_with(folder, {{"deps.json", deps}, {"deps_old.json", deps}});
  const trace::QualityRow* row = row_in(report, "chip_run.ambiguous_sibling");
  ASSERT_NE(row, nullptr);
  EXPECT_TRUE(contains(row->sentence,
                       "hold dependencies: deps.json, deps_old.json. None is used; choose with --deps"))
      << row->sentence;
  EXPECT_TRUE(has_row(report, "trust.chip_no_dependencies"));
  const findings::Findings chosen = report_with(folder, {}, {"--deps", folder.file("deps_old.json")});
  EXPECT_FALSE(has_row(chosen, "chip_run.ambiguous_sibling"));
  EXPECT_FALSE(has_row(chosen, "trust.chip_no_dependencies"));
  const ProgramResult both = accelscope(
      {"report", folder.file("swimlane.json"), folder.file("deps.json"), folder.file("deps_old.json")});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_TRUE(
      contains(both.standard_error, "deps_old.json: is a second deps; only one can be used at a time"))
      << both.standard_error;
}

TEST(BadChipSibling, ADamagedOneIsAWarningWhenFoundAndAnErrorWhenGiven) {
  const TemporaryFolder folder;
  const findings::Findings report =
      report_with(folder, {{"deps.json", chip_deps({.tasks = 4}).substr(0, 100)}});
  const trace::QualityRow* row = row_in(report, "chip_run.bad_sibling");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->first_place.kind, base::Location::Kind::kByte) << row->first_place.to_string();
  const ProgramResult given =
      accelscope({"report", folder.file("swimlane.json"), "--deps", folder.file("deps.json")});
  EXPECT_EQ(given.exit_code, 1);
  EXPECT_TRUE(contains(given.standard_error, folder.file("deps.json") + ": byte ")) << given.standard_error;
  const ProgramResult wrong =
      accelscope({"report", folder.file("swimlane.json"), "--names", folder.file("swimlane.json")});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_TRUE(contains(wrong.standard_error, "is not what --names takes")) << wrong.standard_error;
}

TEST(BadChipSibling, AloneItIsRefused) {
  const TemporaryFolder folder;
  write_file(folder.file("deps.json"), chip_deps({.tasks = 4}));
  write_file(folder.file("names.json"), R"({"level":2,"callable_id_to_name":{"0":"CUBE"}})");
  for (const std::string verb : {"report", "validate"}) {
    const ProgramResult deps = accelscope({verb, folder.file("deps.json")});
    EXPECT_EQ(deps.exit_code, 1);
    EXPECT_TRUE(
        contains(deps.standard_error,
                 "belongs to the run of a chip: it holds dependencies, not times; give it together with "
                 "its chip_swimlane_records.json"))
        << deps.standard_error;
    const ProgramResult names = accelscope({verb, folder.file("names.json")});
    EXPECT_EQ(names.exit_code, 1);
    EXPECT_TRUE(contains(names.standard_error, "it holds names of functions, not times"))
        << names.standard_error;
  }
}

TEST(MisplacedChipRun, ViewsOfModelsSendItToTheReport) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  write_file(folder.file("saved.json"), accelscope({"report", path, "--json"}).standard_output);
  for (const std::string verb : {"latency", "operators", "kernels"})
    for (const std::string& input : {path, folder.file("run"), folder.file("saved.json")}) {
      const ProgramResult result = accelscope({verb, input});
      EXPECT_EQ(result.exit_code, 1) << verb;
      EXPECT_TRUE(
          contains(result.standard_error,
                   input + ": is the recording of a chip, not of a model; accelscope report explains it"))
          << result.standard_error;
    }
}

TEST(MisplacedChipRun, IsReportedByItself) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  const std::string other = write_chip_run(folder, "other");
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  write_file(folder.file("saved.json"), accelscope({"report", path, "--json"}).standard_output);
  const std::string toy = folder.file("toy.etdump");
  const std::string saved = folder.file("saved.json");
  for (const std::vector<std::string>& inputs : {std::vector<std::string>{path, other},
                                                 {path, toy},
                                                 {toy, path},
                                                 {saved, path},
                                                 {path, saved},
                                                 {toy, saved},
                                                 {saved, saved}}) {
    std::vector<std::string> words = {"report", "--out", folder.file("report.md")};
    words.insert(words.end(), inputs.begin(), inputs.end());
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1) << inputs[0] << ' ' << inputs[1];
    EXPECT_TRUE(contains(result.standard_error, "which is reported by itself; accelscope compare takes two"))
        << result.standard_error;
    EXPECT_FALSE(fs::exists(folder.file("report.md")));
  }
  for (const std::string& input : {path, saved}) {
    const ProgramResult roles = accelscope({"report", input, "--baseline", "x"});
    EXPECT_EQ(roles.exit_code, 1);
    EXPECT_TRUE(contains(roles.standard_error, "--baseline and --candidate are for models"))
        << roles.standard_error;
    const ProgramResult combined = accelscope({"report", "--combined", "a=" + input});
    EXPECT_EQ(combined.exit_code, 1);
    EXPECT_TRUE(contains(combined.standard_error, "is of a chip, not of a model")) << combined.standard_error;
  }
}

TEST(MisplacedChipRun, IsNotComparedWithAModel) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  const std::string toy = folder.file("toy.etdump");
  make_toy(toy, ToySpeed::kFast);
  for (const auto& [baseline, candidate] : {std::pair(path, toy), std::pair(toy, path)}) {
    const ProgramResult result =
        accelscope({"compare", baseline, candidate, "--gate", "3%", "--junit", folder.file("gate.xml")});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(
        contains(result.standard_error, toy + ": is no recording of a chip; it cannot be compared with one"))
        << result.standard_error;
    EXPECT_FALSE(fs::exists(folder.file("gate.xml")));
  }
}

}  // namespace
}  // namespace accelscope::cli
