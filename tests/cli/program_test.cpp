// The command line itself: help, versions, mistakes, completion.
#include <gtest/gtest.h>

#include "cli/command.h"
#include "cli/command_line.h"
#include "cli/help.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {
namespace {

using tests::ProgramResult;
using tests::run_program;

ProgramResult run(std::vector<std::string> words) {
  words.insert(words.begin(), ACCELSCOPE_PROGRAM);
  return run_program(words);
}

TEST(Program, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  EXPECT_NE(run({"--help"}).standard_output.find("convert"), std::string::npos);
  EXPECT_EQ(run({"--version"}).standard_output.find("accelscope "), 0U);
  for (const Command& command : commands()) {
    const ProgramResult result = run({std::string(command.name), "--help"});
    EXPECT_EQ(result.exit_code, 0) << command.name;
    EXPECT_NE(result.standard_output.find("examples:"), std::string::npos) << command.name;
    for (const OptionSpec& option : command.options)
      EXPECT_NE(result.standard_output.find(option.name), std::string::npos)
          << command.name << ' ' << option.name;
  }
}

TEST(Program, HelpFitsATerminal) {
  const auto expect_narrow = [](std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      EXPECT_LE(text.substr(0, end).size(), 100U) << text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
  };
  expect_narrow(program_help(commands()));
  for (const Command& command : commands()) expect_narrow(command_help(command));
}

TEST(Program, ThePageOfTheCommandLineHasEveryVerbAndOption) {
  const std::string page = tests::read_file(ACCELSCOPE_CLI_PAGE);
  for (const Command& command : commands()) {
    EXPECT_NE(page.find("\n## " + std::string(command.name) + "\n"), std::string::npos) << command.name;
    for (const OptionSpec& option : command.options)
      EXPECT_NE(page.find(option.name), std::string::npos) << command.name << ' ' << option.name;
  }
}

TEST(Program, MistakesAreExplained) {
  const auto mistake = [](std::vector<std::string> words, std::string_view expected) {
    const ProgramResult result = run(std::move(words));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.standard_output, "");
    EXPECT_NE(result.standard_error.find(expected), std::string::npos) << result.standard_error;
    EXPECT_NE(result.standard_error.find("--help"), std::string::npos) << result.standard_error;
  };
  mistake({}, "verb is missing");
  mistake({"convrt"}, "did you mean 'convert'");
  mistake({"frobnicate"}, "unknown verb");
  mistake({"--frobnicate"}, "unknown option");
  mistake({"convert", "-o", "x.pftrace"}, "IN is missing");
  mistake({"convert", "in.etdump"}, "--output OUT is missing");
  mistake({"convert", "in.etdump", "-o", "x", "--to", "frob"}, "frob");
  mistake({"convert", "in.etdump", "-o", "x", "--frob"}, "--frob");
  mistake({"demo", "extra"}, "extra");
}

TEST(Program, AnEndingWithoutAFormatIsExplained) {
  const ProgramResult result = run({"convert", "in.etdump", "-o", "x.unknown"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.standard_error.find(".pftrace"), std::string::npos) << result.standard_error;
}

TEST(Program, CompletionKnowsEveryVerbAndOption) {
  const ProgramResult result = run({"completion", "bash"});
  EXPECT_EQ(result.exit_code, 0);
  for (const Command& command : commands())
    for (const OptionSpec& option : command.options)
      EXPECT_NE(result.standard_output.find(option.name), std::string::npos) << option.name;
  EXPECT_EQ(run({"completion", "tcsh"}).exit_code, 1);
}

TEST(Program, CompletionWorksInBash) {
  const auto complete = [](const std::string& line, int words) {
    const std::string script =
        std::string("source <(") + ACCELSCOPE_PROGRAM + " completion bash); COMP_WORDS=(" + line +
        "); COMP_CWORD=" + std::to_string(words) + "; _accelscope; echo \"${COMPREPLY[@]}\"";
    return run_program({"/bin/bash", "-c", script}).standard_output;
  };
  EXPECT_EQ(complete("accelscope conv", 1), "convert\n");
  EXPECT_EQ(complete("accelscope convert --to perf", 3), "perfetto\n");
  EXPECT_EQ(complete("accelscope validate --js", 2), "--json\n");
}

}  // namespace
}  // namespace accelscope::cli
