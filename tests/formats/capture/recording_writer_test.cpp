// Recordings chunk by chunk: what comes first and last, when chunks are written, and what their headers say.
#include "formats/capture/recording_writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "formats/capture/container_reader.h"

namespace accelscope::formats::capture {
namespace {

using base::MappedFile;
using recorder::BufferHeader;
using recorder::CoreTaskRecord;
using recorder::QueueDepthRecord;
using recorder::RecordKind;

RecordingFacts all_facts() {
  return {.dfx_flags = 0x7F,
          .clock = {1'000'000'000, 3},
          .generation = 12,
          .cores = {CoreType::kCube, CoreType::kVector, CoreType::kUnknown},
          .scheduler_threads = 3,
          .orchestrators = 1,
          .functions = {{0, "matmul"}, {7, "add"}},
          .phases = {"dispatch", "", "submit"},
          .policy = "block",
          .more = {{"host", "a machine"}, {"", "x"}},
          .pmu_counters = {"vec_busy"},
          .pmu_event_type = 2,
          .perfmon_layout = "other_words",
          .perfmon_ticks = 50,
          .perfmon_cycles = 1650,
          .scope_sites = {"a.cpp:1"},
          .rings = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, 13}};
}

std::vector<CoreTaskRecord> core_tasks(std::uint32_t producer, std::uint64_t first, std::uint32_t count) {
  std::vector<CoreTaskRecord> records;
  for (std::uint32_t i = 0; i < count; ++i)
    records.push_back({(first + i) * 100 + producer, (std::uint64_t{producer} << 32U) | (first + i), 50, 3,
                       static_cast<std::uint32_t>(first + i + 1), producer});
  return records;
}

BufferHeader header_of(RecordKind kind, std::uint16_t bytes, std::uint32_t producer, std::uint64_t first,
                       std::uint32_t count, std::uint32_t dropped = 0) {
  return {.magic = recorder::kBufferMagic,
          .kind = kind,
          .record_bytes = bytes,
          .producer = producer,
          .buffer_number = static_cast<std::uint32_t>(first / 10),
          .generation = 12,
          .first_record = first,
          .count = count,
          .dropped_before = dropped,
          .paused_from = 0,
          .paused_to = 0};
}

base::Status take_core_tasks(RecordingWriter& writer, std::uint32_t producer, std::uint64_t first,
                             std::uint32_t count, std::uint32_t dropped = 0) {
  const auto records = core_tasks(producer, first, count);
  return writer.take(
      header_of(RecordKind::kCoreTask, sizeof(CoreTaskRecord), producer, first, count, dropped),
      std::as_bytes(std::span(records)));
}

struct Read {
  RecordingTables tables;
  std::vector<ChunkHeader> records_chunks;
  std::vector<BufferFacts> buffers;
  std::map<std::uint32_t, std::vector<CoreTaskRecord>> core_tasks;
  Ending ending = Ending::kNotReached;
  Totals totals;
  bool lanes_last = false;
};

Read read_back(std::string_view bytes) {
  Read result;
  const MappedFile file = MappedFile::from_memory("x.astrace", bytes);
  auto reader = ContainerReader::open(file);
  EXPECT_TRUE(reader);
  RecordsDecoder decoder;
  while (const auto chunk = reader->next()) {
    result.lanes_last = false;
    if (chunk->header.kind == ChunkKind::kRecordingRows) {
      EXPECT_TRUE(result.tables.take(chunk->payload));
      result.lanes_last = !result.tables.lanes().empty();
      continue;
    }
    EXPECT_EQ(chunk->header.kind, ChunkKind::kRecords);
    EXPECT_TRUE(decoder.parse(chunk->payload));
    EXPECT_EQ(chunk->header.items, decoder.records());
    result.records_chunks.push_back(chunk->header);
    result.buffers.insert(result.buffers.end(), decoder.buffers().begin(), decoder.buffers().end());
    if (decoder.kind() != RecordKind::kCoreTask) continue;
    const auto records = decoder.decode_as<CoreTaskRecord>();
    std::size_t row = 0;
    for (const BufferFacts& facts : decoder.buffers())
      for (std::uint32_t i = 0; i < facts.count; ++i)
        result.core_tasks[facts.producer].push_back(records[row++]);
  }
  result.ending = reader->ending();
  result.totals = reader->totals();
  return result;
}

bool equal(const std::vector<CoreTaskRecord>& a, const std::vector<CoreTaskRecord>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

TEST(RecordingWriter, FactsFirstAccountsLast) {
  base::MemoryOutput out;
  RecordingWriter writer(out, all_facts());
  ASSERT_TRUE(take_core_tasks(writer, 1, 0, 5));
  ASSERT_TRUE(take_core_tasks(writer, 0, 0, 7, 2));
  const std::vector<LaneTotals> lanes{
      {RecordKind::kCoreTask, 0, 12, 7, {2, 1, 2}, 1, 3, 99, true},
      {RecordKind::kCoreTask, 1, 5, 5, {}, 0, 0, 0, false},
  };
  ASSERT_TRUE(writer.finish(lanes));
  const Read read = read_back(out.bytes());
  EXPECT_EQ(read.ending, Ending::kComplete);
  EXPECT_EQ(read.tables.facts(), all_facts());
  EXPECT_EQ(read.tables.lanes(), lanes);
  EXPECT_EQ(read.tables.unknown(), 0U);
  EXPECT_TRUE(read.lanes_last);
  EXPECT_TRUE(equal(read.core_tasks.at(0), core_tasks(0, 0, 7)));
  EXPECT_TRUE(equal(read.core_tasks.at(1), core_tasks(1, 0, 5)));
  // Of the last chunk: the accounts' own.
  EXPECT_EQ(read.totals, (Totals{17, 12, 5}));
  // Of the records: as far as buffers told.
  ASSERT_EQ(read.records_chunks.size(), 1U);
  EXPECT_EQ(read.records_chunks[0].totals, (Totals{14, 12, 2}));
}

TEST(RecordingWriter, ChunksAreFullOrTheirBuffersOld) {
  base::MemoryOutput out;
  RecordingWriter writer(out, {}, {.records_per_chunk = 100, .waiting_buffers = 8});
  const std::array<QueueDepthRecord, 1> depth{{{5, {1, 2, 3}, 0}}};
  ASSERT_TRUE(writer.take(header_of(RecordKind::kQueueDepth, sizeof(QueueDepthRecord), 0, 0, 1),
                          std::as_bytes(std::span(depth))));
  std::uint64_t first = 0;
  for (int buffer = 0; buffer < 8; ++buffer, first += 40) ASSERT_TRUE(take_core_tasks(writer, 3, first, 40));
  // Nobody finishes it: the queue depth was overdue, and three chunks were full.
  const Read read = read_back(out.bytes());
  EXPECT_EQ(read.ending, Ending::kEndedEarly);
  ASSERT_EQ(read.records_chunks.size(), 4U);
  EXPECT_EQ(read.records_chunks[0].items, 100U);
  EXPECT_EQ(read.records_chunks[3].items, 100U);
  EXPECT_EQ(read.records_chunks[2].items, 1U);
  EXPECT_TRUE(equal(read.core_tasks.at(3), core_tasks(3, 0, 300)));
  ASSERT_TRUE(writer.flush());
  EXPECT_TRUE(equal(read_back(out.bytes()).core_tasks.at(3), core_tasks(3, 0, 320)));
}

TEST(RecordingWriter, LongBuffersAreSplit) {
  base::MemoryOutput out;
  RecordingWriter writer(out, {}, {.records_per_chunk = 64});
  BufferHeader header = header_of(RecordKind::kCoreTask, sizeof(CoreTaskRecord), 4, 1000, 150, 9);
  header.paused_from = 77;
  header.paused_to = 99;
  const auto records = core_tasks(4, 1000, 150);
  ASSERT_TRUE(writer.take(header, std::as_bytes(std::span(records))));
  ASSERT_TRUE(writer.finish({}));
  const Read read = read_back(out.bytes());
  ASSERT_EQ(read.buffers.size(), 3U);
  EXPECT_EQ(read.buffers[0], (BufferFacts{4, 100, 1000, 64, 9, 77, 99}));
  EXPECT_EQ(read.buffers[1], (BufferFacts{4, 100, 1064, 64, 0, 0, 0}));
  EXPECT_EQ(read.buffers[2], (BufferFacts{4, 100, 1128, 22, 0, 0, 0}));
  EXPECT_TRUE(equal(read.core_tasks.at(4), records));
}

TEST(RecordingWriter, RefusesWhatContradictsItsHeader) {
  base::MemoryOutput out;
  RecordingWriter writer(out, {});
  const auto records = core_tasks(0, 0, 2);
  const auto bytes = std::as_bytes(std::span(records));
  EXPECT_FALSE(writer.take(header_of(RecordKind::kCoreTask, 32, 0, 0, 3), bytes));
  EXPECT_FALSE(writer.take(header_of(RecordKind::kCoreTask, 64, 0, 0, 1), bytes));
  EXPECT_FALSE(writer.take(header_of(RecordKind{77}, 32, 0, 0, 2), bytes));
  EXPECT_TRUE(writer.take(header_of(RecordKind::kCoreTask, 32, 0, 0, 2), bytes));
  ASSERT_TRUE(writer.finish({}));
  EXPECT_EQ(read_back(out.bytes()).totals, (Totals{2, 2, 0}));
}

// A disk that is full after some bytes.
class FullOutput final : public base::Output {
 public:
  explicit FullOutput(std::size_t room) : room_(room) {}

 private:
  void make_room(std::size_t size) override {
    if (used_ + size > room_) status_ = base::fail(base::ErrorCode::kWriteFailed, "no space left");
    grow_to(used_ + size);
  }
  std::size_t room_;
};

TEST(RecordingWriter, SaysThatTheDiskIsFull) {
  FullOutput out(2000);
  RecordingWriter writer(out, {}, {.records_per_chunk = 10});
  base::Status status;
  for (std::uint64_t first = 0; status && first < 100'000; first += 10)
    status = take_core_tasks(writer, 0, first, 10);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "no space left");
  EXPECT_FALSE(take_core_tasks(writer, 0, 0, 10));
  EXPECT_FALSE(writer.flush());
  EXPECT_FALSE(writer.finish({}));
}

}  // namespace
}  // namespace accelscope::formats::capture
