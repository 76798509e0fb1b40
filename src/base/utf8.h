// UTF-8 checks for text that comes from files we do not control.
//
// Pure functions, safe from any thread; what they return belongs to the caller.
//
//   std::string clean = is_valid_utf8(name) ? std::string(name) : replace_invalid_utf8(name);
#pragma once

#include <string>
#include <string_view>

namespace accelscope::base {

bool is_valid_utf8(std::string_view text);

// Every byte that is not part of a valid sequence becomes U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace accelscope::base
