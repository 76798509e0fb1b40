#include "analysis/breakdown.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "trace/self_time.h"

namespace accelscope::analysis {
namespace {

Ticks total_of(const Entry& entry, std::span<const std::uint32_t> executions) {
  Ticks total{};
  for (const std::uint32_t execution : executions) trace::add_wrapping(total, entry.self[execution]);
  return total;
}

// Adds entries up under a key. The share's name and category are those of the first entry.
template <class Key>
class Totals {
 public:
  void add(const Key& key, std::string_view name, const Entry& entry, std::uint32_t position, Ticks total) {
    const auto [found, added] = places_.try_emplace(key, shares_.size());
    if (added) {
      shares_.push_back({.name = std::string(name), .category = entry.category, .part = entry.part});
      largest_.push_back(Ticks::min());
    }
    Share& share = shares_[found->second];
    trace::add_wrapping(share.total, total);
    share.calls += static_cast<double>(entry.count);
    ++share.operators;
    if (total > largest_[found->second]) {
      largest_[found->second] = total;
      share.entry = position;
    }
  }

  std::vector<Share> take() && { return std::move(shares_); }

 private:
  std::map<Key, std::size_t> places_;
  std::vector<Share> shares_;
  std::vector<Ticks> largest_;
};

void scale(std::vector<Share>& shares, const MethodProfile& method, const Breakdown& breakdown) {
  const auto executions = static_cast<double>(breakdown.executions);
  for (Share& share : shares) {
    share.mean = executions > 0 ? to_unit(method, share.total) / executions : 0;
    share.percent = breakdown.total.value > 0 ? 100.0 * static_cast<double>(share.total.value) /
                                                    static_cast<double>(breakdown.total.value)
                                              : 0;
    // Counts are over all executions of the method, not only the counted ones.
    share.calls /= std::max<double>(1, static_cast<double>(method.executions.size()));
  }
}

void largest_first(std::vector<Share>& shares) {
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.total > b.total; });
}

std::vector<Share> foreign_shares(const MethodProfile& method) {
  std::vector<Share> shares;
  // Cycles of one clock and nanoseconds of another have no sum.
  std::map<std::string, double> sums;
  for (const ForeignEntry& entry : method.foreign)
    sums[entry.clock] += static_cast<double>(entry.total.value);
  for (const ForeignEntry& entry : method.foreign) {
    const double sum = sums[entry.clock];
    Share share{.name = fmt::format("{} [{} clock]", entry.name, entry.clock), .total = entry.total};
    share.calls =
        static_cast<double>(entry.count) / std::max<double>(1, static_cast<double>(method.executions.size()));
    share.percent = sum > 0 ? 100.0 * static_cast<double>(entry.total.value) / sum : 0;
    shares.push_back(std::move(share));
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.percent > b.percent; });
  return shares;
}

}  // namespace

Breakdown breakdown_of(const MethodProfile& method, std::span<const std::uint32_t> executions) {
  Breakdown breakdown;
  breakdown.executions = executions.size();
  breakdown.positions.assign(executions.begin(), executions.end());
  for (const std::uint32_t execution : executions)
    trace::add_wrapping(breakdown.total, method.executions[execution].duration);
  breakdown.mean =
      executions.empty() ? 0 : to_unit(method, breakdown.total) / static_cast<double>(executions.size());

  Totals<Part> parts;
  Totals<Category> categories;
  Totals<std::tuple<std::string, Part>> types;
  Ticks sum{};
  for (std::uint32_t i = 0; i < method.entries.size(); ++i) {
    const Entry& entry = method.entries[i];
    const Ticks total = total_of(entry, executions);
    trace::add_wrapping(sum, total);
    if (total.value < 0) ++breakdown.negative_entries;
    parts.add(entry.part, name_of(entry.part), entry, i, total);
    categories.add(entry.category, name_of(entry.category), entry, i, total);
    if (!is_operator(entry.part) && entry.part != Part::kOther) continue;
    const std::string type = entry.type.empty() ? entry.name : entry.type;
    types.add({type, entry.part}, type, entry, i, total);
    breakdown.by_operator.push_back({.name = entry.name,
                                     .category = entry.category,
                                     .part = entry.part,
                                     .total = total,
                                     .operators = 1,
                                     .calls = static_cast<double>(entry.count),
                                     .entry = i});
  }
  breakdown.exact = sum == breakdown.total;
  breakdown.by_part = std::move(parts).take();
  std::stable_sort(breakdown.by_part.begin(), breakdown.by_part.end(),
                   [](const Share& a, const Share& b) { return a.part < b.part; });
  breakdown.by_category = std::move(categories).take();
  breakdown.by_type = std::move(types).take();
  for (std::vector<Share>* list :
       {&breakdown.by_part, &breakdown.by_category, &breakdown.by_type, &breakdown.by_operator})
    scale(*list, method, breakdown);
  for (std::vector<Share>* list : {&breakdown.by_category, &breakdown.by_type, &breakdown.by_operator})
    largest_first(*list);
  breakdown.foreign = foreign_shares(method);
  return breakdown;
}

double inflation_of(const MethodProfile& method) {
  Ticks total{};
  for (const Execution& execution : method.executions) trace::add_wrapping(total, execution.duration);
  return total.value > 0 ? static_cast<double>(method.all_rows.value) / static_cast<double>(total.value) : 0;
}

}  // namespace accelscope::analysis
