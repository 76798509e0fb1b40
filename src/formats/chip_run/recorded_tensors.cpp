#include "formats/chip_run/recorded_tensors.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/hash.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/ending_notes.h"
#include "formats/capture/record_codec.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/recorded_lanes.h"
#include "formats/chip_run/tensor_places.h"
#include "formats/tensor_dump/data_types.h"

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
using recorder::TensorBlockRecord;
using recorder::TensorRecord;
using tensor_dump::Argument;
using trace::Severity;

// The functions that a task runs, three kernels at most: as it was described, else as cores ran it.
class TensorFunctions {
 public:
  void describe(std::span<const std::int32_t> kernels) {
    is_described_ = true;
    for (const std::int32_t kernel : kernels) add(kernel);
  }
  void ran(std::int64_t function) {
    if (!is_described_) add(function);
  }
  std::vector<std::int64_t> list() const { return {all_.begin(), all_.begin() + count_}; }
  bool empty() const { return count_ == 0; }

 private:
  void add(std::int64_t function) {
    const auto end = all_.begin() + count_;
    if (count_ == all_.size() || function < 0 || std::find(all_.begin(), end, function) != end) return;
    all_[count_++] = function;
  }

  std::array<std::int64_t, 3> all_ = {};
  std::uint8_t count_ = 0;
  bool is_described_ = false;
};

struct TaskHash {
  std::size_t operator()(std::uint64_t task) const { return base::hash_of(task, 0); }
};

std::vector<std::uint64_t> strides_of(const TensorRecord& record) {
  std::vector<std::uint64_t> strides(record.strides, record.strides + record.dimensions);
  if ((record.flags & TensorRecord::kStrided) != 0) return strides;
  // Old records do not have them, and without gaps they follow from the shape.
  std::uint64_t next = 1;
  for (std::size_t i = record.dimensions; i > 0; --i) {
    strides[i - 1] = next;
    next *= record.shape[i - 1];
  }
  return strides;
}

Argument argument_of(const PlacedTensor& tensor, std::vector<std::int64_t> functions, bool overwrites) {
  const TensorRecord& record = tensor.record;
  Argument argument{.task = record.task,
                    .functions = std::move(functions),
                    .index = record.argument,
                    .role = record.role,
                    .stage = record.stage,
                    .is_scalar = tensor.is_scalar(),
                    .data_type = tensor_dump::name_of(record.data_type),
                    .is_contiguous = (record.flags & TensorRecord::kStrided) == 0,
                    .shape = {record.shape, record.shape + record.dimensions},
                    .strides = strides_of(record),
                    .start_offset = record.start_offset,
                    .elements = tensor.elements,
                    .bin_offset = tensor.bin_offset,
                    .bin_size = tensor.bytes};
  if (argument.is_scalar) {
    argument.value = tensor_dump::scalar_json(record.data_type, record.value);
    return argument;
  }
  if (tensor.is_described() || (tensor.bytes == tensor.record.payload_bytes && !tensor.was_cut()))
    return argument;
  argument.overwritten = overwrites && tensor.begins_lost;
  argument.truncated = !argument.overwritten;
  return argument;
}

class TensorReader {
 public:
  explicit TensorReader(const std::string& path) : path_(path), lanes_(path) {}

  // The first walk: what there is.
  Status look(const Chunk& chunk) {
    if (chunk.header.kind != ChunkKind::kRecords) return look_at_rows(chunk);
    ACCELSCOPE_CHECK(parse(chunk));
    for (const capture::BufferFacts& buffer : decoder_.buffers()) {
      lanes_.take(decoder_.kind(), buffer, chunk.offset);
      if (decoder_.kind() == RecordKind::kTensorBlock)
        places_.add_blocks(buffer.producer, buffer.first_record, buffer.count);
    }
    if (decoder_.kind() == RecordKind::kTensor) take_tensors();
    if (decoder_.kind() == RecordKind::kTaskDescription)
      for (const auto& task : decoder_.decode_as<recorder::TaskDescriptionRecord>())
        functions_[task.task].describe(task.kernels);
    return {};
  }

  void settle(const ContainerReader& reader) {
    capture::note_ending(reader, path_, quality_);
    lanes_.settle(tables_, 0, quality_);
    places_.settle();
    for (const PlacedTensor& tensor : places_.tensors())
      wants_functions_ |= functions_[tensor.record.task].empty();
  }

  // The second walk: the bytes, and the functions of tasks that nobody described.
  Status take(const Chunk& chunk, const PutBytes& put) {
    if (chunk.header.kind != ChunkKind::kRecords) return {};
    ACCELSCOPE_CHECK(parse(chunk));
    if (decoder_.kind() == RecordKind::kTensorBlock) return take_blocks(put);
    if (decoder_.kind() == RecordKind::kCoreTask && wants_functions_) take_functions();
    return {};
  }

  TensorDump finish() && {
    TensorDump dump;
    const bool overwrites = tables_.facts().policy == "overwrite";
    for (const PlacedTensor& tensor : places_.tensors()) {
      dump.manifest.arguments.push_back(
          argument_of(tensor, functions_[tensor.record.task].list(), overwrites));
      count(tensor, dump.manifest.arguments.back());
      if (tensor.is_described()) dump.manifest.level = tensor_dump::kLevelMarked;
      dump.manifest.dropped_overwrite += dump.manifest.arguments.back().overwritten ? 1U : 0U;
    }
    for (const capture::LaneTotals& lane : tables_.lanes()) {
      if (lane.kind != RecordKind::kTensor) continue;
      const std::uint64_t let_go = lane.dropped[static_cast<std::size_t>(recorder::DropReason::kOverwritten)];
      dump.manifest.dropped_overwrite += let_go;
      dump.manifest.dropped_records += lane.all_dropped() - let_go;
    }
    std::stable_sort(dump.manifest.arguments.begin(), dump.manifest.arguments.end(),
                     tensor_dump::comes_before);
    dump.manifest.counts = counts_of(dump.manifest.arguments);
    dump.binary_bytes = places_.binary_bytes();
    add_notes();
    dump.quality = std::move(quality_);
    return dump;
  }

 private:
  Status look_at_rows(const Chunk& chunk) {
    if (chunk.header.kind != ChunkKind::kRecordingRows || tables_.take(chunk.payload)) return {};
    return base::fail(ErrorCode::kMalformed, "the rows of this chunk contradict their sizes");
  }

  Status parse(const Chunk& chunk) {
    if (decoder_.parse(chunk.payload)) return {};
    return base::fail(ErrorCode::kMalformed, "the records of this chunk contradict their sizes");
  }

  void take_tensors() {
    std::span<const TensorRecord> records = decoder_.decode_as<TensorRecord>();
    for (const capture::BufferFacts& buffer : decoder_.buffers()) {
      for (const TensorRecord& record : records.first(buffer.count))
        places_.add_tensor(buffer.producer, record);
      records = records.subspan(buffer.count);
    }
  }

  Status take_blocks(const PutBytes& put) {
    const auto* bytes = reinterpret_cast<const char*>(decoder_.decode_as<TensorBlockRecord>().data());
    Status status;
    for (const capture::BufferFacts& buffer : decoder_.buffers()) {
      const auto part = [&](std::uint64_t offset, std::uint64_t from, std::uint64_t size) {
        if (status) status = put(offset, std::string_view(bytes + from, size));
      };
      unclaimed_ +=
          buffer.count - places_.for_each_part(buffer.producer, buffer.first_record, buffer.count, part);
      bytes += std::size_t{buffer.count} * TensorBlockRecord::kBytes;
    }
    return status;
  }

  void take_functions() {
    for (const recorder::CoreTaskRecord& record : decoder_.decode_as<recorder::CoreTaskRecord>()) {
      const auto task = functions_.find(record.task);
      if (task != functions_.end() && record.function != recorder::kNoFunction)
        task.value().ran(record.function);
    }
  }

  void count(const PlacedTensor& tensor, const Argument& argument) {
    if (argument.overwritten)
      ++overwritten_;
    else if (tensor.bytes < tensor.record.payload_bytes)
      ++missing_;
    if (argument.truncated && tensor.was_cut()) ++cut_;
  }

  void add_notes() {
    const auto note = [&](std::string_view id, Severity severity, std::uint64_t times,
                          std::string_view sentence) {
      if (times > 0)
        quality_.add({std::string(id), severity, std::string(sentence), times, Location::of_file(path_)});
    };
    note("tensor_dump.impossible", Severity::kError, places_.impossible(),
         "Arguments have too many dimensions, or lengths and places that cannot be: they are left out.");
    note("tensor_dump.cut", Severity::kWarning, cut_,
         "Arguments were cut when they were recorded: at the limit of their bytes, or for want of an empty "
         "buffer.");
    note("tensor_dump.bytes_missing", Severity::kWarning, missing_,
         "Bytes of arguments are not in the recording: these are cut at the first that is missing.");
    note("tensor_dump.overwritten", Severity::kWarning, overwritten_,
         "Arguments were overwritten by newer ones before they were saved.");
    note("tensor_dump.unclaimed_blocks", Severity::kWarning, unclaimed_,
         "Blocks of bytes belong to no argument that was recorded: they are left out.");
  }

  const std::string& path_;
  capture::RecordingTables tables_;
  capture::RecordsDecoder decoder_;
  RecordedLanes lanes_;
  TensorPlaces places_;
  tsl::robin_map<std::uint64_t, TensorFunctions, TaskHash> functions_;
  bool wants_functions_ = false;
  trace::QualityTable quality_;
  std::uint64_t unclaimed_ = 0;
  std::uint64_t cut_ = 0;
  std::uint64_t missing_ = 0;
  std::uint64_t overwritten_ = 0;
};

}  // namespace

Result<TensorDump> read_recorded_tensors(const MappedFile& file, const PutBytes& put,
                                         const RecordingProgress& progress) {
  // Each walk is half of the work.
  const std::function<void(std::uint64_t)> first_half = [&](std::uint64_t offset) {
    if (progress) progress(offset / 2);
  };
  TensorReader tensors(file.path());
  ACCELSCOPE_TRY(ContainerReader first, ContainerReader::open(file));
  const auto look = [&](const Chunk& chunk) { return tensors.look(chunk); };
  ACCELSCOPE_CHECK(capture::for_each_chunk(first, file.path(), look, first_half));
  tensors.settle(first);
  // What can fail now is not the recording's fault: errors keep the place that put() gave them.
  ACCELSCOPE_TRY(ContainerReader second, ContainerReader::open(file));
  while (const std::optional<Chunk> chunk = second.next()) {
    ACCELSCOPE_CHECK(tensors.take(*chunk, put));
    if (progress) progress((file.size() + second.offset()) / 2);
  }
  return std::move(tensors).finish();
}

}  // namespace accelscope::formats::chip_run
