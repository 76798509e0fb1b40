// Things made to order from a name and parameters: "name:parameter=value,parameter=value".
//
// The maker lists its parameters with their ranges; what a user writes becomes values, complete and within
// them, or errors that say what is expected, all at once. Pure functions, safe from any thread; values point
// to the list they were made for, which must outlive them.
//
//   constexpr Parameter kRows{"rows", "of the input", 64, 1, 4096};
//   const ReadParameters read = read_parameters("linear", {&kRows, 1}, "rows=128");
//   read.values["rows"]   // 128
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace accelscope::base {

struct Parameter {
  std::string_view name;
  std::string_view help;
  std::uint64_t otherwise = 0;  // of one with choices: which
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::span<const std::string_view> choices = {};  // words instead of numbers
};

class ParameterValues {
 public:
  explicit ParameterValues(std::span<const Parameter> known);

  // The number, or which of the choices. The name is one of the list.
  std::uint64_t operator[](std::string_view name) const { return values_[position(name)]; }
  std::uint32_t small(std::string_view name) const { return static_cast<std::uint32_t>((*this)[name]); }
  bool is_set(std::string_view name) const { return (*this)[name] != 0; }
  void set(std::size_t position, std::uint64_t value) { values_[position] = value; }

 private:
  std::size_t position(std::string_view name) const;

  std::span<const Parameter> known_;
  std::vector<std::uint64_t> values_;
};

struct ReadParameters {
  ParameterValues values;
  std::vector<Error> errors;
};

// What stands behind the colon; `owner` is the name before it.
ReadParameters read_parameters(std::string_view owner, std::span<const Parameter> known,
                               std::string_view text);

// "the graph `x:y=1`: no such thing", or each error on a line of its own where there are several.
std::string with_all(std::string_view what, const std::vector<Error>& errors);

// A line for each with default and range, indented.
std::string parameters_help(std::span<const Parameter> known);

}  // namespace accelscope::base
