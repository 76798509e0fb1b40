#include "formats/chip_run/recording_reader.h"

#include <fmt/format.h>

#include <optional>

#include "formats/capture/container_reader.h"
#include "formats/capture/ending_notes.h"
#include "formats/capture/record_codec.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/recorded_lanes.h"
#include "formats/chip_run/recorded_rows.h"
#include "formats/chip_run/recorded_siblings.h"

namespace accelscope::formats::chip_run {
namespace {

using base::ErrorCode;
using base::Location;
using base::MappedFile;
using base::Result;
using base::Status;
using capture::Chunk;
using capture::ChunkKind;
using capture::ContainerReader;
using recorder::RecordKind;
using trace::Severity;

class RecordingAssembler {
 public:
  explicit RecordingAssembler(const std::string& path) : path_(path), rows_(path), lanes_(path) {}

  Status take(const Chunk& chunk) {
    if (chunk.header.kind == ChunkKind::kRecords) return take_records(chunk);
    if (chunk.header.kind != ChunkKind::kRecordingRows) {
      capture::note_unknown_chunks(1, Location::byte(path_, chunk.offset), quality_);
      return {};
    }
    if (tables_.take(chunk.payload)) return {};
    return base::fail(ErrorCode::kMalformed, "the rows of this chunk contradict their sizes");
  }

  Result<Recording> finish(const ContainerReader& reader) && {
    capture::note_ending(reader, path_, quality_);
    // Buffers that had come when the last chunk was written, and whose own was not.
    if (reader.ending() != capture::Ending::kComplete && reader.totals().collected > lanes_.records())
      note("recording.records_missing", Severity::kWarning, reader.totals().collected - lanes_.records(),
           "Records had been collected, and were not written before the file ended.");
    note("recording.unknown_records", Severity::kWarning, unknown_records_,
         "Records are of a kind that this version does not know; they are left out.");
    note("astrace.unknown_column", Severity::kInfo, tables_.unknown(),
         "Tables or columns of the recording that this version does not know are left out.");
    Recording recording;
    recording.siblings = std::move(siblings_).settle(tables_.facts(), path_, rows_);
    ACCELSCOPE_TRY(recording.capture, std::move(rows_).settle(tables_.facts(), quality_));
    std::uint64_t kept = 0;
    for (const chip_swimlane::CoreRows& core : recording.capture.cores) kept += core.task.size();
    recording.siblings.recorder = lanes_.settle(tables_, recording.capture.counts.core_rows - kept, quality_);
    // What the file is comes before what is in it.
    quality_.append(recording.capture.quality);
    recording.capture.quality = std::move(quality_);
    return recording;
  }

 private:
  void note(std::string_view id, Severity severity, std::uint64_t count, std::string_view sentence) {
    if (count > 0)
      quality_.add({std::string(id), severity, std::string(sentence), count, Location::of_file(path_)});
  }

  Status take_records(const Chunk& chunk) {
    if (!decoder_.parse(chunk.payload))
      return base::fail(ErrorCode::kMalformed, "the records of this chunk contradict their sizes");
    for (const capture::BufferFacts& buffer : decoder_.buffers())
      lanes_.take(decoder_.kind(), buffer, chunk.offset);
    switch (decoder_.kind()) {
      case RecordKind::kCoreTask:
        return add_rows<recorder::CoreTaskRecord>(chunk.offset);
      case RecordKind::kTaskLifecycle:
        return add_rows<recorder::TaskLifecycleRecord>(chunk.offset);
      case RecordKind::kSchedulerPhase:
        return add_rows<recorder::SchedulerPhaseRecord>(chunk.offset);
      case RecordKind::kOrchestratorPhase:
        return add_rows<recorder::OrchestratorPhaseRecord>(chunk.offset);
      case RecordKind::kControlTask:
        return add_rows<recorder::ControlTaskRecord>(chunk.offset);
      case RecordKind::kQueueDepth:
        return add_rows<recorder::QueueDepthRecord>(chunk.offset);
      case RecordKind::kEdge:
        return add_facts<recorder::EdgeRecord>();
      case RecordKind::kTaskDescription:
        return add_facts<recorder::TaskDescriptionRecord>();
      case RecordKind::kPmu:
        return add_facts<recorder::PmuRecord>();
      case RecordKind::kScope:
        return add_facts<recorder::ScopeRecord>();
      case RecordKind::kTensor:
        siblings_.add_tensors(decoder_.records());
        return {};
      // Bytes are for tensor_dump.h; as the largest part of a file, they are not even decoded.
      case RecordKind::kTensorBlock:
        return {};
      case RecordKind::kNone:
        break;
    }
    unknown_records_ += decoder_.records();
    return {};
  }

  // Buffer by buffer, because their producer is part of what they say.
  template <class Record>
  Status add_rows(std::uint64_t offset) {
    std::span<const Record> records = decoder_.decode_as<Record>();
    for (const capture::BufferFacts& buffer : decoder_.buffers()) {
      rows_.add(records.first(buffer.count), buffer.producer, offset);
      records = records.subspan(buffer.count);
    }
    return {};
  }

  template <class Record>
  Status add_facts() {
    siblings_.add(decoder_.decode_as<Record>());
    return {};
  }

  const std::string& path_;
  capture::RecordingTables tables_;
  capture::RecordsDecoder decoder_;
  RecordedRows rows_;
  RecordedSiblings siblings_;
  RecordedLanes lanes_;
  trace::QualityTable quality_;
  std::uint64_t unknown_records_ = 0;
};

}  // namespace

bool is_recording(const MappedFile& file) {
  Result<ContainerReader> reader = ContainerReader::open(file);
  if (!reader) return false;
  const std::optional<Chunk> first = reader->next();
  return first && first->header.kind == ChunkKind::kRecordingRows;
}

Result<Recording> read_recorded_rows(const MappedFile& file, const RecordingProgress& progress) {
  ACCELSCOPE_TRY(ContainerReader reader, ContainerReader::open(file));
  RecordingAssembler assembler(file.path());
  const auto take = [&](const Chunk& chunk) { return assembler.take(chunk); };
  ACCELSCOPE_CHECK(capture::for_each_chunk(reader, file.path(), take, progress));
  return std::move(assembler).finish(reader);
}

Result<trace::Trace> read_recording(const MappedFile& file, const RecordingProgress& progress) {
  ACCELSCOPE_TRY(Recording recording, read_recorded_rows(file, progress));
  return make_chip_trace(std::move(recording.capture), recording.siblings,
                         {file.path(), "astrace", "recording", file.size()});
}

}  // namespace accelscope::formats::chip_run
