// From the counter readings of a dump to times that only grow.
//
// Boards count cycles in 32 bits. An event whose end is below its start wrapped once: its true length is
// end + 2^32 - start. Events are logged as they end, so a fall of the ends from the upper to the lower half
// of 32 bits is an overflow too, and all that follows moves up by 2^32 - but only in a dump none of whose
// ordinary events has a longer reading, because then the counter is no 32-bit one. A clock that restarts
// elsewhere is left as it is. One object per dump, used by one thread; it owns nothing.
//
//   Unwrapper unwrapper(remarks, 0, [&] { return all_times_fit_32_bits(dump); });
//   unwrapper.apply(block.events);
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "formats/etdump/remarks.h"
#include "formats/etdump/staged_event.h"
#include "trace/nesting.h"

namespace accelscope::formats::etdump {

class Unwrapper {
 public:
  // `fits_32_bits` is asked once, and only when something looks like an overflow.
  Unwrapper(Remarks& remarks, std::uint64_t dump_offset, std::function<bool()> fits_32_bits)
      : remarks_(remarks), dump_offset_(dump_offset), fits_32_bits_(std::move(fits_32_bits)) {}

  // Sets start, duration and flags of a block's events. Delegate events may be of another clock and keep
  // their readings.
  void apply(std::span<StagedEvent> events);
  // Whether the counter overflowed so far, so that readings alone do not place an event in time.
  bool overflowed() const { return overflow_ticks_ > 0; }

 private:
  bool block_overflows(std::span<const StagedEvent> events);
  void apply_overflows(std::span<StagedEvent> events);
  void set_times(StagedEvent& event, std::uint64_t start, std::uint64_t elapsed);
  void set_times_as_read(StagedEvent& event);
  void advance_to(std::uint64_t reading);

  Remarks& remarks_;
  std::uint64_t dump_offset_;
  std::function<bool()> fits_32_bits_;
  std::optional<bool> is_32_bit_counter_;
  std::uint64_t last_reading_ = 0;
  std::uint64_t overflow_ticks_ = 0;  // added to readings: a multiple of 2^32
};

// Moves a delegate event of an overflowed counter by whole overflows, so that it lies inside its call; false
// when that is not possible.
bool move_into_call(StagedEvent& event, const trace::Interval& call);

}  // namespace accelscope::formats::etdump
