#include "formats/perfmon/decoder.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>

#include "base/mapped_file.h"
#include "formats/perfmon/event_list.h"
#include "formats/perfmon/intervals.h"

namespace accelscope::formats::perfmon {
namespace {

using base::Ticks;

constexpr std::array<Word, 4> kStamp1000{0xE00003E8, 0xE1000000, 0xE2000000, 0xE3000000};

std::vector<Word> after_stamp(std::initializer_list<Word> words) {
  std::vector<Word> all(kStamp1000.begin(), kStamp1000.end());
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

struct Decoded {
  std::vector<Event> events;
  Counters counters;
  Ticks time;
};

Decoded decode(std::span<const std::byte> bytes, ClockRatio ratio = {}) {
  EventList list;
  Decoder<> decoder(ratio);
  decoder.feed(bytes, list);
  decoder.finish(list);
  return {list.events, decoder.counters(), decoder.time()};
}

Decoded decode(const std::vector<Word>& words, ClockRatio ratio = {}) {
  return decode(bytes_of(words), ratio);
}

// Whatever the stream, no word is counted twice or forgotten.
std::uint64_t counted(const Counters& c, const WordLayout& layout = kBiuPerf) {
  return c.stamps * layout.stamp.words + c.stamp_fragments + c.states + c.marks + c.unknown + c.undatable +
         c.filler + c.ends_of_block;
}

TEST(PerfmonDecoder, ReadsTheGoldenStream) {
  const Decoded golden = decode(golden_bytes());
  EXPECT_EQ(golden.events, (std::vector<Event>{{"stamp", 4181401573670, 0},
                                               {"state", 4181401579570, 1},
                                               {"state", 4181401581170, 0},
                                               {"state", 4181401581218, 16},
                                               {"state", 4181401583377, 0}}));
  EXPECT_EQ(golden.counters, (Counters{.words = 8, .stamps = 1, .states = 4}));
  EXPECT_EQ(golden.time, Ticks{4181401583377});
}

TEST(PerfmonDecoder, MakesIntervalsOfTheGoldenStream) {
  IntervalList list;
  IntervalBuilder builder(list);
  Decoder<> decoder;
  decoder.feed(golden_bytes(), builder);
  decoder.finish(builder);
  builder.finish(decoder.time());
  EXPECT_EQ(list.intervals,
            (std::vector<BusyInterval>{{Ticks{4181401579570}, Ticks{4181401581170}, Pipe::kSu},
                                       {Ticks{4181401581218}, Ticks{4181401583377}, Pipe::kMte2}}));
}

TEST(PerfmonDecoder, ReadsTheFixtureAsItsDescriptionSays) {
  const std::string folder = ACCELSCOPE_FIXTURES_DIR "/swimlane/perfmon/";
  if (!std::filesystem::exists(folder + "biu_perf_golden.bin")) GTEST_SKIP() << "no conformance data";
  const auto file = base::MappedFile::open(folder + "biu_perf_golden.bin");
  ASSERT_TRUE(file);
  EXPECT_TRUE(std::ranges::equal(file->bytes(), golden_bytes()));
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_EQ(parser.load(folder + "biu_perf_golden.json").get(json), simdjson::SUCCESS);
  std::vector<Event> chunks;
  for (const simdjson::dom::element chunk : simdjson::dom::array(json["chunks"])) {
    if (std::string_view(chunk["type"]) == "START_STAMP")
      chunks.push_back(
          {"stamp", std::int64_t(chunk["base"]), std::uint32_t(std::uint64_t(chunk["block_id"]))});
    else
      chunks.push_back({"state", std::int64_t(chunk["ts"]), std::uint32_t(std::uint64_t(chunk["mask"]))});
  }
  EXPECT_EQ(decode(file->bytes()).events, chunks);
  IntervalList list;
  IntervalBuilder builder(list);
  Decoder<> decoder;
  decoder.feed(file->bytes(), builder);
  builder.finish(decoder.time());
  std::size_t at = 0;
  for (const simdjson::dom::element interval : simdjson::dom::array(json["intervals"])) {
    ASSERT_LT(at, list.intervals.size());
    const BusyInterval& found = list.intervals[at++];
    EXPECT_EQ(name_of(found.pipe), std::string_view(interval["pipe"]));
    EXPECT_EQ(found.begin.value, std::int64_t(interval["start"]));
    EXPECT_EQ(found.end.value, std::int64_t(interval["end"]));
  }
  EXPECT_EQ(at, list.intervals.size());
}

TEST(PerfmonDecoder, ReadsMarksOfEveryPipeAndTheBlock) {
  std::vector<Word> words{0xE0AB0001, 0xE1CD0000, 0xE2000000, 0xE3000000};
  for (Word pipe = 0; pipe < kPipes; ++pipe) words.push_back(pipe << 28 | (4095 - pipe) << 16 | 10);
  const Decoded decoded = decode(words);
  ASSERT_EQ(decoded.events.size(), 8U);
  EXPECT_EQ(decoded.events[0], (Event{"stamp", 1, 0xCDAB}));
  for (std::uint32_t pipe = 0; pipe < kPipes; ++pipe)
    EXPECT_EQ(decoded.events[pipe + 1],
              (Event{"mark", 1 + 10 * (pipe + 1), 4095 - pipe, static_cast<Pipe>(pipe)}));
  EXPECT_EQ(decoded.counters.marks, kPipes);
}

TEST(PerfmonDecoder, CannotDateWordsBeforeTheFirstStamp) {
  std::vector<Word> words{0xF0010005, 0x00070005, 0x90000001, 0xE2000000, 0xE3000000};
  words.insert(words.end(), kStamp1000.begin(), kStamp1000.end());
  words.push_back(0xF0010005);
  const Decoded decoded = decode(words);
  EXPECT_EQ(decoded.events, (std::vector<Event>{{"lost", 0}, {"stamp", 1000}, {"state", 1005, 1}}));
  EXPECT_EQ(decoded.counters,
            (Counters{.words = 10, .stamps = 1, .states = 1, .undatable = 3, .stamp_fragments = 2}));
}

TEST(PerfmonDecoder, CountsUnknownWordsAndKeepsTheTime) {
  const Decoded decoded = decode(after_stamp({0x70000003, 0xD0000004, 0xF0010005}));
  EXPECT_EQ(decoded.events, (std::vector<Event>{{"stamp", 1000}, {"state", 1012, 1}}));
  EXPECT_EQ(decoded.counters.unknown, 2U);
}

TEST(PerfmonDecoder, SkipsFillerAndTellsOfTheEndOfABlock) {
  const Decoded decoded = decode(after_stamp({0xF0010005, 0xEFFFFFFF, 0xDDDDDDDD, 0xDDDDDDDD, 0xF0000003}));
  EXPECT_EQ(decoded.events,
            (std::vector<Event>{{"stamp", 1000}, {"state", 1005, 1}, {"end", 1005}, {"state", 1008, 0}}));
  EXPECT_EQ(decoded.counters,
            (Counters{.words = 9, .stamps = 1, .states = 2, .ends_of_block = 1, .filler = 2}));
}

TEST(PerfmonDecoder, TakesChangesWithoutTimeAndOfSeveralPipes) {
  const Decoded decoded = decode(after_stamp({0xF0010000, 0xF07E0000, 0xF0000000}));
  EXPECT_EQ(
      decoded.events,
      (std::vector<Event>{{"stamp", 1000}, {"state", 1000, 1}, {"state", 1000, 0x7E}, {"state", 1000, 0}}));
}

TEST(PerfmonDecoder, LosesTheTimeWithACutStamp) {
  // Words 0 and 1 of a stamp, and something else.
  const Decoded cut = decode(after_stamp({0xF0010005, 0xE0000000, 0xE1000000, 0xF0000001, 0x00010001}));
  EXPECT_EQ(cut.events, (std::vector<Event>{{"stamp", 1000}, {"state", 1005, 1}, {"lost", 1005}}));
  EXPECT_EQ(
      cut.counters,
      (Counters{.words = 9, .stamps = 1, .states = 1, .undatable = 2, .stamp_fragments = 2, .losses = 1}));
  // A whole one follows directly.
  std::vector<Word> words = after_stamp({0xE0000000, 0xE1000000});
  words.insert(words.end(), {0xE00007D0, 0xE1000000, 0xE2000000, 0xE3000000, 0xF0000001});
  const Decoded again = decode(words);
  EXPECT_EQ(again.events,
            (std::vector<Event>{{"stamp", 1000}, {"lost", 1000}, {"stamp", 2000}, {"state", 2001, 0}}));
  EXPECT_EQ(again.counters.stamp_fragments, 2U);
  // The end comes first.
  EXPECT_EQ(decode(after_stamp({0xE0000000})).events, (std::vector<Event>{{"stamp", 1000}, {"lost", 1000}}));
}

TEST(PerfmonDecoder, RefusesStampsThatNoClockReaches) {
  const Decoded decoded =
      decode(std::vector<Word>{0xE000FFFF, 0xE100FFFF, 0xE200FFFF, 0xE300FFFF, 0xF0000001});
  EXPECT_EQ(decoded.events, (std::vector<Event>{{"lost", 0}}));
  EXPECT_EQ(decoded.counters, (Counters{.words = 5, .undatable = 1, .stamp_fragments = 4}));
}

TEST(PerfmonDecoder, HoldsTheTimeAtAnEarlyStampAndGoesBackOnlyAfterALoss) {
  // 1000 + 100, a stamp of 1090, and then one of 500: the seam of a ring.
  const Decoded decoded =
      decode(after_stamp({0xF0010064, 0xE0000442, 0xE1000000, 0xE2000000, 0xE3000000, 0xF0000005, 0xF0010006,
                          0xE00001F4, 0xE1000000, 0xE2000000, 0xE3000000, 0xF0000005}));
  EXPECT_EQ(decoded.events, (std::vector<Event>{{"stamp", 1000},
                                                {"state", 1100, 1},
                                                {"stamp", 1090},
                                                {"state", 1100, 0},
                                                {"state", 1101, 1},
                                                {"lost", 1101},
                                                {"stamp", 500},
                                                {"state", 505, 0}}));
  EXPECT_EQ(decoded.counters.early_stamps, 1U);
  EXPECT_EQ(decoded.counters.backward_stamps, 1U);
  EXPECT_EQ(decoded.counters.losses, 1U);
}

TEST(PerfmonDecoder, ConvertsCyclesWithoutDrift) {
  std::vector<Word> words = after_stamp({});
  const ClockRatio ratio{.ticks = 50, .cycles = 1650};
  constexpr std::int64_t kStates = 200'000;
  words.insert(words.end(), kStates, 0xF001FFFF);  // beyond 2^31 cycles
  const Decoded decoded = decode(words, ratio);
  std::int64_t cycles = 0;
  for (std::size_t i = 1; i < decoded.events.size(); ++i) {
    cycles += 65535;
    ASSERT_EQ(decoded.events[i].time, 1000 + cycles * 50 / 1650) << i;
  }
  EXPECT_EQ(decode(words).time, Ticks{1000 + kStates * 65535});
}

TEST(PerfmonDecoder, ResynchronisesAfterALoss) {
  EventList list;
  IntervalList intervals;
  IntervalBuilder builder(intervals);
  Decoder<> decoder;
  Decoder<> second;
  const std::vector<std::byte> before = bytes_of(after_stamp({0xF0010005, 0xF0110007}));
  const std::vector<std::byte> behind = bytes_of(std::vector<Word>{
      0xF0010005, 0xE0000BB8, 0xE1000000, 0xE2000000, 0xE3000000, 0xF0030005, 0xF0020005, 0xF0000005});
  const auto all = [&](auto& one, auto& visitor) {
    one.feed(std::span(before).first(before.size() - 3), visitor);  // a torn word, which never is completed
    one.resynchronise(visitor);
    one.feed(behind, visitor);
    one.finish(visitor);
  };
  all(decoder, list);
  EXPECT_EQ(list.events, (std::vector<Event>{{"stamp", 1000},
                                             {"state", 1005, 1},
                                             {"lost", 1005},
                                             {"stamp", 3000},
                                             {"state", 3005, 3},
                                             {"state", 3010, 2},
                                             {"state", 3015, 0}}));
  EXPECT_EQ(decoder.counters(),
            (Counters{.words = 13, .stamps = 2, .states = 4, .undatable = 1, .losses = 1, .torn_bytes = 1}));
  all(second, builder);
  builder.finish(second.time());
  EXPECT_EQ(intervals.intervals,
            (std::vector<BusyInterval>{{Ticks{1005}, Ticks{1005}, Pipe::kSu, false, true},
                                       {Ticks{3005}, Ticks{3010}, Pipe::kSu, true, false},
                                       {Ticks{3005}, Ticks{3015}, Pipe::kVec, true, false}}));
}

TEST(PerfmonDecoder, EverySlicingTellsTheSame) {
  std::vector<Word> words{0xF0010005};
  const std::vector<Word> more = after_stamp({0xF0010005, 0x40010007, 0xE0000000, 0x10010007, 0xEFFFFFFF});
  words.insert(words.end(), more.begin(), more.end());
  words.insert(words.end(), {0xDDDDDDDD, 0xE00007D0, 0xE1000000, 0xE2000000, 0xE3000000, 0xF0030005});
  std::vector<std::byte> bytes = bytes_of(words);
  bytes.pop_back();
  const Decoded whole = decode(bytes);
  EXPECT_EQ(counted(whole.counters), whole.counters.words);
  for (std::size_t first = 0; first <= bytes.size(); ++first)
    for (std::size_t second = first; second <= bytes.size(); ++second) {
      EventList list;
      Decoder<> decoder;
      const std::span<const std::byte> all(bytes);
      decoder.feed(all.first(first), list);
      decoder.feed(all.subspan(first, second - first), list);
      decoder.feed(all.subspan(second), list);
      decoder.finish(list);
      ASSERT_EQ(list.events, whole.events) << first << ' ' << second;
      ASSERT_EQ(decoder.counters(), whole.counters);
    }
}

}  // namespace
}  // namespace accelscope::formats::perfmon
