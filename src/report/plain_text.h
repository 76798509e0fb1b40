// Text from files, made harmless for one line of a terminal or a report, and measured as a terminal shows it.
//
// Pure functions, safe from any thread; what they return belongs to the caller.
//
//   one_line("a\nb\x1b[31m")        -> "a b\x1b[31m", the escape character written out as \x1b
//   display_width("▁█ 日本")         -> 7
//   shortened("Fully Connected", 8) -> "Fully C…"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accelscope::report {

// The first character of valid UTF-8 text, which it takes off the front.
char32_t take_character(std::string_view& text);

// Line ends and tabs become spaces; other control characters, and those that turn the direction of writing,
// are written out (\x1b, \u202e); what is not UTF-8 becomes U+FFFD.
std::string one_line(std::string_view text);

// The same line by line, without the empty ones at the end.
std::vector<std::string> harmless_lines(std::string_view text);

// Columns that a terminal needs for valid UTF-8: 2 for a wide character, 0 for a combining one.
std::size_t display_width(std::string_view text);

// How many bytes at the start of the text fit into `width` columns.
std::size_t fitting_bytes(std::string_view text, std::size_t width);

// At most `width` columns; an ellipsis stands for what is left out.
std::string shortened(std::string_view text, std::size_t width);

// Spaces added in front or behind until it fills `width` columns.
enum class Align : unsigned char { kLeft, kRight };
std::string padded(std::string_view text, std::size_t width, Align align);

}  // namespace accelscope::report
