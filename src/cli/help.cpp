#include "cli/help.h"

#include <fmt/format.h>

#include "report/wrap.h"

namespace accelscope::cli {
namespace {

using report::wrapped;

constexpr std::size_t kTextColumn = 30;
constexpr std::size_t kTextWidth = 70;

std::string table_line(std::string_view left, std::string_view text) {
  std::string line = fmt::format("  {:<{}}", left, kTextColumn - 2);
  if (left.size() + 4 > kTextColumn) line = fmt::format("  {}\n{}", left, std::string(kTextColumn, ' '));
  return line + wrapped(text, kTextWidth, kTextColumn) + '\n';
}

std::string option_left(const OptionSpec& option) {
  std::string left = option.short_name.empty() ? std::string() : fmt::format("{}, ", option.short_name);
  left += option.name;
  if (!option.bare.empty()) return left + fmt::format("[={}]", option.value);
  if (!option.value.empty()) left += fmt::format(" {}", option.value);
  if (option.repeatable) left += " ...";
  return left;
}

}  // namespace

std::string usage_line(const Command& command) {
  std::string line = fmt::format("usage: accelscope {}", command.name);
  if (!command.actions.empty()) return line + " ACTION [arguments]";
  for (const PositionalSpec& positional : command.positionals) {
    line += positional.at_least == 0 ? fmt::format(" [{}]", positional.name)
                                     : fmt::format(" {}", positional.name);
    if (positional.at_most > 1) line += fmt::format(" [{} ...]", positional.name);
  }
  for (const OptionSpec& option : command.options)
    if (option.required)
      line +=
          fmt::format(" {} {}", option.short_name.empty() ? option.name : option.short_name, option.value);
  return line + " [options]";
}

std::string command_help(const Command& command) {
  std::string text =
      usage_line(command) + "\n\n" + wrapped(command.description, kTextColumn + kTextWidth, 0) + "\n\n";
  if (!command.actions.empty()) {
    text += "actions:\n";
    for (const Command& action : command.actions) text += table_line(last_word(action.name), action.summary);
    text += '\n';
  }
  for (const PositionalSpec& positional : command.positionals)
    text += table_line(positional.name, positional.help);
  if (!command.positionals.empty()) text += '\n';
  text += "options:\n";
  for (const OptionSpec& option : command.options) {
    std::string help(option.help);
    if (!option.choices.empty()) help += fmt::format(" ({})", fmt::join(option.choices, ", "));
    text += table_line(option_left(option), help);
  }
  text +=
      table_line("-h, --help",
                 command.actions.empty()
                     ? "this text"
                     : fmt::format("this text; `accelscope {} ACTION --help` for one action", command.name));
  text += "\nexamples:\n";
  for (const std::string_view example : command.examples) text += fmt::format("  {}\n", example);
  return text;
}

std::string program_help(const std::vector<Command>& commands) {
  std::string text =
      "accelscope shows where an AI accelerator's time goes.\n\n"
      "usage: accelscope VERB [arguments]\n\nverbs:\n";
  for (const Command& command : commands) text += table_line(command.name, command.summary);
  text +=
      "\noptions:\n"
      "  -h, --help                  this text; `accelscope VERB --help` for one verb\n"
      "  --version                   the version\n\n"
      "exit codes: 0 ok, 1 bad usage, bad input or failure, 2 a gate said no, 130 interrupted\n";
  return text;
}

}  // namespace accelscope::cli
