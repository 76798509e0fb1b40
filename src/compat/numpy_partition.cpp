#include "compat/numpy_partition.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace accelscope::compat {
namespace {

// Places this near to the front are found by looking for one minimum after the other.
constexpr std::size_t kFewMinima = 3;
constexpr std::size_t kMaxPivots = 50;

// Positions at which a value lies where it would lie in the sorted list; the nearest one last.
class Pivots {
 public:
  // Pivots before the place being looked for are of no use to later places.
  void add(std::size_t pivot, std::size_t place) {
    if (pivot == place && found_.size() == kMaxPivots)
      found_.back() = pivot;
    else if (pivot >= place && found_.size() < kMaxPivots)
      found_.push_back(pivot);
  }

  // The stretch [first, last] that holds the place; false when its value is there already.
  bool bound(std::size_t place, std::size_t& first, std::size_t& last) {
    while (!found_.empty()) {
      const std::size_t pivot = found_.back();
      if (pivot == place) return false;
      if (pivot > place) {
        last = pivot - 1;
        return true;
      }
      first = pivot + 1;
      found_.pop_back();
    }
    return true;
  }

 private:
  std::vector<std::size_t> found_;
};

void select_minima(std::span<double> values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::swap(values[i], *std::min_element(values.begin() + static_cast<std::ptrdiff_t>(i), values.end()));
}

// Of equal maxima the last.
void move_maximum_to_end(std::span<double> values, std::size_t first) {
  std::size_t maximum = first;
  for (std::size_t i = first + 1; i < values.size(); ++i)
    if (!(values[i] < values[maximum])) maximum = i;
  std::swap(values.back(), values[maximum]);
}

// The median of three to `low`, the smallest to low + 1, the largest to `high`: guards for split().
void place_median_of_three(std::span<double> values, std::size_t low, std::size_t high) {
  const std::size_t middle = low + (high - low) / 2;
  if (values[high] < values[middle]) std::swap(values[high], values[middle]);
  if (values[high] < values[low]) std::swap(values[high], values[low]);
  if (values[low] < values[middle]) std::swap(values[low], values[middle]);
  std::swap(values[middle], values[low + 1]);
}

struct Split {
  std::size_t pivot;
  std::size_t above;
};

// Moves the value at `low` to where it belongs.
Split split(std::span<double> values, std::size_t low, std::size_t high) {
  const double pivot = values[low];
  std::size_t up = low + 1;
  std::size_t down = high;
  for (;;) {
    do ++up;
    while (values[up] < pivot);
    do --down;
    while (pivot < values[down]);
    if (down < up) break;
    std::swap(values[up], values[down]);
  }
  std::swap(values[low], values[down]);
  return {down, up};
}

void select(std::span<double> values, std::size_t place, Pivots& pivots) {
  std::size_t low = 0;
  std::size_t high = values.size() - 1;
  if (!pivots.bound(place, low, high)) return;
  if (place - low < kFewMinima) {
    select_minima(values.subspan(low, high - low + 1), place - low + 1);
    pivots.add(place, place);
    return;
  }
  if (place == values.size() - 1) {
    move_maximum_to_end(values, low);
    return;
  }
  auto attempts = 2 * (std::bit_width(values.size()) - 1);
  while (low + 1 < high) {
    if (attempts-- == 0) {
      std::sort(values.begin() + static_cast<std::ptrdiff_t>(low),
                values.begin() + static_cast<std::ptrdiff_t>(high) + 1);
      break;
    }
    place_median_of_three(values, low, high);
    const Split parts = split(values, low, high);
    if (parts.pivot != place) pivots.add(parts.pivot, place);
    if (parts.pivot >= place) high = parts.pivot - 1;
    if (parts.pivot <= place) low = parts.above;
  }
  if (high == low + 1 && values[high] < values[low]) std::swap(values[high], values[low]);
  pivots.add(place, place);
}

}  // namespace

void numpy_partition(std::span<double> values, std::span<const std::size_t> places) {
  Pivots pivots;
  for (const std::size_t place : places) select(values, place, pivots);
}

}  // namespace accelscope::compat
