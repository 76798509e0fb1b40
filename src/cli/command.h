// What a verb of the command line looks like: plain tables, from which the parser, the help texts and the
// shell completion are made.
//
// Constant data; a command's run function gets the parsed words and returns the exit code.
//
//   Command{.name = "validate", .summary = "...", .positionals = {...},
//           .options = {...}, .run = run_validate}
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
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
};

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

  std::optional<std::string> value(std::string_view option) const {
    const auto found = values.find(option);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  bool flag(std::string_view option) const { return flags.find(option) != flags.end(); }
};

struct Command {
  std::string_view name;
  std::string_view summary;      // one line in the list of verbs
  std::string_view description;  // a paragraph in its own help
  std::vector<std::string_view> examples;
  std::vector<PositionalSpec> positionals;
  std::vector<OptionSpec> options;
  int (*run)(const Arguments& arguments);
};

const std::vector<Command>& commands();

}  // namespace accelscope::cli
