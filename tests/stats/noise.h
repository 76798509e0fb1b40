// Noise of known shapes for the tests of the statistics, the same on every machine but for the last bits of
// the mathematical functions.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "stats/random.h"

namespace accelscope::stats {

// Box and Muller's method; the second variate of each pair is not used.
inline double normal_variate(Generator& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(6.283185307179586 * random.uniform());
}

// Runs of 10 ms with a coefficient of variation of `cv`.
inline std::vector<double> gaussian_noise(Generator& random, std::size_t n, double cv = 0.03) {
  std::vector<double> values(n);
  for (double& value : values) value = 10 * (1 + cv * normal_variate(random));
  return values;
}

// Lognormal, and one run in twenty takes 1.5 to 3 times as long.
inline std::vector<double> spiky_noise(Generator& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values) {
    value = 10 * std::exp(0.03 * normal_variate(random));
    if (random.uniform() < 0.05) value *= 1.5 + 1.5 * random.uniform();
  }
  return values;
}

// Every run remembers the one before it; stationary from the first run on.
inline std::vector<double> autocorrelated_noise(Generator& random, std::size_t n, double rho = 0.5) {
  std::vector<double> values(n);
  double state = normal_variate(random);
  for (double& value : values) {
    value = 10 * (1 + 0.03 * state);
    state = rho * state + std::sqrt(1 - rho * rho) * normal_variate(random);
  }
  return values;
}

// Two speeds, 20 % apart, as when runs land on one of two kinds of core.
inline std::vector<double> bimodal_noise(Generator& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values)
    value = (random.uniform() < 0.5 ? 10.0 : 12.0) * (1 + 0.01 * normal_variate(random));
  return values;
}

}  // namespace accelscope::stats
