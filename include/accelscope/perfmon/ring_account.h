// Which bytes of a ring are new, which are gone: arithmetic over the counters of a performance monitor.
//
// The hardware counts what it writes in 32 bits, which wrap; here bytes are counted in 64. A difference is
// right as long as less than 2^32 of the counter's units come between two looks. No register is read here.
// One thread uses one object; freestanding.
//
//   RingAccount account(behaviour, ring_bytes);
//   account.begin_at(seen);
//   account.take(later, false, slice);
//   account.overwritten(slice, samples_written_now)
#pragma once

#include "accelscope/perfmon/slice.h"

namespace accelscope::perfmon {

class RingAccount {
 public:
  RingAccount() = default;
  RingAccount(const Behaviour& behaviour, uint32_t ring_bytes) : behaviour_(behaviour), ring_(ring_bytes) {}

  uint64_t counted_bytes() const { return total_; }
  uint64_t lost_bytes() const { return lost_; }
  uint64_t next_byte() const { return handed_; }

  // A new recording: the next byte is written where the pointer is.
  void begin_at(const RegistersSeen& seen) {
    total_ = lost_ = 0;
    continue_at(seen);
    broken_ = false;
  }
  // Pointer and counters were reset; all bytes before were handed out.
  void continue_at(const RegistersSeen& seen) {
    counted_ = seen.samples_written;
    samples_ = seen.samples;
    pointer_ = seen.write_pointer;
    handed_ = epoch_ = total_;
    epoch_offset_ = static_cast<uint32_t>(pointer_bytes(seen) % ring_);
    lost_behind_ = 0;
    broken_ = true;
  }

  bool outside(const RegistersSeen& seen) const {
    const bool endless = behaviour_.pointer == PointerKind::kTotal && behaviour_.buffer == BufferKind::kRing;
    return !endless && pointer_bytes(seen) > ring_;
  }

  // Whether words could go where the pointer is.
  bool can_begin_at(const RegistersSeen& seen) const {
    return !outside(seen) && pointer_bytes(seen) % behaviour_.word_bytes == 0;
  }

  // Whatever the counters say, the slice lies in the ring. `standing`: nothing is in flight any more.
  void take(const RegistersSeen& seen, bool standing, Slice& slice) {
    total_ += counted_since(seen.samples_written);
    counted_ = seen.samples_written;
    const uint64_t pending = total_ - handed_;
    uint64_t first = handed_;
    uint64_t end = total_;
    if (behaviour_.buffer == BufferKind::kLinear) {
      const uint64_t end_of_buffer = epoch_ + ring_ - epoch_offset_;
      slice.overflow = total_ >= end_of_buffer;
      if (slice.overflow) {
        slice.lost_bytes = newly_lost_behind_the_end(seen);
        end = end_of_buffer;
      }
    } else {
      slice.overflow = pending >= ring_;
      if (pending > ring_) slice.lost_bytes = whole_words_of(pending - ring_);
      first += slice.lost_bytes;
      broken_ = broken_ || slice.lost_bytes > 0;
    }
    lost_ += slice.lost_bytes;
    const uint64_t held_back = standing ? 0 : behaviour_.unlanded_bytes;
    const uint64_t bytes = end > first + held_back ? end - first - held_back : 0;
    const auto torn = static_cast<uint32_t>(bytes % behaviour_.word_bytes);
    fill_in(slice, first, static_cast<uint32_t>(bytes) - torn);
    if (!standing) return;
    slice.torn_bytes = torn;
    slice.pointer_agrees = agrees(seen);
  }

  // How many bytes of the slice's front may have been written over by now. They count as lost.
  uint32_t overwritten(const Slice& slice, uint32_t samples_written) {
    if (behaviour_.buffer == BufferKind::kLinear) return 0;
    const uint64_t reached = total_ + counted_since(samples_written) + behaviour_.uncounted_bytes;
    const uint64_t oldest = reached > ring_ ? reached - ring_ : 0;
    if (oldest <= slice.first_byte) return 0;
    const uint64_t over = whole_words_of(oldest - slice.first_byte);
    const uint32_t bytes = over < slice.bytes ? static_cast<uint32_t>(over) : slice.bytes;
    lost_ += bytes;
    return bytes;
  }

 private:
  uint64_t whole_words_of(uint64_t bytes) const {
    return (bytes + behaviour_.word_bytes - 1) / behaviour_.word_bytes * behaviour_.word_bytes;
  }
  uint64_t pointer_bytes(const RegistersSeen& seen) const {
    return behaviour_.bytes(seen.write_pointer, behaviour_.pointer_in);
  }
  uint64_t counted_since(uint32_t samples_written) const {
    return behaviour_.bytes(samples_written - counted_, behaviour_.samples_written_in);
  }

  void fill_in(Slice& slice, uint64_t first, uint32_t bytes) {
    slice.first_byte = first;
    slice.bytes = bytes;
    slice.from = static_cast<uint32_t>((epoch_offset_ + (first - epoch_)) % ring_);
    slice.to = static_cast<uint32_t>((uint64_t{slice.from} + bytes) % ring_);
    slice.wrapped = uint64_t{slice.from} + bytes > ring_;
    slice.continues = !broken_;
    if (bytes > 0) broken_ = false;
    handed_ = first + bytes;
  }

  // A buffer that does not begin again: words were made that nobody wrote.
  uint64_t newly_lost_behind_the_end(const RegistersSeen& seen) {
    const uint64_t made = behaviour_.bytes(seen.samples - samples_, Unit::kWords);
    const uint64_t written = total_ - epoch_;
    const uint64_t lost = made > written ? made - written : 0;
    const uint64_t newly = lost > lost_behind_ ? lost - lost_behind_ : 0;
    lost_behind_ += newly;
    return newly;
  }

  bool agrees(const RegistersSeen& seen) const {
    const uint64_t written = total_ - epoch_;
    if (behaviour_.pointer == PointerKind::kTotal) {
      const uint32_t unit = behaviour_.pointer_in == Unit::kWords ? behaviour_.word_bytes : 1;
      return seen.write_pointer == static_cast<uint32_t>(pointer_ + written / unit);
    }
    // Of words, a torn one does not show in the pointer.
    const uint64_t in_unit = behaviour_.pointer_in == Unit::kWords
                                 ? written / behaviour_.word_bytes * behaviour_.word_bytes
                                 : written;
    const uint64_t here = (epoch_offset_ + in_unit) % ring_;
    return here == pointer_bytes(seen) % ring_ || pointer_bytes(seen) == epoch_offset_ + in_unit;
  }

  Behaviour behaviour_ = {};
  uint32_t ring_ = 1;
  uint32_t counted_ = 0;  // the counter at `total_`
  uint32_t samples_ = 0;  // kSamples and the pointer at `epoch_`
  uint32_t pointer_ = 0;
  uint32_t epoch_offset_ = 0;  // in the ring, of byte `epoch_`
  uint64_t epoch_ = 0;         // the byte at the last start or restart
  uint64_t total_ = 0;         // bytes counted since the start
  uint64_t handed_ = 0;        // given in slices, or lost
  uint64_t lost_ = 0;
  uint64_t lost_behind_ = 0;  // of a linear buffer, since `epoch_`
  bool broken_ = false;       // the next bytes do not follow upon those before
};

}  // namespace accelscope::perfmon
