#include "cli/command_line.h"

#include <fmt/format.h>

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
  std::deque<bool> flags;
  bool help = false;
};

std::string option_names(const OptionSpec& option) {
  return option.short_name.empty() ? std::string(option.name)
                                   : fmt::format("{},{}", option.short_name, option.name);
}

void declare(CLI::App& app, const Command& command, Slots& slots) {
  app.set_help_flag();
  app.add_flag("-h,--help", slots.help);
  for (const OptionSpec& option : command.options) {
    if (option.value.empty()) {
      app.add_flag(option_names(option), slots.flags.emplace_back(false));
      continue;
    }
    std::string& place = slots.values.emplace_back();
    CLI::Option* added =
        option.bare.empty() ? app.add_option(option_names(option), place)
                            : app.add_flag(fmt::format("{}{{{}}}", option_names(option), option.bare), place);
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
  std::size_t next_flag = 0;
  for (const OptionSpec& option : command.options) {
    const bool given = app.count(std::string(option.name)) > 0;
    const bool takes_value = !option.value.empty();
    if (given && takes_value) arguments.values.emplace(option.name, slots.values[next_value]);
    if (given && !takes_value) arguments.flags.emplace(option.name, slots.flags[next_flag]);
    ++(takes_value ? next_value : next_flag);
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
    if (option.required && !arguments.value(option.name))
      return fmt::format("{} {} is missing: {}", option.name, option.value, option.help);
  return {};
}

std::string unknown_verb(const std::vector<Command>& commands, std::string_view verb) {
  std::vector<std::string_view> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.push_back(command.name);
  const std::string_view closest = base::closest_name(verb, names);
  if (closest.empty()) return fmt::format("unknown verb '{}'", verb);
  return fmt::format("unknown verb '{}'; did you mean '{}'?", verb, closest);
}

ParsedLine bad_usage(const Command* command, std::string problem) {
  return {ParsedLine::Kind::kBadUsage, command, {}, std::move(problem)};
}

}  // namespace

ParsedLine parse_command_line(const std::vector<Command>& commands, int argc, const char* const* argv) {
  if (argc < 2) return bad_usage(nullptr, "a verb is missing");
  const std::string_view verb = argv[1];
  if (verb == "--help" || verb == "-h" || verb == "help") return {ParsedLine::Kind::kHelp};
  if (verb == "--version") return {ParsedLine::Kind::kVersion};
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& known) { return known.name == verb; });
  if (command == commands.end())
    return bad_usage(nullptr, verb.starts_with('-') ? fmt::format("unknown option '{}'", verb)
                                                    : unknown_verb(commands, verb));
  Slots slots;
  CLI::App app;
  declare(app, *command, slots);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::ParseError& error) {
    return bad_usage(&*command, error.what());
  }
  if (slots.help) return {ParsedLine::Kind::kHelp, &*command};
  ParsedLine line{ParsedLine::Kind::kRun, &*command, collect(app, *command, slots)};
  if (std::string problem = complaint(*command, line.arguments); !problem.empty())
    return bad_usage(&*command, std::move(problem));
  return line;
}

}  // namespace accelscope::cli
