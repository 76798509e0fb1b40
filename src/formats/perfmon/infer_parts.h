// The questions of infer.h, one function each, in the order in which they are asked: each may use what was
// answered before it.
//
// Pure functions that fill in their part of an Inference.
#pragma once

#include <string>
#include <vector>

#include "formats/perfmon/infer.h"
#include "formats/perfmon/word_walk.h"

namespace accelscope::formats::perfmon::details {

// A stamp, and what was seen between it and the next one.
struct StampSeen {
  std::uint64_t begin = 0;  // in the file
  std::uint64_t end = 0;
  std::int64_t base = 0;
  std::uint64_t cycles = 0;  // sum of the deltas up to the next stamp
  std::uint64_t words = 0;
  bool broken = false;  // something was lost or unknown in between
};

// What one walk over all words with the layout that fits has found.
struct Survey {
  std::uint64_t size = 0;     // of the file
  std::uint64_t bytes = 0;    // of whole words, from the first one on
  std::uint64_t written = 0;  // of these: before what nobody wrote, one word again and again at the end
  Word unwritten = 0;         // that word
  std::vector<StampSeen> stamps = {};
};

// "1 stamp", "1 024 stamps".
std::string stamps_text(const Survey& survey);

void ask_format(std::span<const std::byte> bytes, std::span<const WordLayout* const> candidates,
                Inference& found);
Survey survey(std::span<const std::byte> bytes, Inference& found);
void ask_clock(const Survey& survey, Inference& found);
void ask_buffer(const Survey& survey, Inference& found);
void ask_registers(const Survey& survey, const std::optional<Registers>& registers, Inference& found);

}  // namespace accelscope::formats::perfmon::details
