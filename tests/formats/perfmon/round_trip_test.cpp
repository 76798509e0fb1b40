// Whatever pipes do comes back from the words: times, masks and marks, however the bytes are cut.
#include <gtest/gtest.h>

#include "formats/perfmon/schedules.h"

namespace accelscope::formats::perfmon {
namespace {

template <class Layout>
std::vector<Event> decoded_in_slices(std::span<const std::byte> bytes, Layout layout, Random& random) {
  EventList list;
  Decoder<Layout> decoder({}, layout);
  while (!bytes.empty()) {
    const std::size_t size = std::min<std::size_t>(random.below(24), bytes.size());
    decoder.feed(bytes.first(size), list);
    bytes = bytes.subspan(size);
  }
  decoder.finish(list);
  EXPECT_EQ(decoder.counters().losses + decoder.counters().torn_bytes + decoder.counters().undatable, 0U);
  return list.events;
}

TEST(PerfmonRoundTrip, AHundredThousandSchedulesComeBack) {
  for (std::uint64_t number = 0; number < 100'000; ++number) {
    Random random(number * 2 + 1);
    const bool other = random.below(4) == 0;
    const WordLayout& layout = other ? kExampleOfAnotherChip : kBiuPerf;
    const std::vector<Event> events = random_schedule(number, layout);
    const std::vector<std::byte> bytes = encoded(events, {.layout = &layout, .stamp_after = random.below(4)});
    const std::vector<Event> back = other ? decoded_in_slices(bytes, ChosenLayout{&layout}, random)
                                          : decoded_in_slices(bytes, FixedLayout<kBiuPerf>{}, random);
    ASSERT_EQ(without_stamps(back), events) << number;
  }
}

TEST(PerfmonRoundTrip, EveryCutOfManySchedules) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    const std::vector<Event> events = random_schedule(number, kBiuPerf);
    const std::vector<std::byte> bytes = encoded(events, {});
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
      EventList list;
      Decoder<> decoder;
      decoder.feed(std::span(bytes).first(cut), list);
      decoder.feed(std::span(bytes).subspan(cut), list);
      ASSERT_EQ(without_stamps(list.events), events) << number << " cut at " << cut;
    }
  }
}

// A delta that fits takes one word; one more cycle takes a stamp, and the time stays exact.
TEST(PerfmonRoundTrip, EveryDeltaAroundTheGreatest) {
  for (const WordLayout* layout : {&kBiuPerf, &kExampleOfAnotherChip})
    for (std::int64_t around = -3; around <= 3; ++around) {
      const auto greatest = static_cast<std::int64_t>(layout->delta.greatest());
      const std::vector<Event> events{{"state", 10, 1}, {"state", 10 + greatest + around, 2}};
      const std::vector<std::byte> bytes = encoded(events, {.layout = layout});
      EventList list;
      Decoder<ChosenLayout> decoder({}, {layout});
      decoder.feed(bytes, list);
      EXPECT_EQ(without_stamps(list.events), events);
      EXPECT_EQ(decoder.counters().stamps, around <= 0 ? 1U : 2U) << around;
      EXPECT_EQ(bytes.size(), layout->word_bytes * (2 + decoder.counters().stamps * layout->stamp.words));
    }
}

// Two clocks: a stamp and a delta each round down, so what comes back lies at most one tick before the time.
TEST(PerfmonRoundTrip, AnotherClockLosesLessThanATick) {
  for (const ClockRatio ratio :
       {ClockRatio{50, 1650}, ClockRatio{1, 3}, ClockRatio{7, 5}, ClockRatio{999, 1}})
    for (std::uint64_t number = 0; number < 2'000; ++number) {
      const std::vector<Event> events = random_schedule(number, kBiuPerf);
      const std::vector<std::byte> bytes = encoded(events, {.ratio = ratio, .stamp_after = number % 5});
      EventList list;
      Decoder<> decoder(ratio);
      decoder.feed(bytes, list);
      const std::vector<Event> back = without_stamps(list.events);
      ASSERT_EQ(back.size(), events.size());
      for (std::size_t i = 0; i < back.size(); ++i) {
        const std::int64_t exact = ratio.ticks_in({events[i].time}).value;
        ASSERT_LE(back[i].time, exact);
        ASSERT_GE(back[i].time, exact - 1);
      }
    }
}

TEST(PerfmonEncoder, StampsAreDueAfterSoManyWordsAndCarryTheBlock) {
  std::vector<std::byte> bytes;
  Encoder encoder({.stamp_after = 2, .block = 0x1234});
  for (std::int64_t i = 0; i < 5; ++i) ASSERT_TRUE(encoder.state({i}, 1, appends_to(bytes)));
  ASSERT_TRUE(encoder.end_block(appends_to(bytes)));
  ASSERT_TRUE(encoder.filler(appends_to(bytes)));
  encoder.set_block(7);
  ASSERT_TRUE(encoder.state({9}, 2, appends_to(bytes)));
  EventList list;
  Decoder<> decoder;
  decoder.feed(bytes, list);
  std::vector<std::uint32_t> blocks;
  for (const Event& event : list.events)
    if (event.kind == "stamp") blocks.push_back(event.value);
  EXPECT_EQ(blocks, (std::vector<std::uint32_t>{0x1234, 0x1234, 0x1234, 7}));
  EXPECT_EQ(decoder.counters(),
            (Counters{.words = 24, .stamps = 4, .states = 6, .ends_of_block = 1, .filler = 1}));
}

TEST(PerfmonEncoder, RefusesWhatTheWordsCannotHold) {
  std::vector<std::byte> bytes;
  const auto refused = [&](Encoder encoder, auto put) {
    const std::size_t before = bytes.size();
    const base::Status status = put(encoder);
    EXPECT_EQ(bytes.size(), before);
    return status ? std::string() : status.error().message;
  };
  const auto sink = appends_to(bytes);
  EXPECT_EQ(refused(Encoder(), [&](Encoder& e) { return e.mark({5}, Pipe::kVec, 4096, sink); }),
            "the id 4096 of a mark is above 4095, the most that biu_perf can hold");
  EXPECT_EQ(refused(Encoder(), [&](Encoder& e) { return e.state({5}, 0x80, sink); }),
            "the mask 0x80 has more than the 7 pipes");
  EXPECT_EQ(refused(Encoder(), [&](Encoder& e) { return e.state({-1}, 0, sink); }),
            "an event at cycle -1 comes after one at cycle 0");
  EXPECT_EQ(refused(Encoder({.block = 65536}), [&](Encoder& e) { return e.state({5}, 0, sink); }),
            "block 65536 does not fit a stamp of biu_perf");
  EXPECT_EQ(refused(Encoder({.ratio = {1, 0}}), [&](Encoder& e) { return e.state({5}, 0, sink); }),
            "the clock ratio 1/0 is not above 0 and below 1000");
  const EncoderOptions other{.layout = &kExampleOfAnotherChip};
  EXPECT_EQ(refused(Encoder(other), [&](Encoder& e) { return e.filler(sink); }),
            "the words of example-of-another-chip have no word for filler");
  EXPECT_EQ(refused(Encoder({.layout = &kExampleOfAnotherChip, .ratio = {999, 1}}),
                    [&](Encoder& e) { return e.state(base::Cycles::max(), 0, sink); }),
            "the time 9223372036854775807 does not fit a stamp of example-of-another-chip");
  Encoder late;
  ASSERT_TRUE(late.state({9}, 1, sink));
  EXPECT_EQ(refused(late, [&](Encoder& e) { return e.state({8}, 0, sink); }),
            "an event at cycle 8 comes after one at cycle 9");
  EXPECT_EQ(refused(late, [&](Encoder& e) { return e.stamp({8}, sink); }),
            "an event at cycle 8 comes after one at cycle 9");
}

}  // namespace
}  // namespace accelscope::formats::perfmon
