// The recording of a chip, as a user runs the program on it: converted, explained, compared, validated.
#include <gtest/gtest.h>

#include "cli/chip_program.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

std::vector<std::string> section_ids(const findings::Findings& findings) {
  std::vector<std::string> ids;
  for (const findings::Section& section : findings.sections) ids.push_back(section.id);
  return ids;
}

TEST(ChipConvert, EveryGenerationBecomesAPicture) {
  const TemporaryFolder folder;
  for (const formats::chip_swimlane::SampleCapture& sample : formats::chip_swimlane::sample_captures()) {
    SCOPED_TRACE(sample.name);
    write_file(folder.file("in.json"), sample.json);
    const ProgramResult perfetto =
        accelscope({"convert", folder.file("in.json"), "-o", folder.file("out.pftrace")});
    EXPECT_EQ(perfetto.exit_code, 0) << perfetto.standard_error;
    EXPECT_TRUE(contains(perfetto.standard_error, "of Perfetto protobuf; open with https://ui.perfetto.dev"))
        << perfetto.standard_error;
    EXPECT_TRUE(contains(read_file(folder.file("out.pftrace")), "Worker View"));
    const ProgramResult chrome =
        accelscope({"convert", folder.file("in.json"), "--to", "chrome", "-o", folder.file("out.json")});
    EXPECT_EQ(chrome.exit_code, 0) << chrome.standard_error;
    EXPECT_TRUE(contains(chrome.standard_error, "out.json: ")) << chrome.standard_error;
    const std::string json = read_file(folder.file("out.json"));
    EXPECT_TRUE(contains(json, "Worker View"));
    EXPECT_EQ(contains(json, "Scheduler View"), sample.level >= 2);
    EXPECT_EQ(contains(json, "\"dispatch to start\""), sample.level >= 2);
  }
}

TEST(ChipReport, DrawsWhatItExplainsWhenAsked) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  const std::string picture = folder.file("run.pftrace");
  const ProgramResult both = accelscope({"report", path, "--picture", picture});
  EXPECT_EQ(both.exit_code, 0) << both.standard_error;
  EXPECT_EQ(both.standard_output, accelscope({"report", path}).standard_output);
  EXPECT_TRUE(
      contains(both.standard_error, "wrote " + picture + ": the picture: open with https://ui.perfetto.dev"))
      << both.standard_error;
  EXPECT_EQ(accelscope({"convert", path, "-o", folder.file("same.pftrace")}).exit_code, 0);
  EXPECT_TRUE(read_file(picture) == read_file(folder.file("same.pftrace")));

  const ProgramResult over_input = accelscope({"report", path, "--picture", path});
  EXPECT_NE(over_input.exit_code, 0);
  EXPECT_TRUE(contains(over_input.standard_error, "would be overwritten")) << over_input.standard_error;
  const ProgramResult odd = accelscope({"report", path, "--picture", folder.file("run.odd")});
  EXPECT_NE(odd.exit_code, 0);
  EXPECT_TRUE(contains(odd.standard_error, "the ending does not tell the format")) << odd.standard_error;
  write_file(folder.file("saved.json"), accelscope({"report", path, "--json"}).standard_output);
  const ProgramResult saved = accelscope({"report", folder.file("saved.json"), "--picture", picture});
  EXPECT_NE(saved.exit_code, 0);
  EXPECT_TRUE(contains(saved.standard_error, "--picture draws only those")) << saved.standard_error;
}

TEST(ChipReport, IsPrintedInThreeFormsAndWritten) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  const ProgramResult text = accelscope({"report", path, "--out", folder.file("report.md")});
  EXPECT_EQ(text.exit_code, 0) << text.standard_error;
  EXPECT_TRUE(contains(text.standard_error, "wrote " + folder.file("report.md"))) << text.standard_error;
  const ProgramResult markdown = accelscope({"report", path, "--markdown"});
  for (const std::string_view title :
       {"The recording", "Who is the bottleneck", "Where each core's time went", "Functions",
        "From submission to resolve", "Scheduler loop budget", "Critical path", "What if",
        "Load balance and gaps", "Recommendations"}) {
    EXPECT_TRUE(contains(text.standard_output, "\n" + std::string(title) + "\n")) << title;
    EXPECT_TRUE(contains(markdown.standard_output, "\n## " + std::string(title))) << title;
    EXPECT_TRUE(contains(read_file(folder.file("report.md")), "\n## " + std::string(title))) << title;
  }
  EXPECT_TRUE(contains(text.standard_output, "Chip run: chip_swimlane_records.json"));
  EXPECT_FALSE(contains(text.standard_output, "over_time")) << "that is for machines";
  const findings::Findings report = findings_in(accelscope({"report", path, "--json"}));
  EXPECT_EQ(report.kind, "chip report");
  ASSERT_EQ(rows_of(report, "functions", "functions").size(), 3U);
  EXPECT_EQ(std::get<std::string>(rows_of(report, "functions", "functions")[0][0]), "VEC");
  EXPECT_TRUE(has_row(report, "chip_run.siblings_found"));
  ASSERT_EQ(report.provenance.inputs.size(), 3U) << "with the files of its run";
  EXPECT_EQ(report.provenance.inputs[0].format, "chip-swimlane");
  EXPECT_EQ(report.provenance.inputs[1].format, "deps");
  EXPECT_EQ(report.provenance.inputs[1].bytes, fs::file_size(folder.file("run/deps.json")));
  EXPECT_EQ(report.provenance.inputs[2].format, "name-map");
  // Nothing is written into the folder of a run.
  EXPECT_FALSE(fs::exists(folder.file("run/report.md")));
}

TEST(ChipReport, SavedFindingsAreShownAgain) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  const ProgramResult first = accelscope({"report", path, "--json"});
  write_file(folder.file("saved.json"), first.standard_output);
  const ProgramResult again = accelscope({"report", folder.file("saved.json"), "--json"});
  EXPECT_EQ(again.exit_code, 0) << again.standard_error;
  EXPECT_EQ(again.standard_output, first.standard_output);
  const ProgramResult text = accelscope({"report", folder.file("saved.json"), "--title", "Once more"});
  EXPECT_TRUE(text.standard_output.starts_with("Once more\n")) << text.standard_output.substr(0, 100);
  EXPECT_TRUE(contains(text.standard_output, "Where each core's time went"));
  const ProgramResult comparison = accelscope({"compare", folder.file("saved.json"), path, "--gate", "1%"});
  EXPECT_EQ(comparison.exit_code, 0) << comparison.standard_error;
  EXPECT_TRUE(contains(comparison.standard_output, "chip_swimlane_records.json against saved.json"));
  EXPECT_TRUE(contains(comparison.standard_output, "passed: kernel time of VEC: less than 1 % slower"))
      << comparison.standard_output;
}

TEST(ChipReport, NotesAndTitleAreTaken) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  write_file(folder.file("notes.md"), "Check the *queue*.\n");
  const ProgramResult result =
      accelscope({"report", path, "--markdown", "--notes", folder.file("notes.md"), "--title", "Monday"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_TRUE(result.standard_output.starts_with("# Monday\n"));
  EXPECT_TRUE(contains(result.standard_output, "Check the *queue*."));
}

TEST(ChipCompare, SaysWhatChangedByFunction) {
  const TemporaryFolder folder;
  const std::string before = write_chip_run(folder, "before");
  const std::string after = write_chip_run(folder, "after", {.percent = 150});
  const ProgramResult text = accelscope({"compare", before, after});
  EXPECT_EQ(text.exit_code, 0) << text.standard_error;
  EXPECT_TRUE(contains(text.standard_output, "after/chip_swimlane_records.json against before/"))
      << text.standard_output.substr(0, 200);
  const findings::Findings findings = findings_in(accelscope({"compare", before, after, "--json"}));
  EXPECT_EQ(findings.kind, "chip comparison");
  EXPECT_EQ(section_ids(findings),
            (std::vector<std::string>{"makespan", "functions", "latencies", "phases"}));
  const auto rows = rows_of(findings, "functions", "functions");
  ASSERT_EQ(rows.size(), 2U);
  // The largest change first; baseline over candidate.
  EXPECT_EQ(std::get<std::string>(rows[0][0]), "VEC");
  EXPECT_NEAR(std::get<double>(rows[0][5]), 1 / 1.5, 0.01);
  EXPECT_EQ(std::get<std::string>(rows[1][0]), "CUBE");
  EXPECT_EQ(std::get<double>(rows[1][5]), 1.0);
  ASSERT_EQ(findings.provenance.inputs.size(), 6U);
  EXPECT_EQ(findings.provenance.inputs[0].role, "baseline");
  EXPECT_EQ(findings.provenance.inputs[3].path, after);
  EXPECT_EQ(findings.provenance.inputs[3].role, "candidate");
}

TEST(ChipCompare, GateFailsWhatIsSlowerAndSaysSoInJunit) {
  const TemporaryFolder folder;
  const std::string before = write_chip_run(folder, "before");
  const std::string after = write_chip_run(folder, "after", {.percent = 150});
  const ProgramResult slower =
      accelscope({"compare", before, after, "--gate", "3%", "--junit", folder.file("gate.xml")});
  EXPECT_EQ(slower.exit_code, 2) << slower.standard_error;
  EXPECT_TRUE(contains(slower.standard_output, "FAILED: kernel time of VEC: less than 3 % slower"))
      << slower.standard_output;
  EXPECT_TRUE(contains(slower.standard_output, "passed: kernel time of CUBE: less than 3 % slower"));
  const std::string junit = read_file(folder.file("gate.xml"));
  EXPECT_TRUE(contains(junit, "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\"")) << junit;
  EXPECT_TRUE(contains(junit, "<failure message=\"changed by +49.95 %, 95 % interval +47.92 % to ")) << junit;
  const ProgramResult faster = accelscope({"compare", after, before, "--gate", "3%"});
  EXPECT_EQ(faster.exit_code, 0) << faster.standard_output;
  EXPECT_EQ(accelscope({"compare", before, after, "--gate", "80%"}).exit_code, 0);
}

TEST(ChipCompare, WhatCannotBeDecidedOnlyFailsAStrictGate) {
  const TemporaryFolder folder;
  const std::string before = write_chip_run(folder, "before", {.tasks = 2});
  const std::string after = write_chip_run(folder, "after", {.tasks = 2, .percent = 300});
  const ProgramResult loose =
      accelscope({"compare", before, after, "--gate", "3%", "--junit", folder.file("gate.xml")});
  EXPECT_EQ(loose.exit_code, 0) << loose.standard_output;
  EXPECT_TRUE(contains(loose.standard_output, "undecided: kernel time of VEC")) << loose.standard_output;
  EXPECT_TRUE(contains(loose.standard_output, "undecided: makespan")) << loose.standard_output;
  EXPECT_TRUE(contains(read_file(folder.file("gate.xml")), "failures=\"0\" errors=\"0\" skipped=\"2\""))
      << read_file(folder.file("gate.xml"));
  const ProgramResult strict = accelscope({"compare", before, after, "--gate", "3%", "--strict"});
  EXPECT_EQ(strict.exit_code, 2) << strict.standard_output;
  EXPECT_TRUE(contains(strict.standard_output, "FAILED: makespan: less than 3 % slower"));
}

TEST(ChipValidate, PrintsWhatHolds) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  const ProgramResult good = accelscope({"validate", path});
  EXPECT_EQ(good.exit_code, 0) << good.standard_output << good.standard_error;
  for (const std::string_view line :
       {"chip-swimlane, ", "deps, ", ", found beside the swimlane", "60 tasks, 1 dependency",
        "what must hold\n", "  holds        dispatch <= receive <= start <= end <= finish (60 checked)\n",
        "  holds        no task starts before its producers have ended (1 checked)\n",
        "  not recorded outer phases of a thread do not overlap\n"})
    EXPECT_TRUE(contains(good.standard_output, line)) << line << '\n' << good.standard_output;
  // Task 3 starts after task 0 has ended, but the other way round it does not.
  write_file(folder.file("run/deps.json"), chip_deps({}, R"({"pred":"3","succ":"0","source":"creator"})"));
  const ProgramResult bad = accelscope({"validate", path});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_TRUE(contains(bad.standard_output,
                       "  violated     no task starts before its producers have ended (1 checked)\n"
                       "               1 violation: t0 starts before t3 has ended\n"))
      << bad.standard_output;
  const ProgramResult json = accelscope({"validate", path, "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_TRUE(contains(json.standard_output, R"("id": "happens_before")")) << json.standard_output;
  EXPECT_TRUE(contains(json.standard_output, R"("first_violation": "t0 starts before t3 has ended")"));
  EXPECT_TRUE(contains(json.standard_output, R"("state": "not recorded")"));
}

TEST(ChipDirectory, StandsForTheSwimlaneInIt) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "before");
  write_chip_run(folder, "after", {.percent = 150});
  const std::string run = folder.file("before");
  const ProgramResult report = accelscope({"report", run});
  EXPECT_EQ(report.exit_code, 0) << report.standard_error;
  EXPECT_TRUE(report.standard_output.starts_with("Chip run: before\n"))
      << report.standard_output.substr(0, 80);
  EXPECT_TRUE(contains(report.standard_output, "VEC"));
  const ProgramResult here = accelscope({"report", "."}, {.folder = run});
  EXPECT_TRUE(here.standard_output.starts_with("Chip run: before\n")) << here.standard_error;
  EXPECT_EQ(accelscope({"validate", run}).standard_output, accelscope({"validate", path}).standard_output);
  EXPECT_EQ(accelscope({"report", run, "--model", "reference"}).standard_output,
            accelscope({"report", path, "--model", "reference"}).standard_output);
  EXPECT_EQ(accelscope({"convert", run, "-o", folder.file("a.pftrace")}).exit_code, 0);
  EXPECT_EQ(accelscope({"convert", path, "-o", folder.file("b.pftrace")}).exit_code, 0);
  EXPECT_EQ(read_file(folder.file("a.pftrace")), read_file(folder.file("b.pftrace")));
  const ProgramResult compared = accelscope({"compare", run, folder.file("after") + "/", "--gate", "3%"});
  EXPECT_EQ(compared.exit_code, 2) << compared.standard_error;
  EXPECT_TRUE(compared.standard_output.starts_with("after against before\n")) << compared.standard_output;
}

TEST(ChipDirectory, IsNotOverwritten) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  for (const std::string_view name : {"chip_swimlane_records.json", "deps.json", "name_map.json"}) {
    const std::string file = folder.file("run/" + std::string(name));
    const std::string before = read_file(file);
    const ProgramResult result = accelscope({"convert", folder.file("run"), "--to", "chrome", "-o", file});
    EXPECT_EQ(result.exit_code, 1) << name;
    EXPECT_TRUE(contains(result.standard_error, "is an input of this conversion and would be overwritten"))
        << result.standard_error;
    EXPECT_EQ(read_file(file), before);
  }
}

TEST(ChipDirectory, WithSeveralSwimlanesNamesThem) {
  const TemporaryFolder folder;
  const std::string path = write_chip_run(folder, "run");
  fs::copy_file(path, folder.file("run/again.json"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"report", folder.file("run")},
        {"validate", folder.file("run")},
        {"convert", folder.file("run"), "-o", folder.file("out.pftrace")},
        {"compare", path, folder.file("run")}}) {
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1) << words[0];
    EXPECT_TRUE(
        contains(result.standard_error,
                 folder.file("run") + ": holds 2 chip swimlanes: again.json, chip_swimlane_records.json"))
        << result.standard_error;
    EXPECT_EQ(result.standard_output, "");
  }
  EXPECT_FALSE(fs::exists(folder.file("out.pftrace")));
  // A folder of such folders is no run, as before.
  const ProgramResult above = accelscope({"report", folder.path()});
  EXPECT_EQ(above.exit_code, 1);
  EXPECT_TRUE(contains(above.standard_error, "is no run directory")) << above.standard_error;
}

}  // namespace
}  // namespace accelscope::cli
