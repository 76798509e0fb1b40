// Reads the chunks of a capture file, one after the other, and says how the file ends.
//
// The reader borrows the file, which must outlive it; one thread reads. Every chunk that next() gives has
// passed both of its checksums. Counts and sizes in it are only claims: who decodes a payload checks them.
//
//   ACCELSCOPE_TRY(ContainerReader reader, ContainerReader::open(file));
//   while (const std::optional<Chunk> chunk = reader.next()) use(chunk->header.kind, chunk->payload);
//   if (reader.ending() == Ending::kEndedEarly) ...
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/capture/container.h"
#include "formats/capture/packing.h"

namespace accelscope::formats::capture {

bool looks_like_capture(std::string_view bytes);

struct Chunk {
  ChunkHeader header;
  std::uint64_t offset = 0;
  std::string_view payload;  // unpacked; good until the next call of next()
};

enum class Ending : std::uint8_t {
  kNotReached,
  kComplete,
  kEndedEarly,  // the writer stopped, or the file was cut: all chunks before are good
  kDamaged,     // bytes were changed: all chunks before are good
};

class ContainerReader {
 public:
  // An error when this is not a capture file, or one of another major version.
  static base::Result<ContainerReader> open(const base::MappedFile& file);

  Version version() const { return version_; }
  // The next chunk that is not the container's own; nothing at the end of what is readable.
  std::optional<Chunk> next();

  Ending ending() const { return ending_; }
  // Where reading goes on, or where it ended.
  std::uint64_t offset() const { return offset_; }
  // Bytes behind the end of a complete file, which belong to nothing.
  std::uint64_t trailing_bytes() const { return trailing_bytes_; }
  // Chunks that were left out because their flags are of a newer version.
  std::uint64_t skipped_chunks() const { return skipped_chunks_; }
  // Of the last good chunk.
  const Totals& totals() const { return totals_; }

 private:
  ContainerReader(const base::MappedFile& file, Version version)
      : bytes_(file.text()), version_(version), offset_(kFileHeaderBytes) {}
  std::optional<ChunkHeader> next_header();
  std::optional<std::string_view> payload_of(const ChunkHeader& header);
  void finish_at(const ChunkHeader& header, std::string_view payload);

  std::string_view bytes_;
  Version version_;
  std::uint64_t offset_;
  std::uint64_t sequence_ = 0;
  std::uint64_t last_index_ = 0;
  std::uint64_t skipped_chunks_ = 0;
  std::uint64_t trailing_bytes_ = 0;
  Totals totals_;
  Ending ending_ = Ending::kNotReached;
  Unpacker unpacker_;
};

// Gives every chunk to take(chunk), which answers with a Status; its error is given the place of the chunk.
// Then progress(offset), where there is one.
template <class Take, class Progress>
base::Status for_each_chunk(ContainerReader& reader, const std::string& path, Take&& take,
                            const Progress& progress) {
  while (const std::optional<Chunk> chunk = reader.next()) {
    if (base::Status taken = take(*chunk); !taken) {
      taken.error().where = base::Location::byte(path, chunk->offset);
      return taken;
    }
    if (progress) progress(reader.offset());
  }
  return {};
}

// The places of all chunks, in the order of the file, from the indexes alone: no other chunk is touched. An
// error when the file has no end, or an index is damaged.
base::Result<std::vector<IndexEntry>> read_index(const base::MappedFile& file);
// The payload of one of them; nothing when it is damaged.
std::optional<std::string> read_payload(const base::MappedFile& file, const IndexEntry& entry);

}  // namespace accelscope::formats::capture
