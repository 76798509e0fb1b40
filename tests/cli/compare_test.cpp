// `accelscope compare` and its gate.
#include <gtest/gtest.h>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

// Two recordings, the second slower by so many percent, and what the gate says to them.
ProgramResult gate(std::uint64_t percent, std::vector<std::string> words, std::uint32_t runs = 60) {
  const TemporaryFolder folder;
  make_toy(folder.file("before.etdump"), ToySpeed::kFast, {.count = runs, .seed = 1});
  make_toy(folder.file("after.etdump"), ToySpeed::kFast, {.count = runs, .seed = 1}, 100 + percent);
  std::vector<std::string> all = {"compare", folder.file("before.etdump"), folder.file("after.etdump")};
  all.insert(all.end(), words.begin(), words.end());
  return accelscope(all);
}

TEST(Compare, FindsTheSpeedupOfTheFixtures) {
  SKIP_WITHOUT_FIXTURES();
  const std::string dumps = std::string(ACCELSCOPE_FIXTURES_DIR) + "/etdump/";
  const ProgramResult result = accelscope(
      {"compare", dumps + "gen_toy_sme2_off_t1.etdump", dumps + "gen_toy_sme2_on_t1.etdump", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings comparison = findings_in(result);
  const findings::Metric* speedup = findings::find_metric(comparison, "speedup");
  ASSERT_NE(speedup, nullptr);
  EXPECT_NEAR(*speedup->value, 3.37, 0.005);
  ASSERT_TRUE(speedup->interval);
  EXPECT_GT(speedup->interval->low, 1);
  EXPECT_TRUE(contains(verdicts(comparison)[0], "3.37x faster"));
}

TEST(Compare, OfAFileWithItselfFindsNoDifference) {
  const TemporaryFolder folder;
  const std::string file = folder.file("toy.etdump");
  make_toy(file, ToySpeed::kFast, {.count = 40, .seed = 2});
  const ProgramResult result = accelscope({"compare", file, file, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings comparison = findings_in(result);
  EXPECT_TRUE(contains(verdicts(comparison)[0], "No difference")) << verdicts(comparison)[0];
  EXPECT_EQ(*findings::find_metric(comparison, "speedup")->value, 1);
  ASSERT_EQ(comparison.provenance.inputs.size(), 2U);
  EXPECT_EQ(comparison.provenance.inputs[0].role, "baseline");
  EXPECT_EQ(comparison.provenance.inputs[1].role, "candidate");
}

TEST(Compare, GateFailsWhatIsSlowerAndSaysSoInJunit) {
  const TemporaryFolder folder;
  const std::string junit = folder.file("gate.xml");
  const ProgramResult slower = gate(5, {"--gate", "3%", "--junit", junit});
  EXPECT_EQ(slower.exit_code, 2) << slower.standard_output << slower.standard_error;
  EXPECT_TRUE(contains(slower.standard_output, "FAILED"));
  EXPECT_TRUE(contains(read_file(junit), "<failure")) << read_file(junit);
  EXPECT_TRUE(contains(read_file(junit), R"(failures="1")"));

  const ProgramResult equal = gate(0, {"--gate", "3%", "--junit", junit});
  EXPECT_EQ(equal.exit_code, 0) << equal.standard_output;
  EXPECT_TRUE(contains(equal.standard_output, "passed"));
  EXPECT_FALSE(contains(read_file(junit), "<failure")) << read_file(junit);
  EXPECT_FALSE(contains(read_file(junit), "<skipped"));

  EXPECT_EQ(gate(5, {"--gate", "8 %"}).exit_code, 0);
  EXPECT_EQ(gate(5, {"--gate", "3", "--json"}).exit_code, 2);
}

TEST(Compare, GateSkipsWhatCannotBeDecidedUnlessStrict) {
  const TemporaryFolder folder;
  const std::string junit = folder.file("gate.xml");
  const ProgramResult skipped = gate(5, {"--gate", "3%", "--junit", junit}, 2);
  EXPECT_EQ(skipped.exit_code, 0) << skipped.standard_output;
  EXPECT_TRUE(contains(skipped.standard_output, "undecided")) << skipped.standard_output;
  EXPECT_TRUE(contains(read_file(junit), "<skipped")) << read_file(junit);
  const ProgramResult strict = gate(5, {"--gate", "3%", "--strict", "--junit", junit}, 2);
  EXPECT_EQ(strict.exit_code, 2) << strict.standard_output;
  EXPECT_TRUE(contains(read_file(junit), "<failure")) << read_file(junit);
}

TEST(Compare, RefusesBadGates) {
  for (const std::string_view value : {"", "-1", "abc", "3%%", "nan", "inf", "2000%", "1e400"}) {
    const ProgramResult result = gate(0, {"--gate=" + std::string(value)}, 3);
    EXPECT_EQ(result.exit_code, 1) << value << result.standard_output;
    EXPECT_TRUE(contains(result.standard_error, "--gate")) << result.standard_error;
  }
  EXPECT_TRUE(contains(gate(0, {"--strict"}, 3).standard_error, "--gate"));
  EXPECT_EQ(gate(0, {"--junit", "x.xml"}, 3).exit_code, 1);
  EXPECT_EQ(gate(0, {"--gate", "3%", "--junit", "/no/such/folder/x.xml"}, 3).exit_code, 1);
}

TEST(Compare, TakesSavedFindings) {
  const TemporaryFolder folder;
  make_toy(folder.file("off.etdump"), ToySpeed::kSlow);
  make_toy(folder.file("on.etdump"), ToySpeed::kFast);
  const ProgramResult direct =
      accelscope({"compare", folder.file("off.etdump"), folder.file("on.etdump"), "--json"});
  for (const std::string_view verb : {"latency", "operators", "report"}) {
    const ProgramResult saved = accelscope({std::string(verb), folder.file("off.etdump"), "--json"});
    write_file(folder.file("off.json"), saved.standard_output);
    const ProgramResult again =
        accelscope({"compare", folder.file("off.json"), folder.file("on.etdump"), "--json"});
    ASSERT_EQ(again.exit_code, 0) << verb << again.standard_error;
    EXPECT_EQ(rows_of(findings_in(again), "latency", "latency"),
              rows_of(findings_in(direct), "latency", "latency"))
        << verb;
    EXPECT_EQ(verdicts(findings_in(again)), verdicts(findings_in(direct))) << verb;
  }
}

TEST(Compare, ChoosesExperimentsOfRunDirectories) {
  const TemporaryFolder folder;
  make_toy(folder.file("runs/toy_on_t1.etdump"), ToySpeed::kFast);
  make_toy(folder.file("runs/toy_off_t1.etdump"), ToySpeed::kSlow);
  make_toy(folder.file("runs/toy_off_t4.etdump"), ToySpeed::kSlow, {.count = 10, .seed = 4});
  const std::string runs = folder.file("runs");
  const ProgramResult unclear = accelscope({"compare", runs, runs});
  EXPECT_EQ(unclear.exit_code, 1);
  EXPECT_TRUE(contains(unclear.standard_error, "toy_off t4")) << unclear.standard_error;
  const ProgramResult pair =
      accelscope({"compare", runs, runs, "--baseline", "toy_off t1", "--candidate", "toy_on", "--json"});
  ASSERT_EQ(pair.exit_code, 0) << pair.standard_error;
  EXPECT_TRUE(contains(verdicts(findings_in(pair))[0], "3.01x faster")) << verdicts(findings_in(pair))[0];
  const std::vector<std::string> mixed = {"compare",    runs,          runs,    "--baseline",
                                          "toy_off t4", "--candidate", "toy_on"};
  const ProgramResult refused = accelscope(mixed);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_TRUE(contains(refused.standard_error, "--allow-thread-mismatch")) << refused.standard_error;
  std::vector<std::string> allowed = mixed;
  allowed.insert(allowed.end(), {"--allow-thread-mismatch", "--json"});
  EXPECT_TRUE(has_row(findings_in(accelscope(allowed)), "trust.threads_differ"));
}

// Times that are no latency: shown with an error, and no verdict is built on them.
TEST(Compare, SaysWhichExperimentsThereAre) {
  const TemporaryFolder folder;
  make_toy(folder.file("off.etdump"), ToySpeed::kSlow);
  const ProgramResult typo =
      accelscope({"compare", folder.file("off.etdump"), folder.file("off.etdump"), "--baseline", "of"});
  EXPECT_EQ(typo.exit_code, 1);
  EXPECT_TRUE(contains(typo.standard_error, "no experiment called of; there are: off"))
      << typo.standard_error;
}

TEST(Compare, GivesNoVerdictOnOneRunCutOutOfARecording) {
  const TemporaryFolder folder;
  write_file(folder.file("off_exec_run0_timeline.csv"), timeline_csv({"2.0"}));
  write_file(folder.file("on_exec_run0_timeline.csv"), timeline_csv({"1.0"}));
  const std::vector<std::string> words = {"compare", folder.file("off_exec_run0_timeline.csv"),
                                          folder.file("on_exec_run0_timeline.csv"), "--json"};
  const findings::Findings comparison = findings_in(accelscope(words));
  ASSERT_TRUE(has_row(comparison, "trust.one_run_file"));
  EXPECT_EQ(row_in(comparison, "trust.one_run_file")->severity, trace::Severity::kError);
  EXPECT_TRUE(has_row(comparison, "trust.no_verdict"));
  EXPECT_TRUE(verdicts(comparison).empty());
  EXPECT_EQ(accelscope(words).exit_code, 1);
  // A gate with nothing to judge does not let everything pass.
  std::vector<std::string> gated = words;
  gated.insert(gated.end(), {"--gate", "3%"});
  EXPECT_EQ(accelscope(gated).exit_code, 2);
}

TEST(Compare, GivesNoVerdictOnARecordingOfAKernelTrace) {
  const TemporaryFolder folder;
  const std::string runs = folder.file("runs");
  make_toy(runs + "/on/toy_on_t1.etdump", ToySpeed::kFast);
  make_toy(runs + "/off/toy_off_t1.etdump", ToySpeed::kSlow);
  write_file(runs + "/manifest.json", R"({"config": "toy.json", "model": "toy.pte", "results": [
    {"experiment": "on", "metrics": {"threads": 1, "mode": "timing", "etdump_rel": "on/toy_on_t1.etdump"}},
    {"experiment": "off", "metrics": {"threads": 1, "mode": "xnntrace", "etdump_rel": "off/toy_off_t1.etdump"}}]})");
  const findings::Findings report = findings_in(accelscope({"report", runs, "--json"}));
  ASSERT_TRUE(has_row(report, "trust.kernel_trace_timing"));
  EXPECT_EQ(row_in(report, "trust.kernel_trace_timing")->severity, trace::Severity::kError);
  EXPECT_TRUE(verdicts(report).empty());
  const ProgramResult asked = accelscope({"report", runs, "--baseline", "off", "--candidate", "on"});
  EXPECT_EQ(asked.exit_code, 1);
  EXPECT_TRUE(contains(asked.standard_error, "no timing experiment")) << asked.standard_error;
  const findings::Findings comparison =
      findings_in(accelscope({"compare", runs, runs, "--baseline", "off", "--candidate", "on", "--json"}));
  EXPECT_TRUE(has_row(comparison, "trust.no_verdict"));
  EXPECT_TRUE(verdicts(comparison).empty());
}

}  // namespace
}  // namespace accelscope::cli
