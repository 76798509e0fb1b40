// The profiling kit's two ways of sorting operators into categories, by name, wrong matches included.
//
// Pure; safe from any thread. What is returned lives as long as the program.
//
//   kit_fine_category("Convolution (NHWC, F16) IGEMM #1")   -> "CONV"
//   kit_coarse_category("Convert (NC, F32, F16) #1")        -> "Convolution"
#pragma once

#include <string_view>

namespace accelscope::compat {

std::string_view kit_fine_category(std::string_view name);
std::string_view kit_coarse_category(std::string_view name);

}  // namespace accelscope::compat
