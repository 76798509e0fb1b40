// What a recording has of the arguments of tasks, as manifest and bytes: whole, with gaps, and with records
// that cannot be.
#include "formats/chip_run/recorded_tensors.h"

#include <gtest/gtest.h>

#include <random>

#include "accelscope/dfx_flags.h"
#include "formats/capture/record_layout.h"
#include "formats/capture/recording_writer.h"
#include "formats/chip_run/sample_recordings.h"

namespace accelscope::formats::chip_run {
namespace {

using base::MappedFile;
using base::MemoryOutput;
using capture::RecordingFacts;
using recorder::DataType;
using recorder::TensorBlockRecord;
using recorder::TensorRecord;
using recorder::TensorRole;
using recorder::TensorStage;
using tensor_dump::Argument;

// A dump in memory. Every byte of the binary must come.
struct Dump {
  TensorDump dump;
  std::string binary;
  std::string error;

  const Argument& argument(std::size_t i) const { return dump.manifest.arguments.at(i); }
  std::string bytes(std::size_t i) const {
    return binary.substr(argument(i).bin_offset, argument(i).bin_size);
  }
};

Dump dump_of(std::string_view recording) {
  Dump result;
  std::string written;
  const auto put = [&](std::uint64_t offset, std::string_view bytes) -> base::Status {
    EXPECT_LT(offset, std::uint64_t{1} << 30U);
    result.binary.resize(std::max<std::size_t>(result.binary.size(), offset + bytes.size()));
    result.binary.replace(offset, bytes.size(), bytes);
    written.resize(result.binary.size());
    written.replace(offset, bytes.size(), bytes.size(), 'x');
    return {};
  };
  auto dump = read_recorded_tensors(MappedFile::from_memory("run.astrace", recording), put);
  if (!dump) {
    result.error = dump.error().to_string();
    return result;
  }
  result.dump = *std::move(dump);
  EXPECT_EQ(result.binary.size(), result.dump.binary_bytes);
  EXPECT_EQ(written, std::string(written.size(), 'x')) << "a byte was not put";
  EXPECT_FALSE(check(result.dump.manifest, "m.json", result.binary.size()).has_errors());
  return result;
}

// Byte i of block b of a producer.
char byte_of(std::uint32_t producer, std::uint64_t block, std::size_t i) {
  return static_cast<char>(producer * 101 + block * 67 + i * 3 + block / 5);
}

std::string bytes_of(std::uint32_t producer, std::uint64_t first_block, std::size_t count) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += byte_of(producer, first_block + i / 64, i % 64);
  return bytes;
}

std::vector<TensorBlockRecord> blocks(std::uint32_t producer, std::uint64_t first, std::size_t count) {
  std::vector<TensorBlockRecord> records(count);
  for (std::size_t block = 0; block < count; ++block)
    for (std::size_t i = 0; i < 64; ++i)
      records[block].bytes[i] = static_cast<unsigned char>(byte_of(producer, first + block, i));
  return records;
}

// So many bytes from a block on.
TensorRecord tensor(std::uint64_t task, std::uint64_t first_block, std::uint32_t bytes) {
  return {.task = task,
          .payload_offset = first_block * 64,
          .payload_bytes = bytes,
          .argument = 0,
          .role = TensorRole::kIn,
          .stage = TensorStage::kBefore,
          .data_type = DataType::kUint8,
          .dimensions = 1,
          .shape = {bytes},
          .flags = 0,
          .value = 0,
          .start_offset = 0,
          .strides = {1},
          .reserved = 0};
}

class HandMade {
 public:
  explicit HandMade(std::string policy = "block", std::uint32_t records_per_chunk = 7)
      : writer_(out_,
                {.dfx_flags = kDfxDumpTensor,
                 .clock = base::Frequency::mhz(50),
                 .scheduler_threads = 4,
                 .policy = std::move(policy)},
                {.records_per_chunk = records_per_chunk}) {}

  template <class Record>
  HandMade& buffer(std::uint32_t producer, std::uint64_t first, const std::vector<Record>& records,
                   std::uint32_t dropped_before = 0) {
    EXPECT_TRUE(writer_.take({.magic = recorder::kBufferMagic,
                              .kind = Record::kKind,
                              .record_bytes = sizeof(Record),
                              .producer = producer,
                              .buffer_number = numbers_++,
                              .generation = 1,
                              .first_record = first,
                              .count = static_cast<std::uint32_t>(records.size()),
                              .dropped_before = dropped_before,
                              .paused_from = 0,
                              .paused_to = 0},
                             std::as_bytes(std::span(records))));
    return *this;
  }
  HandMade& tensors(std::uint32_t producer, const std::vector<TensorRecord>& records) {
    return buffer(producer, 0, records);
  }
  HandMade& blocks_of(std::uint32_t producer, std::uint64_t first, std::size_t count) {
    return buffer(producer, first, blocks(producer, first, count));
  }
  std::string finish(const std::vector<capture::LaneTotals>& lanes = {}) {
    EXPECT_TRUE(writer_.finish(lanes));
    return std::string(out_.bytes());
  }

 private:
  MemoryOutput out_;
  capture::RecordingWriter writer_;
  std::uint32_t numbers_ = 0;
};

TEST(RecordedTensors, OfTheSample) {
  MemoryOutput out;
  ASSERT_TRUE(record_everything(out));
  const Dump dump = dump_of(out.bytes());
  ASSERT_EQ(dump.error, "");
  const tensor_dump::Manifest& manifest = dump.dump.manifest;
  ASSERT_EQ(manifest.arguments.size(), 6U);
  EXPECT_EQ(manifest.level, tensor_dump::kLevelMarked);
  EXPECT_EQ(dump.argument(0).functions, std::vector<std::int64_t>{0});
  EXPECT_EQ(dump.argument(0).strides, (std::vector<std::uint64_t>{4, 1}));
  EXPECT_EQ(dump.bytes(0).substr(60), "\x3C\x3D\x3E\x3F");
  EXPECT_FALSE(dump.argument(1).is_contiguous);
  EXPECT_EQ(dump.argument(1).strides, (std::vector<std::uint64_t>{1, 3}));
  EXPECT_EQ(dump.argument(1).start_offset, 7U);
  EXPECT_EQ(dump.bytes(1).size(), 30U);
  EXPECT_EQ(dump.bytes(1).front(), '\x40');
  EXPECT_EQ(dump.argument(2).value, "1.5");
  EXPECT_TRUE(dump.argument(3).truncated);
  EXPECT_EQ(dump.argument(3).stage, TensorStage::kAfter);
  EXPECT_EQ(dump.argument(4).bin_size, 64U) << "its second block is missing";
  EXPECT_TRUE(dump.argument(4).truncated);
  EXPECT_FALSE(dump.argument(5).truncated) << "nobody asked for its bytes";
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.cut"), 1U);
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.bytes_missing"), 1U);
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.unclaimed_blocks"), 0U);
}

// Producers in turn, records before and after their bytes, chunks of a few records.
TEST(RecordedTensors, BytesOfManyProducersAreKeptApart) {
  std::mt19937 random(5);
  for (const std::uint32_t per_chunk : {1U, 7U, 65536U}) {
    HandMade recording("block", per_chunk);
    std::vector<std::pair<std::uint32_t, TensorRecord>> expected;
    std::uint64_t next[4] = {};
    std::uint64_t made[4] = {};
    for (int round = 0; round < 60; ++round) {
      const std::uint32_t producer = random() % 4;
      const auto bytes = static_cast<std::uint32_t>(1 + random() % 1000);
      const bool record_first = random() % 2 == 0;
      const TensorRecord record = tensor(static_cast<std::uint64_t>(round), next[producer], bytes);
      const std::uint64_t end = next[producer] + (bytes + 63) / 64;
      if (record_first) recording.buffer<TensorRecord>(producer, made[producer], {record});
      while (next[producer] < end) {
        const std::uint64_t some = std::min<std::uint64_t>(1 + random() % 5, end - next[producer]);
        recording.blocks_of(producer, next[producer], some);
        next[producer] += some;
      }
      if (!record_first) recording.buffer<TensorRecord>(producer, made[producer], {record});
      expected.emplace_back(producer, record);
      ++made[producer];
    }
    const Dump dump = dump_of(recording.finish());
    ASSERT_EQ(dump.error, "");
    std::size_t there = 0;
    for (const Argument& argument : dump.dump.manifest.arguments) {
      const auto& [producer, record] = expected.at(argument.task);
      EXPECT_EQ(dump.bytes(there++), bytes_of(producer, record.payload_offset / 64, record.payload_bytes));
      EXPECT_FALSE(argument.truncated);
    }
    EXPECT_EQ(there, expected.size());
  }
}

TEST(RecordedTensors, AGapCutsTheTensorBeforeIt) {
  const Dump dump = dump_of(HandMade()
                                .tensors(0, {tensor(1, 0, 640), tensor(2, 10, 64), tensor(3, 11, 100)})
                                .blocks_of(0, 0, 3)
                                .blocks_of(0, 5, 6)
                                .finish());
  ASSERT_EQ(dump.dump.manifest.arguments.size(), 3U);
  EXPECT_EQ(dump.bytes(0), bytes_of(0, 0, 192));
  EXPECT_TRUE(dump.argument(0).truncated);
  EXPECT_EQ(dump.bytes(1), bytes_of(0, 10, 64));
  EXPECT_FALSE(dump.argument(1).truncated);
  EXPECT_EQ(dump.bytes(2), "");
  EXPECT_TRUE(dump.argument(2).truncated);
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.bytes_missing"), 2U);
  EXPECT_GT(dump.dump.quality.count("recording.buffer_missing"), 0U);
}

TEST(RecordedTensors, AFlightRecorderOverwrites) {
  const Dump dump = dump_of(
      HandMade("overwrite").tensors(0, {tensor(1, 0, 640), tensor(2, 10, 640)}).blocks_of(0, 5, 15).finish());
  EXPECT_TRUE(dump.argument(0).overwritten);
  EXPECT_FALSE(dump.argument(0).truncated);
  EXPECT_EQ(dump.argument(0).bin_size, 0U);
  EXPECT_EQ(dump.bytes(1), bytes_of(0, 10, 640));
  EXPECT_EQ(dump.dump.manifest.dropped_overwrite, 1U);
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.overwritten"), 1U);
}

TEST(RecordedTensors, BytesWithoutTheirRecordAreLeftOut) {
  const Dump dump =
      dump_of(HandMade().tensors(0, {tensor(1, 2, 64)}).blocks_of(0, 0, 8).blocks_of(3, 0, 2).finish());
  EXPECT_EQ(dump.binary, bytes_of(0, 2, 64));
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.unclaimed_blocks"), 9U);
}

TEST(RecordedTensors, WhatWasDroppedIsCounted) {
  const Dump dump = dump_of(HandMade()
                                .tensors(0, {tensor(1, 0, 64)})
                                .blocks_of(0, 0, 1)
                                .finish({{TensorRecord::kKind, 0, 6, 1, {5}, 0, 0, 0, true},
                                         {TensorBlockRecord::kKind, 0, 1, 1, {}, 0, 0, 0, true}}));
  EXPECT_EQ(dump.dump.manifest.dropped_records, 5U);
  EXPECT_EQ(dump.dump.quality.count("recording.dropped"), 5U);
  EXPECT_FALSE(dump.dump.quality.has_errors());
}

TEST(RecordedTensors, RecordsThatCannotBeAreLeftOut) {
  TensorRecord dimensions = tensor(1, 0, 64);
  dimensions.dimensions = 6;
  TensorRecord longer = tensor(2, 1, 64);
  longer.shape[0] = 63;
  TensorRecord inside = tensor(3, 2, 64);
  inside.payload_offset += 8;
  TensorRecord huge = tensor(4, 4, 64);
  huge.dimensions = 5;
  std::fill(std::begin(huge.shape), std::end(huge.shape), 0xFFFFFFFF);
  TensorRecord wide = tensor(5, 5, 64);  // elements fit 64 bits, their bytes do not
  wide.data_type = DataType::kFloat64;
  wide.dimensions = 2;
  wide.shape[0] = wide.shape[1] = 0xFFFFFFFF;
  TensorRecord far = tensor(6, 0, 64);
  far.payload_offset = ~std::uint64_t{63};
  TensorRecord role = tensor(7, 6, 64);
  role.role = static_cast<TensorRole>(3);
  TensorRecord stage = tensor(8, 7, 64);
  stage.stage = static_cast<TensorStage>(2);
  const Dump dump = dump_of(HandMade()
                                .tensors(0, {dimensions, longer, inside, huge, wide, far, role, stage,
                                             tensor(9, 8, 128), tensor(10, 9, 64), tensor(11, 10, 64)})
                                .blocks_of(0, 0, 20)
                                .finish());
  ASSERT_EQ(dump.dump.manifest.arguments.size(), 2U) << "one of two that claim block 9, and the last one";
  EXPECT_EQ(dump.bytes(0), bytes_of(0, 8, 128));
  EXPECT_EQ(dump.bytes(1), bytes_of(0, 10, 64));
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.impossible"), 9U);
  EXPECT_TRUE(dump.dump.quality.has_errors());
}

TEST(RecordedTensors, BuffersTwiceAreTakenOnce) {
  const Dump dump = dump_of(HandMade()
                                .tensors(0, {tensor(1, 0, 640)})
                                .blocks_of(0, 0, 6)
                                .blocks_of(0, 4, 6)
                                .buffer<TensorBlockRecord>(0, ~std::uint64_t{0} - 2, blocks(0, 0, 6))
                                .finish());
  EXPECT_EQ(dump.bytes(0), bytes_of(0, 0, 640));
  EXPECT_GE(dump.dump.quality.count("recording.buffer_out_of_order"), 1U);
}

TEST(RecordedTensors, TypesOfTheFutureAreKeptAsTheyAre) {
  TensorRecord future = tensor(1, 0, 100);
  future.data_type = static_cast<DataType>(200);
  future.shape[0] = 50;
  const Dump dump = dump_of(HandMade().tensors(0, {future}).blocks_of(0, 0, 2).finish());
  EXPECT_EQ(dump.argument(0).data_type, "TYPE_200");
  EXPECT_EQ(dump.bytes(0), bytes_of(0, 0, 100));
  EXPECT_FALSE(dump.argument(0).truncated);
  EXPECT_EQ(dump.dump.quality.count("tensor_dump.cut"), 0U);

  future.flags = TensorRecord::kCut;
  const Dump cut = dump_of(HandMade().tensors(0, {future}).blocks_of(0, 0, 2).finish());
  EXPECT_EQ(cut.bytes(0), bytes_of(0, 0, 100));
  EXPECT_TRUE(cut.argument(0).truncated);
  EXPECT_EQ(cut.dump.quality.count("tensor_dump.cut"), 1U);
}

TEST(RecordedTensors, FunctionsComeFromCoresWhereNobodyDescribedTasks) {
  const Dump dump = dump_of(
      HandMade()
          .tensors(0, {tensor(1, 0, 64), tensor(2, 1, 64), tensor(3, 2, 64)})
          .blocks_of(0, 0, 3)
          .buffer<recorder::CoreTaskRecord>(0, 0, {{10, 1, 5, 1, 1, 7}, {20, 1, 5, 1, 2, 8}})
          .buffer<recorder::CoreTaskRecord>(
              1, 0, {{10, 1, 5, 1, 1, 7}, {20, 2, 5, 1, 2, recorder::kNoFunction}, {30, 3, 5, 1, 3, 9}})
          .buffer<recorder::TaskDescriptionRecord>(0, 0, {{3, {4, -1, 5}, 1, 0, 0}})
          .finish());
  EXPECT_EQ(dump.argument(0).functions, (std::vector<std::int64_t>{7, 8}));
  EXPECT_EQ(dump.argument(1).functions, std::vector<std::int64_t>{});
  EXPECT_EQ(dump.argument(2).functions, (std::vector<std::int64_t>{4, 5}));
}

// A file of the version before: records of 64 bytes, and no blocks anywhere.
TEST(RecordedTensors, OldRecordsHaveNoBytesAndNoStrides) {
  capture::RecordLayout old = *capture::layout_of(TensorRecord::kKind);
  std::vector<capture::RecordField> fields;
  for (const capture::RecordField& field : old.fields)
    if (field.offset < 64) fields.push_back(field);
  old.fields = fields;
  old.record_bytes = 64;
  TensorRecord record = tensor(1, 0, 24);
  record.dimensions = 2;
  record.shape[0] = 4;
  record.shape[1] = 6;
  capture::RecordsEncoder encoder(old);
  encoder.add({.producer = 0, .count = 1}, reinterpret_cast<const std::byte*>(&record));
  MemoryOutput out;
  capture::ContainerWriter writer(out);
  capture::write_facts({.dfx_flags = kDfxDumpTensor}, writer);
  writer.add_chunk(capture::ChunkKind::kRecords, 1, encoder.finish());
  ASSERT_TRUE(writer.finish());
  const Dump dump = dump_of(out.bytes());
  ASSERT_EQ(dump.dump.manifest.arguments.size(), 1U);
  EXPECT_EQ(dump.argument(0).strides, (std::vector<std::uint64_t>{6, 1}));
  EXPECT_TRUE(dump.argument(0).truncated);
  EXPECT_EQ(dump.argument(0).bin_size, 0U);
}

// Wherever the file ends, what is there is a beginning of every tensor.
TEST(RecordedTensors, ACutFileGivesWhatItHas) {
  HandMade recording("block", 4);
  for (std::uint32_t i = 0; i < 6; ++i) {
    recording.blocks_of(0, i * std::uint64_t{5}, 5);
    recording.buffer<TensorRecord>(0, i, {tensor(i, i * std::uint64_t{5}, 300)});
  }
  const std::string whole = recording.finish();
  std::size_t most = 0;
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    SCOPED_TRACE(length);
    const Dump dump = dump_of(whole.substr(0, length));
    if (!dump.error.empty()) continue;  // not even the beginning of a recording
    for (std::size_t i = 0; i < dump.dump.manifest.arguments.size(); ++i) {
      const std::uint64_t first = dump.argument(i).task * 5;
      EXPECT_EQ(dump.bytes(i), bytes_of(0, first, dump.bytes(i).size()));
      EXPECT_EQ(dump.argument(i).truncated, dump.bytes(i).size() < 300);
    }
    EXPECT_EQ(dump.dump.quality.count("astrace.ended_early"), 1U);
    most = std::max(most, dump.dump.manifest.arguments.size());
  }
  EXPECT_GT(most, 3U);
  EXPECT_EQ(dump_of(whole).dump.binary_bytes, 1800U);
}

TEST(RecordedTensors, DamagedBytesAreAnErrorOrARow) {
  MemoryOutput out;
  ASSERT_TRUE(record_everything(out));
  const std::string whole(out.bytes());
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string damaged = whole;
    damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
    const Dump dump = dump_of(damaged);
    EXPECT_TRUE(!dump.error.empty() || !dump.dump.quality.rows().empty());
  }
}

TEST(RecordedTensors, AFullDiskIsAnErrorOfTheOutput) {
  const std::string recording = HandMade().tensors(0, {tensor(1, 0, 64)}).blocks_of(0, 0, 1).finish();
  const auto put = [](std::uint64_t, std::string_view) -> base::Status {
    return base::fail_at(base::Location::of_file("args.bin"), base::ErrorCode::kWriteFailed, "no room");
  };
  const auto dump = read_recorded_tensors(MappedFile::from_memory("run.astrace", recording), put);
  ASSERT_FALSE(dump);
  EXPECT_EQ(dump.error().to_string(), "args.bin: no room");
}

TEST(RecordedTensors, ProgressOnlyGrowsAndEndsAtTheEnd) {
  MemoryOutput out;
  ASSERT_TRUE(record_everything(out));
  const MappedFile file = MappedFile::from_memory("run.astrace", out.bytes());
  std::uint64_t last = 0;
  const auto dump = read_recorded_tensors(
      file, [](std::uint64_t, std::string_view) { return base::Status(); },
      [&](std::uint64_t done) {
        EXPECT_GE(done, last);
        last = done;
      });
  ASSERT_TRUE(dump);
  EXPECT_GT(last, file.size() / 2);
  EXPECT_LE(last, file.size());
}

}  // namespace
}  // namespace accelscope::formats::chip_run
