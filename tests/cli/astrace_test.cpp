// Saved traces through the program: whatever a verb says of an input, it says of the input saved as .astrace,
// but for the name of the file that it was given.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/chip_program.h"
#include "compat/kit_fixtures.h"

namespace accelscope::cli {
namespace {

using compat::replaced;
using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

// Saves "x.json" as "x.astrace".
std::string save(const std::string& input) {
  const std::string output = std::filesystem::path(input).replace_extension(".astrace").string();
  const ProgramResult result = accelscope({"convert", input, "-o", output});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_TRUE(
      contains(result.standard_error, "AccelScope's own file of the whole trace; open with accelscope"))
      << result.standard_error;
  return output;
}

// Without what is said of the input file itself: its hash, and all of the provenance.
std::string without_provenance(const std::string& text) {
  std::string kept;
  std::istringstream lines(text.substr(0, text.find("\"provenance\"")));
  for (std::string line; std::getline(lines, line);)
    if (!contains(line, "XXH3")) kept += line + '\n';
  return kept;
}

// The same words with every input saved; what is printed is the same but for the ending of the names.
void expect_same_saved(const std::vector<std::string>& words, std::string_view ending) {
  std::vector<std::string> saved = words;
  for (std::string& word : saved)
    if (word.ends_with(ending)) word = save(word);
  const ProgramResult of_input = accelscope(words);
  const ProgramResult of_saved = accelscope(saved);
  EXPECT_EQ(of_input.exit_code, of_saved.exit_code) << of_saved.standard_error;
  EXPECT_GT(of_input.standard_output.size(), 200U) << of_input.standard_error;
  EXPECT_EQ(without_provenance(of_input.standard_output),
            replaced(without_provenance(of_saved.standard_output), ".astrace", ending));
}

TEST(Astrace, SaysOfASavedModelWhatItSaidOfTheDump) {
  const TemporaryFolder folder;
  const std::string fast = folder.file("fast.etdump");
  const std::string slow = folder.file("slow.etdump");
  make_toy(fast, ToySpeed::kFast);
  make_toy(slow, ToySpeed::kSlow);
  for (const std::string verb : {"validate", "report", "latency", "operators"})
    expect_same_saved({verb, fast, "--json"}, ".etdump");
  expect_same_saved({"compare", slow, fast, "--json"}, ".etdump");
  expect_same_saved({"validate", fast}, ".etdump");
}

TEST(Astrace, SaysOfASavedChipRunWhatItSaidOfTheSwimlaneWithItsFiles) {
  const TemporaryFolder folder;
  const std::string before = write_chip_run(folder, "before", {.percent = 150});
  const std::string after = write_chip_run(folder, "after");
  expect_same_saved({"validate", before, "--json"}, ".json");
  expect_same_saved({"report", before, "--json"}, ".json");
  expect_same_saved({"compare", before, after, "--json"}, ".json");
}

TEST(Astrace, NeedsNothingOfItsSources) {
  const TemporaryFolder folder;
  const std::string swimlane = write_chip_run(folder, "run");
  const std::string saved = save(swimlane);
  const ProgramResult with_sources = accelscope({"report", saved, "--json"});
  std::filesystem::rename(saved, folder.file("alone.astrace"));
  std::filesystem::remove_all(folder.file("run"));
  const ProgramResult alone = accelscope({"report", folder.file("alone.astrace"), "--json"});
  EXPECT_EQ(alone.exit_code, 0) << alone.standard_error;
  const std::string expected =
      replaced(without_provenance(with_sources.standard_output), saved, folder.file("alone.astrace"));
  EXPECT_EQ(without_provenance(alone.standard_output),
            replaced(expected, "chip_swimlane_records.astrace", "alone.astrace"));
  const std::vector<findings::Input> inputs = findings_in(alone).provenance.inputs;
  ASSERT_EQ(inputs.size(), 1U);
  EXPECT_EQ(inputs[0].path, folder.file("alone.astrace"));
  EXPECT_EQ(inputs[0].format, "astrace");
}

TEST(Astrace, ConvertsToWhatTheSourceConvertsTo) {
  const TemporaryFolder folder;
  const std::string swimlane = write_chip_run(folder, "run");
  const std::string saved = save(swimlane);
  for (const std::string ending : {".pftrace", ".json", ".folded", ".astrace"}) {
    const auto converted = [&](const std::string& input) {
      const std::string output = folder.file("out" + ending);
      EXPECT_EQ(accelscope({"convert", input, "-o", output}).exit_code, 0);
      return read_file(output);
    };
    EXPECT_EQ(converted(swimlane), converted(saved)) << ending;
  }
}

TEST(Astrace, PacksAsGzip) {
  const TemporaryFolder folder;
  const std::string dump = folder.file("toy.etdump");
  make_toy(dump, ToySpeed::kFast);
  const std::string packed = folder.file("toy.astrace.gz");
  ASSERT_EQ(accelscope({"convert", dump, "-o", packed}).exit_code, 0);
  EXPECT_EQ(accelscope({"validate", packed}).standard_output, accelscope({"validate", dump}).standard_output);
}

TEST(Astrace, SaysThatAFileWasCutOrChanged) {
  const TemporaryFolder folder;
  const std::string dump = folder.file("toy.etdump");
  make_toy(dump, ToySpeed::kFast);
  const std::string bytes = read_file(save(dump));
  write_file(folder.file("cut.astrace"), bytes.substr(0, bytes.size() - 1));
  const ProgramResult cut = accelscope({"validate", folder.file("cut.astrace")});
  EXPECT_EQ(cut.exit_code, 0) << cut.standard_error;
  EXPECT_TRUE(contains(cut.standard_output, "astrace.ended_early")) << cut.standard_output;
  std::string changed = bytes;
  changed[bytes.size() / 2] = static_cast<char>(~changed[bytes.size() / 2]);
  write_file(folder.file("changed.astrace"), changed);
  const ProgramResult damaged = accelscope({"validate", folder.file("changed.astrace")});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_TRUE(contains(damaged.standard_output, "astrace.damaged")) << damaged.standard_output;
  write_file(folder.file("head.astrace"), bytes.substr(0, 10));
  const ProgramResult head = accelscope({"validate", folder.file("head.astrace")});
  EXPECT_EQ(head.exit_code, 1);
  EXPECT_TRUE(contains(head.standard_error, "byte 10: ends within the header of the file"))
      << head.standard_error;
}

TEST(Astrace, IsNotStretched) {
  const TemporaryFolder folder;
  make_toy(folder.file("toy.etdump"), ToySpeed::kFast);
  const ProgramResult result =
      accelscope({"convert", folder.file("toy.etdump"), "--stretch", "10", "-o", folder.file("toy.astrace")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.standard_error, "--stretch is for pictures of time")) << result.standard_error;
}

}  // namespace
}  // namespace accelscope::cli
