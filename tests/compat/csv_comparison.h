// Compares two of the kit's CSV files: numbers in the floating-point columns within a relative error,
// everything else byte by byte.
#pragma once

#include <string>
#include <string_view>

namespace accelscope::compat {

// Empty when they agree; else the first difference, in words.
std::string first_difference(std::string_view expected, std::string_view actual,
                             double relative_error = 1e-9);

}  // namespace accelscope::compat
