// What limits a function inside of its cores, and what would help: the figures of its pipes in a sentence.
//
// A function whose busiest pipe is busy nearly all of the time is bound by it. Otherwise the pipe that works
// most while the busiest one is idle, and time in which no pipe works, are named, the one that costs more
// first. No function can be faster than its busiest pipe, which is the bound of every gain.
//
// Pure functions; plain data.
//
//   for (const PipeVerdict& verdict : verdicts_on(function.use)) show(verdict.kind, verdict.text);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/pipes.h"

namespace accelscope::analysis::chip {

struct PipeVerdict {
  enum class Kind : std::uint8_t {
    kBound,    // one pipe is busy all along
    kOverlap,  // the busiest pipe and another wait for each other, one of which moves data
    kBubbles,  // no pipe is busy
    kMixed,    // nothing stands out
    kIdle,     // no pipe but the scalar unit was ever busy
  };
  Kind kind = Kind::kMixed;
  std::size_t pipe = 0;   // that it is about
  std::size_t other = 0;  // of kOverlap: the pipe that it does not overlap
  double cost = 0;        // of the duration, 0 to 1: what it is about; 0 for a bound
  std::string text = {};  // a whole sentence
};

// Shares of the duration from which on, or below which, something is said.
inline constexpr double kBoundBy = 0.85;
inline constexpr double kMatters = 0.15;
inline constexpr double kLittleOverlap = 0.5;  // of the shorter one's busy time
inline constexpr double kManyBubbles = 0.25;

// At least one, the most important one first. `bubble_text` says how long bubbles are: "12 a task, half of
// them below 1.2 us, the longest 9 us".
std::vector<PipeVerdict> verdicts_on(const PipeUse& use, std::string_view bubble_text);

}  // namespace accelscope::analysis::chip
