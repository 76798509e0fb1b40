#include "jobs/emulate_expectation.h"

#include <fmt/core.h>

#include "base/number_in.h"

namespace accelscope::jobs {

using base::Result;

Result<emulator::Tolerance> parse_tolerance(std::string_view text) {
  constexpr std::string_view kSteps = "steps";
  const bool steps = text.ends_with(kSteps);
  std::string_view digits = text;
  if (steps) digits.remove_suffix(kSteps.size());
  const std::optional<double> number = base::number_in<double>(digits);
  if (!number || !(*number >= 0))
    return base::fail(
        base::ErrorCode::kUsage,
        "--tolerance {}: expected a number from zero up, such as 0.01, or steps of the memory's "
        "format, such as 1steps",
        text);
  if (steps) return emulator::Tolerance{.steps = *number};
  return emulator::Tolerance{.absolute = *number, .relative = *number};
}

Result<std::optional<emulator::Expectation>> expectation_in(const std::string& path,
                                                            std::vector<findings::Input>& inputs) {
  if (path.empty()) return std::optional<emulator::Expectation>();
  ACCELSCOPE_TRY(emulator::Expectation expectation, emulator::load_expectation(path));
  inputs.push_back({.path = path, .format = "expectation", .role = "expectation"});
  return std::optional(std::move(expectation));
}

Result<std::vector<std::string>> differences_from(const emulator::Expectation& expectation,
                                                  const emulator::State& state,
                                                  const emulator::Tolerance& tolerance) {
  ACCELSCOPE_TRY(const emulator::Comparison found, emulator::compare(state, expectation, tolerance));
  std::vector<std::string> differences;
  if (found.different == 0) return differences;
  differences.push_back(fmt::format("{} of {} elements differ, by up to {:g} ({:g} steps of the format)",
                                    found.different, found.checked, found.largest_error,
                                    found.largest_steps));
  constexpr std::size_t kShown = 5;
  for (std::size_t i = 0; i < found.first.size() && i < kShown; ++i)
    differences.push_back(emulator::describe(found.first[i], expectation));
  return differences;
}

}  // namespace accelscope::jobs
