#include "formats/etdump/block_nesting.h"

#include <algorithm>
#include <limits>

namespace accelscope::formats::etdump {
namespace {

using trace::EventRole;
using trace::Interval;
using trace::SliceId;
using trace::Ticks;

Interval interval_of(const StagedEvent& event) {
  return {event.start, event.end()};
}

// Outside every instruction: when such an event ends, nothing that was reported inside is still to come.
bool is_method_level(const StagedEvent& event) {
  return event.chain == -1 || event.role == EventRole::kMethodExecute ||
         event.role == EventRole::kMethodStep || event.role == EventRole::kLoad;
}

bool claims(const StagedEvent& event, const StagedEvent& pending) {
  if (event.role == EventRole::kDelegateCall)
    return event.chain == pending.chain && event.instruction == pending.instruction;
  return is_method_level(event);
}

// A guess for an event without a call to compare it with: `known` is the span of the block's ordinary events.
bool on_host_clock(const StagedEvent& event, const Interval& known) {
  if (trace::has_flag(event.flags, trace::SliceFlag::kEstimated)) return true;
  if (known.start > known.end) return event.unit == ValueUnit::kNotSaid && event.raw_start != 0;
  return event.start <= known.end && known.start <= event.end();
}

}  // namespace

void BlockNester::nest(std::span<StagedEvent> events, bool counter_overflowed, std::uint64_t dump_offset) {
  nester_.clear();
  for (std::uint32_t position = 0; position < events.size(); ++position) {
    if (events[position].delegated)
      nester_.add_pending(SliceId{position});
    else
      add_ordinary(events, position, counter_overflowed);
  }
  place_orphans(events, dump_offset);
}

void BlockNester::add_ordinary(std::span<StagedEvent> events, std::uint32_t position,
                               bool counter_overflowed) {
  StagedEvent& event = events[position];
  claimed_.clear();
  const auto adopt = [&](SliceId child, SliceId /*parent*/) {
    StagedEvent& adopted = events[index(child)];
    if (adopted.delegated) {
      claimed_.push_back(index(child));
      return;
    }
    adopted.parent = position;
    if (event.role == EventRole::kDelegateCall && adopted.backend != Backend::kUnknown)
      event.backend = adopted.backend;
  };
  nester_.add(SliceId{position}, interval_of(event), adopt,
              [&](SliceId pending) { return claims(event, events[index(pending)]); });
  if (claimed_.empty()) return;
  std::reverse(claimed_.begin(), claimed_.end());
  if (event.role == EventRole::kDelegateCall) {
    delegate_calls_.place(events, position, claimed_, counter_overflowed);
  } else if (event.role == EventRole::kLoad) {
    // Backends report while they are initialised, where there is no DELEGATE_CALL to claim it.
    for (const std::uint32_t reported : claimed_)
      if (interval_of(event).contains(interval_of(events[reported]))) events[reported].parent = position;
  }
}

void BlockNester::place_orphans(std::span<StagedEvent> events, std::uint64_t dump_offset) {
  Interval known{Ticks::max(), Ticks::min()};
  bool any_orphan = false;
  for (const StagedEvent& event : events) {
    any_orphan = any_orphan || (event.delegated && event.parent == kNoEvent);
    if (event.delegated) continue;
    known.start = std::min(known.start, event.start);
    known.end = std::max(known.end, event.end());
  }
  if (!any_orphan) return;
  for (StagedEvent& event : events) {
    if (!event.delegated || event.parent != kNoEvent) continue;
    remarks_.note(Remark::kOrphanDelegate, dump_offset + event.file_offset);
    if (!on_host_clock(event, known)) event.placement = Placement::kForeign;
  }
}

void sum_children(std::span<StagedEvent> events, Remarks& remarks, std::uint64_t dump_offset) {
  for (const StagedEvent& event : events) {
    if (event.parent == kNoEvent || event.placement != Placement::kHost) continue;
    std::uint64_t& sum = events[event.parent].children_ticks;
    const auto ticks = static_cast<std::uint64_t>(event.duration.value);
    sum = ticks > std::numeric_limits<std::uint64_t>::max() - sum ? std::numeric_limits<std::uint64_t>::max()
                                                                  : sum + ticks;
  }
  for (const StagedEvent& event : events)
    if (event.children_ticks > static_cast<std::uint64_t>(event.duration.value))
      remarks.note(Remark::kNegativeSelf, dump_offset + event.file_offset);
}

}  // namespace accelscope::formats::etdump
