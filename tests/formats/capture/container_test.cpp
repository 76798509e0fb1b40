// The container of capture files: what is written comes back, a file that stops anywhere is good up to its
// last whole chunk, and no changed byte goes unnoticed.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <random>

#include "base/file_descriptor.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/container_writer.h"
#include "formats/capture/wire.h"
#include "support/temporary_folder.h"

namespace accelscope::formats::capture {
namespace {

using base::MappedFile;
using base::MemoryOutput;

// A kind of recorders that no reader of today knows.
constexpr ChunkKind kSomething{64};

struct ReadChunks {
  std::vector<std::string> payloads;
  Ending ending = Ending::kNotReached;
  std::uint64_t offset = 0;
  std::uint64_t skipped = 0;
  std::uint64_t trailing = 0;
  Totals totals;
};

MappedFile file_of(std::string_view bytes) {
  return MappedFile::from_memory("a.astrace", bytes);
}

ReadChunks read_all(std::string_view bytes) {
  const MappedFile file = file_of(bytes);
  auto reader = ContainerReader::open(file);
  EXPECT_TRUE(reader) << reader.error().to_string();
  ReadChunks read;
  while (const auto chunk = reader->next()) read.payloads.emplace_back(chunk->payload);
  read.ending = reader->ending();
  read.offset = reader->offset();
  read.skipped = reader->skipped_chunks();
  read.trailing = reader->trailing_bytes();
  read.totals = reader->totals();
  return read;
}

std::vector<std::string> sample_payloads() {
  std::mt19937 random(7);
  std::string noise;
  for (int i = 0; i < 300; ++i) noise.push_back(static_cast<char>(random()));
  return {"first", std::string(5000, 'x'), "", noise, "last"};
}

std::string sample_file(std::uint32_t chunks_per_index = 2) {
  MemoryOutput out;
  ContainerWriter writer(out, {.chunks_per_index = chunks_per_index});
  for (const std::string& payload : sample_payloads()) writer.add_chunk(kSomething, payload.size(), payload);
  EXPECT_TRUE(writer.finish());
  return std::string(out.bytes());
}

// One chunk with this header and these stored bytes, behind a file header.
std::string hand_made(ChunkHeader header, std::string_view stored) {
  header.stored_bytes = static_cast<std::uint32_t>(stored.size());
  header.payload_checksum = checksum(stored);
  return encode_file_header(Version{}) + encode_chunk_header(header) + std::string(stored);
}

TEST(Container, GivesBackWhatWasWritten) {
  for (const std::uint32_t chunks_per_index : {1U, 2U, 64U}) {
    const ReadChunks read = read_all(sample_file(chunks_per_index));
    EXPECT_EQ(read.payloads, sample_payloads());
    EXPECT_EQ(read.ending, Ending::kComplete);
    EXPECT_EQ(read.trailing, 0U);
  }
}

TEST(Container, WithoutChunksIsComplete) {
  MemoryOutput out;
  EXPECT_TRUE(ContainerWriter(out).finish());
  const ReadChunks read = read_all(out.bytes());
  EXPECT_TRUE(read.payloads.empty());
  EXPECT_EQ(read.ending, Ending::kComplete);
  const auto index = read_index(file_of(out.bytes()));
  ASSERT_TRUE(index);
  EXPECT_TRUE(index->empty());
}

TEST(Container, HasTheLayoutOfTheDocumentation) {
  MemoryOutput out;
  ContainerWriter writer(out);
  writer.set_totals({0x11, 0x22, 0x33});
  writer.add_chunk(ChunkKind{0x0140}, 3, "abc");
  ASSERT_TRUE(writer.finish());
  const std::string_view bytes = out.bytes();
  using namespace std::string_view_literals;
  EXPECT_EQ(bytes.substr(0, 16),
            "\x89"
            "ASTRC\r\n\1\0\0\0\0\0\0\0"sv);
  EXPECT_EQ(little_endian(bytes.data() + 16, 8), checksum(bytes.substr(0, 16)));
  const std::string_view chunk = bytes.substr(24);
  EXPECT_EQ(chunk.substr(0, 56),
            "ASCK\x40\1\0\0\3\0\0\0\3\0\0\0"
            "\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
            "\x11\0\0\0\0\0\0\0\x22\0\0\0\0\0\0\0\x33\0\0\0\0\0\0\0"sv);
  EXPECT_EQ(little_endian(chunk.data() + 56, 8), checksum("abc"));
  EXPECT_EQ(little_endian(chunk.data() + 64, 8), checksum(chunk.substr(0, 64)));
  EXPECT_EQ(chunk.substr(72, 3), "abc");
  EXPECT_EQ(bytes.substr(bytes.size() - 16), "\x63\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"sv);
}

TEST(Container, SaysInEveryHeaderWhatWasProducedSoFar) {
  MemoryOutput out;
  ContainerWriter writer(out);
  writer.set_totals({10, 8, 2});
  writer.add_chunk(kSomething, 8, "a");
  const std::string stopped(out.bytes());
  writer.set_totals({20, 15, 5});
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(read_all(stopped).totals, (Totals{10, 8, 2}));
  EXPECT_EQ(read_all(out.bytes()).totals, (Totals{20, 15, 5}));
}

TEST(Container, CutAnywhereGivesTheWholeChunksBefore) {
  const std::string whole = sample_file();
  // Where each chunk of ours ends.
  std::vector<std::uint64_t> ends;
  {
    const MappedFile file = file_of(whole);
    auto reader = ContainerReader::open(file);
    ASSERT_TRUE(reader);
    while (reader->next()) ends.push_back(reader->offset());
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    if (size < kFileHeaderBytes) {
      EXPECT_FALSE(ContainerReader::open(file_of(cut)));
      continue;
    }
    const ReadChunks read = read_all(cut);
    EXPECT_EQ(read.ending, Ending::kEndedEarly) << size;
    const auto expected = static_cast<std::size_t>(
        std::count_if(ends.begin(), ends.end(), [&](std::uint64_t end) { return end <= size; }));
    ASSERT_EQ(read.payloads.size(), expected) << size;
    for (std::size_t i = 0; i < expected; ++i) EXPECT_EQ(read.payloads[i], sample_payloads()[i]);
  }
}

TEST(Container, RoomThatWasNeverFilledIsAnEarlyEnd) {
  std::string whole = sample_file();
  const std::size_t kept = 500;
  std::fill(whole.begin() + kept, whole.end(), '\0');
  EXPECT_NE(read_all(whole).ending, Ending::kComplete);
  const std::string grown = sample_file().substr(0, kFileHeaderBytes) + std::string(4096, '\0');
  EXPECT_EQ(read_all(grown).ending, Ending::kEndedEarly);
}

TEST(Container, NoticesEveryChangedByte) {
  const std::string whole = sample_file();
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const unsigned change : {0x01U, 0x80U, 0xFFU}) {
      std::string changed = whole;
      changed[place] = static_cast<char>(static_cast<unsigned char>(changed[place]) ^ change);
      if (place < kFileHeaderBytes) {
        EXPECT_FALSE(ContainerReader::open(file_of(changed))) << place;
        continue;
      }
      const ReadChunks read = read_all(changed);
      EXPECT_EQ(read.ending, Ending::kDamaged) << place;
      for (std::size_t i = 0; i < read.payloads.size(); ++i)
        EXPECT_EQ(read.payloads[i], sample_payloads()[i]) << place;
    }
  }
}

TEST(Container, NoticesChunksThatAreMissingOrTwice) {
  const std::string whole = sample_file(64);
  const std::size_t first_bytes = kChunkHeaderBytes + sample_payloads()[0].size();
  const std::string head = whole.substr(0, kFileHeaderBytes);
  const std::string first = whole.substr(kFileHeaderBytes, first_bytes);
  const std::string rest = whole.substr(kFileHeaderBytes + first_bytes);
  EXPECT_EQ(read_all(head + rest).ending, Ending::kDamaged);
  EXPECT_EQ(read_all(head + first + first + rest).ending, Ending::kDamaged);
}

TEST(Container, SaysWhatFollowsItsEnd) {
  const ReadChunks read = read_all(sample_file() + "more");
  EXPECT_EQ(read.ending, Ending::kComplete);
  EXPECT_EQ(read.trailing, 4U);
}

TEST(Container, RefusesAnotherMajorVersionAndReadsAnotherMinor) {
  const std::string rest = sample_file().substr(kFileHeaderBytes);
  const auto newer = ContainerReader::open(file_of(encode_file_header({2, 0}) + rest));
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().to_string(),
            "a.astrace: byte 8: is a capture file of version 2.0; this program reads version 1");
  EXPECT_EQ(read_all(encode_file_header({1, 9}) + rest).payloads, sample_payloads());
}

TEST(Container, SkipsChunksWithFlagsOfANewerVersion) {
  const std::string bytes = hand_made({.kind = kSomething, .flags = 0x8000, .plain_bytes = 3}, "abc");
  const ReadChunks read = read_all(bytes);
  EXPECT_TRUE(read.payloads.empty());
  EXPECT_EQ(read.skipped, 1U);
  EXPECT_EQ(read.ending, Ending::kEndedEarly);
}

TEST(Container, BelievesNoSizeBeforeItIsChecked) {
  // Raw bytes that claim to be more, a packed size beyond the limit, a packed size that zstd does not
  // confirm.
  EXPECT_EQ(read_all(hand_made({.kind = kSomething, .plain_bytes = 4}, "abc")).ending, Ending::kDamaged);
  EXPECT_EQ(
      read_all(hand_made({.kind = kSomething, .flags = kPackedWithZstd, .plain_bytes = 0xFFFFFFFF}, "abc"))
          .ending,
      Ending::kDamaged);
  Packer packer;
  const std::string packed(*packer.pack(std::string(1000, 'x')));
  const auto claims = [&](std::uint32_t plain) {
    return read_all(hand_made({.kind = kSomething, .flags = kPackedWithZstd, .plain_bytes = plain}, packed));
  };
  EXPECT_EQ(claims(999).ending, Ending::kDamaged);
  EXPECT_EQ(claims(1001).ending, Ending::kDamaged);
  EXPECT_EQ(claims(1000).payloads, std::vector<std::string>{std::string(1000, 'x')});
}

TEST(Container, RefusesAPackedSizeThatSoFewBytesCannotBecome) {
  // A frame header of zstd that announces 64 MiB, and nothing behind it.
  std::string frame("\x28\xB5\x2F\xFD\xA0", 5);
  append_u32(frame, kMaxChunkBytes);
  ASSERT_EQ(ZSTD_getFrameContentSize(frame.data(), frame.size()), kMaxChunkBytes);
  EXPECT_FALSE(Unpacker().unpack(frame, kMaxChunkBytes));
}

TEST(Container, RefusesToWriteAChunkThatNoReaderTakes) {
  MemoryOutput out;
  ContainerWriter writer(out);
  writer.add_chunk(kSomething, 1, std::string(kMaxChunkBytes + 1, 'x'));
  const base::Status status = writer.finish();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, base::ErrorCode::kTooLarge);
}

TEST(Container, IndexTellsEveryPlace) {
  for (const std::uint32_t chunks_per_index : {1U, 2U, 64U}) {
    const MappedFile file = file_of(sample_file(chunks_per_index));
    auto reader = ContainerReader::open(file);
    ASSERT_TRUE(reader);
    std::vector<IndexEntry> scanned;
    while (const auto chunk = reader->next())
      scanned.push_back({chunk->offset, chunk->header.items, chunk->header.kind});
    const auto index = read_index(file);
    ASSERT_TRUE(index) << index.error().to_string();
    EXPECT_EQ(*index, scanned);
    EXPECT_EQ(index->size(), sample_payloads().size());
  }
}

TEST(Container, IndexOfADamagedFileIsAnErrorOrTrue) {
  const std::string whole = sample_file();
  const auto truth = read_index(file_of(whole));
  ASSERT_TRUE(truth);
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string changed = whole;
    changed[place] = static_cast<char>(~changed[place]);
    if (const auto index = read_index(file_of(changed))) {
      EXPECT_EQ(*index, *truth);
    }
    EXPECT_FALSE(read_index(file_of(whole.substr(0, place))));
  }
}

TEST(Container, IndexesThatLeadInACircleAreAnError) {
  const std::string index = encode_index({kFileHeaderBytes, {}});
  ChunkHeader header{.kind = ChunkKind::kIndex, .plain_bytes = static_cast<std::uint32_t>(index.size())};
  std::string bytes = hand_made(header, index);
  const std::string end = encode_end({kFileHeaderBytes, 1});
  ChunkHeader last{.kind = ChunkKind::kEnd, .plain_bytes = kEndPayloadBytes, .sequence = 1};
  bytes += hand_made(last, end).substr(kFileHeaderBytes);
  EXPECT_EQ(read_all(bytes).ending, Ending::kComplete);
  EXPECT_FALSE(read_index(file_of(bytes)));
}

TEST(Container, FlushedChunksAreInTheFileBeforeItIsFinished) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("run.astrace");
  const base::FileDescriptor file(::open(path.c_str(), O_CREAT | O_WRONLY, 0666));
  base::DescriptorOutput out(file.get(), path);
  ContainerWriter writer(out, {.flush_chunks = true});
  std::vector<std::string> written;
  for (const std::string& payload : sample_payloads()) {
    writer.add_chunk(kSomething, payload.size(), payload);
    written.push_back(payload);
    const ReadChunks read = read_all(tests::read_file(path));
    EXPECT_EQ(read.payloads, written);
    EXPECT_EQ(read.ending, Ending::kEndedEarly);
  }
  ASSERT_TRUE(writer.finish());
  EXPECT_EQ(read_all(tests::read_file(path)).ending, Ending::kComplete);
}

TEST(Container, AFullDiskIsTheAnswerOfFinish) {
  const base::FileDescriptor full(::open("/dev/full", O_WRONLY));
  if (full.get() < 0) GTEST_SKIP() << "no /dev/full here";
  base::DescriptorOutput out(full.get(), "/dev/full");
  ContainerWriter writer(out, {.flush_chunks = true});
  writer.add_chunk(kSomething, 1, "a");
  EXPECT_FALSE(writer.status());
  EXPECT_FALSE(writer.finish());
}

}  // namespace
}  // namespace accelscope::formats::capture
