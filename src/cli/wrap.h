// Text in lines of a given width. Pure function.
//
//   fmt::print("  {}\n", wrapped(sentence, 90, 2));
#pragma once

#include <string>
#include <string_view>

namespace accelscope::cli {

// Lines of at most `width` characters, broken at spaces; every line but the first begins with `indent`
// spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace accelscope::cli
