#include "formats/chip_run/recording_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "formats/capture/container_reader.h"
#include "formats/capture/decoded_chunks.h"
#include "formats/capture/ending_notes.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/recorded_lanes.h"
#include "formats/chip_run/recorded_pipes.h"
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
using capture::DecodedChunk;
using recorder::RecordKind;
using trace::Severity;

constexpr std::uint64_t kWorthAThread = std::uint64_t{1} << 18U;  // bytes of a file

class RecordingAssembler {
 public:
  RecordingAssembler(const std::string& path, RecordedParts parts)
      : path_(path), has_pipes_(parts == RecordedParts::kAll), rows_(path), lanes_(path) {}

  // Room for what the file says that it holds, so that nothing is moved while it grows. A file may lie: it
  // gets no more room than so many bytes could hold at best.
  void expect(const std::vector<capture::LaneTotals>& lanes, std::uint64_t file_bytes) {
    constexpr std::uint64_t kMostRecordsPerByte = 8;
    std::uint64_t room = file_bytes * kMostRecordsPerByte;
    std::size_t edges = 0;
    const bool with_lifecycles = std::any_of(
        lanes.begin(), lanes.end(), [](const auto& lane) { return lane.kind == RecordKind::kTaskLifecycle; });
    for (const capture::LaneTotals& lane : lanes) {
      if (lane.collected > room) return;
      room -= lane.collected;
      if (lane.kind == RecordKind::kCoreTask && lane.collected > 0)
        rows_.expect(lane.producer, lane.collected, with_lifecycles);
      if (lane.kind == RecordKind::kEdge) edges += lane.collected;
    }
    siblings_.expect_fanout(edges);
  }

  Status take(DecodedChunk& chunk) {
    if (!chunk.well_formed)
      return base::fail(ErrorCode::kMalformed, "the records of this chunk contradict their sizes");
    if (chunk.header.kind == ChunkKind::kRecords) {
      take_records(chunk);
      return {};
    }
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
    if (has_pipes_)
      recording.siblings.pipes =
          std::move(pipes_).settle(tables_.facts(), reader.ending() == capture::Ending::kComplete, path_);
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

  void take_records(DecodedChunk& chunk) {
    for (const capture::BufferFacts& buffer : chunk.records.buffers())
      lanes_.take(chunk.records.kind(), buffer, chunk.offset);
    switch (chunk.records.kind()) {
      case RecordKind::kCoreTask:
        return add_rows<recorder::CoreTaskRecord>(chunk);
      case RecordKind::kTaskLifecycle:
        return add_rows<recorder::TaskLifecycleRecord>(chunk);
      case RecordKind::kSchedulerPhase:
        return add_rows<recorder::SchedulerPhaseRecord>(chunk);
      case RecordKind::kOrchestratorPhase:
        return add_rows<recorder::OrchestratorPhaseRecord>(chunk);
      case RecordKind::kControlTask:
        return add_rows<recorder::ControlTaskRecord>(chunk);
      case RecordKind::kQueueDepth:
        return add_rows<recorder::QueueDepthRecord>(chunk);
      case RecordKind::kEdge:
        return siblings_.add(chunk.records.decode_as<recorder::EdgeRecord>());
      case RecordKind::kTaskDescription:
        return siblings_.add(chunk.records.decode_as<recorder::TaskDescriptionRecord>());
      case RecordKind::kPmu:
        return siblings_.add(chunk.records.decode_as<recorder::PmuRecord>());
      case RecordKind::kScope:
        return siblings_.add(chunk.records.decode_as<recorder::ScopeRecord>());
      case RecordKind::kTensor:
        return siblings_.add_tensors(chunk.records.records());
      // Bytes are for recorded_tensors.h; as the largest part of a file, they are not even decoded.
      case RecordKind::kTensorBlock:
        return;
      case RecordKind::kPerfmonDrain:
        if (!has_pipes_) return;
        return pipes_.add(chunk.records.decode_as<recorder::PerfmonDrainRecord>());
      case RecordKind::kPerfmonBlock:
        if (!has_pipes_) return;
        return add_blocks(chunk);
      case RecordKind::kNone:
        break;
    }
    unknown_records_ += chunk.records.records();
  }

  // Buffer by buffer, because their producer is part of what they say.
  template <class Record>
  void add_rows(DecodedChunk& chunk) {
    std::span<const Record> records = chunk.records.decode_as<Record>();
    for (const capture::BufferFacts& buffer : chunk.records.buffers()) {
      rows_.add(records.first(buffer.count), buffer.producer, chunk.offset);
      records = records.subspan(buffer.count);
    }
  }

  void add_blocks(DecodedChunk& chunk) {
    std::span<const recorder::PerfmonBlockRecord> records =
        chunk.records.decode_as<recorder::PerfmonBlockRecord>();
    for (const capture::BufferFacts& buffer : chunk.records.buffers()) {
      pipes_.add(records.first(buffer.count), buffer.producer, buffer.first_record);
      records = records.subspan(buffer.count);
    }
  }

  const std::string& path_;
  const bool has_pipes_;
  capture::RecordingTables tables_;
  RecordedRows rows_;
  RecordedSiblings siblings_;
  RecordedPipes pipes_;
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

Result<Recording> read_recorded_rows(const MappedFile& file, const RecordingProgress& progress,
                                     RecordedParts parts) {
  ACCELSCOPE_TRY(ContainerReader reader, ContainerReader::open(file));
  RecordingAssembler assembler(file.path(), parts);
  assembler.expect(capture::lanes_at_end(file), file.size());
  capture::DecodedChunks chunks(reader, file.size() >= kWorthAThread);
  while (DecodedChunk* chunk = chunks.next()) {
    if (Status taken = assembler.take(*chunk); !taken) {
      taken.error().where = Location::byte(file.path(), chunk->offset);
      return tl::unexpected(taken.error());
    }
    if (progress) progress(chunk->end);
  }
  return std::move(assembler).finish(reader);
}

Result<trace::Trace> read_recording(const MappedFile& file, const RecordingProgress& progress,
                                    RecordedParts parts) {
  ACCELSCOPE_TRY(Recording recording, read_recorded_rows(file, progress, parts));
  return make_chip_trace(std::move(recording.capture), recording.siblings,
                         {file.path(), "astrace", "recording", file.size()});
}

}  // namespace accelscope::formats::chip_run
