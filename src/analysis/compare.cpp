#include "analysis/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace accelscope::analysis {
namespace {

// A ratio of times that are a few steps of a coarse clock says more about the clock.
constexpr double kStepsForARatio = 5;

// The exclusive times of some entries added up, one value per steady execution.
std::vector<double> samples_of(const MethodProfile& method, const std::vector<std::uint32_t>& executions,
                               std::optional<std::uint32_t> entry,
                               const std::vector<std::uint32_t>& packing) {
  std::vector<double> samples(executions.size(), 0);
  const auto add = [&](const Entry& source) {
    for (std::size_t i = 0; i < executions.size(); ++i)
      samples[i] += to_unit(method, source.self[executions[i]]);
  };
  if (entry) add(method.entries[*entry]);
  for (const std::uint32_t position : packing) add(method.entries[position]);
  return samples;
}

// The difference of two sums, without what rounding left of equal ones.
double difference(double before, double after) {
  constexpr double kRounding = 1e-12;
  const double saved = before - after;
  return std::abs(saved) <= kRounding * std::max(std::abs(before), std::abs(after)) ? 0 : saved;
}

double mean_of(const std::vector<double>& samples) {
  if (samples.empty()) return 0;
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

// The step in which the estimated times of a method are counted: the greatest common divisor of all of them.
double resolution_of(const MethodProfile& method) {
  std::int64_t step = 0;
  for (const Entry& entry : method.entries) {
    if (!entry.estimated) continue;
    for (const Ticks self : entry.self) step = std::gcd(step, self.value);
  }
  return to_unit(method, Ticks{step});
}

class MethodComparer {
 public:
  MethodComparer(const Profile& baseline, std::size_t baseline_method, const Profile& candidate,
                 std::size_t candidate_method, const CompareOptions& options)
      : baseline_(baseline.methods[baseline_method]),
        candidate_(candidate.methods[candidate_method]),
        options_(options) {
    result_.method = candidate_.method;
    result_.baseline_method = baseline_method;
    result_.candidate_method = candidate_method;
    result_.unit = unit_of(candidate_);
    result_.baseline_latency = latency_of(baseline, baseline_method);
    result_.candidate_latency = latency_of(candidate, candidate_method);
  }

  MethodComparison compare() && {
    const std::vector<std::uint32_t>& before = result_.baseline_latency.positions;
    const std::vector<std::uint32_t>& after = result_.candidate_latency.positions;
    result_.baseline_breakdown = breakdown_of(baseline_, before);
    result_.candidate_breakdown = breakdown_of(candidate_, after);
    result_.end_to_end = stats::compare(result_.baseline_latency.steady_values,
                                        result_.candidate_latency.steady_values, options_.statistics);
    result_.saving = difference(result_.baseline_breakdown.mean, result_.candidate_breakdown.mean);
    compare_categories();
    result_.match = match_entries(baseline_, candidate_);
    compare_pairs();
    return std::move(result_);
  }

 private:
  double share_of_saving(double saving) const {
    return result_.saving == 0 ? 0 : 100.0 * saving / result_.saving;
  }

  void compare_categories() {
    std::array<CategoryComparison, kCategoryCount> rows;
    std::array<bool, kCategoryCount> seen{};
    for (const Share& share : result_.baseline_breakdown.by_category) {
      const auto at = static_cast<std::size_t>(share.category);
      rows[at].baseline = share.mean;
      rows[at].baseline_percent = share.percent;
      seen[at] = true;
    }
    for (const Share& share : result_.candidate_breakdown.by_category) {
      const auto at = static_cast<std::size_t>(share.category);
      rows[at].candidate = share.mean;
      rows[at].candidate_percent = share.percent;
      seen[at] = true;
    }
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
      if (!seen[i]) continue;
      rows[i].category = static_cast<Category>(i);
      rows[i].saving = difference(rows[i].baseline, rows[i].candidate);
      rows[i].saving_share = share_of_saving(rows[i].saving);
      result_.categories.push_back(rows[i]);
    }
    std::stable_sort(result_.categories.begin(), result_.categories.end(),
                     [](const CategoryComparison& a, const CategoryComparison& b) {
                       return std::abs(a.saving) > std::abs(b.saving);
                     });
  }

  PairComparison describe(std::uint32_t position) const {
    const EntryPair& pair = result_.match.pairs[position];
    PairComparison row;
    row.pair = position;
    row.in_baseline = pair.baseline.has_value();
    row.in_candidate = pair.candidate.has_value();
    const Entry& shown =
        row.in_candidate ? candidate_.entries[*pair.candidate] : baseline_.entries[*pair.baseline];
    row.name = shown.name;
    if (row.in_baseline) row.baseline_name = baseline_.entries[*pair.baseline].name;
    row.category = shown.category;
    row.part = shown.part;
    return row;
  }

  void compare_pairs() {
    std::vector<std::vector<double>> before;
    std::vector<std::vector<double>> after;
    for (std::uint32_t i = 0; i < result_.match.pairs.size(); ++i) {
      const EntryPair& pair = result_.match.pairs[i];
      before.push_back(
          samples_of(baseline_, result_.baseline_latency.positions, pair.baseline, pair.baseline_packing));
      after.push_back(samples_of(candidate_, result_.candidate_latency.positions, pair.candidate,
                                 pair.candidate_packing));
      PairComparison row = describe(i);
      row.baseline = mean_of(before.back());
      row.candidate = mean_of(after.back());
      row.saving = difference(row.baseline, row.candidate);
      row.saving_share = share_of_saving(row.saving);
      row.packing = mean_of(samples_of(candidate_, result_.candidate_latency.positions, std::nullopt,
                                       pair.candidate_packing)) -
                    mean_of(samples_of(baseline_, result_.baseline_latency.positions, std::nullopt,
                                       pair.baseline_packing));
      result_.operators.push_back(std::move(row));
    }
    std::stable_sort(result_.operators.begin(), result_.operators.end(),
                     [](const PairComparison& a, const PairComparison& b) {
                       return std::abs(a.saving) > std::abs(b.saving);
                     });
    test_pairs(before, after);
  }

  void test_pairs(const std::vector<std::vector<double>>& before,
                  const std::vector<std::vector<double>>& after) {
    const double resolution = std::max(resolution_of(baseline_), resolution_of(candidate_));
    std::vector<stats::Comparison> tests;
    for (PairComparison& row : result_.operators) {
      if (!row.in_baseline || !row.in_candidate) continue;
      stats::CompareOptions options = options_.statistics;
      options.bootstrap = options.bootstrap && tests.size() < options_.bootstrapped_operators;
      tests.push_back(stats::compare(before[row.pair], after[row.pair], options));
      const EntryPair& pair = result_.match.pairs[row.pair];
      const bool estimated =
          baseline_.entries[*pair.baseline].estimated || candidate_.entries[*pair.candidate].estimated;
      row.below_resolution =
          estimated && std::max(row.baseline, row.candidate) < kStepsForARatio * resolution;
    }
    stats::adjust_for_many(tests, options_.statistics);
    auto next = tests.begin();
    for (PairComparison& row : result_.operators) {
      if (!row.in_baseline || !row.in_candidate) continue;
      row.test = std::move(*next++);
      if (row.test->speedup > 0)
        row.speedup = row.test->speedup;
      else if (row.baseline > 0 && row.candidate > 0)
        row.speedup = row.baseline / row.candidate;
    }
  }

  const MethodProfile& baseline_;
  const MethodProfile& candidate_;
  const CompareOptions& options_;
  MethodComparison result_;
};

std::string refusal_for(const Profile& profile) {
  switch (profile.use) {
    case TimingUse::kTiming:
      return {};
    case TimingUse::kOneRunOfSeveral:
      return fmt::format("{} is one run cut out of a recording", profile.name);
    case TimingUse::kKernelTrace:
      return fmt::format("{} was recorded while kernels were logged", profile.name);
    case TimingUse::kAggregated:
      return fmt::format("{} holds averages, not executions", profile.name);
  }
  return {};
}

// By name; two profiles with one method each have the same one, whatever it is called.
std::optional<std::size_t> partner_of(const Profile& baseline, const Profile& candidate, std::size_t method) {
  for (std::size_t i = 0; i < baseline.methods.size(); ++i)
    if (baseline.methods[i].method == candidate.methods[method].method) return i;
  if (baseline.methods.size() == 1 && candidate.methods.size() == 1) return 0;
  return std::nullopt;
}

}  // namespace

Comparison compare(const Profile& baseline, const Profile& candidate, const CompareOptions& options) {
  Comparison comparison{.baseline = baseline.name, .candidate = candidate.name};
  for (const Profile* profile : {&baseline, &candidate})
    if (comparison.refusal.empty()) comparison.refusal = refusal_for(*profile);
  if (!comparison.refusal.empty()) return comparison;
  std::vector<bool> used(baseline.methods.size(), false);
  for (std::size_t i = 0; i < candidate.methods.size(); ++i) {
    const std::optional<std::size_t> partner = partner_of(baseline, candidate, i);
    if (!partner) {
      comparison.candidate_only.push_back(candidate.methods[i].method);
      continue;
    }
    used[*partner] = true;
    if (baseline.methods[*partner].frequency.known() != candidate.methods[i].frequency.known()) {
      comparison.refusal = "one side counts time, the other ticks of an unknown clock";
      continue;
    }
    comparison.methods.push_back(MethodComparer(baseline, *partner, candidate, i, options).compare());
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) comparison.baseline_only.push_back(baseline.methods[i].method);
  return comparison;
}

std::string verdict_sentence(const Comparison& comparison, const MethodComparison& method) {
  const stats::Comparison& test = method.end_to_end;
  std::string interval;
  if (test.interval)
    interval = fmt::format(", {:.0f} % interval {:.2f}x to {:.2f}x", 100 * test.interval->level,
                           test.interval->low, test.interval->high);
  const std::string medians = fmt::format("{:.4g} {} -> {:.4g} {}", test.baseline_median, method.unit,
                                          test.candidate_median, method.unit);
  switch (test.verdict) {
    case stats::Verdict::kFaster:
      return fmt::format("{} is {:.2f}x faster than {} ({}{}).", comparison.candidate, test.speedup,
                         comparison.baseline, medians, interval);
    case stats::Verdict::kSlower:
      return fmt::format("{} is {:.2f}x slower than {} ({}; speedup {:.2f}x{}).", comparison.candidate,
                         1 / test.speedup, comparison.baseline, medians, test.speedup, interval);
    case stats::Verdict::kNoDifference:
      return fmt::format("No difference between {} and {} ({}{}).", comparison.baseline, comparison.candidate,
                         medians, interval);
    case stats::Verdict::kInconclusive:
      break;
  }
  return fmt::format(
      "Inconclusive: {} against {} ({}{}): {}.{}", comparison.candidate, comparison.baseline, medians,
      interval, test.reason,
      test.runs_needed ? fmt::format(" Need about {} runs on each side.", *test.runs_needed) : "");
}

}  // namespace accelscope::analysis
