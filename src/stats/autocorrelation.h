// Whether runs remember the run before them, and how many independent runs they are worth.
//
// Nothing here throws. Pure functions; safe from any thread. Spans are read during the call only.
//
//   if (const auto rho = lag1(latencies)) show(effective_count(latencies.size(), *rho));
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace accelscope::stats {

// Correlation of neighbours: the products of neighbouring deviations over the sum of squared deviations.
// Empty below three values, for equal values, and where one is not finite.
std::optional<double> lag1(std::span<const double> values);

// lag1 is too small for short series, by about (1 + 4 rho) / n; this takes that away (Marriott and Pope) and
// stays within -1 and 1. For fewer than five values it says 0.
double lag1_without_bias(std::size_t n, double rho);

// n (1 - rho) / (1 + rho), held between 1 and n: a negative correlation is not counted as gain.
double effective_count(std::size_t n, double rho);

}  // namespace accelscope::stats
