// Order statistics of all differences between two samples, without making a list of them.
//
// With both samples sorted, the differences x[i] - y[j] form a matrix that is sorted along rows and columns
// (rounding keeps the order). One walk along its staircase counts the differences below a pivot, so that a
// selection needs O((n + m) log(n m)) steps instead of n m. Pivots come from a generator with a fixed seed:
// they change how long it takes, never the result.
//
// One object belongs to one thread. It keeps the spans it was given; the samples must live as long as it
// does.
//
//   PairwiseDifferences differences(sorted_x, sorted_y);
//   const double shift = differences.median();
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/random.h"

namespace accelscope::stats {

class PairwiseDifferences {
 public:
  // Both ascending, finite and not empty.
  PairwiseDifferences(std::span<const double> sorted_x, std::span<const double> sorted_y);

  std::uint64_t count() const { return std::uint64_t{x_.size()} * y_.size(); }

  // The difference of this rank, counted from zero and below count().
  double at_rank(std::uint64_t rank);
  double median();

 private:
  // The columns of a row that may still hold the wanted rank.
  struct Columns {
    std::size_t first;
    std::size_t last;
  };
  struct Below {
    std::uint64_t less = 0;
    std::uint64_t less_or_equal = 0;
  };

  // Columns run over y from its largest value to its smallest, so that differences ascend.
  double difference(std::size_t row, std::size_t column) const {
    return x_[row] - y_[y_.size() - 1 - column];
  }
  double random_difference(std::uint64_t remaining);
  Below count_below(double pivot);

  std::span<const double> x_;
  std::span<const double> y_;
  Generator random_{kDefaultSeed};
  std::vector<Columns> open_;
  std::vector<Columns> counted_;  // of each row: how many are less, and less or equal
  std::vector<double> rest_;
};

}  // namespace accelscope::stats
