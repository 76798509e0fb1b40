#include "compat/numpy_math.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "compat/numpy_partition.h"

namespace accelscope::compat {
namespace {

constexpr std::size_t kPairwiseBlock = 128;
constexpr double kWhole = 100;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> copy(values.begin(), values.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

}  // namespace

double numpy_sum(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n > kPairwiseBlock) {
    const std::size_t half = n / 2 - (n / 2) % 8;
    return numpy_sum(values.first(half)) + numpy_sum(values.subspan(half));
  }
  if (n < 8) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  std::array<double, 8> lanes{};
  std::copy_n(values.begin(), lanes.size(), lanes.begin());
  std::size_t i = lanes.size();
  for (; i + 8 <= n; i += 8)
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) lanes[lane] += values[i + lane];
  double sum =
      ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  for (; i < n; ++i) sum += values[i];
  return sum;
}

double numpy_mean(std::span<const double> values) {
  if (values.empty()) return kNotANumber;
  return numpy_sum(values) / static_cast<double>(values.size());
}

double numpy_standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return kNotANumber;
  const double mean = numpy_mean(values);
  std::vector<double> squares;
  squares.reserve(values.size());
  for (const double value : values) squares.push_back((value - mean) * (value - mean));
  return std::sqrt(numpy_sum(squares) / static_cast<double>(values.size() - 1));
}

double numpy_percentile(std::span<const double> values, double percent) {
  if (has_nan(values)) return kNotANumber;
  const std::vector<double> ordered = sorted(values);
  const double position = static_cast<double>(ordered.size() - 1) * (percent / kWhole);
  const auto below = static_cast<std::size_t>(position);
  const double from = ordered[below];
  const double to = ordered[std::min(below + 1, ordered.size() - 1)];
  const double weight = position - static_cast<double>(below);
  // The nearer end is the one that is moved away from.
  return weight >= 0.5 ? to - (to - from) * (1 - weight) : from + (to - from) * weight;
}

double numpy_median(std::span<const double> values) {
  if (has_nan(values)) return kNotANumber;
  const std::vector<double> ordered = sorted(values);
  const std::size_t half = ordered.size() / 2;
  return ordered.size() % 2 == 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}

double scipy_trimmed_mean(std::span<const double> values, double share) {
  const std::size_t n = values.size();
  const auto cut = static_cast<std::size_t>(share * static_cast<double>(n));
  if (n <= 2 * cut || has_nan(values)) return kNotANumber;
  std::vector<double> parted(values.begin(), values.end());
  numpy_partition(parted, std::array{cut, n - cut - 1});
  return numpy_mean(std::span<const double>(parted).subspan(cut, n - 2 * cut));
}

}  // namespace accelscope::compat
