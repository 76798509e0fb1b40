#include "formats/chip_run/functions.h"

#include <fmt/core.h>

#include <limits>
#include <map>
#include <string>

#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {

Functions::Functions(trace::TraceBuilder& builder, const std::optional<name_map::NameMap>& names)
    : builder_(builder) {
  if (!names) return;
  std::map<std::string_view, int> uses;
  for (const auto& [number, name] : names->functions) ++uses[name];
  for (const auto& [number, name] : names->functions) {
    if (name.empty() || number < 0 || number > std::numeric_limits<std::int32_t>::max()) continue;
    const std::string shown = uses[name] == 1 ? name : fmt::format("{} (func {})", name, number);
    const trace::StringId text = builder_.intern(shown);
    known_[static_cast<std::int32_t>(number)] = text;
    builder_.add_fact(fmt::format("{}{}", trace::fact::kFunctionPrefix, number),
                      trace::Value::of_string(text));
  }
  if (!names->orchestrator.empty())
    builder_.add_fact(trace::fact::kOrchestratorName,
                      trace::Value::of_string(builder_.intern(names->orchestrator)));
}

trace::StringId Functions::find_or_make(std::int32_t function) {
  constexpr std::int32_t kSmall = 4096;
  auto found = known_.find(function);
  if (found == known_.end())
    found = known_.emplace(function, builder_.intern(fmt::format("func_{}", function))).first;
  const trace::StringId text = found->second;
  if (function >= 0 && function < kSmall) {
    if (small_.empty()) small_.resize(kSmall, trace::StringId::kEmpty);
    small_[static_cast<std::size_t>(function)] = text;
  }
  return text;
}

}  // namespace accelscope::formats::chip_run
