// Writes the chunks of a capture file, one after the other and never back: a file that stops anywhere is good
// up to its last whole chunk.
//
// The writer borrows the Output, which must outlive it; one thread writes. Errors of the Output stick, so one
// look at finish() is enough; a recorder that wants to stop early looks at status().
//
//   ContainerWriter writer(out, {.flush_chunks = true});
//   writer.add_chunk(ChunkKind::kRows, rows, payload);
//   ACCELSCOPE_CHECK(writer.finish());
#pragma once

#include <cstdint>
#include <string_view>

#include "base/output.h"
#include "base/result.h"
#include "formats/capture/container.h"
#include "formats/capture/packing.h"

namespace accelscope::formats::capture {

struct ContainerOptions {
  // Hand every chunk on at once, so that a killed process loses no more than the chunk in flight.
  bool flush_chunks = false;
  std::uint32_t chunks_per_index = 64;
};

class ContainerWriter {
 public:
  explicit ContainerWriter(base::Output& out, ContainerOptions options = {});

  // Stands in the header of every chunk from now on.
  void set_totals(const Totals& totals) { totals_ = totals; }
  // The payload is at most kMaxChunkBytes long.
  void add_chunk(ChunkKind kind, std::uint64_t items, std::string_view payload);
  // The last index and the end. Without it the file is one that ended early.
  base::Status finish();
  const base::Status& status() const { return status_; }

 private:
  void put_chunk(ChunkKind kind, std::uint64_t items, std::string_view payload, bool pack);
  void put_index();

  base::Output& out_;
  ContainerOptions options_;
  Packer packer_;
  Totals totals_;
  Index index_;
  std::uint64_t start_;  // of the file, in the Output's count
  std::uint64_t sequence_ = 0;
  base::Status status_;
};

}  // namespace accelscope::formats::capture
