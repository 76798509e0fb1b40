// The layout of AccelScope's capture file: a file header, then chunks, each with a header of its own that
// says what it holds. Recordings and saved traces are the same container with chunks of other kinds. See
// docs/formats.md, "The capture file".
//
// Compatibility: a reader accepts files of its own major version. A minor version may add chunk kinds, chunk
// flags, tables and columns, and never changes the meaning of old ones; what a reader does not know it skips
// and counts.
//
// Plain data and pure functions; safe from any thread. Written by ContainerWriter, read by ContainerReader.
//
//   std::optional<ChunkHeader> header = decode_chunk_header(bytes.substr(offset, kChunkHeaderBytes));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accelscope::formats::capture {

// The first byte is no text and the last two show a copy that translated line ends.
inline constexpr std::string_view kFileMagic =
    "\x89"
    "ASTRC\r\n";
inline constexpr std::string_view kChunkMagic = "ASCK";
inline constexpr std::size_t kFileHeaderBytes = 24;
inline constexpr std::size_t kChunkHeaderBytes = 72;
// What a chunk may hold before it is packed. Bounds the memory that a header can ask for.
inline constexpr std::size_t kMaxChunkBytes = std::size_t{64} << 20U;

struct Version {
  std::uint16_t major = 1;
  std::uint16_t minor = 0;
};

// Kinds are never given a new meaning. 1 to 15 are the container's own, 16 to 63 those of saved traces, 64
// and up those of recorders.
enum class ChunkKind : std::uint16_t {
  kIndex = 1,           // places of the chunks since the index before
  kEnd = 2,             // the last chunk of a file that was finished
  kStrings = 16,        // texts of a trace (strings_chunk.h)
  kRows = 17,           // rows of one table of a trace (rows_chunk.h)
  kRecordingRows = 64,  // rows of one table of a recording (recording.h), laid out like those of a trace
  kRecords = 65,        // records of one kind (record_codec.h)
};

inline constexpr std::uint16_t kPackedWithZstd = 1;
inline constexpr std::uint16_t kKnownChunkFlags = kPackedWithZstd;

// Records so far, of all producers together: what a recording that ends early can still say.
struct Totals {
  std::uint64_t produced = 0;
  std::uint64_t collected = 0;
  std::uint64_t dropped = 0;

  bool operator==(const Totals&) const = default;
};

struct ChunkHeader {
  ChunkKind kind = {};
  std::uint16_t flags = 0;
  std::uint32_t stored_bytes = 0;  // of the payload, as it lies in the file
  std::uint32_t plain_bytes = 0;   // of the payload, unpacked
  std::uint64_t items = 0;
  std::uint64_t sequence = 0;  // position among the chunks of the file
  Totals totals = {};
  std::uint64_t payload_checksum = 0;  // XXH3 of the stored bytes

  bool operator==(const ChunkHeader&) const = default;
};

// Where a chunk lies, for a reader that seeks.
struct IndexEntry {
  std::uint64_t offset = 0;  // of the chunk's header, from the start of the file
  std::uint64_t items = 0;
  ChunkKind kind = {};

  bool operator==(const IndexEntry&) const = default;
};

struct Index {
  std::uint64_t previous = 0;  // offset of the index before; 0 for the first
  std::vector<IndexEntry> entries = {};

  bool operator==(const Index&) const = default;
};

struct End {
  std::uint64_t last_index = 0;  // its offset
  std::uint64_t chunks = 0;      // before this one

  bool operator==(const End&) const = default;
};
inline constexpr std::size_t kEndPayloadBytes = 16;

std::uint64_t checksum(std::string_view bytes);

std::string encode_file_header(Version version);
// Nothing when these are not the 24 bytes of a header or its checksum is wrong.
std::optional<Version> decode_file_header(std::string_view bytes);

std::string encode_chunk_header(const ChunkHeader& header);
// Nothing when these are not the 72 bytes of a header or its checksum is wrong.
std::optional<ChunkHeader> decode_chunk_header(std::string_view bytes);

std::string encode_index(const Index& index);
std::optional<Index> decode_index(std::string_view payload);

std::string encode_end(const End& end);
std::optional<End> decode_end(std::string_view payload);

}  // namespace accelscope::formats::capture
