#include <algorithm>
#include <cmath>

#include "compat/kit_categories.h"
#include "compat/kit_report.h"

namespace accelscope::compat {
namespace {

// A sum with what rounding lost beside it: near enough to Python's exact sums for any printed digit.
struct ExactSum {
  double sum = 0;
  double rest = 0;

  void add(double value) {
    const double next = sum + value;
    rest += std::fabs(sum) >= std::fabs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  double total() const { return sum + rest; }
};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::optional<KitReportStats> kit_report_stats(const std::vector<double>& latencies) {
  if (latencies.empty()) return std::nullopt;
  std::vector<double> ordered = latencies;
  // A NaN has no place among numbers; at the end it does no harm.
  std::sort(ordered.begin(), ordered.end(),
            [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
  const std::size_t n = ordered.size();
  KitReportStats stats{.min = ordered.front(), .max = ordered.back()};
  stats.median = n % 2 == 1 ? ordered[n / 2] : (ordered[n / 2 - 1] + ordered[n / 2]) / 2;
  ExactSum sum;
  for (const double value : latencies) sum.add(value);
  stats.mean = sum.total() / static_cast<double>(n);
  ExactSum squares;
  for (const double value : latencies) squares.add((value - stats.mean) * (value - stats.mean));
  if (n > 1) stats.deviation = std::sqrt(squares.total() / static_cast<double>(n - 1));
  return stats;
}

std::map<std::string, double> kit_category_totals(const std::vector<KitOperatorTotal>& totals) {
  std::map<std::string, double> by_category;
  for (const KitOperatorTotal& row : totals)
    if (!is_kit_overhead_in_reports(row.name) && !is_kit_overhead_in_reports(row.type))
      by_category[std::string(kit_coarse_category(row.name))] += row.total_ms;
  return by_category;
}

KitChoice choose_kit_experiments(const std::vector<KitExperiment>& experiments) {
  KitChoice choice;
  const auto take = [](const KitExperiment*& chosen, const KitExperiment& experiment) {
    if (chosen == nullptr || experiment.latencies.size() > chosen->latencies.size()) chosen = &experiment;
  };
  for (const KitExperiment& experiment : experiments) {
    const std::string name = lower(experiment.name);
    if (contains(name, "sme2_on") || contains(name, "sme2-on"))
      take(choice.on, experiment);
    else if (contains(name, "sme2_off") || contains(name, "sme2-off"))
      take(choice.off, experiment);
  }
  return choice;
}

KitChoice choose_last_kit_experiments(const std::vector<KitExperiment>& experiments) {
  KitChoice choice;
  for (const KitExperiment& experiment : experiments) {
    const std::string name = lower(experiment.name);
    if (contains(name, "sme2_on"))
      choice.on = &experiment;
    else if (contains(name, "sme2_off"))
      choice.off = &experiment;
  }
  return choice;
}

}  // namespace accelscope::compat
