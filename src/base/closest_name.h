// The name somebody probably meant.
//
// A pure function; what it returns points into the names given.
//
//   closest_name("warmups", {"runs", "warmup", "threads"})   -> "warmup"
//   closest_name("banana", {"runs", "warmup", "threads"})    -> ""
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace accelscope::base {

// The known name that needs the fewest changed letters, when that is about a third of the word at most; ""
// when there is none. Of equally near names the first.
std::string_view closest_name(std::string_view word, std::span<const std::string_view> known);

// "; did you mean `runs`?", or "".
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace accelscope::base
