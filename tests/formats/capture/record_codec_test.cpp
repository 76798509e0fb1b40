// Records of every kind as bytes and back, and bytes that are no records.
#include "formats/capture/record_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/capture/wire.h"

namespace accelscope::formats::capture {
namespace {

using recorder::RecordKind;

constexpr std::array kKinds{
    RecordKind::kCoreTask,
    RecordKind::kTaskLifecycle,
    RecordKind::kEdge,
    RecordKind::kSchedulerPhase,
    RecordKind::kOrchestratorPhase,
    RecordKind::kTaskDescription,
    RecordKind::kTensor,
    RecordKind::kPmu,
    RecordKind::kControlTask,
    RecordKind::kQueueDepth,
    RecordKind::kScope,
    RecordKind::kTensorBlock,
    RecordKind::kPerfmonDrain,
    RecordKind::kPerfmonBlock,
};

// Half of the bytes are any, the others 0 or 255: guesses miss by little, by much, and across the sign.
std::vector<std::byte> wild_bytes(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) {
    const auto choice = random() % 4;
    byte = static_cast<std::byte>(choice < 2 ? random() : choice == 2 ? 0U : 255U);
  }
  return bytes;
}

struct Sample {
  std::string payload;
  std::vector<BufferFacts> buffers;
  std::vector<std::byte> records;
};

Sample sample_of(const RecordLayout& layout, const std::vector<std::uint32_t>& counts, std::uint32_t seed) {
  Sample sample;
  RecordsEncoder encoder(layout);
  std::uint64_t first = seed;
  for (const std::uint32_t count : counts) {
    const auto number = static_cast<std::uint32_t>(sample.buffers.size());
    const BufferFacts facts{.producer = number * 1000,
                            .buffer_number = UINT32_MAX - number,
                            .first_record = first << 40U,
                            .count = count,
                            .dropped_before = number == 1 ? UINT32_MAX : 0,
                            .paused_from = number == 2 ? UINT64_MAX - 5 : 0,
                            .paused_to = number == 2 ? 3U : 0U};
    const std::vector<std::byte> records =
        wild_bytes(std::size_t{count} * layout.record_bytes, seed * 100 + number);
    encoder.add(facts, records.data());
    sample.buffers.push_back(facts);
    sample.records.insert(sample.records.end(), records.begin(), records.end());
    first += count;
  }
  sample.payload = encoder.finish();
  return sample;
}

TEST(RecordCodec, EveryKindComesBackEqual) {
  for (const RecordKind kind : kKinds) {
    ASSERT_NE(layout_of(kind), nullptr);
    EXPECT_FALSE(records_name(kind).empty());
    const RecordLayout& layout = *layout_of(kind);
    for (const std::vector<std::uint32_t>& counts :
         {std::vector<std::uint32_t>{}, {0}, {1}, {2, 0, 3}, {1023, 1, 1025, 2048}}) {
      const Sample sample = sample_of(layout, counts, 7);
      RecordsDecoder decoder;
      ASSERT_TRUE(decoder.parse(sample.payload));
      EXPECT_EQ(decoder.kind(), kind);
      EXPECT_EQ(decoder.record_bytes(), layout.record_bytes);
      EXPECT_EQ(std::vector(decoder.buffers().begin(), decoder.buffers().end()), sample.buffers);
      ASSERT_EQ(std::size_t{decoder.records()} * layout.record_bytes, sample.records.size());
      const std::byte* decoded = decoder.decode();
      EXPECT_TRUE(std::equal(sample.records.begin(), sample.records.end(), decoded));
    }
  }
}

TEST(RecordCodec, EncoderStartsOver) {
  const RecordLayout layout = layout_of<recorder::CoreTaskRecord>();
  RecordsEncoder encoder(layout);
  const std::vector<std::byte> wild = wild_bytes(100 * 32, 1);
  encoder.add({.count = 100}, wild.data());
  EXPECT_EQ(encoder.records(), 100U);
  EXPECT_EQ(encoder.buffers(), 1U);
  (void)encoder.finish();
  EXPECT_EQ(encoder.records(), 0U);
  EXPECT_EQ(encoder.buffers(), 0U);
  // Nothing of the wild values is left: small ones take their lowest bytes only.
  const std::vector<std::byte> zeros(100 * 32);
  encoder.add({.count = 100}, zeros.data());
  EXPECT_LT(encoder.finish().size(), 100U);
}

TEST(RecordCodec, RegularRecordsTakeFewBytes) {
  std::mt19937 random(3);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  std::vector<recorder::CoreTaskRecord> tasks;
  std::uint64_t time = 70'354'415'000;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    const std::uint32_t duration = 200 + below(1800);
    time += 40 + below(60);
    tasks.push_back({time, std::uint64_t{i} * 72 + below(72), duration, 3 + below(30), i + 1, below(50)});
    time += duration;
  }
  RecordsEncoder encoder(layout_of<recorder::CoreTaskRecord>());
  encoder.add({.count = 10'000}, reinterpret_cast<const std::byte*>(tasks.data()));
  EXPECT_LT(encoder.finish().size(), 10'000U * 10);
}

// A newer version's records have more behind what is known here, an older one's have less.
TEST(RecordCodec, OtherLengthsAreCutOrFilled) {
  struct Longer {
    recorder::QueueDepthRecord known;
    std::uint64_t added;
  };
  std::vector<RecordField> fields(layout_of<recorder::QueueDepthRecord>().fields.begin(),
                                  layout_of<recorder::QueueDepthRecord>().fields.end());
  fields.push_back(plain(offsetof(Longer, added), 8));
  const std::array<Longer, 2> longer{{{{100, {1, 2, 3}, 0}, 7}, {{200, {4, 5, -1}, 0}, 8}}};
  RecordsEncoder encoder({RecordKind::kQueueDepth, sizeof(Longer), fields});
  encoder.add({.count = 2}, reinterpret_cast<const std::byte*>(longer.data()));
  const std::string payload(encoder.finish());
  RecordsDecoder decoder;
  ASSERT_TRUE(decoder.parse(payload));
  const auto known = decoder.decode_as<recorder::QueueDepthRecord>();
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known[1].start, 200U);
  EXPECT_EQ(known[1].ready[1], 5);

  RecordsEncoder short_encoder(layout_of<recorder::QueueDepthRecord>());
  short_encoder.add({.count = 1}, reinterpret_cast<const std::byte*>(&longer[1]));
  const std::string short_payload(short_encoder.finish());
  ASSERT_TRUE(decoder.parse(short_payload));
  const auto filled = decoder.decode_as<Longer>();
  ASSERT_EQ(filled.size(), 1U);
  EXPECT_EQ(filled[0].known.start, 200U);
  EXPECT_EQ(filled[0].added, 0U);
}

TEST(RecordCodec, CutOrLongerPayloadsAreRefused) {
  const Sample sample = sample_of(layout_of<recorder::TaskLifecycleRecord>(), {3, 2}, 5);
  RecordsDecoder decoder;
  for (std::size_t size = 0; size < sample.payload.size(); ++size)
    EXPECT_FALSE(decoder.parse(std::string_view(sample.payload).substr(0, size))) << size;
  EXPECT_FALSE(decoder.parse(sample.payload + '\0'));
  EXPECT_TRUE(decoder.parse(sample.payload));
}

TEST(RecordCodec, ChangedBytesNeverHarm) {
  std::mt19937 random(9);
  for (const RecordKind kind : kKinds) {
    const Sample sample = sample_of(*layout_of(kind), {30, 0, 17}, 5);
    for (int round = 0; round < 3000; ++round) {
      std::string changed = sample.payload;
      for (int change = 0; change < 1 + round % 3; ++change)
        changed[random() % std::min<std::size_t>(changed.size(), round % 2 == 0 ? 120 : 4000)] =
            static_cast<char>(random());
      RecordsDecoder decoder;
      if (!decoder.parse(changed)) continue;
      std::uint64_t records = 0;
      for (const BufferFacts& facts : decoder.buffers()) records += facts.count;
      ASSERT_EQ(records, decoder.records());
      // Every byte of every record was written.
      const std::byte* bytes = decoder.decode();
      unsigned sum = 0;
      for (std::size_t i = 0; i < std::size_t{decoder.records()} * decoder.record_bytes(); ++i)
        sum += std::to_integer<unsigned>(bytes[i]);
      ASSERT_GE(sum, 0U);
    }
  }
}

// The head of a payload, up to its fields.
std::string head(std::uint16_t record_bytes, std::uint32_t records, std::uint32_t buffers,
                 const std::vector<std::array<std::uint8_t, 5>>& fields) {
  std::string bytes;
  append_u16(bytes, 1);
  append_u16(bytes, record_bytes);
  append_u32(bytes, records);
  append_u32(bytes, buffers);
  append_u8(bytes, static_cast<std::uint8_t>(fields.size()));
  for (const auto& field : fields)
    for (const std::uint8_t number : field) append_u8(bytes, number);
  return bytes;
}

TEST(RecordCodec, LayoutsThatCannotBeAreRefused) {
  using Fields = std::vector<std::array<std::uint8_t, 5>>;
  const auto parses = [](std::uint16_t record_bytes, const Fields& fields) {
    RecordsDecoder decoder;
    return decoder.parse(head(record_bytes, 0, 0, fields) + std::string(fields.size(), '\0'));
  };
  EXPECT_TRUE(parses(8, {{0, 8, 0, 0, 1}}));
  EXPECT_TRUE(parses(8, {{0, 4, 0, 0, 1}, {4, 4, 3, 0, 4}}));
  EXPECT_FALSE(parses(0, {}));                                  // nothing
  EXPECT_FALSE(parses(9, {{0, 8, 0, 0, 1}}));                   // a byte that no field has
  EXPECT_FALSE(parses(8, {{0, 8, 0, 0, 1}, {4, 4, 0, 0, 1}}));  // a byte that two have
  EXPECT_FALSE(parses(3, {{0, 3, 0, 0, 1}}));                   // no width
  EXPECT_FALSE(parses(8, {{4, 8, 0, 0, 1}}));                   // beyond the record
  EXPECT_FALSE(parses(8, {{0, 8, 4, 0, 1}}));                   // no guess
  EXPECT_FALSE(parses(8, {{0, 8, 3, 0, 8}}));                   // guessed from itself
  EXPECT_FALSE(parses(8, {{0, 4, 3, 4, 4}, {4, 4, 0, 0, 1}}));  // from what comes later
  EXPECT_FALSE(parses(8, {{0, 4, 0, 0, 1}, {4, 4, 2, 0, 8}}));  // from half of something
}

TEST(RecordCodec, HugeCountsAreRefusedBeforeMemoryIsTaken) {
  RecordsDecoder decoder;
  const std::vector<std::array<std::uint8_t, 5>> fields{{0, 8, 0, 0, 1}};
  EXPECT_FALSE(decoder.parse(head(8, UINT32_MAX, 0, fields)));
  EXPECT_FALSE(decoder.parse(head(8, 0, UINT32_MAX, fields)));
  std::string one = head(8, kMaxRecordsOfChunk + 1, 1, fields);
  for (const std::uint64_t number : {0U, 0U, 0U, kMaxRecordsOfChunk + 1, 0U, 0U, 0U})
    append_varint(one, number);
  EXPECT_FALSE(decoder.parse(one + '\0'));
  // Counts whose sum wraps around.
  std::string two = head(8, 1, 2, fields);
  for (const std::uint64_t count : {std::uint64_t{UINT32_MAX}, std::uint64_t{2}})
    for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, count,
                                       std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}})
      append_varint(two, number);
  EXPECT_FALSE(decoder.parse(two + '\0'));
}

}  // namespace
}  // namespace accelscope::formats::capture
