#include "formats/capture/container_writer.h"

namespace accelscope::formats::capture {

ContainerWriter::ContainerWriter(base::Output& out, ContainerOptions options)
    : out_(out), options_(options), start_(out.written()) {
  out_.append(encode_file_header(Version{}));
}

void ContainerWriter::add_chunk(ChunkKind kind, std::uint64_t items, std::string_view payload) {
  if (payload.size() > kMaxChunkBytes) {
    status_ = base::fail(base::ErrorCode::kTooLarge, "a chunk of {} bytes; at most {} are allowed",
                         payload.size(), kMaxChunkBytes);
    return;
  }
  index_.entries.push_back({out_.written() - start_, items, kind});
  put_chunk(kind, items, payload, true);
  if (index_.entries.size() >= options_.chunks_per_index) put_index();
}

void ContainerWriter::put_chunk(ChunkKind kind, std::uint64_t items, std::string_view payload, bool pack) {
  if (!status_) return;
  const auto packed = pack ? packer_.pack(payload) : std::nullopt;
  const std::string_view stored = packed.value_or(payload);
  ChunkHeader header;
  header.kind = kind;
  header.flags = packed ? kPackedWithZstd : std::uint16_t{0};
  header.stored_bytes = static_cast<std::uint32_t>(stored.size());
  header.plain_bytes = static_cast<std::uint32_t>(payload.size());
  header.items = items;
  header.sequence = sequence_++;
  header.totals = totals_;
  header.payload_checksum = checksum(stored);
  out_.append(encode_chunk_header(header));
  out_.append(stored);
  status_ = options_.flush_chunks ? out_.flush() : out_.status();
}

void ContainerWriter::put_index() {
  const std::uint64_t offset = out_.written() - start_;
  put_chunk(ChunkKind::kIndex, index_.entries.size(), encode_index(index_), true);
  index_ = {offset, {}};
}

base::Status ContainerWriter::finish() {
  if (!index_.entries.empty()) put_index();
  // Not packed, so that it has the same length in every file and is found from the file's end.
  put_chunk(ChunkKind::kEnd, 0, encode_end({index_.previous, sequence_}), false);
  return status_;
}

}  // namespace accelscope::formats::capture
