// The buffers of one producer, as they arrive: are they the next ones of this producer and this run?
//
// Belongs to whoever collects, one thread at a time. Plain data.
//
//   if (!stream.is_expected(header)) return refuse();
//   stream.follow(header, records);
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "accelscope/recorder/buffer.h"
#include "capture/record_traits.h"

namespace accelscope::capture {

struct LaneStream {
  // What every header has to say.
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint32_t record_bytes = 0;
  std::uint32_t records_per_buffer = 0;
  std::uint32_t producer = 0;
  std::uint64_t generation = 0;

  std::uint64_t next_record = 0;
  std::uint32_t next_buffer = 0;
  LaneClock clock = {};
  std::uint64_t pauses = 0;
  std::uint64_t paused_ticks = 0;
  std::uint64_t buffers = 0;
  std::uint64_t refused = 0;

  bool is_expected(const recorder::BufferHeader& header) const;
  // Counts a buffer that is expected.
  void follow(const recorder::BufferHeader& header, std::span<const std::byte> records);
};

}  // namespace accelscope::capture
