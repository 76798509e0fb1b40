// Buffers as a performance monitor would leave them, made by the encoder: for tests, for fuzzing, and for
// whoever wants to try a tool without hardware.
//
// The core loads tiles, multiplies them, works on the result and stores it, two tiles in flight. What real
// hardware does is not settled, so each open question is an option. The same options give the same bytes.
//
//   const SampleStream ring = sample_stream({.words = 5'000, .ring_bytes = 4096, .stamp_after = 64});
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/perfmon/encoder.h"
#include "formats/perfmon/registers_file.h"

namespace accelscope::formats::perfmon {

struct SampleOptions {
  std::uint64_t words = 1'000;  // made, at least
  EncoderOptions encoder = {.stamp_after = 64};
  std::uint64_t ring_bytes = 0;       // the buffer, written round and round; 0 for one that holds everything
  std::uint64_t unwritten_bytes = 0;  // zeros behind everything
  bool registers_count_words = false;
  std::uint64_t seed = 1;
};

struct SampleStream {
  std::vector<std::byte> bytes = {};
  Registers registers = {};
};

SampleStream sample_stream(const SampleOptions& options);

}  // namespace accelscope::formats::perfmon
