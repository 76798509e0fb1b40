// docs/streaming.md shows what commands print: each is run, and every line below it is looked for in what it
// says.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

struct Shown {
  std::vector<std::string> words;
  std::vector<std::string> lines;
};

std::vector<Shown> commands_shown(const std::string& page) {
  std::vector<Shown> found;
  std::istringstream lines(tests::read_file(page));
  bool fenced = false;
  bool inside = false;  // of a fence without a language
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !fenced && line == "```";
      fenced = !fenced;
      continue;
    }
    if (!inside) continue;
    constexpr std::string_view kPrompt = "$ accelscope ";
    if (line.starts_with(kPrompt)) {
      std::istringstream words(line.substr(kPrompt.size()));
      found.emplace_back();
      for (std::string word; words >> word;) found.back().words.push_back(word);
    } else if (!found.empty()) {
      found.back().lines.push_back(line);
    }
  }
  return found;
}

TEST(StreamingPage, ShowsWhatIsPrinted) {
  const std::vector<Shown> shown = commands_shown(ACCELSCOPE_SOURCE_DIR "/docs/streaming.md");
  EXPECT_GE(shown.size(), 8U);
  for (const Shown& one : shown) {
    const ProgramResult result = accelscope(one.words);
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    EXPECT_FALSE(one.lines.empty());
    for (const std::string& line : one.lines)
      EXPECT_TRUE(contains(result.standard_output, line)) << line << "\nis not in\n"
                                                          << result.standard_output;
  }
}

}  // namespace
}  // namespace accelscope::cli
