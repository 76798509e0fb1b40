// Words of a performance monitor to events, as they arrive: slices of bytes of any size go in, a visitor is
// told what the words say. Partial words and partial stamps wait for the next slice.
//
// Nothing is refused. What cannot be dated (words before the first stamp, words after a loss) is counted and
// left out until the next stamp; words of unknown kinds are counted, and their delta counts. Between one
// lost() and the next, times never decrease. docs/perfmon.md has the rules.
//
// The visitor is a template parameter, so that its functions become part of the loop; VisitNothing lists
// them. One thread uses one decoder; it keeps a few words of state and owns no memory. A run-time layout must
// outlive it.
//
//   Decoder<> decoder;                                       // of kBiuPerf, deltas taken as ticks
//   while (drained = next_slice()) decoder.feed(drained, visitor);
//   decoder.finish(visitor);
//   decoder.counters().undatable
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/units.h"
#include "formats/perfmon/clock_ratio.h"
#include "formats/perfmon/layout.h"

namespace accelscope::formats::perfmon {

// What a visitor is told. Derive from it, and hide what is of interest.
struct VisitNothing {
  // A stamp: absolute time, which may lie a little before that of the last event, and the block that runs. It
  // changes nothing about which pipes are busy.
  void stamp(base::Ticks /*base*/, std::uint32_t /*block*/) {}
  // These pipes are busy from now on, and no others.
  void state(base::Ticks /*time*/, PipeMask /*busy*/) {}
  void mark(base::Ticks /*time*/, Pipe /*pipe*/, std::uint32_t /*id*/) {}
  void end_of_block(base::Ticks /*time*/) {}
  // What follows does not continue what came before, which was known up to this time: pipes may have changed
  // in between, and the time may be an earlier one. Also said first of a stream that begins with words that
  // cannot be dated.
  void lost(base::Ticks /*reached*/) {}
};

// Every word is counted once: words = stamps x words of a stamp + stamp_fragments + states + marks + unknown
// + undatable + filler + ends_of_block, but for the words of a stamp that is not complete yet.
struct Counters {
  std::uint64_t words = 0;
  std::uint64_t stamps = 0;
  std::uint64_t states = 0;
  std::uint64_t marks = 0;
  std::uint64_t ends_of_block = 0;
  std::uint64_t filler = 0;
  std::uint64_t unknown = 0;          // control codes that mean nothing here
  std::uint64_t undatable = 0;        // states, marks and unknown ones without a stamp before them
  std::uint64_t stamp_fragments = 0;  // words of stamps that were cut, or whose time cannot be
  std::uint64_t losses = 0;           // times that the time was known and then was not
  std::uint64_t early_stamps =
      0;  // below the time reached, which was held: drift, or another ratio of clocks
  std::uint64_t backward_stamps = 0;  // below the stamp before: the seam of a ring, or a second recording
  std::uint64_t torn_bytes = 0;       // of words that were never completed

  bool operator==(const Counters&) const = default;
};

// A table known at compile time, whose shifts and masks become constants of the loop.
template <const WordLayout& kTable>
struct FixedLayout {
  static constexpr const WordLayout& table() { return kTable; }
};

// A table chosen at run time.
struct ChosenLayout {
  const WordLayout* chosen = &kBiuPerf;
  const WordLayout& table() const { return *chosen; }
};

template <class Layout = FixedLayout<kBiuPerf>>
class Decoder {
 public:
  explicit Decoder(ClockRatio ratio = {}, Layout layout = {}) : layout_(layout), clock_(ratio) {}

  template <class Visitor>
  void feed(std::span<const std::byte> slice, Visitor& visitor) {
    const std::size_t word_bytes = layout_.table().word_bytes;
    if (torn_ > 0) {
      const std::size_t taken = std::min(word_bytes - torn_, slice.size());
      std::copy_n(slice.data(), taken, torn_word_ + torn_);
      torn_ += taken;
      slice = slice.subspan(taken);
      if (torn_ < word_bytes) return;
      torn_ = 0;
      decode(torn_word_, 1, visitor);
    }
    const std::size_t words = slice.size() / word_bytes;
    decode(slice.data(), words, visitor);
    torn_ = slice.size() - words * word_bytes;
    std::copy_n(slice.data() + words * word_bytes, torn_, torn_word_);
  }

  // Bytes were lost: what comes next begins a word, and nothing is known until the next stamp.
  template <class Visitor>
  void resynchronise(Visitor& visitor) {
    drop_unfinished();
    lose(visitor);
  }

  // The stream ends here; what is unfinished is counted. Feeding may go on with another stream.
  template <class Visitor>
  void finish(Visitor& visitor) {
    if (drop_unfinished()) lose(visitor);
  }

  const Counters& counters() const { return counters_; }
  // Whether there is a stamp to count from.
  bool dated() const { return dated_; }
  // That of the last word that could be dated.
  base::Ticks time() const { return ticks(clock_.reached()); }

 private:
  // Later than any clock of this kind will be, and far enough from the end of 64 bits to add to.
  static constexpr std::uint64_t kLatestStamp = std::uint64_t{1} << 62U;
  static constexpr std::size_t kMostWordBytes = 8;

  static constexpr base::Ticks ticks(std::uint64_t time) { return {static_cast<std::int64_t>(time)}; }

  template <class Visitor>
  void decode(const std::byte* at, std::size_t words, Visitor& visitor) {
    counters_.words += words;
    if (clock_.ratio().is_one())
      decode_words<true>(at, words, visitor);
    else
      decode_words<false>(at, words, visitor);
  }

  // Most words are states, and most others marks: these are handled here, with the clock in registers.
  template <bool kRatioIsOne, class Visitor>
  void decode_words(const std::byte* at, std::size_t words, Visitor& visitor) {
    const WordLayout& layout = layout_.table();
    const std::byte* const end = at + words * layout.word_bytes;
    while (at != end) {
      if (dated_ && stamp_words_ == 0) {
        StreamClock clock = clock_;
        std::uint64_t states = 0;
        std::uint64_t marks = 0;
        for (; at != end; at += layout.word_bytes) {
          const Word word = load_word(layout, at);
          const Word ctrl = layout.ctrl.of(word);
          if (ctrl == layout.state_ctrl) {
            clock.pass(layout.delta.of(word));
            visitor.state(ticks(clock.template time<kRatioIsOne>()),
                          pipes_of(layout, layout.events.of(word)));
            ++states;
            continue;
          }
          const std::size_t pipe = pipe_of_mark(layout, ctrl);
          if (pipe == kPipes) break;
          clock.pass(layout.delta.of(word));
          visitor.mark(ticks(clock.template time<kRatioIsOne>()), static_cast<Pipe>(pipe),
                       static_cast<std::uint32_t>(layout.events.of(word)));
          ++marks;
        }
        clock_ = clock;
        counters_.states += states;
        counters_.marks += marks;
        if (at == end) return;
      }
      other_word(load_word(layout, at), visitor);
      at += layout.word_bytes;
    }
  }

  // Whatever is neither state nor mark, and every word that cannot be dated.
  template <class Visitor>
  void other_word(Word word, Visitor& visitor) {
    const WordLayout& layout = layout_.table();
    const WordKind kind = kind_of(layout, word);
    if (kind == WordKind::kStamp) return stamp_word(word, visitor);
    if (drop_stamp()) lose(visitor);
    if (kind == WordKind::kEndOfBlock) {
      ++counters_.ends_of_block;
      if (dated_) visitor.end_of_block(time());
    } else if (kind == WordKind::kFiller) {
      ++counters_.filler;
    } else if (dated_) {
      ++counters_.unknown;
      clock_.pass(layout.delta.of(word));
    } else {
      ++counters_.undatable;
      lose(visitor);
    }
  }

  template <class Visitor>
  void stamp_word(Word word, Visitor& visitor) {
    const StampLayout& stamp = layout_.table().stamp;
    const Word index = stamp.index.of(word);
    if (index != stamp_words_) {
      // A cut stamp may be followed by a whole one; anything else is a rest of one.
      if (drop_stamp() || index != 0) lose(visitor);
      if (index != 0) {
        ++counters_.stamp_fragments;
        return;
      }
    }
    if (index == 0) stamp_time_ = stamp_block_ = 0;
    stamp_time_ |= stamp.time_piece.of(word) << (index * stamp.time_piece.width);
    if (index < stamp.block_words)
      stamp_block_ |= stamp.block_piece.of(word) << (index * stamp.block_piece.width);
    if (++stamp_words_ == stamp.words) take_stamp(visitor);
  }

  template <class Visitor>
  void take_stamp(Visitor& visitor) {
    if (stamp_time_ > kLatestStamp) {
      drop_stamp();
      return lose(visitor);
    }
    stamp_words_ = 0;
    if (dated_ && stamp_time_ < last_stamp_) {
      ++counters_.backward_stamps;
      lose(visitor);
    }
    if (dated_) {
      counters_.early_stamps += stamp_time_ < clock_.reached() ? 1 : 0;
      clock_.set(stamp_time_);
    } else {
      clock_.reset(stamp_time_);
    }
    last_stamp_ = stamp_time_;
    dated_ = true;
    connected_ = true;
    ++counters_.stamps;
    visitor.stamp(ticks(stamp_time_), static_cast<std::uint32_t>(stamp_block_));
  }

  template <class Visitor>
  void lose(Visitor& visitor) {
    counters_.losses += dated_ ? 1 : 0;
    dated_ = false;
    if (!connected_) return;
    connected_ = false;
    visitor.lost(time());
  }

  // True when there were words of one.
  bool drop_stamp() {
    const bool cut = stamp_words_ > 0;
    counters_.stamp_fragments += stamp_words_;
    stamp_words_ = 0;
    return cut;
  }

  bool drop_unfinished() {
    const bool torn = torn_ > 0;
    counters_.torn_bytes += torn_;
    torn_ = 0;
    return drop_stamp() || torn;
  }

  [[no_unique_address]] Layout layout_;
  StreamClock clock_;
  bool dated_ = false;
  bool connected_ = true;         // nothing was lost since the last stamp, or since the beginning
  std::uint8_t stamp_words_ = 0;  // of the stamp that is being read
  Word stamp_time_ = 0;
  Word stamp_block_ = 0;
  std::uint64_t last_stamp_ = 0;
  std::size_t torn_ = 0;  // bytes of a word that is not complete
  std::byte torn_word_[kMostWordBytes] = {};
  Counters counters_;
};

}  // namespace accelscope::formats::perfmon
