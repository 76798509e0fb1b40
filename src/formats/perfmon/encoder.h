// What the pipes of a core do, as the words of a performance monitor: the inverse of decoder.h, for models of
// the hardware and for tests.
//
// Events come in the order of time, in cycles of the core. Words leave one by one, as the bytes that a memory
// would get, into whatever can be called with them. A stamp comes first, again when the cycles since the last
// word do not fit a delta, and, if wanted, after every so many words. What the words cannot hold is an error,
// and then nothing is written. One thread uses one encoder; it owns nothing, and its layout must outlive it.
//
//   std::vector<std::byte> bytes;
//   Encoder encoder({.ratio = {50, 1650}});
//   ACCELSCOPE_CHECK(encoder.state(Cycles{100}, bit_of(Pipe::kMte2), appends_to(bytes)));
//   ACCELSCOPE_CHECK(encoder.mark(Cycles{180}, Pipe::kVec, 7, appends_to(bytes)));
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "formats/perfmon/clock_ratio.h"
#include "formats/perfmon/layout.h"

namespace accelscope::formats::perfmon {

struct EncoderOptions {
  const WordLayout* layout = &kBiuPerf;
  ClockRatio ratio = {};  // of the stamps' clock to the cycles of the events
  std::uint64_t stamp_after =
      0;                    // words since the last stamp that make another one due; 0: only where needed
  std::uint32_t block = 0;  // in the stamps
};

// A sink that keeps all bytes.
inline auto appends_to(std::vector<std::byte>& bytes) {
  return [&bytes](std::span<const std::byte> word) { bytes.insert(bytes.end(), word.begin(), word.end()); };
}

class Encoder {
 public:
  explicit Encoder(const EncoderOptions& options = {}) : options_(options) {}

  // These pipes are busy from now on, and no others.
  template <class Sink>
  base::Status state(base::Cycles now, PipeMask busy, Sink&& sink) {
    const WordLayout& layout = *options_.layout;
    if (busy > kAllPipes) return wrong_mask(busy);
    return event(now, layout.state_ctrl, events_of(layout, busy), sink);
  }

  template <class Sink>
  base::Status mark(base::Cycles now, Pipe pipe, std::uint32_t id, Sink&& sink) {
    const WordLayout& layout = *options_.layout;
    if (id > layout.events.greatest()) return wrong_id(id);
    return event(now, layout.mark_ctrl[static_cast<std::size_t>(pipe)], id, sink);
  }

  // A stamp, wherever one is wanted; the first word does not need it said.
  template <class Sink>
  base::Status stamp(base::Cycles now, Sink&& sink) {
    ACCELSCOPE_CHECK(check_stamp(now));
    put_stamp(now, sink);
    return {};
  }

  // Stamps carry this block from now on.
  void set_block(std::uint32_t block) { options_.block = block; }

  // The next event begins with a stamp: the block that runs is another one.
  template <class Sink>
  base::Status end_block(Sink&& sink) {
    if (!options_.layout->end_of_block) return without("an end of block");
    put(*options_.layout->end_of_block, sink);
    stamped_ = false;
    return {};
  }

  // It takes no time.
  template <class Sink>
  base::Status filler(Sink&& sink) {
    if (!options_.layout->filler) return without("filler");
    put(*options_.layout->filler, sink);
    return {};
  }

 private:
  template <class Sink>
  base::Status event(base::Cycles now, Word ctrl, Word events, Sink& sink) {
    const WordLayout& layout = *options_.layout;
    if (now < last_) return backwards(now);
    const auto elapsed = static_cast<Word>((now - last_).value);
    const bool due = options_.stamp_after > 0 && since_stamp_ >= options_.stamp_after;
    if (!stamped_ || due || elapsed > layout.delta.greatest()) {
      ACCELSCOPE_CHECK(check_stamp(now));
      put_stamp(now, sink);
    }
    const auto delta = static_cast<Word>((now - last_).value);
    put(layout.ctrl.placed(ctrl) | layout.events.placed(events) | layout.delta.placed(delta), sink);
    last_ = now;
    ++since_stamp_;
    return {};
  }

  template <class Sink>
  void put_stamp(base::Cycles now, Sink& sink) {
    const StampLayout& stamp = options_.layout->stamp;
    const auto time = static_cast<Word>(options_.ratio.ticks_in(now).value);
    for (unsigned i = 0; i < stamp.words; ++i) {
      Word word = options_.layout->ctrl.placed(options_.layout->stamp_ctrl) | stamp.index.placed(i);
      word |= stamp.time_piece.placed(piece_of(time, i, stamp.time_piece));
      if (i < stamp.block_words)
        word |= stamp.block_piece.placed(piece_of(options_.block, i, stamp.block_piece));
      put(word, sink);
    }
    last_ = now;
    stamped_ = true;
    since_stamp_ = 0;
  }

  template <class Sink>
  void put(Word word, Sink& sink) {
    std::array<std::byte, 8> bytes = {};
    store_word(*options_.layout, word, bytes.data());
    sink(std::span<const std::byte>(bytes.data(), options_.layout->word_bytes));
  }

  static Word piece_of(Word value, unsigned index, BitRange piece) {
    return (value >> (index * piece.width)) & piece.greatest();
  }

  // Whether a stamp can say this time and block.
  base::Status check_stamp(base::Cycles now) const;
  base::Status backwards(base::Cycles now) const;
  base::Status wrong_mask(PipeMask busy) const;
  base::Status wrong_id(std::uint32_t id) const;
  base::Status without(std::string_view what) const;

  EncoderOptions options_;
  base::Cycles last_ = {};
  std::uint64_t since_stamp_ = 0;
  bool stamped_ = false;
};

}  // namespace accelscope::formats::perfmon
