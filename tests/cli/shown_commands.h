// Pages show what commands print: each is run, and every line below it is looked for in what it says.
//
// Commands are the lines `$ accelscope ...` of fences without a language.
//
//   expect_shown_as_printed(commands_shown(ACCELSCOPE_SOURCE_DIR "/docs/streaming.md"));
#pragma once

#include <gtest/gtest.h>

#include <sstream>

#include "cli/analysis_program.h"

namespace accelscope::cli {

struct Shown {
  std::vector<std::string> words;
  std::vector<std::string> lines;
};

inline std::vector<Shown> commands_shown(const std::string& page) {
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

// `folder`: where they run; "" is where the test does.
inline void expect_shown_as_printed(const std::vector<Shown>& shown, const std::string& folder = "") {
  for (const Shown& one : shown) {
    std::vector<std::string> words = one.words;
    words.insert(words.begin(), ACCELSCOPE_PROGRAM);
    const ProgramResult result = tests::run_program(words, {.folder = folder});
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    EXPECT_FALSE(one.lines.empty());
    for (const std::string& line : one.lines)
      EXPECT_TRUE(contains(result.standard_output, line)) << line << "\nis not in\n"
                                                          << result.standard_output;
  }
}

}  // namespace accelscope::cli
