#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/verbs.h"

namespace accelscope::cli {
namespace {

std::string words_of(const Command& command) {
  std::string words = "--help";
  for (const OptionSpec& option : command.options) words += fmt::format(" {}", option.name);
  return words;
}

// One `case` branch per option with choices: what may follow it.
std::string choices_of(const Command& command) {
  std::string branches;
  for (const OptionSpec& option : command.options)
    if (!option.choices.empty())
      branches += fmt::format("      \"{}:{}\") COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n",
                              command.name, option.name, fmt::join(option.choices, " "));
  return branches;
}

// One `case` branch for a verb with actions: which there are.
std::string actions_of(const Command& command) {
  std::vector<std::string_view> names;
  names.reserve(command.actions.size());
  for (const Command& action : command.actions) names.push_back(last_word(action.name));
  return fmt::format("    {}) actions=\"{} --help\" ;;\n", command.name, fmt::join(names, " "));
}

struct Branches {
  std::string verbs;
  std::string actions;
  std::string choices;
  std::string options;

  void add(const Command& command) {
    choices += choices_of(command);
    options += fmt::format("      \"{}\") options=\"{}\" ;;\n", command.name, words_of(command));
  }
};

std::string bash_script() {
  Branches branches;
  for (const Command& command : commands()) {
    branches.verbs += fmt::format(" {}", command.name);
    branches.add(command);
    if (!command.actions.empty()) branches.actions += actions_of(command);
    for (const Command& action : command.actions) branches.add(action);
  }
  return fmt::format(
      "# bash completion for accelscope. Use:  source <(accelscope completion bash)\n"
      "_accelscope() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" options=\"\"\n"
      "  local verb=\"${{COMP_WORDS[1]}}\" actions=\"\"\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$verb\" in\n{}"
      "  esac\n"
      "  if [ -n \"$actions\" ]; then\n"
      "    if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
      "      COMPREPLY=($(compgen -W \"$actions\" -- \"$word\"))\n"
      "      return\n"
      "    fi\n"
      "    verb=\"$verb ${{COMP_WORDS[2]}}\"\n"
      "  fi\n"
      "  case \"$verb:$before\" in\n{}"
      "  esac\n"
      "  if [ \"${{word:0:1}}\" = \"-\" ]; then\n"
      "    case \"$verb\" in\n{}"
      "    esac\n"
      "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
      "}}\n"
      "complete -o filenames -F _accelscope accelscope\n",
      branches.verbs.substr(1), branches.actions, branches.choices, branches.options);
}

int run_completion(const Arguments& arguments) {
  if (!arguments.positionals.empty() && arguments.positionals.front() != "bash")
    return report_failure(
        {base::ErrorCode::kUsage,
         fmt::format("no completion for '{}'; only bash is known", arguments.positionals.front()),
         {}});
  fmt::print("{}", bash_script());
  return kExitOk;
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .summary = "a script that completes verbs, options and files in the shell",
          .description = "Prints a completion script for bash.",
          .examples = {"source <(accelscope completion bash)",
                       "accelscope completion bash > /etc/bash_completion.d/accelscope"},
          .positionals = {{.name = "SHELL", .help = "bash", .at_least = 0}},
          .options = {},
          .run = run_completion};
}

}  // namespace accelscope::cli
