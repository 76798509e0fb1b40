// The command line itself: help, versions, mistakes, completion.
#include <fmt/core.h>
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

// The verbs, and behind each its actions.
std::vector<Command> verbs_and_actions() {
  std::vector<Command> all;
  for (const Command& command : commands()) {
    all.push_back(command);
    all.insert(all.end(), command.actions.begin(), command.actions.end());
  }
  return all;
}

std::vector<std::string> words_of(std::string_view name) {
  const std::size_t space = name.find(' ');
  if (space == std::string_view::npos) return {std::string(name)};
  return {std::string(name.substr(0, space)), std::string(name.substr(space + 1))};
}

TEST(Program, HelpAndVersion) {
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  EXPECT_NE(run({"--help"}).standard_output.find("convert"), std::string::npos);
  EXPECT_EQ(run({"--version"}).standard_output.find("accelscope "), 0U);
  for (const Command& command : verbs_and_actions()) {
    std::vector<std::string> words = words_of(command.name);
    words.emplace_back("--help");
    const ProgramResult result = run(words);
    EXPECT_EQ(result.exit_code, 0) << command.name;
    EXPECT_NE(result.standard_output.find("examples:"), std::string::npos) << command.name;
    EXPECT_EQ(result.standard_output.find(fmt::format("usage: accelscope {} ", command.name)), 0U);
    for (const Command& action : command.actions)
      EXPECT_NE(result.standard_output.find(action.summary), std::string::npos) << action.name;
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
  for (const Command& command : verbs_and_actions()) expect_narrow(command_help(command));
}

TEST(Program, ThePageOfTheCommandLineHasEveryVerbAndOption) {
  const std::string page = tests::read_file(ACCELSCOPE_CLI_PAGE);
  for (const Command& command : verbs_and_actions()) {
    const bool is_action = command.name.find(' ') != std::string_view::npos;
    EXPECT_NE(page.find((is_action ? "\n### " : "\n## ") + std::string(command.name) + "\n"),
              std::string::npos)
        << command.name;
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
  mistake({"isa"}, "an action is missing");
  mistake({"isa", "--dialect", "strict"}, "an action is missing before '--dialect'");
  mistake({"isa", "dissasm", "a.mem"}, "unknown action 'dissasm'; did you mean 'disasm'?");
  mistake({"isa", "frobnicate"}, "unknown action 'frobnicate'");
  mistake({"isa", "asm"}, "FILE is missing: a listing");
}

TEST(Program, RepeatableOptionsKeepEveryValueAndNoPositional) {
  const std::vector<Command> known{
      {.name = "verb",
       .summary = "",
       .description = "",
       .examples = {},
       .positionals = {},
       .options = {},
       .actions = {
           {.name = "verb action",
            .summary = "",
            .description = "",
            .examples = {},
            .positionals = {{.name = "FILE", .help = "", .at_most = 9}},
            .options = {
                {.name = "--board", .short_name = "-b", .value = "NAME", .help = "", .repeatable = true}}}}}};
  const std::vector<const char*> words{"program", "verb", "action", "--board", "a", "x", "-b", "b", "y"};
  const ParsedLine line = parse_command_line(known, static_cast<int>(words.size()), words.data());
  ASSERT_EQ(line.kind, ParsedLine::Kind::kRun) << line.problem;
  EXPECT_EQ(line.command->name, "verb action");
  EXPECT_EQ(line.arguments.all("--board"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(line.arguments.positionals, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(line.arguments.all("--none").empty());
}

TEST(Program, AnEndingWithoutAFormatIsExplained) {
  const ProgramResult result = run({"convert", "in.etdump", "-o", "x.unknown"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.standard_error.find(".pftrace"), std::string::npos) << result.standard_error;
}

TEST(Program, CompletionKnowsEveryVerbAndOption) {
  const ProgramResult result = run({"completion", "bash"});
  EXPECT_EQ(result.exit_code, 0);
  for (const Command& command : verbs_and_actions())
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
  EXPECT_EQ(complete("accelscope isa dis", 2), "disasm\n");
  EXPECT_EQ(complete("accelscope isa asm --out", 3), "--output\n");
  EXPECT_EQ(complete("accelscope isa asm --dialect str", 4), "strict\n");
}

}  // namespace
}  // namespace accelscope::cli
