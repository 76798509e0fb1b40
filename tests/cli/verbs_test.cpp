// The verbs on good input, as a user runs them.
#include <gtest/gtest.h>
#include <simdjson.h>
#include <zlib.h>

#include <csignal>
#include <filesystem>

#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "formats/open/open.h"
#include "jobs/output_format.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {
namespace {

using tests::ProgramResult;
using tests::read_file;
using tests::run_program;
using tests::TemporaryFolder;
using tests::write_file;

std::string toy_dump() {
  return formats::etdump::write_etdump(formats::etdump::toy_dump(formats::etdump::ToySpeed::kFast));
}

TEST(Validate, PrintsWhatAFileHolds) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"), toy_dump());
  const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "validate", folder.file("toy.etdump")});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected : {"etdump", "trust box", "contents", "slices", "10 executions"})
    EXPECT_NE(result.standard_output.find(expected), std::string::npos) << expected << '\n'
                                                                        << result.standard_output;
  // The trust box comes before anything that might be believed.
  EXPECT_LT(result.standard_output.find("trust box"), result.standard_output.find("contents"));
}

TEST(Validate, JsonHoldsTheSameFacts) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"), toy_dump());
  const ProgramResult result =
      run_program({ACCELSCOPE_PROGRAM, "validate", "--json", folder.file("toy.etdump")});
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_EQ(parser.parse(result.standard_output).get(json), simdjson::SUCCESS) << result.standard_output;
  EXPECT_EQ(std::string_view(json["schema"]), "accelscope.validate/1");
  EXPECT_EQ(std::uint64_t(json["contents"]["runs_complete"]), 11U);
  std::size_t executions = 0;
  for (const simdjson::dom::element method : json["methods"])
    if (std::string_view(method["kind"]) == "execution")
      executions += simdjson::dom::array(method["runs"]).size();
  EXPECT_EQ(executions, 10U);
}

TEST(Validate, UnknownUnitsAreShownAsTicks) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"), toy_dump());
  const ProgramResult result =
      run_program({ACCELSCOPE_PROGRAM, "validate", folder.file("toy.etdump"), "--time-unit", "cycles"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.standard_output.find("ticks"), std::string::npos) << result.standard_output;
  EXPECT_EQ(run_program({ACCELSCOPE_PROGRAM, "validate", folder.file("toy.etdump"), "--time-unit", "weeks"})
                .exit_code,
            1);
}

TEST(Convert, WritesEveryFormatTheSameWayTwice) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"), toy_dump());
  for (const jobs::OutputFormatInfo& info : jobs::output_formats()) {
    if (info.source != jobs::OutputSource::kAnyTrace) continue;  // chip_files_test.cpp, tensor_dump_test.cpp
    const auto convert = [&](const std::string& output) {
      const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "convert", folder.file("toy.etdump"),
                                                "--to", std::string(info.name), "-o", output});
      EXPECT_EQ(result.exit_code, 0) << result.standard_error;
      EXPECT_EQ(result.standard_output, "");
      return read_file(output);
    };
    const std::string first = convert(folder.file("first"));
    EXPECT_GT(first.size(), 100U) << info.name;
    EXPECT_EQ(first, convert(folder.file("second"))) << info.name;
  }
}

TEST(Convert, ChoosesTheFormatByTheEnding) {
  EXPECT_EQ(jobs::output_format_for_path("a.pftrace"), jobs::OutputFormat::kPerfetto);
  EXPECT_EQ(jobs::output_format_for_path("a.json"), jobs::OutputFormat::kChrome);
  EXPECT_EQ(jobs::output_format_for_path("a.json.gz"), jobs::OutputFormat::kChrome);
  EXPECT_EQ(jobs::output_format_for_path("a.speedscope.json"), jobs::OutputFormat::kSpeedscope);
  EXPECT_EQ(jobs::output_format_for_path("a_exec_ops_stats.csv"), jobs::OutputFormat::kOpsCsv);
  EXPECT_EQ(jobs::output_format_for_path("a_exec_all_runs_timeline.csv"), jobs::OutputFormat::kTimelineCsv);
  EXPECT_EQ(jobs::output_format_for_path("a.csv"), jobs::OutputFormat::kTimelineCsv);
  EXPECT_EQ(jobs::output_format_for_path("a.astrace"), jobs::OutputFormat::kAstrace);
  EXPECT_EQ(jobs::output_format_for_path("out/chip_swimlane_records.json.gz"),
            jobs::OutputFormat::kChipSwimlane);
  EXPECT_EQ(jobs::output_format_for_path("out/deps.json"), jobs::OutputFormat::kDeps);
  EXPECT_EQ(jobs::output_format_for_path("out/name_map.json"), jobs::OutputFormat::kNameMap);
  EXPECT_EQ(jobs::output_format_for_path("a"), std::nullopt);
}

TEST(Convert, PacksAndUnpacksGzip) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"), toy_dump());
  ASSERT_EQ(run_program(
                {ACCELSCOPE_PROGRAM, "convert", folder.file("toy.etdump"), "-o", folder.file("toy.json.gz")})
                .exit_code,
            0);
  ASSERT_EQ(
      run_program({ACCELSCOPE_PROGRAM, "convert", folder.file("toy.etdump"), "-o", folder.file("toy.json")})
          .exit_code,
      0);
  EXPECT_EQ(read_file(folder.file("toy.json.gz")).substr(0, 2), "\x1f\x8b");
  const ProgramResult packed =
      run_program({ACCELSCOPE_PROGRAM, "validate", "--json", folder.file("toy.json.gz")});
  const ProgramResult plain =
      run_program({ACCELSCOPE_PROGRAM, "validate", "--json", folder.file("toy.json")});
  EXPECT_EQ(packed.exit_code, 0) << packed.standard_error;
  const auto contents = [](const std::string& text) { return text.substr(text.find("\"contents\"")); };
  EXPECT_EQ(contents(packed.standard_output), contents(plain.standard_output));
}

TEST(Convert, WritesToStandardOutput) {
  const TemporaryFolder folder;
  write_file(folder.file("toy.etdump"), toy_dump());
  const ProgramResult result = run_program(
      {ACCELSCOPE_PROGRAM, "convert", folder.file("toy.etdump"), "--to", "folded", "-o", "-", "-q"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.standard_output.find("Method::execute"), std::string::npos);
  EXPECT_EQ(result.standard_error, "");
}

TEST(Convert, AClosedPipeEndsQuietly) {
  const TemporaryFolder folder;
  write_file(folder.file("large.etdump"), formats::etdump::write_etdump(formats::etdump::large_dump(20'000)));
  const ProgramResult result =
      run_program({"/bin/bash", "-c",
                   std::string(ACCELSCOPE_PROGRAM) + " convert -q " + folder.file("large.etdump") +
                       " --to chrome -o - | head -c 10"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.standard_error, "");
  EXPECT_EQ(result.standard_output.size(), 10U);
}

TEST(Convert, MergesSeveralInputsIntoProcessesOfTheirOwn) {
  const TemporaryFolder folder;
  write_file(folder.file("on.etdump"), toy_dump());
  write_file(folder.file("off.etdump"), toy_dump());
  ASSERT_EQ(run_program({ACCELSCOPE_PROGRAM, "convert", folder.file("on.etdump"), folder.file("off.etdump"),
                         "-o", folder.file("both.json")})
                .exit_code,
            0);
  const auto both = formats::open::open_trace(folder.file("both.json"), {});
  const auto one = formats::open::open_trace(folder.file("on.etdump"), {});
  ASSERT_TRUE(both && one);
  EXPECT_EQ(both->slices().size(), 2 * one->slices().size());
  std::size_t processes = 0;
  for (const trace::Track& track : both->tracks()) processes += track.parent == trace::TrackId::kNone ? 1 : 0;
  EXPECT_EQ(processes, 2U);
}

TEST(Convert, CsvHoldsOneModel) {
  const TemporaryFolder folder;
  write_file(folder.file("on.etdump"), toy_dump());
  write_file(folder.file("off.etdump"), toy_dump());
  const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "convert", folder.file("on.etdump"),
                                            folder.file("off.etdump"), "-o", folder.file("both.csv")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.standard_error.find("one model"), std::string::npos) << result.standard_error;
}

TEST(Convert, AnEtrecordThatIsReadIsNotOverwritten) {
  const TemporaryFolder folder;
  write_file(folder.file("m.etdump"), toy_dump());
  write_file(folder.file("m.etrecord"), "names");
  const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "convert", folder.file("m.etdump"), "--to",
                                            "chrome", "-o", folder.file("m.etrecord")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(read_file(folder.file("m.etrecord")), "names");
}

TEST(Convert, AFileOfAChipRunThatIsReadIsNotOverwritten) {
  const TemporaryFolder folder;
  const std::string names = R"({"level":2,"callable_id_to_name":{"4":"ADD"}})";
  write_file(folder.file("run.json"),
             R"({"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 50000000, "num_cores": 1,)"
             R"("core_types": ["aic"]}, "aicore_tasks": [[0,0,1,100,200,5]], "aicpu_tasks": []})");
  std::filesystem::create_directory(folder.file("given"));
  for (const std::string& path : {folder.file("names.json"), folder.file("given/names.json")}) {
    write_file(path, names);
    std::vector<std::string> command = {ACCELSCOPE_PROGRAM, "convert", folder.file("run.json"), "-o", path};
    if (path.find("given") != std::string::npos) command.insert(command.end(), {"--names", path});
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.standard_error.find("would be overwritten"), std::string::npos) << result.standard_error;
    EXPECT_EQ(read_file(path), names);
  }
}

TEST(Convert, CsvSaysWhenTicksAreNoNanoseconds) {
  const TemporaryFolder folder;
  write_file(folder.file("m.etdump"), toy_dump());
  const auto convert = [&](const std::string& format, const std::vector<std::string>& more) {
    std::vector<std::string> words{
        ACCELSCOPE_PROGRAM, "convert", folder.file("m.etdump"), "--to", format, "-o", folder.file("out")};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  EXPECT_NE(convert("timeline-csv", {"--time-unit", "cycles"}).standard_error.find("ticks_as_nanoseconds"),
            std::string::npos);
  EXPECT_EQ(convert("timeline-csv", {}).standard_error.find("ticks_as_nanoseconds"), std::string::npos);
  EXPECT_EQ(convert("folded", {"--stretch", "1000"}).exit_code, 1);
  EXPECT_EQ(convert("chrome", {"--stretch", "1000"}).exit_code, 0);
}

TEST(Demo, EndsByNamingTheFilesToOpen) {
  const TemporaryFolder folder;
  const ProgramResult result = run_program({ACCELSCOPE_PROGRAM, "demo", "--out", folder.file("demo")});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string& text = result.standard_output;
  // In the order of what to believe, what changed, what to do, where to look.
  std::size_t at = 0;
  for (const std::string_view expected :
       {"trust box", "what changed", "faster than sme2_off", "what to do next",
        "Highest: ", "Method::execute", "who is the bottleneck", "bottleneck is submission", "files to open",
        "run/report.md", "before/report.md", "before.pftrace"}) {
    const std::size_t found = text.find(expected, at);
    ASSERT_NE(found, std::string::npos) << expected << '\n' << text;
    at = found;
  }
  const std::size_t list = text.find("files to open");
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("demo")))
    EXPECT_NE(text.find(entry.path().filename().string(), list), std::string::npos) << entry.path();
}

TEST(Demo, ItsTwoRecordingsCanBeCompared) {
  const TemporaryFolder folder;
  const std::string run = folder.file("demo/run");
  ASSERT_EQ(run_program({ACCELSCOPE_PROGRAM, "demo", "--out", folder.file("demo")}).exit_code, 0);
  const std::string off = run + "/sme2_off/toy_sme2_off_t1.etdump";
  const std::string on = run + "/sme2_on/toy_sme2_on_t1.etdump";
  EXPECT_EQ(run_program({ACCELSCOPE_PROGRAM, "compare", off, on, "--gate", "3%"}).exit_code, 0);
  EXPECT_EQ(run_program({ACCELSCOPE_PROGRAM, "compare", on, off, "--gate", "3%"}).exit_code, 2);
  EXPECT_EQ(run_program({ACCELSCOPE_PROGRAM, "report", run + "/findings.json"}).exit_code, 0);
}

}  // namespace
}  // namespace accelscope::cli
