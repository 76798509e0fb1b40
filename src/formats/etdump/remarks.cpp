#include "formats/etdump/remarks.h"

namespace accelscope::formats::etdump {
namespace {

using trace::Severity;

struct Text {
  Remark remark;
  const char* id;
  Severity severity;
  const char* sentence;
};

constexpr std::array<Text, static_cast<std::size_t>(Remark::kCount)> kTexts = {{
    {Remark::kAbortedRun, "etdump.aborted_run", Severity::kWarning,
     "A run has events but no Method::execute: it failed midway and does not count as a latency."},
    {Remark::kEmptyRun, "etdump.empty_run", Severity::kWarning,
     "A run has no timed events; it does not count as a latency."},
    {Remark::kSplitBlock, "etdump.split_block", Severity::kInfo,
     "One block of the file holds several executions or phases; each is shown as a run of its own."},
    {Remark::kSteppedRun, "etdump.stepped_run", Severity::kInfo,
     "A method was executed step by step; the slice around its steps is made by us, from the first to the "
     "last."},
    {Remark::kOrphanDelegate, "etdump.orphan_delegate_event", Severity::kWarning,
     "Delegate events without the DELEGATE_CALL they belong to; they are shown without a parent."},
    {Remark::kEndBeforeStart, "etdump.end_before_start", Severity::kWarning,
     "Events end before they start, and not because a 32-bit counter overflowed: their duration is unknown "
     "and shown as zero."},
    {Remark::kWrapped, "etdump.counter_wrapped", Severity::kInfo,
     "A 32-bit counter overflowed during events; their durations are corrected and exact."},
    {Remark::kUnwrapped, "etdump.times_unwrapped", Severity::kInfo,
     "All times fit 32 bits and fall from the upper to the lower half of that range: taken as an overflow of "
     "the counter, and 2^32 ticks were added to what follows."},
    {Remark::kBeyond63Bits, "etdump.time_beyond_63_bits", Severity::kWarning,
     "Times are beyond 2^63 ticks; their positions (and durations, where these are as large) are capped."},
    {Remark::kNegativeSelf, "etdump.children_exceed_parent", Severity::kWarning,
     "The children of an event last longer than the event itself: overlapping or imprecise times."},
    {Remark::kEstimated, "etdump.estimated_times", Severity::kInfo,
     "Operators of an XNNPACK-like delegate have computed start times, laid end to end, and durations cut to "
     "whole microseconds: each may last up to 1 us longer."},
    {Remark::kForeignClock, "etdump.foreign_clock", Severity::kInfo,
     "Delegate events are timed by another clock than their DELEGATE_CALL; they are on tracks of their own "
     "and not part of self times."},
    {Remark::kNotATime, "etdump.not_a_time", Severity::kInfo,
     "Delegate events count bytes or occurrences in place of a time; they are marked and say their unit."},
    {Remark::kBundledIndex, "etdump.bundled_input_index", Severity::kInfo,
     "A bundled input index is recorded; runtimes 0.4 to 1.5 store it wrongly, so it is not relied on."},
    {Remark::kAllocation, "etdump.allocation_without_time", Severity::kInfo,
     "Allocations have no time of their own; each is shown where the event logged before it ends."},
    {Remark::kUnknownAllocator, "etdump.unknown_allocator", Severity::kWarning,
     "Allocations name an allocator that is not in their block's list."},
    {Remark::kDebugValue, "etdump.debug_value_without_time", Severity::kInfo,
     "Debug values have no time of their own; each is shown where the event logged before it ends."},
    {Remark::kShortenedTensor, "etdump.tensor_shortened", Severity::kWarning,
     "Tensors with absurdly many dimensions or list entries; their description is shortened."},
    {Remark::kEventWithoutContent, "etdump.event_without_content", Severity::kWarning,
     "Events that are neither a profile, an allocation nor a debug event: of a newer version?"},
    {Remark::kNotUtf8, "etdump.name_not_utf8", Severity::kInfo,
     "Names that are not UTF-8; the bytes that do not belong are replaced."},
    {Remark::kMisaligned, "etdump.misaligned", Severity::kInfo,
     "The dump is not aligned as FlatBuffers writes it: cut out of another file? It was read all the same."},
}};

constexpr bool in_the_order_of_the_enumeration() {
  for (std::size_t i = 0; i < kTexts.size(); ++i)
    if (kTexts[i].remark != static_cast<Remark>(i)) return false;
  return true;
}
static_assert(in_the_order_of_the_enumeration());

}  // namespace

void Remarks::note(Remark remark, std::uint64_t offset, std::uint64_t count) {
  Entry& entry = entries_[static_cast<std::size_t>(remark)];
  if (entry.count == 0) entry.first_offset = offset;
  entry.count += count;
}

void Remarks::write_to(trace::QualityTable& quality, const std::string& path, Offsets offsets) const {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].count == 0) continue;
    const Text& text = kTexts[i];
    quality.add({.id = text.id,
                 .severity = text.severity,
                 .sentence = text.sentence,
                 .count = entries_[i].count,
                 .first_place = offsets == Offsets::kOfFile
                                    ? base::Location::byte(path, entries_[i].first_offset)
                                    : base::Location::of_file(path)});
  }
}

}  // namespace accelscope::formats::etdump
