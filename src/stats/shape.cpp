#include "stats/shape.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/outliers.h"
#include "stats/quantile.h"
#include "stats/ranks.h"
#include "stats/spread.h"

namespace accelscope::stats {
namespace {

constexpr std::size_t kFewestRunsForStep = 8;
constexpr std::size_t kFewestRunsForModes = 12;
constexpr std::size_t kFewestInMode = 4;
constexpr double kSmallestModeShare = 0.15;
constexpr double kGapToDistance = 0.5;
constexpr double kModeDistanceInMad = 5;
constexpr double kSmallestModeDistance = 0.03;
constexpr std::size_t kFewestSpikes = 4;
constexpr double kSpacingTolerance = 0.1;

// Where the upper group begins: at the widest gap that leaves both groups large enough. Gaps nearer the ends
// are those of stray values. 0 when all gaps are.
std::size_t widest_gap(std::span<const double> sorted, std::size_t smallest_group) {
  std::size_t position = 0;
  double widest = 0;
  for (std::size_t i = smallest_group; i + smallest_group <= sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] <= widest) continue;
    widest = sorted[i] - sorted[i - 1];
    position = i;
  }
  return position;
}

// Ranks place a step too near the middle. This takes the place that leaves the fewest values on the wrong
// side of the border half way between the two levels.
std::size_t sharpened(std::span<const double> values, std::size_t position) {
  const double before = median(values.first(position)), after = median(values.subspan(position));
  const double border = before + (after - before) / 2;
  std::ptrdiff_t right = 0, most_right = 0;
  std::size_t best = position;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    right += (values[i] < border) == (before < after) ? 1 : -1;
    if (right <= most_right) continue;
    most_right = right;
    best = i + 1;
  }
  return best;
}

}  // namespace

std::optional<Step> step_change(std::span<const double> values, const StepLimits& limits) {
  const std::size_t n = values.size();
  if (n < kFewestRunsForStep || !all_finite(values)) return std::nullopt;
  const std::vector<double> ranks = mid_ranks(values).values;
  const double middle_rank = static_cast<double>(n + 1) / 2;
  double sum = 0, farthest = 0;
  std::size_t position = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    sum += 2 * (ranks[i] - middle_rank);
    if (std::abs(sum) > farthest) {
      farthest = std::abs(sum);
      position = i + 1;
    }
  }
  if (position == 0) return std::nullopt;
  position = sharpened(values, position);
  const auto count = static_cast<double>(n);
  const Step step{.position = position,
                  .before_median = median(values.first(position)),
                  .after_median = median(values.subspan(position)),
                  .p = std::min(1.0, 2 * std::exp(-6 * farthest * farthest / (count * count * (count + 1))))};
  const double change = std::abs(step.after_median - step.before_median);
  if (step.p >= limits.largest_p || change <= limits.smallest_change * std::abs(step.before_median))
    return std::nullopt;
  return step;
}

std::optional<Modes> two_modes(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < kFewestRunsForModes || !all_finite(values)) return std::nullopt;
  const std::vector<double> sorted = sorted_copy(values);
  const auto share = static_cast<std::size_t>(std::ceil(kSmallestModeShare * static_cast<double>(n)));
  const std::size_t split = widest_gap(sorted, std::max(kFewestInMode, share));
  if (split == 0) return std::nullopt;
  const auto low = std::span(sorted).first(split), high = std::span(sorted).subspan(split);
  const Modes modes{.low_median = median_of_sorted(low),
                    .high_median = median_of_sorted(high),
                    .high_share = static_cast<double>(high.size()) / static_cast<double>(n),
                    .border = (low.back() + high.front()) / 2};
  const double distance = modes.high_median - modes.low_median;
  const bool apart = high.front() - low.back() > kGapToDistance * distance &&
                     distance > kModeDistanceInMad * std::max(mad(low), mad(high)) &&
                     distance > kSmallestModeDistance * std::abs(modes.low_median);
  if (!apart) return std::nullopt;
  return modes;
}

std::optional<SpikeSpacing> spike_spacing(std::span<const double> values) {
  const std::optional<Outliers> far = tukey_outliers(values);
  if (!far) return std::nullopt;
  std::vector<std::size_t> spikes;
  std::ranges::copy_if(far->positions, std::back_inserter(spikes),
                       [&](std::size_t run) { return values[run] > far->upper; });
  if (spikes.size() < kFewestSpikes) return std::nullopt;
  std::vector<double> distances;
  for (std::size_t i = 1; i < spikes.size(); ++i)
    distances.push_back(static_cast<double>(spikes[i] - spikes[i - 1]));
  const double middle = median(distances);
  const bool even = std::ranges::all_of(
      distances, [=](double distance) { return std::abs(distance - middle) <= kSpacingTolerance * middle; });
  if (!even || middle < 2) return std::nullopt;
  return SpikeSpacing{.runs = static_cast<std::size_t>(std::lround(middle)), .spikes = spikes.size()};
}

}  // namespace accelscope::stats
