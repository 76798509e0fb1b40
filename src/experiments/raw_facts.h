// Reads what a machine says about itself: the output of getprop and sysctl, and of the script that prints
// files of a device one after the other.
//
// Pure functions over text; safe from any thread.
//
//   parse_getprop("[ro.product.model]: [Pixel]\n")   -> {{"ro.product.model", "Pixel"}}
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/target.h"

namespace accelscope::experiments {

std::map<std::string, std::string> parse_getprop(std::string_view text);
// The names have "sysctl " in front.
std::map<std::string, std::string> parse_sysctl(std::string_view text);

// A shell script that prints every readable file of these patterns behind a line with its path, then uname
// and getprop; one call, because each costs a round trip to the device.
std::string fact_script(const std::vector<std::string>& patterns);
RawFacts parse_fact_script_output(std::string_view text);

}  // namespace accelscope::experiments
