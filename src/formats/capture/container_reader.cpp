#include "formats/capture/container_reader.h"

#include <algorithm>

namespace accelscope::formats::capture {
namespace {

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;

// The stored bytes after a header, or nothing when they are not all there.
std::optional<std::string_view> stored_bytes(std::string_view bytes, std::uint64_t offset,
                                             const ChunkHeader& header) {
  const std::string_view behind = bytes.substr(offset + kChunkHeaderBytes);
  if (behind.size() < header.stored_bytes) return std::nullopt;
  return behind.substr(0, header.stored_bytes);
}

// What a file system leaves where it had made room and the data never came.
bool all_zero(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char byte) { return byte == '\0'; });
}

std::optional<std::string_view> unpacked(const ChunkHeader& header, std::string_view stored,
                                         Unpacker& unpacker) {
  if (checksum(stored) != header.payload_checksum || header.plain_bytes > kMaxChunkBytes) return std::nullopt;
  if ((header.flags & kPackedWithZstd) != 0) return unpacker.unpack(stored, header.plain_bytes);
  if (header.plain_bytes != header.stored_bytes) return std::nullopt;
  return stored;
}

// The payload of the chunk of this kind at this place.
std::optional<std::string_view> payload_at(std::string_view bytes, std::uint64_t offset, ChunkKind kind,
                                           Unpacker& unpacker) {
  if (offset > bytes.size()) return std::nullopt;
  const auto header = decode_chunk_header(bytes.substr(offset, kChunkHeaderBytes));
  if (!header || header->kind != kind) return std::nullopt;
  const auto stored = stored_bytes(bytes, offset, *header);
  if (!stored) return std::nullopt;
  return unpacked(*header, *stored, unpacker);
}

}  // namespace

bool looks_like_capture(std::string_view bytes) {
  return bytes.starts_with(kFileMagic);
}

Result<ContainerReader> ContainerReader::open(const MappedFile& file) {
  const std::string_view bytes = file.text();
  if (!looks_like_capture(bytes))
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kUnknownFormat, "is not a capture file");
  if (bytes.size() < kFileHeaderBytes)
    return base::fail_at(Location::byte(file.path(), bytes.size()), ErrorCode::kTruncated,
                         "ends within the header of the file");
  const auto version = decode_file_header(bytes.substr(0, kFileHeaderBytes));
  if (!version)
    return base::fail_at(Location::byte(file.path(), 0), ErrorCode::kMalformed,
                         "the header of the file does not have the checksum that it states");
  if (version->major != Version{}.major)
    return base::fail_at(Location::byte(file.path(), kFileMagic.size()), ErrorCode::kUnknownFormat,
                         "is a capture file of version {}.{}; this program reads version {}", version->major,
                         version->minor, Version{}.major);
  return ContainerReader(file, *version);
}

std::optional<ChunkHeader> ContainerReader::next_header() {
  const std::string_view rest = bytes_.substr(offset_);
  const auto header = decode_chunk_header(rest.substr(0, kChunkHeaderBytes));
  if (header && header->sequence == sequence_) return header;
  const bool cut = rest.size() < kChunkHeaderBytes || all_zero(rest);
  ending_ = cut ? Ending::kEndedEarly : Ending::kDamaged;
  return std::nullopt;
}

std::optional<std::string_view> ContainerReader::payload_of(const ChunkHeader& header) {
  const auto stored = stored_bytes(bytes_, offset_, header);
  if (!stored) {
    ending_ = Ending::kEndedEarly;
    return std::nullopt;
  }
  const auto payload = unpacked(header, *stored, unpacker_);
  // Room that was made and not filled, as above.
  if (!payload) ending_ = all_zero(*stored) ? Ending::kEndedEarly : Ending::kDamaged;
  return payload;
}

std::optional<Chunk> ContainerReader::next() {
  while (ending_ == Ending::kNotReached) {
    const auto header = next_header();
    if (!header) break;
    const bool readable = (header->flags & ~kKnownChunkFlags) == 0;
    const auto payload = readable ? payload_of(*header) : stored_bytes(bytes_, offset_, *header);
    if (!payload) {
      if (ending_ == Ending::kNotReached) ending_ = Ending::kEndedEarly;
      break;
    }
    const std::uint64_t place = offset_;
    offset_ += kChunkHeaderBytes + header->stored_bytes;
    ++sequence_;
    totals_ = header->totals;
    if (!readable) {
      ++skipped_chunks_;
    } else if (header->kind == ChunkKind::kEnd) {
      finish_at(*header, *payload);
    } else if (header->kind == ChunkKind::kIndex) {
      last_index_ = place;
    } else {
      return Chunk{*header, place, *payload};
    }
  }
  return std::nullopt;
}

void ContainerReader::finish_at(const ChunkHeader& header, std::string_view payload) {
  const auto end = decode_end(payload);
  const bool fits = end && end->chunks == header.sequence && end->last_index == last_index_;
  ending_ = fits ? Ending::kComplete : Ending::kDamaged;
  trailing_bytes_ = bytes_.size() - offset_;
}

Result<std::vector<IndexEntry>> read_index(const MappedFile& file) {
  const std::string_view bytes = file.text();
  Unpacker unpacker;
  const std::uint64_t end_bytes = kChunkHeaderBytes + kEndPayloadBytes;
  const auto end_payload = bytes.size() < end_bytes
                               ? std::nullopt
                               : payload_at(bytes, bytes.size() - end_bytes, ChunkKind::kEnd, unpacker);
  const auto end = end_payload ? decode_end(*end_payload) : std::nullopt;
  if (!end)
    return base::fail_at(Location::of_file(file.path()), ErrorCode::kTruncated,
                         "has no end: it can be read from its start only");
  std::vector<IndexEntry> entries;  // backwards, until all are there
  std::uint64_t limit = bytes.size();
  for (std::uint64_t place = end->last_index; place != 0;) {
    // Indexes lie one before the other, or a false one could lead in a circle.
    const auto payload = place < limit ? payload_at(bytes, place, ChunkKind::kIndex, unpacker) : std::nullopt;
    const auto index = payload ? decode_index(*payload) : std::nullopt;
    if (!index)
      return base::fail_at(Location::byte(file.path(), place), ErrorCode::kMalformed,
                           "there is no index here");
    entries.insert(entries.end(), index->entries.rbegin(), index->entries.rend());
    limit = place;
    place = index->previous;
  }
  std::reverse(entries.begin(), entries.end());
  return entries;
}

std::optional<std::string> read_payload(const MappedFile& file, const IndexEntry& entry) {
  Unpacker unpacker;
  const auto payload = payload_at(file.text(), entry.offset, entry.kind, unpacker);
  if (!payload) return std::nullopt;
  return std::string(*payload);
}

}  // namespace accelscope::formats::capture
