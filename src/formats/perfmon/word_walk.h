// Every word of a piece of memory with what it means and where it stands: for dumps, and for those who ask
// whether a layout fits at all. A decoder (decoder.h) is much faster, and tells of events only.
//
// A template over what is called with each row; one thread, nothing is kept.
//
//   const Counters counters = walk_words(bytes, {.layout = &kBiuPerf}, [&](const WordRow& row) { print(row);
//   });
#pragma once

#include <optional>
#include <span>

#include "formats/perfmon/decoder.h"

namespace accelscope::formats::perfmon {

struct WordRow {
  std::uint64_t offset = 0;  // of its first byte
  Word word = 0;
  WordKind kind = WordKind::kUnknown;
  std::optional<base::Ticks> time = std::nullopt;  // of a state, a mark or an unknown word that can be dated
  std::uint32_t delta = 0;                         // of these, dated or not
  PipeMask busy = 0;                               // of a state
  Pipe pipe = Pipe::kSu;                           // of a mark
  std::uint32_t id = 0;
  std::uint32_t stamp_index = 0;
  std::optional<base::Ticks> stamp = std::nullopt;  // of the word that completes one
  std::uint32_t block = 0;
};

struct WalkOptions {
  const WordLayout* layout = &kBiuPerf;
  ClockRatio ratio = {};
};

namespace details {

struct LastStamp : VisitNothing {
  std::optional<base::Ticks> base = std::nullopt;
  std::uint32_t block = 0;

  void stamp(base::Ticks time, std::uint32_t of_block) {
    base = time;
    block = of_block;
  }
};

inline WordRow row_of(const WordLayout& layout, Word word) {
  WordRow row{.word = word, .kind = kind_of(layout, word)};
  switch (row.kind) {
    case WordKind::kStamp:
      row.stamp_index = static_cast<std::uint32_t>(layout.stamp.index.of(word));
      return row;
    case WordKind::kEndOfBlock:
    case WordKind::kFiller:
      return row;
    case WordKind::kState:
      row.busy = pipes_of(layout, layout.events.of(word));
      break;
    case WordKind::kMark:
      row.pipe = static_cast<Pipe>(pipe_of_mark(layout, layout.ctrl.of(word)));
      row.id = static_cast<std::uint32_t>(layout.events.of(word));
      break;
    case WordKind::kUnknown:
      break;
  }
  row.delta = static_cast<std::uint32_t>(layout.delta.of(word));
  return row;
}

}  // namespace details

// `take` may answer false to end the walk.
template <class Take>
Counters walk_words(std::span<const std::byte> bytes, const WalkOptions& options, Take take) {
  const WordLayout& layout = *options.layout;
  Decoder<ChosenLayout> decoder(options.ratio, {&layout});
  details::LastStamp stamps;
  std::size_t offset = 0;
  for (; offset + layout.word_bytes <= bytes.size(); offset += layout.word_bytes) {
    stamps.base.reset();
    decoder.feed(bytes.subspan(offset, layout.word_bytes), stamps);
    WordRow row = details::row_of(layout, load_word(layout, bytes.data() + offset));
    row.offset = offset;
    row.stamp = stamps.base;
    row.block = stamps.block;
    const bool has_time =
        row.kind == WordKind::kState || row.kind == WordKind::kMark || row.kind == WordKind::kUnknown;
    if (has_time && decoder.dated()) row.time = decoder.time();
    if (!take(static_cast<const WordRow&>(row))) return decoder.counters();
  }
  decoder.feed(bytes.subspan(offset), stamps);
  decoder.finish(stamps);
  return decoder.counters();
}

}  // namespace accelscope::formats::perfmon
