// `accelscope overhead` as a user runs it, and reports that quote what it saved. No time is judged here.
#include <gtest/gtest.h>

#include "cli/chip_program.h"
#include "formats/chip_run/sample_recordings.h"
#include "report/plain_text.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

ProgramResult measure(std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"overhead", "--seconds", "0.01"});
  return accelscope(words);
}

const trace::QualityRow* quoted_in(const findings::Findings& findings) {
  return row_in(findings, "trust.chip_overhead");
}

TEST(Overhead, PrintsATableThatFitsATerminal) {
  const ProgramResult result = measure({"--task-length", "2.5us"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected : {"one read of the counter", "one hook, its feature off",
                                          "Of 2.500 µs", "overwrite", "On disk", "Lost", "Machine"})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected << '\n' << result.standard_output;
  for (std::string_view rest = result.standard_output; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    EXPECT_LE(report::display_width(line), 100U) << line;
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
}

TEST(Overhead, IsSavedWithTheMachineAndShownAgain) {
  const TemporaryFolder folder;
  const std::string path = folder.file("overhead.json");
  const ProgramResult result = measure({"--json", "--save", path});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_error, "wrote " + path)) << result.standard_error;
  EXPECT_EQ(read_file(path), result.standard_output);
  const findings::Findings findings = findings_in(result);
  EXPECT_EQ(findings.kind, "overhead");
  EXPECT_EQ(rows_of(findings, "cost", "costs").size(), 10U);
  EXPECT_FALSE(findings.provenance.generated_at.empty());
  ASSERT_FALSE(findings.provenance.device.empty());
  EXPECT_EQ(findings.provenance.device[0].key, "machine");
  EXPECT_FALSE(findings.provenance.device[0].value.empty());
  EXPECT_EQ(accelscope({"report", path, "--json"}).standard_output, result.standard_output);
}

TEST(Overhead, BadOptionsAreExplained) {
  const auto mistake = [](std::vector<std::string> words, std::string_view expected) {
    words.insert(words.begin(), "overhead");
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.standard_output, "");
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  for (const char* length : {"0", "-1us", "soon", ""})
    mistake({"--task-length", length}, "expected a time above zero");
  for (const char* seconds : {"0", "-1", "nan", "inf", "3601", "long", "1s"})
    mistake({"--seconds", seconds}, "expected a number above zero");
  mistake({"run.json"}, "run.json");
  mistake({"--json", "--markdown"}, "exclude each other");
  mistake({"--seconds", "0.01", "--save", "/nowhere/overhead.json"}, "/nowhere/overhead.json");
}

TEST(Overhead, AReportQuotesIt) {
  const TemporaryFolder folder;
  const std::string run = write_chip_run(folder, "run");
  const std::string saved = folder.file("saved.json");
  ASSERT_EQ(measure({"--save", saved}).exit_code, 0);
  const findings::Findings without = findings_in(accelscope({"report", run, "--json"}));
  EXPECT_TRUE(has_row(without, "trust.chip_observer"));
  EXPECT_EQ(quoted_in(without), nullptr);

  const findings::Findings with = findings_in(accelscope({"report", run, "--overhead", saved, "--json"}));
  EXPECT_FALSE(has_row(with, "trust.chip_observer")) << "what was measured takes its place";
  ASSERT_NE(quoted_in(with), nullptr);
  for (const char* expected : {"level 2 of the recorder, policy block", "ns per task",
                               "of this run's median task of 20.5 us", "on the core itself", "measured on "})
    EXPECT_TRUE(contains(quoted_in(with)->sentence, expected)) << quoted_in(with)->sentence;
  EXPECT_EQ(with.provenance.inputs.back().path, saved);
  EXPECT_EQ(with.provenance.inputs.back().role, "overhead");

  // One that lies beside the recording is found; one that is named goes before it.
  write_file(folder.file("run/overhead.json"), read_file(saved));
  for (const std::string& input : {run, folder.file("run")})
    EXPECT_NE(quoted_in(findings_in(accelscope({"report", input, "--json"}))), nullptr) << input;
}

TEST(Overhead, AReportQuotesThePolicyOfItsRecording) {
  const TemporaryFolder folder;
  base::MemoryOutput recording;
  ASSERT_TRUE(formats::chip_run::record_everything(recording));
  write_file(folder.file("run.astrace"), recording.bytes());
  ASSERT_EQ(measure({"--save", folder.file("overhead.json")}).exit_code, 0);
  const ProgramResult result = accelscope({"report", folder.file("run.astrace"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  ASSERT_NE(quoted_in(findings_in(result)), nullptr);
  EXPECT_TRUE(
      contains(quoted_in(findings_in(result))->sentence, "(level 3 of the recorder, policy drop) costs"))
      << quoted_in(findings_in(result))->sentence;
}

TEST(Overhead, AReportRefusesWhatIsNone) {
  const TemporaryFolder folder;
  const std::string run = write_chip_run(folder, "run");
  const auto refused = [&](const std::string& path, std::string_view expected) {
    const ProgramResult result = accelscope({"report", run, "--overhead", path});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.standard_error, path)) << result.standard_error;
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  refused(folder.file("missing.json"), "No such file");
  refused(run, "is no saved overhead");
  write_file(folder.file("report.json"), accelscope({"report", run, "--json"}).standard_output);
  refused(folder.file("report.json"), "of the kind 'chip report'");

  // Beside the recording, the same is only worth a row.
  write_file(folder.file("run/overhead.json"), "{}");
  const ProgramResult found = accelscope({"report", run, "--json"});
  EXPECT_EQ(found.exit_code, 0) << found.standard_error;
  EXPECT_TRUE(has_row(findings_in(found), "trust.overhead_unusable"));
  EXPECT_TRUE(has_row(findings_in(found), "trust.chip_observer"));

  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const ProgramResult model =
      accelscope({"report", folder.file("toy.etdump"), "--overhead", folder.file("missing.json")});
  EXPECT_EQ(model.exit_code, 1);
  EXPECT_TRUE(contains(model.standard_error, "--overhead belongs to those")) << model.standard_error;
}

}  // namespace
}  // namespace accelscope::cli
