// A buffer as it goes from the device to the host: a header, then records of one kind.
//
// The header says whose records these are, which numbers they have and how many there are, and it is written
// by the producer that fills the buffer. So nothing that an earlier use left behind can be taken for a
// record: what the header does not count is not there, and a header of another run, producer or number is
// refused.
//
// Records of a producer are numbered through: number of the first record of a buffer = records before it,
// dropped ones included. Freestanding; plain data.
#pragma once

#include "accelscope/recorder/records.h"

namespace accelscope::recorder {

inline constexpr uint32_t kBufferMagic = 0x31425341;  // "ASB1"

struct alignas(64) BufferHeader {
  uint32_t magic;
  RecordKind kind;
  uint16_t record_bytes;
  uint32_t producer;
  uint32_t buffer_number;  // of this producer: 0, 1, 2, ...
  uint64_t generation;     // of the run
  uint64_t first_record;
  uint32_t count;
  uint32_t dropped_before;  // records between the buffer before this one and its first
  // The producer waited for this buffer from the one moment to the other; both 0 when it did not. Work that
  // ends in between is reported late.
  uint64_t paused_from;
  uint64_t paused_to;
};
static_assert(sizeof(BufferHeader) == 64);

// The records behind a header.
template <class Record>
Record* records_of(BufferHeader* buffer) {
  static_assert(alignof(Record) <= alignof(BufferHeader));
  return reinterpret_cast<Record*>(buffer + 1);
}
template <class Record>
const Record* records_of(const BufferHeader* buffer) {
  return reinterpret_cast<const Record*>(buffer + 1);
}

// What a buffer for so many records takes.
constexpr uint64_t buffer_bytes(uint32_t record_bytes, uint32_t records) {
  const uint64_t bytes = sizeof(BufferHeader) + uint64_t{records} * record_bytes;
  return (bytes + alignof(BufferHeader) - 1) / alignof(BufferHeader) * alignof(BufferHeader);
}
template <class Record>
constexpr uint64_t buffer_bytes(uint32_t records) {
  return buffer_bytes(sizeof(Record), records);
}

}  // namespace accelscope::recorder
