#include "compat/reference_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "trace/chip_run.h"
#include "trace/vocabulary.h"

namespace accelscope::compat {
namespace {

std::optional<std::int32_t> whole_number(std::string_view text) {
  std::int32_t number = 0;
  const auto [stopped, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || stopped != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

constexpr std::string_view kUnnamed = "func_";

// "func_3" says its number; -1 for other names.
std::int32_t number_in(std::string_view name) {
  if (!name.starts_with(kUnnamed)) return -1;
  return whole_number(name.substr(kUnnamed.size())).value_or(-1);
}

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

FunctionNumbers::FunctionNumbers(const trace::Trace& trace) : trace_(trace) {
  for (const trace::Fact& fact : trace.facts()) {
    const std::string_view key = trace.text(fact.key);
    if (!key.starts_with(trace::fact::kFunctionPrefix) || fact.value.type != trace::ValueType::kString)
      continue;
    if (const auto number = whole_number(key.substr(trace::fact::kFunctionPrefix.size())))
      numbers_.insert({fact.value.as_text(), *number});
  }
  const trace::CategoryId execution = trace.find_category(trace::category::kTaskExecution);
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row) {
    if (trace.slices().category[row] != execution) continue;
    const trace::StringId name = trace.slices().name[row];
    if (numbers_.contains(name)) continue;
    numbers_.insert({name, number_in(trace.text(name))});
  }
}

std::int32_t FunctionNumbers::number_of_text(std::string_view name) const {
  const auto found = numbers_.find(trace_.strings().find(name));
  return found == numbers_.end() ? number_in(name) : found->second;
}

std::int32_t FunctionNumbers::number(trace::StringId name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

std::string function_name(std::string_view name, std::int32_t number) {
  if (number >= 0 && name == fmt::format("{}{}", kUnnamed, number))
    return fmt::format("{}_{}", name, letters(number));
  const std::string added = fmt::format(" (func {})", number);
  if (name.ends_with(added)) name.remove_suffix(added.size());
  return std::string(name);
}

std::string bar_name(const BarLabel& label) {
  const std::string task = trace::task_label(label.task_id);
  if (label.function < 0) return fmt::format("task({})", task);
  const std::string name = function_name(label.name, label.function);
  return fmt::format("{}{}({})", name, label.spmd && !mentions_spmd(name) ? "_spmd" : "", task);
}

}  // namespace accelscope::compat
