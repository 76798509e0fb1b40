// docs/swimlane.md and the README's part on chips show what the program prints: every line of output in them
// is looked for in what it says about the demonstration.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {
namespace {

using tests::ProgramResult;
using tests::read_file;
using tests::run_program;
using tests::TemporaryFolder;

constexpr const char* kGuide = ACCELSCOPE_SOURCE_DIR "/docs/swimlane.md";

// The lines of output between the fences of blocks that are no scripts, from this heading on.
std::vector<std::string> shown_output(const std::string& page, std::string_view from, std::string_view to) {
  std::vector<std::string> found;
  std::istringstream lines(read_file(page));
  bool here = from.empty();
  bool inside = false;
  bool script = false;
  bool command = false;  // the line before goes on
  for (std::string line; std::getline(lines, line);) {
    if (!from.empty() && line == from) here = true;
    if (!to.empty() && line == to) here = false;
    if (line.starts_with("```")) {
      inside = !inside;
      script = line != "```";
      continue;
    }
    if (!here || !inside || script || line.empty() || line == "...") continue;
    const bool goes_on = line.ends_with('|');
    if (!line.starts_with("$ ") && !command) found.push_back(line);
    command = goes_on;
  }
  return found;
}

// Everything that the pages show commands for, said about the demonstration.
std::string everything_said() {
  const TemporaryFolder folder;
  EXPECT_EQ(run_program({ACCELSCOPE_PROGRAM, "demo", "--out", folder.file("demo")}).exit_code, 0);
  const std::string before = "before/chip_swimlane_records.json";
  const std::string after = "after/chip_swimlane_records.json";
  std::string said;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"validate", before},
                                             {"report", before},
                                             {"report", before, "--model", "reference"},
                                             {"report", before, "--json"},
                                             {"convert", before, "-o", "before.pftrace"},
                                             {"compare", before, after, "--gate", "3%"}}) {
    std::vector<std::string> all{ACCELSCOPE_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    const ProgramResult result = run_program(all, {.folder = folder.file("demo/chip")});
    EXPECT_EQ(result.exit_code, words[0] == "compare" ? 2 : 0) << result.standard_error;
    said += result.standard_output + result.standard_error;
    said += std::to_string(result.exit_code) + "\n";
  }
  return said;
}

TEST(SwimlaneGuide, ShowsWhatTheProgramPrints) {
  const std::string said = everything_said();
  std::vector<std::string> shown = shown_output(kGuide, "", "");
  EXPECT_GT(shown.size(), 30U);
  const std::vector<std::string> readme =
      shown_output(ACCELSCOPE_SOURCE_DIR "/README.md", "### Runs of a chip", "### Models on edge devices");
  EXPECT_GT(readme.size(), 5U);
  shown.insert(shown.end(), readme.begin(), readme.end());
  for (const std::string& line : shown) {
    // jq prints an id and a value; the findings have both. What depends on the machine is left out.
    const std::size_t tab = line.find('\t');
    const std::size_t from = tab == std::string::npos ? 0 : tab + 1;
    const std::size_t end = line.ends_with(" ...") ? line.size() - 4 : line.size();
    EXPECT_NE(said.find(line.substr(from, end - from)), std::string::npos) << line;
  }
}

std::set<std::string> ids_in(const std::string& text, std::string_view heading, std::size_t column) {
  std::set<std::string> ids;
  std::istringstream lines(text);
  bool here = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) here = line == heading;
    if (!here || !line.starts_with("| ")) continue;
    std::size_t at = 0;
    for (std::size_t i = 0; i < column; ++i) at = line.find(" |", at + 1);
    const std::size_t end = line.find(" |", at + 1);
    while ((at = line.find('`', at)) < end) {
      const std::size_t close = line.find('`', at + 1);
      ids.insert(line.substr(at + 1, close - at - 1));
      at = close + 1;
    }
  }
  return ids;
}

TEST(SwimlaneGuide, EveryIdOfItsTroublesIsExplained) {
  const std::set<std::string> ids = ids_in(read_file(kGuide), "## Troubleshooting", 1);
  EXPECT_GT(ids.size(), 15U);
  const std::string quality = read_file(ACCELSCOPE_SOURCE_DIR "/docs/quality.md");
  for (const std::string& id : ids) EXPECT_NE(quality.find("\n| `" + id + "` |"), std::string::npos) << id;
}

TEST(SwimlaneGuide, ListsEveryInvariant) {
  const std::set<std::string> listed = ids_in(read_file(kGuide), "## Is the recording whole?", 0);
  const TemporaryFolder folder;
  ASSERT_EQ(run_program({ACCELSCOPE_PROGRAM, "demo", "--out", folder.file("demo")}).exit_code, 0);
  const std::string json = run_program({ACCELSCOPE_PROGRAM, "validate",
                                        folder.file("demo/chip/before/chip_swimlane_records.json"), "--json"})
                               .standard_output;
  std::set<std::string> checked;
  const std::string_view key = "\"id\": \"";
  for (std::size_t at = json.find(key, json.find("\"invariants\"")); at != std::string::npos;
       at = json.find(key, at)) {
    at += key.size();
    checked.insert(json.substr(at, json.find('"', at) - at));
  }
  EXPECT_EQ(listed, checked);
}

}  // namespace
}  // namespace accelscope::cli
