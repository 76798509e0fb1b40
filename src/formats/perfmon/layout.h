// How a performance monitor writes what the pipes of a core do: words of one size, each with a control code,
// an event and the cycles since the word before.
//
// All that a decoder or an encoder knows of a chip is one WordLayout; another chip is another table.
// docs/perfmon.md draws the words. Constant data and pure functions, safe from any thread.
//
//   const WordLayout& layout = kBiuPerf;
//   const Word word = load_word(layout, bytes.data());
//   if (layout.ctrl.of(word) == layout.state_ctrl) mask = pipes_of(layout, layout.events.of(word));
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace accelscope::formats::perfmon {

// What works beside each other in a core; the scalar unit hands out the work of all others.
enum class Pipe : std::uint8_t { kSu, kVec, kCube, kMte1, kMte2, kMte3, kFixp };

inline constexpr std::size_t kPipes = 7;
inline constexpr std::array<std::string_view, kPipes> kPipeNames{"SU",   "VEC",  "CUBE", "MTE1",
                                                                 "MTE2", "MTE3", "FIXP"};

constexpr std::string_view name_of(Pipe pipe) {
  return kPipeNames[static_cast<std::size_t>(pipe)];
}

// Which pipes are busy: bit i is that of Pipe i, whatever the order in the words of a chip.
using PipeMask = std::uint8_t;
inline constexpr PipeMask kAllPipes = (1U << kPipes) - 1;

constexpr PipeMask bit_of(Pipe pipe) {
  return static_cast<PipeMask>(1U << static_cast<unsigned>(pipe));
}

// "SU+MTE2", or "-" when all are idle.
std::string pipes_text(PipeMask mask);

// A word of any size, in the order of bytes of this machine.
using Word = std::uint64_t;

struct BitRange {
  std::uint8_t low = 0;
  std::uint8_t width = 0;

  constexpr Word greatest() const { return width >= 64 ? ~Word{0} : (Word{1} << width) - 1; }
  constexpr Word bits() const { return greatest() << low; }
  constexpr Word of(Word word) const { return (word >> low) & greatest(); }
  // The value, which must fit, in its place.
  constexpr Word placed(Word value) const { return value << low; }
};

// START_STAMP: an absolute time and the block that runs, in pieces over consecutive words that number
// themselves from 0.
struct StampLayout {
  std::uint8_t words = 0;
  BitRange index = {};
  BitRange time_piece = {};   // in every word, the lowest piece in word 0
  BitRange block_piece = {};  // in the first `block_words`, the lowest piece in word 0
  std::uint8_t block_words = 0;
};

struct WordLayout {
  std::string_view name;
  std::string_view description;
  std::uint8_t word_bytes = 4;  // 4 or 8
  std::endian byte_order = std::endian::little;
  BitRange ctrl = {};
  BitRange events = {};                             // of a mark its id, of a state its mask
  BitRange delta = {};                              // cycles since the word before
  std::array<std::uint8_t, kPipes> mark_ctrl = {};  // by Pipe
  std::uint8_t stamp_ctrl = 0;
  std::uint8_t state_ctrl = 0;
  std::array<std::uint8_t, kPipes> mask_bit = {};  // by Pipe: its bit in the events of a state
  StampLayout stamp = {};
  // Whole words that mean something by themselves. Their control code may be that of a stamp, or none, but
  // not that of a state or a mark: those are looked at first.
  std::optional<Word> end_of_block = std::nullopt;
  std::optional<Word> filler = std::nullopt;
};

// The 4-byte words that msprof reads as "biu_perf" on its chip 6.
inline constexpr WordLayout kBiuPerf{
    .name = "biu_perf",
    .description = "4-byte words as msprof's parser of biu_perf reads them",
    .word_bytes = 4,
    .byte_order = std::endian::little,
    .ctrl = {28, 4},
    .events = {16, 12},
    .delta = {0, 16},
    .mark_ctrl = {0, 1, 2, 3, 4, 5, 6},
    .stamp_ctrl = 14,
    .state_ctrl = 15,
    .mask_bit = {0, 1, 2, 3, 4, 5, 6},
    .stamp = {.words = 4, .index = {24, 4}, .time_piece = {0, 16}, .block_piece = {16, 8}, .block_words = 2},
    .end_of_block = 0xEFFFFFFF,
    .filler = 0xDDDDDDDD};

// Those that are part of the program.
std::span<const WordLayout* const> layouts();
base::Result<const WordLayout*> layout_of(std::string_view name);

// Why a table cannot be worked with; "" for a sound one.
constexpr std::string_view fault_in(const WordLayout& layout);

// Numbers at the place of a layout's bytes, which need not be aligned.
inline Word load_word(const WordLayout& layout, const std::byte* bytes) {
  const bool swapped = layout.byte_order != std::endian::native;
  if (layout.word_bytes == 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return swapped ? __builtin_bswap32(word) : word;
  }
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return swapped ? __builtin_bswap64(word) : word;
}

inline void store_word(const WordLayout& layout, Word word, std::byte* bytes) {
  const bool swapped = layout.byte_order != std::endian::native;
  if (layout.word_bytes == 4) {
    const auto narrow = static_cast<std::uint32_t>(word);
    const std::uint32_t stored = swapped ? __builtin_bswap32(narrow) : narrow;
    std::memcpy(bytes, &stored, sizeof stored);
    return;
  }
  const Word stored = swapped ? __builtin_bswap64(word) : word;
  std::memcpy(bytes, &stored, sizeof stored);
}

namespace details {

// Tables in the order of Pipe need no translation; for a table that is known at compile time the question
// costs nothing.
constexpr bool in_pipe_order(const std::array<std::uint8_t, kPipes>& table) {
  for (std::size_t i = 0; i < kPipes; ++i)
    if (table[i] != i) return false;
  return true;
}

constexpr bool fits(BitRange range, const WordLayout& layout) {
  return range.width > 0 && range.width <= 32 && range.low + range.width <= layout.word_bytes * 8;
}

constexpr bool apart(BitRange a, BitRange b) {
  return (a.bits() & b.bits()) == 0;
}

}  // namespace details

// The events of a state as pipes.
constexpr PipeMask pipes_of(const WordLayout& layout, Word events) {
  if (details::in_pipe_order(layout.mask_bit)) return static_cast<PipeMask>(events & kAllPipes);
  Word mask = 0;
  for (std::size_t i = 0; i < kPipes; ++i) mask |= ((events >> layout.mask_bit[i]) & 1U) << i;
  return static_cast<PipeMask>(mask);
}

constexpr Word events_of(const WordLayout& layout, PipeMask pipes) {
  Word events = 0;
  for (std::size_t i = 0; i < kPipes; ++i) events |= ((Word{pipes} >> i) & 1U) << layout.mask_bit[i];
  return events;
}

// The pipe whose marks have this control code; kPipes for none.
constexpr std::size_t pipe_of_mark(const WordLayout& layout, Word ctrl) {
  if (details::in_pipe_order(layout.mark_ctrl))
    return ctrl < kPipes ? static_cast<std::size_t>(ctrl) : kPipes;
  for (std::size_t i = 0; i < kPipes; ++i)
    if (layout.mark_ctrl[i] == ctrl) return i;
  return kPipes;
}

enum class WordKind : std::uint8_t { kStamp, kState, kMark, kEndOfBlock, kFiller, kUnknown };

constexpr WordKind kind_of(const WordLayout& layout, Word word) {
  if (layout.end_of_block == word) return WordKind::kEndOfBlock;
  if (layout.filler == word) return WordKind::kFiller;
  const Word ctrl = layout.ctrl.of(word);
  if (ctrl == layout.state_ctrl) return WordKind::kState;
  if (ctrl == layout.stamp_ctrl) return WordKind::kStamp;
  return pipe_of_mark(layout, ctrl) < kPipes ? WordKind::kMark : WordKind::kUnknown;
}

constexpr std::string_view fault_in(const WordLayout& layout) {
  using details::apart;
  using details::fits;
  const StampLayout& stamp = layout.stamp;
  if (layout.word_bytes != 4 && layout.word_bytes != 8) return "words have 4 or 8 bytes";
  if (!fits(layout.ctrl, layout) || layout.ctrl.width > 8) return "ctrl does not fit";
  if (!fits(layout.events, layout) || !fits(layout.delta, layout)) return "events or delta do not fit";
  if (!apart(layout.ctrl, layout.events) || !apart(layout.ctrl, layout.delta) ||
      !apart(layout.events, layout.delta))
    return "ctrl, events and delta overlap";
  if (stamp.words == 0 || !fits(stamp.index, layout) || !fits(stamp.time_piece, layout) ||
      stamp.words - Word{1} > stamp.index.greatest() || stamp.words * stamp.time_piece.width > 64)
    return "a stamp's index or time does not fit";
  if (stamp.block_words > stamp.words || stamp.block_words * stamp.block_piece.width > 32 ||
      (stamp.block_words > 0 && !fits(stamp.block_piece, layout)))
    return "a stamp's block does not fit";
  if (!apart(layout.ctrl, stamp.index) || !apart(layout.ctrl, stamp.time_piece) ||
      !apart(stamp.index, stamp.time_piece) || !apart(layout.ctrl, stamp.block_piece) ||
      !apart(stamp.index, stamp.block_piece) || !apart(stamp.time_piece, stamp.block_piece))
    return "the pieces of a stamp overlap";
  Word codes = 0;
  const auto taken = [&](std::uint8_t code) {
    const bool wrong = code > layout.ctrl.greatest() || code >= 64 || ((codes >> code) & 1U) != 0;
    if (!wrong) codes |= Word{1} << code;
    return wrong;
  };
  Word bits = 0;
  for (std::size_t i = 0; i < kPipes; ++i) {
    if (taken(layout.mark_ctrl[i])) return "two kinds of words have the same control code";
    if (layout.mask_bit[i] >= layout.events.width) return "a pipe's bit lies outside of the events";
    bits |= Word{1} << layout.mask_bit[i];
  }
  if (std::popcount(bits) != static_cast<int>(kPipes)) return "two pipes have the same bit";
  if (taken(layout.stamp_ctrl) || taken(layout.state_ctrl))
    return "two kinds of words have the same control code";
  for (const std::optional<Word>& whole : {layout.end_of_block, layout.filler})
    if (whole && (layout.ctrl.of(*whole) == layout.state_ctrl ||
                  pipe_of_mark(layout, layout.ctrl.of(*whole)) < kPipes))
      return "end of block or filler look like a state or a mark";
  return "";
}

static_assert(fault_in(kBiuPerf).empty());

}  // namespace accelscope::formats::perfmon
