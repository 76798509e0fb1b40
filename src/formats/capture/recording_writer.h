// Writes a recording while the run goes on: how it is made first, then records in chunks, buffer by buffer as
// they come, and the accounts of all producers last.
//
// A killed process loses what waits in memory for its chunk: no buffer waits while more than
// `waiting_buffers` others come, and flush() writes what waits. Buffers of one producer and kind must come in
// their order, and so they stand in the file; what is there of them is a beginning of what they recorded.
//
// The writer borrows the Output, which must outlive it; one thread, the collector's, uses it. Errors of the
// Output stick: every later call gives the first one.
//
//   RecordingWriter writer(out, facts);
//   ACCELSCOPE_CHECK(writer.take(header, records));
//   ACCELSCOPE_CHECK(writer.finish(lanes));
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accelscope/recorder/buffer.h"
#include "base/output.h"
#include "base/result.h"
#include "formats/capture/container_writer.h"
#include "formats/capture/record_codec.h"
#include "formats/capture/recording.h"

namespace accelscope::formats::capture {

struct RecordingOptions {
  std::uint32_t records_per_chunk = kMaxRecordsOfChunk;
  std::uint32_t waiting_buffers = 256;
  bool flush_chunks = true;  // hand every chunk to the system at once
};

class RecordingWriter {
 public:
  RecordingWriter(base::Output& out, const RecordingFacts& facts, RecordingOptions options = {});

  // An error for records that are not what their header says, which are left out.
  base::Status take(const recorder::BufferHeader& header, std::span<const std::byte> records);
  // Writes what waits.
  base::Status flush();
  base::Status finish(std::span<const LaneTotals> lanes, std::span<const RecordingRemark> remarks = {});

 private:
  // Records of one kind that wait for their chunk.
  struct Waiting {
    RecordsEncoder encoder;
    std::uint64_t since = 0;  // buffers that had come before the first of them
  };
  Waiting& waiting_of(const RecordLayout& layout);
  void add(Waiting& waiting, const recorder::BufferHeader& header, const std::byte* records);
  void write(Waiting& waiting);

  RecordingOptions options_;
  ContainerWriter writer_;
  std::vector<Waiting> waiting_;
  std::uint64_t taken_ = 0;  // buffers
  Totals totals_;
};

}  // namespace accelscope::formats::capture
