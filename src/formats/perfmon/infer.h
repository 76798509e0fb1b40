// What raw bytes of a performance monitor say about the hardware that wrote them, where nobody has seen its
// manual: which words they are, which clock the deltas count, whether the buffer is a ring, and what the
// registers count. Every hypothesis comes with its evidence, and "cannot tell" is an answer.
//
// Pure: the same bytes give the same answers. Memory grows with the number of stamps. Independent calls may
// run in parallel; the layouts must outlive what is returned.
//
//   const Inference found = infer(file.bytes(), registers);
//   if (found.format) walk_words(file.bytes().subspan(found.format->offset), {.layout =
//   &found.format->layout}, ...);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/perfmon/decoder.h"
#include "formats/perfmon/registers_file.h"

namespace accelscope::formats::perfmon {

enum class Fit : std::uint8_t { kFits, kDoesNotFit, kCannotTell };

struct Hypothesis {
  std::string claim = {};  // "deltas count the stamps' clock"
  Fit fit = Fit::kCannotTell;
  std::string evidence = {};  // "1 023 pairs of stamps; ..."
};

struct Question {
  std::string id = {};      // stable: format, clock, buffer, write_pointer, samples
  std::string title = {};   // "What do the deltas count?"
  std::string answer = {};  // a sentence, also when nothing can be told
  bool answered = false;
  std::vector<Hypothesis> hypotheses = {};
};

struct FormatFit {
  WordLayout layout = {};  // with the order of bytes that fits
  std::size_t offset = 0;  // of the first word
  double bits = 0;         // of evidence against chance
};

enum class BufferShape : std::uint8_t { kCannotTell, kLinear, kRing, kSeveral };

struct Inference {
  std::vector<Question> questions = {};  // in the order of their ids above
  std::optional<FormatFit> format = std::nullopt;
  Counters counters = {};             // of that format
  std::uint64_t stray_states = 0;     // with bits that are those of no pipe
  std::uint64_t repeated_states = 0;  // that change nothing
  std::optional<double> ticks_per_cycle = std::nullopt;
  BufferShape shape = BufferShape::kCannotTell;
  std::optional<std::uint64_t> written_bytes = std::nullopt;  // of a linear buffer that is not full
  std::optional<unsigned> wptr_unit = std::nullopt;           // bytes that one step of the register means
  std::optional<unsigned> samp_wrt_unit = std::nullopt;
};

Inference infer(std::span<const std::byte> bytes, const std::optional<Registers>& registers,
                std::span<const WordLayout* const> candidates = layouts());

}  // namespace accelscope::formats::perfmon
