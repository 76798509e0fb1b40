#include "stats/distributions.h"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

namespace accelscope::stats {
namespace {

namespace policies = boost::math::policies;
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>, policies::underflow_error<policies::ignore_error>,
    policies::denorm_error<policies::ignore_error>, policies::evaluation_error<policies::ignore_error>,
    policies::rounding_error<policies::ignore_error>,
    policies::indeterminate_result_error<policies::ignore_error>, policies::promote_double<false>>;

constexpr double kRootOfTwo = 1.4142135623730950488;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

double normal_cdf(double z) {
  return std::erfc(-z / kRootOfTwo) / 2;
}

double normal_upper_tail(double z) {
  return std::erfc(z / kRootOfTwo) / 2;
}

double normal_quantile(double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  return -kRootOfTwo * boost::math::erfc_inv(2 * p, Quiet());
}

double binomial_at_least(std::size_t successes, std::size_t trials, double p) {
  if (!(p >= 0 && p <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (successes == 0) return 1;
  if (successes > trials) return 0;
  return boost::math::ibeta(static_cast<double>(successes), static_cast<double>(trials - successes + 1), p,
                            Quiet());
}

double log_choose(std::size_t n, std::size_t k) {
  if (k > n) return -kInfinity;
  const auto log_factorial = [](std::size_t m) {
    return boost::math::lgamma(static_cast<double>(m) + 1, Quiet());
  };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

}  // namespace accelscope::stats
