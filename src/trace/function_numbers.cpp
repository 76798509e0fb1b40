#include "trace/function_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/number_in.h"
#include "trace/vocabulary.h"

namespace accelscope::trace {
namespace {

constexpr std::string_view kUnnamed = "func_";
// What a dispatch is called of which nothing is known.
constexpr std::string_view kUnknown = "task";

std::int32_t whole_number(std::string_view text) {
  const auto number = base::number_in<std::int32_t>(text);
  return number && *number >= 0 ? *number : -1;
}

// "func_3" says its number; -1 for other names.
std::int32_t number_in(std::string_view name) {
  return name.starts_with(kUnnamed) ? whole_number(name.substr(kUnnamed.size())) : -1;
}

}  // namespace

FunctionNumbers::FunctionNumbers(const Trace& trace, Unnumbered unnumbered) : trace_(trace) {
  for (const Fact& fact : trace.facts()) {
    const std::string_view key = trace.text(fact.key);
    if (!key.starts_with(fact::kFunctionPrefix) || fact.value.type != ValueType::kString) continue;
    if (const std::int32_t number = whole_number(key.substr(fact::kFunctionPrefix.size())); number >= 0)
      numbers_.insert({fact.value.as_text(), number});
  }
  const CategoryId execution = trace.find_category(category::kTaskExecution);
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row) {
    if (trace.slices().category[row] != execution) continue;
    const StringId name = trace.slices().name[row];
    if (!numbers_.contains(name)) numbers_.insert({name, number_in(trace.text(name))});
  }
  if (unnumbered == Unnumbered::kNumbered) number_the_rest();
}

void FunctionNumbers::number_the_rest() {
  std::int32_t last = -1;
  std::vector<StringId> rest;
  for (const auto& [name, number] : numbers_) {
    last = std::max(last, number);
    if (number < 0 && !trace_.text(name).empty() && trace_.text(name) != kUnknown) rest.push_back(name);
  }
  std::sort(rest.begin(), rest.end());
  for (const StringId name : rest) {
    if (last == std::numeric_limits<std::int32_t>::max()) return;
    numbers_[name] = ++last;
  }
}

std::int32_t FunctionNumbers::number_of_text(std::string_view name) const {
  const auto found = numbers_.find(trace_.strings().find(name));
  return found == numbers_.end() ? number_in(name) : found->second;
}

std::int32_t FunctionNumbers::number(StringId name) const {
  const auto found = numbers_.find(name);
  return found == numbers_.end() ? -1 : found->second;
}

std::map<std::int32_t, std::string> FunctionNumbers::names() const {
  std::map<std::int32_t, std::string> names;
  for (const auto& [name, number] : numbers_)
    if (number >= 0 && number_in(trace_.text(name)) != number)
      names.emplace(number, plain_function_name(trace_.text(name), number));
  return names;
}

std::string_view plain_function_name(std::string_view name, std::int32_t number) {
  const std::string added = fmt::format(" (func {})", number);
  if (name.ends_with(added)) name.remove_suffix(added.size());
  return name;
}

}  // namespace accelscope::trace
