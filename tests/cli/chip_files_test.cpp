// The run of a chip, written as the runtime leaves it, through the program: what `validate` and `report` say
// of the written files is what they say of the source.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/chip_program.h"
#include "compat/kit_fixtures.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "jobs/output_format.h"

namespace accelscope::cli {
namespace {

namespace fs = std::filesystem;
using compat::replaced;
using formats::chip_swimlane::SampleCapture;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

std::string converted(const std::string& input, const std::string& format, const std::string& output) {
  const ProgramResult result = accelscope({"convert", input, "--to", format, "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  return result.standard_error;
}

// What must hold, one line per invariant without how much was looked at.
std::vector<std::string> invariants_of(const std::string& path) {
  const ProgramResult result = accelscope({"validate", path});
  std::vector<std::string> lines;
  std::istringstream text(result.standard_output);
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (line == "what must hold") inside = true;
    if (inside) lines.push_back(line);
  }
  EXPECT_GT(lines.size(), 10U) << result.standard_output << result.standard_error;
  return lines;
}

bool violates(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line.find("violated") != std::string::npos; });
}

// A run of a chip that is whole: every invariant holds at its level.
std::string whole_run(const TemporaryFolder& folder, int level) {
  base::MemoryOutput out;
  formats::chip_swimlane::write_synthetic_run({.tasks = 240, .level = level}, out);
  const std::string path = folder.file("whole.json");
  write_file(path, std::string(out.bytes()));
  return path;
}

TEST(ChipFiles, KeepEveryInvariantAtEveryLevel) {
  for (int level = 1; level <= 4; ++level) {
    SCOPED_TRACE(level);
    const TemporaryFolder folder;
    const std::string source = whole_run(folder, level);
    const std::string saved = folder.file("saved.astrace");
    ASSERT_EQ(accelscope({"convert", source, "-o", saved}).exit_code, 0);
    ASSERT_FALSE(violates(invariants_of(source)));
    for (const std::string format : {"chip-swimlane", "chip-swimlane-objects"}) {
      const std::string again = folder.file(format + ".json");
      converted(saved, format, again);
      EXPECT_EQ(invariants_of(again), invariants_of(source)) << format;
      EXPECT_EQ(accelscope({"validate", again}).exit_code, 0);
    }
    // Level 3 of today is of no recorder of ours: it has scheduler phases without submissions.
    const std::string expected = fmt::format("\"version\": {},", std::min(level, 3) - 1);
    EXPECT_TRUE(contains(read_file(folder.file("chip-swimlane-objects.json")), expected));
    EXPECT_TRUE(contains(read_file(folder.file("chip-swimlane.json")),
                         fmt::format("\"chip_swimlane_level\": {},", level)));
  }
}

TEST(ChipFiles, KeepWhatHoldsOfEverySample) {
  const TemporaryFolder folder;
  for (const SampleCapture& sample : formats::chip_swimlane::sample_captures()) {
    SCOPED_TRACE(sample.name);
    const std::string source = folder.file("in.json");
    write_file(source, sample.json);
    converted(source, "chip-swimlane", folder.file("cycles.json"));
    converted(source, "chip-swimlane-objects", folder.file("objects.json"));
    const auto violated = [&](const std::string& path) {
      std::vector<std::string> lines = invariants_of(path);
      std::erase_if(lines, [](const std::string& line) { return !contains(line, "violated"); });
      return lines;
    };
    EXPECT_EQ(violated(folder.file("cycles.json")), violated(source));
    EXPECT_EQ(violated(folder.file("objects.json")), violated(source));
  }
}

// The runs of the conformance data, each in a folder with what lies beside it.
std::vector<std::string> fixture_swimlanes() {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry :
       fs::recursive_directory_iterator(std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/", ignored))
    if (entry.path().filename().string().starts_with("chip_swimlane_records.json"))
      paths.push_back(entry.path().string());
  return paths;
}

TEST(ChipFiles, OfEveryFixtureKeepEveryInvariant) {
  const std::vector<std::string> paths = fixture_swimlanes();
  if (paths.empty()) GTEST_SKIP() << "no conformance data: set ACCELSCOPE_FIXTURES to run this test";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    const TemporaryFolder folder;
    const std::string cycles = folder.file("chip_swimlane_records.json");
    converted(path, "chip-swimlane", cycles);
    // Where there are dependencies and names.
    for (const char* name : {"deps.json", "name_map.json"})
      accelscope({"convert", path, "-o", folder.file(name)});
    // The second line counts records, those of the statistics of scopes too.
    std::vector<std::string> of_source = invariants_of(path);
    std::vector<std::string> of_cycles = invariants_of(cycles);
    of_source.erase(of_source.begin() + 1);
    of_cycles.erase(of_cycles.begin() + 1);
    EXPECT_EQ(of_cycles, of_source);
    EXPECT_EQ(accelscope({"validate", cycles}).exit_code, 0);
    const std::string objects = folder.file("objects.json");
    converted(cycles, "chip-swimlane-objects", objects);
    fs::remove(cycles);
    EXPECT_FALSE(violates(invariants_of(objects)));
    EXPECT_EQ(accelscope({"validate", objects}).exit_code, 0);
  }
}

// Everything but names of files.
std::string report_of(const std::string& swimlane) {
  const ProgramResult result = accelscope({"report", swimlane, "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string text = result.standard_output.substr(0, result.standard_output.find("\"provenance\""));
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!contains(line, "XXH3") && !contains(line, "name_map")) kept += line + '\n';
  return replaced(kept, fs::path(swimlane).parent_path().string(), "FOLDER");
}

TEST(ChipFiles, OfACaptureFileAreReportedOnAsTheirSource) {
  const TemporaryFolder folder;
  const std::string source = write_chip_run(folder, "run");
  const std::string saved = folder.file("saved.astrace");
  ASSERT_EQ(accelscope({"convert", source, "-o", saved}).exit_code, 0);
  fs::create_directories(folder.file("again"));
  // The endings tell the formats.
  for (const char* name : {"chip_swimlane_records.json", "deps.json", "name_map.json"}) {
    const ProgramResult result = accelscope({"convert", saved, "-o", folder.file("again") + "/" + name});
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  }
  EXPECT_EQ(report_of(source), report_of(folder.file("again") + "/chip_swimlane_records.json"));
}

TEST(ChipFiles, AreTheSameBytesTwiceAndPacked) {
  const TemporaryFolder folder;
  const std::string source = write_chip_run(folder, "run");
  for (const jobs::OutputFormatInfo& info : jobs::output_formats()) {
    if (info.source != jobs::OutputSource::kChipRun) continue;
    SCOPED_TRACE(info.name);
    const std::string format(info.name);
    converted(source, format, folder.file("first"));
    converted(source, format, folder.file("second"));
    EXPECT_GT(read_file(folder.file("first")).size(), 50U);
    EXPECT_EQ(read_file(folder.file("first")), read_file(folder.file("second")));
    converted(source, format, folder.file("packed.gz"));
    EXPECT_EQ(read_file(folder.file("packed.gz")).substr(0, 2), "\x1f\x8b");
  }
}

TEST(ChipFiles, SayWhatTheyLeaveOut) {
  const TemporaryFolder folder;
  const std::string source = write_chip_run(folder, "run");
  const std::string said = converted(source, "chip-swimlane", folder.file("out.json"));
  EXPECT_TRUE(contains(said, "--to deps")) << said;
  EXPECT_TRUE(contains(said, "--to name-map")) << said;
  EXPECT_TRUE(contains(converted(source, "chip-swimlane-objects", folder.file("out.json")),
                       "do not say when a core received a task: left out. (60 times)"));
  // Functions, of which rows of cycles without dependencies know nothing.
  write_file(folder.file("old.json"), formats::chip_swimlane::sample_captures().front().json);
  const std::string old = converted(folder.file("old.json"), "chip-swimlane", folder.file("out.json"));
  EXPECT_TRUE(contains(old, "which function was run")) << old;
}

TEST(ChipFiles, RefuseOtherTraces) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  for (const jobs::OutputFormatInfo& info : jobs::output_formats()) {
    if (info.source != jobs::OutputSource::kChipRun) continue;
    const ProgramResult result = accelscope({"convert", folder.file("toy.etdump"), "--to",
                                             std::string(info.name), "-o", folder.file("out.json")});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.standard_error, "this trace has no cores of a chip"))
        << result.standard_error;
    EXPECT_FALSE(fs::exists(folder.file("out.json")));
  }
  const std::string before = write_chip_run(folder, "before");
  const std::string after = write_chip_run(folder, "after");
  const ProgramResult two =
      accelscope({"convert", before, after, "--to", "chip-swimlane", "-o", folder.file("out.json")});
  EXPECT_EQ(two.exit_code, 1);
  EXPECT_TRUE(contains(two.standard_error, "this trace has cores of several")) << two.standard_error;
  const std::string level_1 = whole_run(folder, 1);
  const ProgramResult no_deps =
      accelscope({"convert", level_1, "--to", "deps", "-o", folder.file("out.json")});
  EXPECT_EQ(no_deps.exit_code, 1);
  EXPECT_TRUE(contains(no_deps.standard_error, "were not recorded")) << no_deps.standard_error;
  const ProgramResult stretched = accelscope(
      {"convert", level_1, "--to", "chip-swimlane", "--stretch", "10", "-o", folder.file("out.json")});
  EXPECT_EQ(stretched.exit_code, 1);
  const ProgramResult itself = accelscope({"convert", before, "--to", "chip-swimlane", "-o", before});
  EXPECT_EQ(itself.exit_code, 1);
  EXPECT_TRUE(contains(itself.standard_error, "would be overwritten")) << itself.standard_error;
}

}  // namespace
}  // namespace accelscope::cli
