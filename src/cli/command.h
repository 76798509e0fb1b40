// What a verb of the command line looks like: plain tables, from which the parser, the help texts and the
// shell completion are made.
//
// Constant data; a command's run function gets the parsed words and returns the exit code. A verb of several
// actions (`isa asm`, `isa profile`) has a Command for each, with options and help of its own.
//
//   Command{.name = "validate", .summary = "...", .positionals = {...},
//           .options = {...}, .run = run_validate}
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace accelscope::cli {

// 0 ok, 1 bad usage, bad input or failure, 2 a gate said no, 130 interrupted.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;
inline constexpr int kExitGate = 2;
inline constexpr int kExitInterrupted = 130;

struct OptionSpec {
  std::string_view name;        // "--to"
  std::string_view short_name;  // "-o", or ""
  std::string_view value;       // "FILE"; "" for a flag
  std::string_view help;
  std::vector<std::string_view> choices = {};
  bool required = false;
  // What the bare option means, where its value may be left out. The value then comes with '=' only, so that
  // the bare option never swallows the next word.
  std::string_view bare = {};
  // May be given several times; Arguments::all() has the values.
  bool repeatable = false;
};

// An option without a short name, the most common kind.
inline OptionSpec option(std::string_view name, std::string_view value, std::string_view help,
                         std::vector<std::string_view> choices = {}) {
  return {.name = name, .short_name = "", .value = value, .help = help, .choices = std::move(choices)};
}

// At most, where any number may be given: more than anybody writes.
inline constexpr std::size_t kManyInputs = 10'000;

struct PositionalSpec {
  std::string_view name;  // "IN"
  std::string_view help;
  std::size_t at_least = 1;
  std::size_t at_most = 1;
};

// What the user wrote, after parsing.
struct Arguments {
  std::vector<std::string> positionals;
  std::map<std::string, std::string, std::less<>> values;  // options with a value, by their long name
  std::map<std::string, bool, std::less<>> flags;
  std::map<std::string, std::vector<std::string>, std::less<>> repeated;  // of options that may be

  std::optional<std::string> value(std::string_view option) const {
    const auto found = values.find(option);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  bool flag(std::string_view option) const { return flags.find(option) != flags.end(); }
  // Of a repeatable option, in their order; none where it was not given.
  std::vector<std::string> all(std::string_view option) const {
    const auto found = repeated.find(option);
    return found == repeated.end() ? std::vector<std::string>() : found->second;
  }
};

struct Command {
  std::string_view name;         // of an action with its verb: "isa profile"
  std::string_view summary;      // one line in the list of verbs
  std::string_view description;  // a paragraph in its own help
  std::vector<std::string_view> examples;
  std::vector<PositionalSpec> positionals;
  std::vector<OptionSpec> options;
  int (*run)(const Arguments& arguments) = nullptr;
  // Of a verb that is nothing without one of them; it has no positionals, options and run of its own.
  std::vector<Command> actions = {};
};

// "profile" of "isa profile".
constexpr std::string_view last_word(std::string_view name) {
  return name.substr(name.rfind(' ') + 1);
}

const std::vector<Command>& commands();

}  // namespace accelscope::cli
