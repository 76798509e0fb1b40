// The records of a few buffers, of one kind, as the payload of a chunk: field by field what its guess misses
// by (record_layout.h), the lowest bytes of all records first, then the next ones, as many as the largest
// value needs. zstd packs the chunk afterwards.
//
// Planes of bytes instead of varints: nothing depends on the length of the number before, so that both sides
// work on many records at once, and bytes that are nearly always 0 lie side by side.
//
// Each object keeps its memory from chunk to chunk and is one thread's. What they give views memory of their
// own, good until the next call. A decoder takes no byte on trust.
//
//   RecordsEncoder encoder(*layout_of(kind));
//   encoder.add({.producer = 3, .count = 1000}, records);
//   std::string_view payload = encoder.finish();
//
//   RecordsDecoder decoder;
//   if (!decoder.parse(payload)) ...
//   const std::byte* all = decoder.decode();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/capture/packing.h"
#include "formats/capture/record_layout.h"

namespace accelscope::formats::capture {

inline constexpr std::uint32_t kMaxRecordsOfChunk = 65536;
inline constexpr std::uint32_t kMaxBuffersOfChunk = 65536;

// What is kept of a recorder's buffer header. A long buffer may be in several parts, which have its number.
struct BufferFacts {
  std::uint32_t producer = 0;
  std::uint32_t buffer_number = 0;
  std::uint64_t first_record = 0;
  std::uint32_t count = 0;
  std::uint32_t dropped_before = 0;
  std::uint64_t paused_from = 0;
  std::uint64_t paused_to = 0;

  bool operator==(const BufferFacts&) const = default;
};

class RecordsEncoder {
 public:
  explicit RecordsEncoder(const RecordLayout& layout);

  // `facts.count` records; all of a chunk are at most kMaxRecordsOfChunk.
  void add(const BufferFacts& facts, const std::byte* records);
  std::uint32_t records() const { return records_; }
  std::uint32_t buffers() const { return buffers_; }
  const RecordLayout& layout() const { return layout_; }

  // The payload; what is added next begins another.
  std::string_view finish();

 private:
  RecordLayout layout_;
  std::vector<std::size_t> columns_;         // where the column of each field begins
  std::unique_ptr<std::uint64_t[]> misses_;  // the columns; nothing before the first records
  std::vector<std::uint64_t> any_;           // by field, every bit that one of its misses has
  std::string buffer_facts_;
  Scratch payload_;
  std::uint32_t records_ = 0;
  std::uint32_t buffers_ = 0;
};

class RecordsDecoder {
 public:
  // False when this is no payload of records. The payload must live as long as it is read from.
  bool parse(std::string_view payload);

  recorder::RecordKind kind() const { return kind_; }
  std::uint16_t record_bytes() const { return record_bytes_; }
  std::uint32_t records() const { return records_; }
  // Their counts add up to records().
  std::span<const BufferFacts> buffers() const { return buffers_; }

  // All records, buffer after buffer, aligned for any of them. Decodes once for each parse(), by the first
  // call; after it the payload is not needed any more.
  const std::byte* decode();

  // All records as this version knows them: fields that a longer record of a newer version has behind them
  // are left out, those that a shorter one lacks are 0.
  template <class Record>
  std::span<const Record> decode_as() {
    const std::byte* bytes = decode();
    if (record_bytes_ != sizeof(Record)) bytes = resized(bytes, sizeof(Record));
    return {reinterpret_cast<const Record*>(bytes), records_};
  }

 private:
  struct Column {
    const unsigned char* planes = nullptr;
    unsigned count = 0;
  };
  bool parse_buffers(class WireReader& in, std::uint32_t count);
  void decode_rows(std::size_t index, std::size_t row, std::size_t rows, std::byte* record,
                   std::uint64_t& next_guess);
  const std::byte* resized(const std::byte* records, std::size_t record_bytes);

  recorder::RecordKind kind_ = recorder::RecordKind::kNone;
  std::uint16_t record_bytes_ = 0;
  std::uint32_t records_ = 0;
  std::vector<RecordField> fields_;
  std::vector<BufferFacts> buffers_;
  std::vector<std::uint64_t> bases_;  // by buffer and field; while decoding, the next guesses
  std::vector<Column> columns_;       // by field
  Scratch decoded_;
  const std::byte* records_decoded_ = nullptr;  // nothing before decode()
  Scratch resized_;
};

}  // namespace accelscope::formats::capture
