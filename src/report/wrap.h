// Text in lines of a given width, as a terminal shows it. Pure function, safe from any thread; the text must
// be valid UTF-8 without control characters (plain_text.h).
//
//   fmt::print("  {}\n", wrapped(sentence, 90, 2));
#pragma once

#include <string>
#include <string_view>

namespace accelscope::report {

// Lines of at most `width` columns, broken at spaces that do not separate thousands ("18 985"), and within a
// word that is longer than a line; every line but the first begins with `indent` spaces besides.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace accelscope::report
