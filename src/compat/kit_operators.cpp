#include "compat/kit_operators.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "compat/kit_categories.h"
#include "compat/kit_latency.h"
#include "compat/numpy_math.h"

namespace accelscope::compat {
namespace {

constexpr double kPercent = 100;
constexpr std::size_t kTopOther = 2;

// The durations of what belongs together, in the order of the rows; pandas counts empty cells as nothing.
struct Group {
  std::vector<double> durations;
  std::size_t names = 0;

  void add(double ms) { durations.push_back(std::isnan(ms) ? 0 : ms); }
};

struct Times {
  double total_ms;
  double avg_ms;
  double pct;
};

Times times_of(const Group& group, const KitOperatorAnalysis& analysis) {
  const double total = numpy_sum(group.durations);
  const double average = total / static_cast<double>(analysis.num_runs);
  return {total, average, analysis.avg_ms > 0 ? average / analysis.avg_ms * kPercent : 0};
}

template <class Rows>
void sort_by_average(Rows& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.avg_ms > b.avg_ms; });
}

void set_latency(KitOperatorAnalysis& analysis, const KitLatencies& latencies) {
  analysis.num_runs = latencies.ms.size();
  analysis.total_ms = numpy_sum(latencies.ms);
  analysis.avg_ms = numpy_mean(latencies.ms);
  analysis.min_ms = *std::min_element(latencies.ms.begin(), latencies.ms.end());
  analysis.max_ms = *std::max_element(latencies.ms.begin(), latencies.ms.end());
}

const KitCategoryTime* find_category(const KitOperatorAnalysis& analysis, const std::string& category) {
  for (const KitCategoryTime& row : analysis.categories)
    if (row.category == category) return &row;
  return nullptr;
}

}  // namespace

base::Result<KitOperatorAnalysis> kit_operator_analysis(const KitTimeline& timeline, std::string model_name) {
  ACCELSCOPE_TRY(const KitLatencies latencies, kit_latencies(timeline));
  if (!timeline.has_run_index)
    return base::fail(base::ErrorCode::kMalformed, "the timeline CSV has no column 'run_index'");
  KitOperatorAnalysis analysis;
  analysis.model_name = std::move(model_name);
  set_latency(analysis, latencies);

  std::vector<Group> by_name(timeline.names.size());
  std::vector<Group*> category_of_name(timeline.names.size(), nullptr);
  std::map<std::string_view, Group> by_category;
  for (const KitEvent& event : timeline.events) {
    if (is_kit_overhead(timeline.name_of(event))) continue;
    Group*& category = category_of_name[event.name];
    if (category == nullptr) {
      category = &by_category[kit_fine_category(timeline.name_of(event))];
      ++category->names;
    }
    category->add(event.pandas_ms);
    by_name[event.name].add(event.pandas_ms);
  }
  for (const auto& [category, group] : by_category) {
    const Times times = times_of(group, analysis);
    analysis.categories.push_back(
        {std::string(category), times.total_ms, times.avg_ms, times.pct, group.names});
  }
  for (std::size_t name = 0; name < by_name.size(); ++name) {
    if (by_name[name].durations.empty()) continue;
    const Times times = times_of(by_name[name], analysis);
    analysis.operators.push_back({timeline.names[name], std::string(kit_fine_category(timeline.names[name])),
                                  times.total_ms, times.avg_ms, times.pct, by_name[name].durations.size()});
  }
  sort_by_average(analysis.categories);
  sort_by_average(analysis.operators);
  return analysis;
}

std::vector<KitOperatorTime> kit_top_other_operators(const KitOperatorAnalysis& analysis) {
  std::vector<KitOperatorTime> top;
  for (const KitOperatorTime& row : analysis.operators)
    if (row.category == "OTHER" && top.size() < kTopOther) top.push_back(row);
  return top;
}

KitOperatorComparison kit_operator_comparison(const KitOperatorAnalysis& first,
                                              const KitOperatorAnalysis& second, std::string first_name,
                                              std::string second_name) {
  KitOperatorComparison comparison{.first_name = std::move(first_name),
                                   .second_name = std::move(second_name),
                                   .first_ms = first.avg_ms,
                                   .second_ms = second.avg_ms,
                                   .speedup = first.avg_ms > 0 ? second.avg_ms / first.avg_ms : 0};
  std::vector<std::string> names;
  for (const KitCategoryTime& row : first.categories) names.push_back(row.category);
  for (const KitCategoryTime& row : second.categories) names.push_back(row.category);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    KitCategoryComparison row{.category = name};
    if (const KitCategoryTime* category = find_category(first, name)) {
      row.first_ms = category->avg_ms;
      row.first_pct = category->pct_of_e2e;
    }
    if (const KitCategoryTime* category = find_category(second, name)) {
      row.second_ms = category->avg_ms;
      row.second_pct = category->pct_of_e2e;
    }
    if (row.first_ms.value_or(0) > 0) row.speedup = row.second_ms.value_or(0) / *row.first_ms;
    comparison.categories.push_back(std::move(row));
  }
  return comparison;
}

}  // namespace accelscope::compat
