// The few distribution functions that the other files need, on top of Boost.Math.
//
// Nothing throws: an argument outside the domain gives a value that is not a number. Safe from any thread.
// Boost's own promotion to long double is off, so that every platform computes in double.
//
//   const double p = 2 * normal_upper_tail(std::abs(z));
#pragma once

#include <cstddef>

namespace accelscope::stats {

double normal_cdf(double z);
// 1 - normal_cdf(z), exact far out.
double normal_upper_tail(double z);
// Infinite for 0 and 1.
double normal_quantile(double p);

// The chance of at least `successes` in `trials` of chance `p` each.
double binomial_at_least(std::size_t successes, std::size_t trials, double p);

// Logarithm of the number of ways to choose k of n.
double log_choose(std::size_t n, std::size_t k);

}  // namespace accelscope::stats
