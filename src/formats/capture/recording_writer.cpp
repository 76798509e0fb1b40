#include "formats/capture/recording_writer.h"

#include <algorithm>

namespace accelscope::formats::capture {
namespace {

using base::ErrorCode;
using recorder::BufferHeader;

}  // namespace

RecordingWriter::RecordingWriter(base::Output& out, const RecordingFacts& facts, RecordingOptions options)
    : options_(options), writer_(out, {.flush_chunks = options.flush_chunks}) {
  options_.records_per_chunk = std::clamp(options.records_per_chunk, 1U, kMaxRecordsOfChunk);
  options_.waiting_buffers = std::clamp(options.waiting_buffers, 1U, kMaxBuffersOfChunk);
  write_facts(facts, writer_);
}

base::Status RecordingWriter::take(const BufferHeader& header, std::span<const std::byte> records) {
  ACCELSCOPE_CHECK(writer_.status());
  const RecordLayout* layout = layout_of(header.kind);
  if (layout == nullptr)
    return base::fail(ErrorCode::kMalformed, "records of kind {}, which is not known",
                      static_cast<unsigned>(header.kind));
  if (header.record_bytes != layout->record_bytes ||
      records.size() != std::uint64_t{header.count} * header.record_bytes)
    return base::fail(ErrorCode::kMalformed, "{} bytes are not {} records of {} bytes", records.size(),
                      header.count, layout->record_bytes);
  totals_.produced += std::uint64_t{header.count} + header.dropped_before;
  totals_.collected += header.count;
  totals_.dropped += header.dropped_before;
  writer_.set_totals(totals_);
  add(waiting_of(*layout), header, records.data());
  ++taken_;
  for (Waiting& waiting : waiting_)
    if (waiting.encoder.buffers() > 0 && taken_ - waiting.since >= options_.waiting_buffers) write(waiting);
  return writer_.status();
}

RecordingWriter::Waiting& RecordingWriter::waiting_of(const RecordLayout& layout) {
  for (Waiting& waiting : waiting_)
    if (waiting.encoder.layout().kind == layout.kind) return waiting;
  return waiting_.emplace_back(Waiting{RecordsEncoder(layout)});
}

// In parts, where the chunk at hand has not enough room.
void RecordingWriter::add(Waiting& waiting, const BufferHeader& header, const std::byte* records) {
  BufferFacts facts{.producer = header.producer,
                    .buffer_number = header.buffer_number,
                    .first_record = header.first_record,
                    .dropped_before = header.dropped_before,
                    .paused_from = header.paused_from,
                    .paused_to = header.paused_to};
  std::uint32_t left = header.count;
  do {
    if (waiting.encoder.buffers() == 0) waiting.since = taken_;
    facts.count = std::min(left, options_.records_per_chunk - waiting.encoder.records());
    waiting.encoder.add(facts, records);
    records += std::size_t{facts.count} * header.record_bytes;
    left -= facts.count;
    facts = {.producer = header.producer,
             .buffer_number = header.buffer_number,
             .first_record = facts.first_record + facts.count};
    if (waiting.encoder.records() == options_.records_per_chunk) write(waiting);
  } while (left > 0);
}

void RecordingWriter::write(Waiting& waiting) {
  const std::uint32_t records = waiting.encoder.records();
  writer_.add_chunk(ChunkKind::kRecords, records, waiting.encoder.finish());
}

base::Status RecordingWriter::flush() {
  for (Waiting& waiting : waiting_)
    if (waiting.encoder.buffers() > 0) write(waiting);
  return writer_.status();
}

base::Status RecordingWriter::finish(std::span<const LaneTotals> lanes,
                                     std::span<const RecordingRemark> remarks) {
  ACCELSCOPE_CHECK(flush());
  // The accounts know of what was dropped behind the last buffer, too.
  if (!lanes.empty()) totals_ = {};
  for (const LaneTotals& lane : lanes) {
    totals_.produced += lane.produced;
    totals_.collected += lane.collected;
    totals_.dropped += lane.all_dropped();
  }
  writer_.set_totals(totals_);
  write_remarks(remarks, writer_);
  write_lanes(lanes, writer_);
  return writer_.finish();
}

}  // namespace accelscope::formats::capture
