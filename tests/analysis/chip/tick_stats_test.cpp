#include "analysis/chip/tick_stats.h"

#include <gtest/gtest.h>

#include "stats/quantile.h"
#include "stats/random.h"

namespace accelscope::analysis::chip {
namespace {

TEST(TickStats, NothingIsNothing) {
  const TickStats none = TickSample().stats();
  EXPECT_EQ(none.n, 0U);
  EXPECT_EQ(none.mean(), 0);
}

TEST(TickStats, BackwardIntervalsAreCountedApart) {
  TickSample sample;
  for (const std::int64_t length : {5, -3, 0, 7}) sample.add(Ticks{length});
  const TickStats stats = sample.stats();
  EXPECT_EQ(stats.n, 3U);
  EXPECT_EQ(stats.negative, 1U);
  EXPECT_EQ(stats.total, Ticks{12});
  EXPECT_EQ(stats.max, Ticks{7});
  EXPECT_DOUBLE_EQ(stats.p50, 5);
  EXPECT_DOUBLE_EQ(stats.mean(), 4);
}

// Every size takes another way: few, many, with some beyond 32 bits, in several samples.
TEST(TickStats, PercentilesAreThoseOfTheSortedValues) {
  stats::Generator random(7);
  for (const int count : {1, 2, 10, 8191, 30'000}) {
    for (const std::int64_t top : {std::int64_t{3}, std::int64_t{100'000}, std::int64_t{40} << 32}) {
      TickSample first;
      TickSample second;
      std::vector<double> values;
      for (int i = 0; i < count; ++i) {
        const auto value = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(top)));
        (i % 3 == 0 ? first : second).add(Ticks{value});
        values.push_back(static_cast<double>(value));
      }
      const std::vector<double> sorted = stats::sorted_copy(values);
      const std::vector<const TickSample*> both = {&first, &second};
      const TickStats stats = stats_of_all(both);
      EXPECT_EQ(stats.n, static_cast<std::uint64_t>(count));
      EXPECT_DOUBLE_EQ(stats.p50, stats::quantile(sorted, 0.5)) << count << ' ' << top;
      EXPECT_DOUBLE_EQ(stats.p90, stats::quantile(sorted, 0.9)) << count << ' ' << top;
      EXPECT_DOUBLE_EQ(stats.p99, stats::quantile(sorted, 0.99)) << count << ' ' << top;
      EXPECT_DOUBLE_EQ(static_cast<double>(stats.max.value), sorted.back());
    }
  }
}

}  // namespace
}  // namespace accelscope::analysis::chip
