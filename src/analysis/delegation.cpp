#include "analysis/delegation.h"

#include <algorithm>
#include <map>

namespace accelscope::analysis {
namespace {

double& percent_of(Delegation& delegation, Part part) {
  switch (part) {
    case Part::kDelegateOperator:
      return delegation.inside_percent;
    case Part::kLibraryOperator:
      return delegation.outside_percent;
    case Part::kDelegateOverhead:
      return delegation.overhead_percent;
    case Part::kOperatorCallOverhead:
    case Part::kControl:
    case Part::kFramework:
    case Part::kOther:
      break;
  }
  return delegation.rest_percent;
}

std::vector<BackendUse> backends_of(const MethodProfile& method, const Breakdown& breakdown) {
  std::map<std::string, BackendUse> by_name;
  const auto add = [&](const Entry& entry, double mean, double percent) {
    BackendUse& use = by_name[entry.backend];
    use.backend = entry.backend;
    if (use.source.empty()) use.source = entry.backend_source;
    use.mean += mean;
    use.percent += percent;
  };
  for (const Share& share : breakdown.by_operator)
    if (share.part == Part::kDelegateOperator) add(method.entries[share.entry], share.mean, share.percent);
  // Counts are over all executions of the method, times only over the counted ones.
  const auto executions = static_cast<double>(std::max<std::size_t>(1, method.executions.size()));
  const auto counted = static_cast<double>(std::max<std::size_t>(1, breakdown.positions.size()));
  for (const Entry& entry : method.entries) {
    if (entry.part != Part::kDelegateOverhead) continue;
    double mean = 0;
    for (const std::uint32_t position : breakdown.positions)
      mean += to_unit(method, entry.self[position]) / counted;
    add(entry, mean, breakdown.mean > 0 ? 100 * mean / breakdown.mean : 0);
    by_name[entry.backend].calls += static_cast<double>(entry.count) / executions;
  }
  std::vector<BackendUse> uses;
  uses.reserve(by_name.size());
  for (auto& [name, use] : by_name) uses.push_back(std::move(use));
  std::stable_sort(uses.begin(), uses.end(),
                   [](const BackendUse& a, const BackendUse& b) { return a.mean > b.mean; });
  return uses;
}

}  // namespace

Delegation delegation_of(const MethodProfile& method, const Breakdown& breakdown) {
  Delegation delegation;
  for (const Share& share : breakdown.by_part) percent_of(delegation, share.part) += share.percent;
  delegation.backends = backends_of(method, breakdown);
  for (const Share& share : breakdown.by_type) {
    if (share.part != Part::kLibraryOperator) continue;
    delegation.outside.push_back({.name = share.name,
                                  .category = share.category,
                                  .mean = share.mean,
                                  .percent = share.percent,
                                  .operators = share.operators,
                                  .entry = share.entry,
                                  .support = xnnpack_support_of(method.entries[share.entry].family)});
  }
  return delegation;
}

}  // namespace accelscope::analysis
