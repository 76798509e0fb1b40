#include "analysis/bottlenecks.h"

#include <algorithm>

namespace accelscope::analysis {
namespace {

class Finder {
 public:
  Finder(const Breakdown& breakdown, const Thresholds& thresholds)
      : breakdown_(breakdown), thresholds_(thresholds) {}

  Bottleneck row(BottleneckKind kind, const Share& share) const {
    Bottleneck row{.kind = kind, .subject = share.name, .category = share.category, .mean = share.mean};
    row.percent = share.percent;
    row.without = breakdown_.mean - share.mean;
    row.speedup_without = row.without > 0 ? breakdown_.mean / row.without : 0;
    row.entry = share.entry;
    return row;
  }

  void outside_delegates() {
    for (const Share& share : breakdown_.by_type)
      if (share.part == Part::kLibraryOperator && share.percent > thresholds_.outside_percent)
        rows_.push_back(row(BottleneckKind::kOutsideDelegate, share));
  }

  void data_movement() {
    for (const Share& share : breakdown_.by_category)
      if (share.category == Category::kDataMovement && share.percent > thresholds_.data_movement_percent)
        rows_.push_back(row(BottleneckKind::kDataMovement, share));
  }

  void low_speedup(const MethodProfile& method, const MethodComparison& comparison) {
    for (const PairComparison& pair : comparison.operators) {
      const bool compute = pair.category == Category::kGemm || pair.category == Category::kConvolution;
      if (!compute || !pair.test || !pair.in_candidate || pair.below_resolution || !pair.speedup) continue;
      const double speedup = pair.speedup.value_or(0);
      const double percent = breakdown_.mean > 0 ? 100 * pair.candidate / breakdown_.mean : 0;
      // An interval that reaches the threshold does not tell.
      const double at_most = pair.test->interval ? pair.test->interval->high : speedup;
      if (at_most >= thresholds_.low_speedup || percent < kNegligiblePercent) continue;
      const EntryPair& match = comparison.match.pairs[pair.pair];
      Bottleneck found = row(BottleneckKind::kLowSpeedup, {.name = method.entries[*match.candidate].name,
                                                           .category = pair.category,
                                                           .mean = pair.candidate,
                                                           .percent = percent,
                                                           .entry = *match.candidate});
      found.speedup = speedup;
      found.expected = pair.category == Category::kGemm ? "3-15x" : "3-10x";
      rows_.push_back(std::move(found));
    }
  }

  void large_operators() {
    for (const Share& share : breakdown_.by_operator)
      if (share.percent > thresholds_.operator_percent)
        rows_.push_back(row(BottleneckKind::kLargeOperator, share));
  }

  void overhead() {
    if (breakdown_.by_operator.empty()) return;  // then nothing tells what the time was spent on
    for (const Share& share : breakdown_.by_part)
      if (!is_operator(share.part) && share.percent > thresholds_.operator_percent)
        rows_.push_back(row(BottleneckKind::kOverhead, share));
  }

  std::vector<Bottleneck> take() && {
    std::stable_sort(rows_.begin(), rows_.end(), [](const Bottleneck& a, const Bottleneck& b) {
      return a.kind != b.kind ? a.kind < b.kind : a.mean > b.mean;
    });
    return std::move(rows_);
  }

 private:
  // Below this share of the end-to-end time nobody should investigate a speedup.
  static constexpr double kNegligiblePercent = 1;

  const Breakdown& breakdown_;
  const Thresholds& thresholds_;
  std::vector<Bottleneck> rows_;
};

}  // namespace

std::vector<Bottleneck> bottlenecks_of(const MethodProfile& method, const Breakdown& breakdown,
                                       const MethodComparison* comparison, const Thresholds& thresholds) {
  Finder finder(breakdown, thresholds);
  finder.outside_delegates();
  finder.data_movement();
  if (comparison != nullptr) finder.low_speedup(method, *comparison);
  finder.large_operators();
  finder.overhead();
  return std::move(finder).take();
}

}  // namespace accelscope::analysis
