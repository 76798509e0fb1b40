#include "compat/reference_labels.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "trace/chip_run.h"
#include "trace/function_numbers.h"

namespace accelscope::compat {
namespace {

constexpr std::string_view kUnnamed = "func_";

// "a" to "z", "aa", "ab": the columns of a spreadsheet.
std::string letters(std::int32_t number) {
  std::string text;
  for (std::int64_t rest = std::int64_t{number} + 1; rest > 0; rest = (rest - 1) / 26)
    text.insert(text.begin(), static_cast<char>('a' + (rest - 1) % 26));
  return text;
}

bool mentions_spmd(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.find("spmd") != std::string::npos;
}

}  // namespace

std::string function_name(std::string_view name, std::int32_t number) {
  if (number >= 0 && name == fmt::format("{}{}", kUnnamed, number))
    return fmt::format("{}_{}", name, letters(number));
  return std::string(trace::plain_function_name(name, number));
}

std::string bar_name(const BarLabel& label) {
  const std::string task = trace::task_label(label.task_id);
  if (label.function < 0) return fmt::format("task({})", task);
  const std::string name = function_name(label.name, label.function);
  return fmt::format("{}{}({})", name, label.spmd && !mentions_spmd(name) ? "_spmd" : "", task);
}

}  // namespace accelscope::compat
