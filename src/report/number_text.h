// How numbers become text for people, in every renderer alike. What is absent or not finite is "-"; a number
// that is not zero never looks like zero; none has more than some 30 characters.
//
// Pure functions, safe from any thread; what they return belongs to the caller.
//
//   number_text(0.26249, 3)            -> "0.262"
//   number_text(0.000042, 3)           -> "0.000042"
//   quantity_text(3.371, "x", 2)       -> "3.37x"
//   quantity_text(45.31, "%", 1)       -> "45.3 %"
//   interval_text({3.05, 3.712}, 2)    -> "[3.05, 3.71]"
#pragma once

#include <string>
#include <string_view>

#include "findings/findings.h"

namespace accelscope::report {

inline constexpr std::string_view kAbsent = "-";

// With more decimals than asked for when the number would look like zero; below a millionth "<0.000001".
std::string number_text(double value, int decimals);

// With its unit behind it. Percentages are counted in hundredths: 45.3 is 45.3 %.
std::string quantity_text(double value, std::string_view unit, int decimals);

// How many decimals a person wants of a number of this size and unit: 1 for "%", 2 for "x", none for whole
// ticks and counts, 3 for times below 1000.
int decimals_for(double value, std::string_view unit);

// "0.262 ms"; "-" when there is none.
std::string value_text(const findings::Metric& metric);
std::string interval_text(const findings::Interval& interval, int decimals);
// "95 %"
std::string level_text(double level);
std::string cell_text(const findings::Cell& cell, const findings::Column& column);
// "0.88 ms -> 0.71 ms at most (if it took no time at all)"
std::string gain_text(const findings::Gain& gain);

}  // namespace accelscope::report
