// What a drain of a core's performance monitor gives, as the record that the host gets of it.
//
// The control CPU hands the record over, and the host copies the bytes that it names. Pure functions;
// freestanding.
//
//   writer.put(drain_record_of(perfmon.drain(), task, ++drains, now));
//   writer.publish();
#pragma once

#include "accelscope/perfmon/slice.h"
#include "accelscope/recorder/records.h"

namespace accelscope::perfmon {

constexpr uint32_t notes_of(const Slice& slice) {
  using namespace recorder;
  const bool standing = slice.final || slice.state != CoreState::kRunning;
  const bool restarted = !slice.continues && slice.lost_bytes == 0;
  return (slice.torn_bytes & kDrainTornBytes) | (standing ? kDrainIsStanding : 0U) |
         (slice.final ? kDrainIsLast : 0U) | (slice.settled ? 0U : kDrainNotSettled) |
         (slice.pointer_agrees ? 0U : kDrainPointerOdd) | (restarted ? kDrainRestarted : 0U);
}

// `sequence`: of the drain on its core, 1, 2, 3, ...; a loss of 4 GiB or more is said to be one of 4 GiB.
constexpr recorder::PerfmonDrainRecord drain_record_of(const Slice& slice, uint64_t task, uint32_t sequence,
                                                       uint64_t time) {
  const uint64_t most = 0xFFFFFFFF - slice.bytes;
  const auto lost = static_cast<uint32_t>(slice.lost_bytes < most ? slice.lost_bytes : most);
  return {.time = time,
          .task = task,
          .core = slice.core,
          .sequence = sequence,
          .from = slice.from,
          .to = slice.to,
          .written = slice.bytes + lost,
          .copied = 0,
          .lost = lost,
          .state = static_cast<uint32_t>(slice.state),
          .sampled = slice.seen.samples,
          .counted = slice.seen.samples_written,
          .pointer = slice.seen.write_pointer,
          .notes = notes_of(slice)};
}

// How many bytes from the front of a drain may be newer ones by now, when the counter of samples written
// reads `counted`. The host asks after it has copied them, and gives them up.
constexpr uint32_t written_over(const recorder::PerfmonDrainRecord& drain, const Behaviour& behaviour,
                                uint32_t ring_bytes, uint32_t counted) {
  // A unit that stood counts on only when it was started anew, and then writes where it did before.
  if ((drain.notes & recorder::kDrainIsStanding) != 0) return counted == drain.counted ? 0 : drain.to_copy();
  if (behaviour.buffer == BufferKind::kLinear) return 0;
  const uint64_t since = behaviour.bytes(counted - drain.counted, behaviour.samples_written_in);
  const uint64_t reached =
      uint64_t{drain.to_copy()} + behaviour.unlanded_bytes + since + behaviour.uncounted_bytes;
  if (reached <= ring_bytes) return 0;
  const uint64_t words = (reached - ring_bytes + behaviour.word_bytes - 1) / behaviour.word_bytes;
  const uint64_t over = words * behaviour.word_bytes;
  return over < drain.to_copy() ? static_cast<uint32_t>(over) : drain.to_copy();
}

}  // namespace accelscope::perfmon
