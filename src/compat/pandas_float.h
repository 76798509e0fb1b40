// Numbers as pandas.read_csv understands them: its own fast parser, which looks at 17 digits, zeros in front
// included, and rounds twice.
//
// What a CSV file says and what the kit computes with may therefore differ in the last digits. Pure; safe
// from any thread.
//
//   pandas_float("0.5")                     -> 0.5
//   pandas_float("0.009999999999999787")    -> the number that begins 0.0099999999999997
//   pandas_float("")                        -> NaN           pandas_float("abc")  -> nothing
#pragma once

#include <optional>
#include <string_view>

namespace accelscope::compat {

std::optional<double> pandas_float(std::string_view text);

}  // namespace accelscope::compat
