#include "compat/numpy_math.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "compat/numpy_partition.h"

namespace accelscope::compat {
namespace {

// Ten executions whose plain mean, and mean in the order of a partition, differ in the last digit.
const std::vector<double> kLatencies = {1.177284, 0.871507, 0.869596, 0.889652, 0.878593,
                                        0.880721, 1.063284, 0.873486, 0.889714, 0.882776};

TEST(NumpyMath, AddsAsNumpyDoes) {
  EXPECT_EQ(numpy_mean(kLatencies), 0.9276612999999999);
  EXPECT_EQ(numpy_standard_deviation(kLatencies), 0.10523800600020887);
  EXPECT_EQ(scipy_trimmed_mean(kLatencies, 0.05), 0.9276613000000001);
  EXPECT_EQ(scipy_trimmed_mean(kLatencies, 0.10), 0.9037166249999999);
  std::vector<double> long_list(300, 0.1);
  long_list[0] = 1e16;
  EXPECT_EQ(numpy_sum(long_list), 1e16 + 30);  // one after the other would lose every tenth
}

TEST(NumpyMath, FindsPercentilesBetweenNeighbours) {
  const std::vector<double> cold = {18.0, 10.0, 10.1, 9.9, 10.2, 10.05, 9.95, 10.0, 10.1, 9.98};
  EXPECT_EQ(numpy_percentile(cold, 90), 10.979999999999997);
  EXPECT_EQ(numpy_percentile(cold, 99), 17.298000000000002);
  EXPECT_EQ(numpy_percentile(cold, 0), 9.9);
  EXPECT_EQ(numpy_percentile(cold, 100), 18.0);
  EXPECT_EQ(numpy_median(cold), 10.025);
  EXPECT_EQ(numpy_median(std::vector<double>{3, 1, 2}), 2);
}

TEST(NumpyMath, HasNoDeviationOfOneValueAndNoMeanOfNone) {
  const std::vector<double> one = {12.5};
  EXPECT_TRUE(std::isnan(numpy_standard_deviation(one)));
  EXPECT_EQ(scipy_trimmed_mean(one, 0.10), 12.5);
  EXPECT_EQ(numpy_percentile(one, 99), 12.5);
  EXPECT_TRUE(std::isnan(numpy_mean({})));
  EXPECT_TRUE(std::isnan(scipy_trimmed_mean({}, 0.05)));
}

TEST(NumpyMath, PassesNanOn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values = {1, nan, 2, 3, nan, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_TRUE(std::isnan(numpy_median(values)));
  EXPECT_TRUE(std::isnan(numpy_percentile(values, 25)));
  EXPECT_TRUE(std::isnan(scipy_trimmed_mean(values, 0.10)));
}

TEST(NumpyPartition, PutsTheAskedPlacesInOrder) {
  std::mt19937 random(7);
  for (std::size_t n = 1; n < 200; ++n) {
    std::vector<double> values(n);
    for (double& value : values) value = static_cast<double>(random() % 50);
    std::vector<double> ordered = values;
    std::sort(ordered.begin(), ordered.end());
    const std::size_t cut = n / 10;
    const std::array<std::size_t, 2> places = {cut, n - cut - 1};
    numpy_partition(values, places);
    for (const std::size_t place : places) {
      EXPECT_EQ(values[place], ordered[place]);
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_TRUE(i < place ? values[i] <= values[place] : values[i] >= values[place]) << n << " " << i;
    }
    std::sort(values.begin(), values.end());
    EXPECT_EQ(values, ordered);
  }
}

TEST(NumpyPartition, EndsOnListsThatDefeatItsPivots) {
  // Ascending up to the middle, then descending: medians of three from the ends come out badly.
  std::vector<double> values;
  for (int i = 0; i < 5000; ++i) values.push_back(i < 2500 ? i : 5000 - i);
  std::vector<double> ordered = values;
  std::sort(ordered.begin(), ordered.end());
  numpy_partition(values, std::array<std::size_t, 2>{500, 4499});
  EXPECT_EQ(values[500], ordered[500]);
  EXPECT_EQ(values[4499], ordered[4499]);
}

}  // namespace
}  // namespace accelscope::compat
