// Chunks that a thread decodes ahead are those that a reader gives, however the caller goes about it.
#include "formats/capture/decoded_chunks.h"

#include <gtest/gtest.h>

#include "base/mapped_file.h"
#include "base/output.h"
#include "formats/capture/recording_writer.h"

namespace accelscope::formats::capture {
namespace {

using base::MappedFile;
using recorder::QueueDepthRecord;
using recorder::RecordKind;

constexpr std::uint32_t kRecordsPerChunk = 16;

std::vector<LaneTotals> totals_of(std::uint64_t records) {
  return {{.kind = RecordKind::kQueueDepth, .produced = records, .collected = records, .flushed = true}};
}

// So many records, numbered by their time, in chunks of kRecordsPerChunk.
std::string recording_of(std::uint32_t records, bool finished = true) {
  base::MemoryOutput out;
  RecordingWriter writer(out, {.policy = "block"}, {.records_per_chunk = kRecordsPerChunk});
  std::vector<QueueDepthRecord> depths(records);
  for (std::uint32_t i = 0; i < records; ++i) depths[i].start = i;
  recorder::BufferHeader header = {};
  header.magic = recorder::kBufferMagic;
  header.kind = RecordKind::kQueueDepth;
  header.record_bytes = sizeof(QueueDepthRecord);
  header.count = records;
  EXPECT_TRUE(writer.take(header, std::as_bytes(std::span(depths))));
  if (finished) {
    EXPECT_TRUE(writer.finish(totals_of(records)));
  }
  return std::string(out.bytes());
}

class WithAndWithoutThread : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DecodedChunks, WithAndWithoutThread, testing::Bool());

TEST_P(WithAndWithoutThread, EveryRecordComesOnceAndInOrder) {
  const std::string bytes = recording_of(1000);
  const MappedFile file = MappedFile::from_memory("x.astrace", bytes);
  auto reader = ContainerReader::open(file);
  ASSERT_TRUE(reader);
  DecodedChunks chunks(*reader, GetParam());
  std::uint64_t expected = 0;
  std::uint64_t last_end = 0;
  RecordingTables tables;
  while (DecodedChunk* chunk = chunks.next()) {
    ASSERT_TRUE(chunk->well_formed);
    EXPECT_GT(chunk->end, chunk->offset);
    EXPECT_GE(chunk->offset, last_end);
    last_end = chunk->end;
    if (chunk->header.kind == ChunkKind::kRecordingRows) {
      EXPECT_TRUE(tables.take(chunk->payload));
      continue;
    }
    for (const QueueDepthRecord& record : chunk->records.decode_as<QueueDepthRecord>())
      EXPECT_EQ(record.start, expected++);
  }
  EXPECT_EQ(expected, 1000U);
  EXPECT_EQ(tables.facts().policy, "block");
  EXPECT_EQ(tables.lanes(), totals_of(1000));
  EXPECT_EQ(reader->ending(), Ending::kComplete);
  EXPECT_EQ(chunks.next(), nullptr);
}

TEST_P(WithAndWithoutThread, TheCallerMayStopAnywhere) {
  const std::string bytes = recording_of(400);
  const MappedFile file = MappedFile::from_memory("x.astrace", bytes);
  int all = 0;
  for (auto reader = ContainerReader::open(file); reader->next();) ++all;
  ASSERT_GT(all, 400 / 16);
  for (int wanted = 0; wanted < all + 3; ++wanted) {
    auto reader = ContainerReader::open(file);
    ASSERT_TRUE(reader);
    DecodedChunks chunks(*reader, GetParam());
    for (int i = 0; i < wanted; ++i) EXPECT_EQ(chunks.next() != nullptr, i < all);
  }
}

TEST_P(WithAndWithoutThread, AFileThatEndsEarlyGivesWhatItHas) {
  const std::string whole = recording_of(400);
  for (std::size_t cut = 100; cut < whole.size(); cut += 97) {
    const std::string bytes = whole.substr(0, cut);
    const MappedFile file = MappedFile::from_memory("x.astrace", bytes);
    auto reader = ContainerReader::open(file);
    ASSERT_TRUE(reader);
    DecodedChunks chunks(*reader, GetParam());
    std::uint64_t records = 0;
    while (DecodedChunk* chunk = chunks.next())
      if (chunk->header.kind == ChunkKind::kRecords) records += chunk->records.records();
    EXPECT_EQ(records % kRecordsPerChunk, 0U);
    EXPECT_EQ(reader->ending(), Ending::kEndedEarly);
  }
}

TEST_P(WithAndWithoutThread, RecordsThatContradictTheirSizesAreSaidToDoSo) {
  base::MemoryOutput out;
  ContainerWriter writer(out);
  writer.add_chunk(ChunkKind::kRecords, 1, "no records");
  ASSERT_TRUE(writer.finish());
  const MappedFile file = MappedFile::from_memory("x.astrace", out.bytes());
  auto reader = ContainerReader::open(file);
  ASSERT_TRUE(reader);
  DecodedChunks chunks(*reader, GetParam());
  const DecodedChunk* chunk = chunks.next();
  ASSERT_NE(chunk, nullptr);
  EXPECT_FALSE(chunk->well_formed);
}

TEST(LanesAtEnd, AreThoseOfACompleteFile) {
  const std::string bytes = recording_of(1000);
  EXPECT_EQ(lanes_at_end(MappedFile::from_memory("x.astrace", bytes)), totals_of(1000));
  const std::string cut = bytes.substr(0, bytes.size() - 1);
  EXPECT_TRUE(lanes_at_end(MappedFile::from_memory("x.astrace", cut)).empty());
  EXPECT_TRUE(lanes_at_end(MappedFile::from_memory("x.astrace", recording_of(3, false))).empty());
  EXPECT_TRUE(lanes_at_end(MappedFile::from_memory("x.astrace", "")).empty());
}

}  // namespace
}  // namespace accelscope::formats::capture
