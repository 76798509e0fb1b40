#include "stats/pairwise.h"

#include <algorithm>
#include <limits>

namespace accelscope::stats {

PairwiseDifferences::PairwiseDifferences(std::span<const double> sorted_x, std::span<const double> sorted_y)
    : x_(sorted_x), y_(sorted_y), open_(sorted_x.size()), counted_(sorted_x.size()) {}

double PairwiseDifferences::random_difference(std::uint64_t remaining) {
  std::uint64_t skip = random_.below(remaining);
  std::size_t row = 0;
  while (skip >= open_[row].last - open_[row].first) {
    skip -= open_[row].last - open_[row].first;
    ++row;
  }
  return difference(row, open_[row].first + static_cast<std::size_t>(skip));
}

PairwiseDifferences::Below PairwiseDifferences::count_below(double pivot) {
  Below below;
  std::size_t less = y_.size(), less_or_equal = y_.size();
  for (std::size_t row = 0; row < x_.size(); ++row) {
    while (less > 0 && difference(row, less - 1) >= pivot) --less;
    while (less_or_equal > 0 && difference(row, less_or_equal - 1) > pivot) --less_or_equal;
    counted_[row] = {less, less_or_equal};
    below.less += less;
    below.less_or_equal += less_or_equal;
  }
  return below;
}

double PairwiseDifferences::at_rank(std::uint64_t rank) {
  for (Columns& columns : open_) columns = {0, y_.size()};
  std::uint64_t remaining = count();
  std::uint64_t ranks_below = 0;
  // Few enough to list: a walk would cost as much.
  const std::uint64_t few = 2 * (x_.size() + y_.size());
  while (remaining > few) {
    const double pivot = random_difference(remaining);
    const Below below = count_below(pivot);
    if (rank >= below.less && rank < below.less_or_equal) return pivot;
    const bool keep_lower = rank < below.less;
    for (std::size_t row = 0; row < x_.size(); ++row) {
      if (keep_lower)
        open_[row].last = counted_[row].first;
      else
        open_[row].first = counted_[row].last;
      // A row may lie wholly on the other side of an earlier pivot.
      open_[row].last = std::max(open_[row].first, open_[row].last);
    }
    if (!keep_lower) ranks_below = below.less_or_equal;
    remaining = 0;
    for (const Columns& columns : open_) remaining += columns.last - columns.first;
  }
  rest_.clear();
  for (std::size_t row = 0; row < x_.size(); ++row)
    for (std::size_t column = open_[row].first; column < open_[row].last; ++column)
      rest_.push_back(difference(row, column));
  const auto wanted = rest_.begin() + static_cast<std::ptrdiff_t>(rank - ranks_below);
  std::nth_element(rest_.begin(), wanted, rest_.end());
  return *wanted;
}

double PairwiseDifferences::median() {
  const double middle = at_rank((count() - 1) / 2);
  if (count() % 2 == 1 || count_below(middle).less_or_equal > count() / 2) return middle;
  // The next larger difference is the first of some row that was not counted.
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < x_.size(); ++row)
    if (counted_[row].last < y_.size()) next = std::min(next, difference(row, counted_[row].last));
  return (middle + next) / 2;
}

}  // namespace accelscope::stats
