// Medians of resamples, drawn directly.
//
// In a resample of n ranks drawn from 1 ... n, the h-th smallest is at most a when at least h of the n draws
// are: a binomial chance. For even n the median also needs the next order statistic; given that the h-th
// smallest is a, the chance that the next is above b falls with ((n - b) / (n - a))^(n - h). Both chances are
// tabulated once, in O(n), and a draw is a search in the first table, which a table of even steps has
// narrowed to a few ranks, and a short walk in the second.
//
// Read-only after construction: threads may share one, each with its own generator. It keeps the span it was
// given; the sample must live as long as it does.
//
//   const MedianResampler resampler(sorted);
//   Generator random(seed);
//   const double resampled = resampler.draw(random);
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "stats/random.h"

namespace accelscope::stats {

class MedianResampler {
 public:
  // Ascending, finite and not empty.
  explicit MedianResampler(std::span<const double> sorted);

  double draw(Generator& random) const;

 private:
  static constexpr std::size_t kSteps = 256;

  // The lower middle rank that belongs to this chance, known to lie from `first` to `last`.
  std::size_t rank_within(std::size_t first, std::size_t last, double chance) const;

  std::span<const double> sorted_;
  std::vector<double> chance_up_to_;  // [i]: the lower middle rank is at most i, counted from zero
  std::array<std::size_t, kSteps + 1> steps_ = {};  // [i]: the rank that belongs to a chance of i / kSteps
  std::vector<double>
      chance_of_next_;         // [i]: the upper middle rank is above i, when the lower is i; even n only
  std::vector<double> decay_;  // [i]: what that chance is multiplied with from i to i + 1
};

}  // namespace accelscope::stats
