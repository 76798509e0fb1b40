#include "formats/capture/container.h"

#include <xxhash.h>

#include "formats/capture/wire.h"

namespace accelscope::formats::capture {
namespace {

constexpr std::size_t kChecksumBytes = 8;
constexpr std::size_t kIndexEntryBytes = 18;

void append_checksum(std::string& bytes) {
  append_u64(bytes, checksum(bytes));
}

// The bytes before a checksum that fits them; nothing when it does not.
std::optional<std::string_view> checked(std::string_view bytes) {
  const std::string_view before = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (little_endian(bytes.data() + before.size(), kChecksumBytes) != checksum(before)) return std::nullopt;
  return before;
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string encode_file_header(Version version) {
  std::string bytes(kFileMagic);
  append_u16(bytes, version.major);
  append_u16(bytes, version.minor);
  append_u32(bytes, 0);
  append_checksum(bytes);
  return bytes;
}

std::optional<Version> decode_file_header(std::string_view bytes) {
  if (bytes.size() != kFileHeaderBytes || !bytes.starts_with(kFileMagic)) return std::nullopt;
  const auto content = checked(bytes);
  if (!content) return std::nullopt;
  WireReader in(content->substr(kFileMagic.size()));
  Version version;
  version.major = in.u16();
  version.minor = in.u16();
  return version;
}

std::string encode_chunk_header(const ChunkHeader& header) {
  std::string bytes(kChunkMagic);
  append_u16(bytes, static_cast<std::uint16_t>(header.kind));
  append_u16(bytes, header.flags);
  append_u32(bytes, header.stored_bytes);
  append_u32(bytes, header.plain_bytes);
  append_u64(bytes, header.items);
  append_u64(bytes, header.sequence);
  append_u64(bytes, header.totals.produced);
  append_u64(bytes, header.totals.collected);
  append_u64(bytes, header.totals.dropped);
  append_u64(bytes, header.payload_checksum);
  append_checksum(bytes);
  return bytes;
}

std::optional<ChunkHeader> decode_chunk_header(std::string_view bytes) {
  if (bytes.size() != kChunkHeaderBytes || !bytes.starts_with(kChunkMagic)) return std::nullopt;
  const auto content = checked(bytes);
  if (!content) return std::nullopt;
  WireReader in(content->substr(kChunkMagic.size()));
  ChunkHeader header;
  header.kind = static_cast<ChunkKind>(in.u16());
  header.flags = in.u16();
  header.stored_bytes = in.u32();
  header.plain_bytes = in.u32();
  header.items = in.u64();
  header.sequence = in.u64();
  header.totals.produced = in.u64();
  header.totals.collected = in.u64();
  header.totals.dropped = in.u64();
  header.payload_checksum = in.u64();
  return header;
}

std::string encode_index(const Index& index) {
  std::string bytes;
  append_u64(bytes, index.previous);
  append_u32(bytes, static_cast<std::uint32_t>(index.entries.size()));
  for (const IndexEntry& entry : index.entries) {
    append_u64(bytes, entry.offset);
    append_u64(bytes, entry.items);
    append_u16(bytes, static_cast<std::uint16_t>(entry.kind));
  }
  return bytes;
}

std::optional<Index> decode_index(std::string_view payload) {
  WireReader in(payload);
  Index index;
  index.previous = in.u64();
  const std::uint32_t count = in.u32();
  if (!in.good() || in.rest().size() != std::uint64_t{count} * kIndexEntryBytes) return std::nullopt;
  index.entries.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    IndexEntry entry;
    entry.offset = in.u64();
    entry.items = in.u64();
    entry.kind = static_cast<ChunkKind>(in.u16());
    index.entries.push_back(entry);
  }
  return index;
}

std::string encode_end(const End& end) {
  std::string bytes;
  append_u64(bytes, end.last_index);
  append_u64(bytes, end.chunks);
  return bytes;
}

std::optional<End> decode_end(std::string_view payload) {
  if (payload.size() != kEndPayloadBytes) return std::nullopt;
  WireReader in(payload);
  End end;
  end.last_index = in.u64();
  end.chunks = in.u64();
  return end;
}

}  // namespace accelscope::formats::capture
