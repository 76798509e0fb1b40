#include "formats/etdump/unwrap.h"

#include <algorithm>
#include <limits>

namespace accelscope::formats::etdump {
namespace {

using trace::SliceFlag;
using trace::Ticks;

constexpr std::uint64_t kOverflow = std::uint64_t{1} << 32U;
constexpr std::uint64_t kHalf = std::uint64_t{1} << 31U;
constexpr auto kLatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

bool wrapped_inside(const StagedEvent& event) {
  return event.raw_end < event.raw_start && event.raw_start < kOverflow;
}

// Nobody's reading: a scope that was never timed must not look like an overflow.
bool untimed(const StagedEvent& event) {
  return event.raw_start == 0 && event.raw_end == 0;
}

bool falls_to_lower_half(std::uint64_t from, std::uint64_t to) {
  return from >= kHalf && from < kOverflow && to < kHalf;
}

}  // namespace

void Unwrapper::apply(std::span<StagedEvent> events) {
  if (block_overflows(events)) {
    apply_overflows(events);
    return;
  }
  for (StagedEvent& event : events) {
    set_times_as_read(event);
    if (!event.delegated && !untimed(event)) last_reading_ = event.raw_end;
  }
}

bool Unwrapper::block_overflows(std::span<const StagedEvent> events) {
  bool suspicion = overflow_ticks_ > 0;
  std::uint64_t last = last_reading_;
  for (const StagedEvent& event : events) {
    if (event.delegated || untimed(event)) continue;
    suspicion = suspicion || wrapped_inside(event) || falls_to_lower_half(last, event.raw_end);
    last = event.raw_end;
  }
  if (!suspicion) return false;
  if (!is_32_bit_counter_) is_32_bit_counter_ = fits_32_bits_();
  return *is_32_bit_counter_;
}

void Unwrapper::advance_to(std::uint64_t reading) {
  if (falls_to_lower_half(last_reading_, reading)) {
    overflow_ticks_ += kOverflow;
    remarks_.note(Remark::kUnwrapped, dump_offset_);
  }
  last_reading_ = reading;
}

void Unwrapper::apply_overflows(std::span<StagedEvent> events) {
  // The first event to end may be past the overflow while the event around it, logged last, began before:
  // the earliest start of those that wrapped is where the block's readings begin.
  std::uint64_t first_reading = kOverflow;
  for (const StagedEvent& event : events)
    if (!event.delegated && wrapped_inside(event)) first_reading = std::min(first_reading, event.raw_start);
  if (first_reading < kOverflow) advance_to(first_reading);
  for (StagedEvent& event : events) {
    if (event.delegated || untimed(event)) {
      set_times_as_read(event);
      continue;
    }
    advance_to(event.raw_end);
    if (!wrapped_inside(event)) {
      set_times(event, event.raw_start + overflow_ticks_, event.raw_end - event.raw_start);
      continue;
    }
    // An event that lasted longer than half the range wraps without a fall from half to half.
    if (overflow_ticks_ == 0) overflow_ticks_ = kOverflow;
    event.flags = event.flags | SliceFlag::kWrapped;
    remarks_.note(Remark::kWrapped, dump_offset_ + event.file_offset);
    set_times(event, event.raw_start + overflow_ticks_ - kOverflow,
              event.raw_end + kOverflow - event.raw_start);
  }
}

void Unwrapper::set_times_as_read(StagedEvent& event) {
  if (event.raw_start <= event.raw_end) {
    set_times(event, event.raw_start, event.raw_end - event.raw_start);
  } else if (wrapped_inside(event)) {
    event.flags = event.flags | SliceFlag::kWrapped;
    remarks_.note(Remark::kWrapped, dump_offset_ + event.file_offset);
    set_times(event, event.raw_start, event.raw_end + kOverflow - event.raw_start);
  } else {
    event.flags = event.flags | SliceFlag::kEndUnknown;
    remarks_.note(Remark::kEndBeforeStart, dump_offset_ + event.file_offset);
    set_times(event, event.raw_start, 0);
  }
}

void Unwrapper::set_times(StagedEvent& event, std::uint64_t start, std::uint64_t elapsed) {
  if (start > kLatest || elapsed > kLatest - start) {
    remarks_.note(Remark::kBeyond63Bits, dump_offset_ + event.file_offset);
    elapsed = std::min(elapsed, kLatest);
    start = std::min(start, kLatest - elapsed);
  }
  event.start = Ticks{static_cast<std::int64_t>(start)};
  event.duration = Ticks{static_cast<std::int64_t>(elapsed)};
}

bool move_into_call(StagedEvent& event, const trace::Interval& call) {
  if (event.raw_start >= kOverflow || event.raw_end >= kOverflow) return false;
  // The reading after the call's start that equals the event's modulo 2^32.
  const auto call_start = static_cast<std::uint64_t>(call.start.value);
  const std::uint64_t since_call = (event.raw_start - call_start) & (kOverflow - 1);
  const std::uint64_t start = call_start + since_call;
  if (start < kOverflow || start > kLatest / 2) return false;
  const trace::Interval moved{Ticks{static_cast<std::int64_t>(start)},
                              Ticks{static_cast<std::int64_t>(start) + event.duration.value}};
  if (!call.contains(moved)) return false;
  event.start = moved.start;
  return true;
}

}  // namespace accelscope::formats::etdump
