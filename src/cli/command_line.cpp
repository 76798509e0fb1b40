#include "cli/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

#include "base/closest_name.h"

namespace accelscope::cli {
namespace {

// Where CLI11 puts what it finds, for one command.
struct Slots {
  std::vector<std::string> positionals;
  std::deque<std::string> values;
  std::deque<std::vector<std::string>> lists;
  std::deque<bool> flags;
  bool help = false;
};

std::string option_names(const OptionSpec& option) {
  return option.short_name.empty() ? std::string(option.name)
                                   : fmt::format("{},{}", option.short_name, option.name);
}

CLI::Option* declare_value(CLI::App& app, const OptionSpec& option, Slots& slots) {
  // One value each time, so that the option never swallows a positional.
  if (option.repeatable)
    return app.add_option(option_names(option), slots.lists.emplace_back())->allow_extra_args(false);
  std::string& place = slots.values.emplace_back();
  if (option.bare.empty()) return app.add_option(option_names(option), place);
  return app.add_flag(fmt::format("{}{{{}}}", option_names(option), option.bare), place);
}

void declare(CLI::App& app, const Command& command, Slots& slots) {
  app.set_help_flag();
  app.add_flag("-h,--help", slots.help);
  for (const OptionSpec& option : command.options) {
    if (option.value.empty()) {
      app.add_flag(option_names(option), slots.flags.emplace_back(false));
      continue;
    }
    CLI::Option* added = declare_value(app, option, slots);
    // "--help" must work without the required ones, so they are checked afterwards.
    if (!option.choices.empty())
      added->check(CLI::IsMember(std::vector<std::string>(option.choices.begin(), option.choices.end())));
  }
  if (!command.positionals.empty()) app.add_option("positionals", slots.positionals);
}

Arguments collect(const CLI::App& app, const Command& command, const Slots& slots) {
  Arguments arguments;
  arguments.positionals = slots.positionals;
  std::size_t next_value = 0;
  std::size_t next_list = 0;
  std::size_t next_flag = 0;
  for (const OptionSpec& option : command.options) {
    const bool given = app.count(std::string(option.name)) > 0;
    if (option.value.empty()) {
      if (given) arguments.flags.emplace(option.name, slots.flags[next_flag]);
      ++next_flag;
    } else if (option.repeatable) {
      if (given) arguments.repeated.emplace(option.name, slots.lists[next_list]);
      ++next_list;
    } else {
      if (given) arguments.values.emplace(option.name, slots.values[next_value]);
      ++next_value;
    }
  }
  return arguments;
}

// What is missing or too much, in words; empty when all is well.
std::string complaint(const Command& command, const Arguments& arguments) {
  std::size_t at_least = 0;
  std::size_t at_most = 0;
  for (const PositionalSpec& positional : command.positionals) {
    at_least += positional.at_least;
    at_most += positional.at_most;
    if (arguments.positionals.size() < at_least)
      return fmt::format("{} is missing: {}", positional.name, positional.help);
  }
  if (arguments.positionals.size() > at_most)
    return fmt::format("'{}' is one argument too many", arguments.positionals[at_most]);
  for (const OptionSpec& option : command.options)
    if (option.required && !arguments.value(option.name) && arguments.all(option.name).empty())
      return fmt::format("{} {} is missing: {}", option.name, option.value, option.help);
  return {};
}

std::string unknown_name(std::string_view kind, const std::vector<Command>& commands, std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(last_word(command.name));
  const std::string_view closest = base::closest_name(name, names);
  if (closest.empty()) return fmt::format("unknown {} '{}'", kind, name);
  return fmt::format("unknown {} '{}'; did you mean '{}'?", kind, name, closest);
}

ParsedLine bad_usage(const Command* command, std::string problem) {
  return {ParsedLine::Kind::kBadUsage, command, {}, std::move(problem)};
}

const Command* find_command(const std::vector<Command>& commands, std::string_view name) {
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& known) { return last_word(known.name) == name; });
  return found == commands.end() ? nullptr : &*found;
}

bool asks_for_help(std::string_view word) {
  return word == "--help" || word == "-h";
}

// argv[0] is the last word of the command's name.
ParsedLine parse_arguments(const Command& command, int argc, const char* const* argv) {
  Slots slots;
  CLI::App app;
  declare(app, command, slots);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return bad_usage(&command, error.what());
  }
  if (slots.help) return {ParsedLine::Kind::kHelp, &command};
  ParsedLine line{ParsedLine::Kind::kRun, &command, collect(app, command, slots)};
  if (std::string problem = complaint(command, line.arguments); !problem.empty())
    return bad_usage(&command, std::move(problem));
  return line;
}

ParsedLine parse_action(const Command& verb, int argc, const char* const* argv) {
  if (argc < 2) return bad_usage(&verb, "an action is missing");
  const std::string_view name = argv[1];
  if (asks_for_help(name) || name == "help") return {ParsedLine::Kind::kHelp, &verb};
  if (const Command* const action = find_command(verb.actions, name))
    return parse_arguments(*action, argc - 1, argv + 1);
  return bad_usage(&verb, name.starts_with('-') ? fmt::format("an action is missing before '{}'", name)
                                                : unknown_name("action", verb.actions, name));
}

}  // namespace

ParsedLine parse_command_line(const std::vector<Command>& commands, int argc, const char* const* argv) {
  if (argc < 2) return bad_usage(nullptr, "a verb is missing");
  const std::string_view verb = argv[1];
  if (asks_for_help(verb) || verb == "help") return {ParsedLine::Kind::kHelp};
  if (verb == "--version") return {ParsedLine::Kind::kVersion};
  const Command* const command = find_command(commands, verb);
  if (command == nullptr)
    return bad_usage(nullptr, verb.starts_with('-') ? fmt::format("unknown option '{}'", verb)
                                                    : unknown_name("verb", commands, verb));
  return command->actions.empty() ? parse_arguments(*command, argc - 1, argv + 1)
                                  : parse_action(*command, argc - 1, argv + 1);
}

}  // namespace accelscope::cli
