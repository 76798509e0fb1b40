#include "capture/lane_stream.h"

namespace accelscope::capture {

bool LaneStream::is_expected(const recorder::BufferHeader& header) const {
  return header.magic == recorder::kBufferMagic && header.kind == kind &&
         header.record_bytes == record_bytes && header.producer == producer &&
         header.generation == generation && header.count <= records_per_buffer &&
         header.buffer_number >= next_buffer && header.first_record >= next_record &&
         header.first_record - next_record >= header.dropped_before;
}

void LaneStream::follow(const recorder::BufferHeader& header, std::span<const std::byte> records) {
  ++buffers;
  next_record = header.first_record + header.count;
  next_buffer = header.buffer_number + 1;
  if (header.paused_to < header.paused_from) {
    ++clock.backwards;
  } else if (header.paused_to != 0) {
    ++pauses;
    paused_ticks += header.paused_to - header.paused_from;
  }
  const RecordKindFacts* facts = facts_of(kind);
  if (facts != nullptr && facts->follow != nullptr) facts->follow(records, clock);
}

}  // namespace accelscope::capture
