// Many tests at once: p values adjusted so that the chance of even one false alarm stays what it should.
//
// Holm's step-down method: valid whatever the dependence between the tests, and never weaker than
// Bonferroni's. Nothing here throws. Pure function; safe from any thread. The result owns its values.
//
//   const std::vector<double> adjusted = holm(p_values);   // same order
//   if (adjusted[i] < 0.05) report(operators[i]);
#pragma once

#include <span>
#include <vector>

namespace accelscope::stats {

// A p value that is not a number stays so and is not counted as a test.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace accelscope::stats
