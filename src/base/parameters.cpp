#include "base/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/closest_name.h"
#include "base/number_in.h"
#include "base/result.h"

namespace accelscope::base {
namespace {

std::string range_in_words(const Parameter& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  if (parameter.most == ~0ULL) return fmt::format("from {} on", parameter.least);
  return fmt::format("{} to {}", parameter.least, parameter.most);
}

std::string default_in_words(const Parameter& parameter) {
  return parameter.choices.empty() ? fmt::format("{}", parameter.otherwise)
                                   : std::string(parameter.choices[parameter.otherwise]);
}

Result<std::uint64_t> value_of(const Parameter& parameter, std::string_view text) {
  if (!parameter.choices.empty()) {
    const auto found = std::ranges::find(parameter.choices, text);
    if (found != parameter.choices.end())
      return static_cast<std::uint64_t>(found - parameter.choices.begin());
  } else if (const auto number = number_in<std::uint64_t>(text);
             number && *number >= parameter.least && *number <= parameter.most) {
    return *number;
  }
  return fail(ErrorCode::kUsage, "`{}={}`: {} is expected: {}", parameter.name, text,
              parameter.choices.empty() ? "a whole number" : "one word", range_in_words(parameter));
}

// One "name=value".
Status read_assignment(std::string_view owner, std::span<const Parameter> known, std::string_view text,
                       ParameterValues& values, std::vector<bool>& given) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto found = std::ranges::find(known, name, &Parameter::name);
  if (found == known.end()) {
    std::vector<std::string_view> names;
    for (const Parameter& parameter : known) names.push_back(parameter.name);
    return fail(ErrorCode::kUsage, "`{}` has no parameter `{}`{}; there are: {}", owner, name,
                suggestion(name, names), fmt::join(names, ", "));
  }
  if (equals == std::string_view::npos)
    return fail(ErrorCode::kUsage, "`{}` has no value; `{}={}` is its default", name, name,
                default_in_words(*found));
  const auto position = static_cast<std::size_t>(found - known.begin());
  if (given[position]) return fail(ErrorCode::kUsage, "`{}` is given twice", name);
  given[position] = true;
  ACCELSCOPE_TRY(const std::uint64_t value, value_of(*found, text.substr(equals + 1)));
  values.set(position, value);
  return {};
}

}  // namespace

ParameterValues::ParameterValues(std::span<const Parameter> known) : known_(known) {
  for (const Parameter& parameter : known) values_.push_back(parameter.otherwise);
}

std::size_t ParameterValues::position(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::find(known_, name, &Parameter::name) - known_.begin());
}

ReadParameters read_parameters(std::string_view owner, std::span<const Parameter> known,
                               std::string_view text) {
  ReadParameters made{ParameterValues(known), {}};
  std::vector<bool> given(known.size());
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const Status status = read_assignment(owner, known, text.substr(0, comma), made.values, given);
    if (!status) made.errors.push_back(status.error());
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return made;
}

std::string with_all(std::string_view what, const std::vector<Error>& errors) {
  std::string message = fmt::format("{}:", what);
  for (const Error& error : errors)
    message += fmt::format("{}{}", errors.size() == 1 ? " " : "\n  ", error.message);
  return message;
}

std::string parameters_help(std::span<const Parameter> known) {
  std::string help;
  for (const Parameter& parameter : known)
    help +=
        fmt::format("  {:<20}{} ({})\n", fmt::format("{}={}", parameter.name, default_in_words(parameter)),
                    parameter.help, range_in_words(parameter));
  return help;
}

}  // namespace accelscope::base
