#include "formats/perfmon/busy_sums.h"

#include <gtest/gtest.h>

#include "formats/perfmon/intervals.h"
#include "formats/perfmon/schedules.h"

namespace accelscope::formats::perfmon {
namespace {

using base::Ticks;

constexpr auto kSu = static_cast<std::size_t>(Pipe::kSu);
constexpr auto kMte2 = static_cast<std::size_t>(Pipe::kMte2);

TEST(PerfmonBusySums, SplitsAtTheBordersOfWindows) {
  // SU busy from 100 to 200, MTE2 from 150 to 300.
  const std::vector<std::byte> bytes =
      encoded({{"state", 100, 0x01}, {"state", 150, 0x11}, {"state", 200, 0x10}, {"state", 300, 0}}, {});
  std::vector<BusyWindow> windows{{Ticks{110}, Ticks{160}},
                                  {Ticks{160}, Ticks{160}},
                                  {Ticks{160}, Ticks{180}},
                                  {Ticks{250}, Ticks{400}},
                                  {Ticks{500}, Ticks{600}}};
  BusySums sums(windows);
  Decoder<> decoder;
  decoder.feed(bytes, sums);
  sums.finish(decoder.time());
  const auto row = [](const BusyWindow& window) {
    return std::vector<std::int64_t>{window.busy[kSu].value, window.busy[kMte2].value, window.known.value};
  };
  using Row = std::vector<std::int64_t>;
  EXPECT_EQ(row(windows[0]), (Row{50, 10, 50}));
  EXPECT_EQ(row(windows[1]), (Row{0, 0, 0}));
  EXPECT_EQ(row(windows[2]), (Row{20, 20, 20}));
  EXPECT_EQ(row(windows[3]), (Row{0, 50, 50}));  // nothing is known behind 300
  EXPECT_EQ(row(windows[4]), (Row{0, 0, 0}));
  EXPECT_EQ(row(sums.outside()), (Row{30, 70, 80}));
}

TEST(PerfmonBusySums, KnowsNothingAfterALossUntilTheNextState) {
  std::vector<BusyWindow> windows{{Ticks{0}, Ticks{1000}}};
  BusySums sums(windows);
  Decoder<> decoder;
  decoder.feed(encoded({{"state", 100, 1}, {"mark", 150, 3}}, {}), sums);
  decoder.resynchronise(sums);
  decoder.feed(encoded({{"mark", 600, 3}, {"state", 700, 1}, {"state", 720, 0}}, {}), sums);
  sums.finish(decoder.time());
  EXPECT_EQ(windows[0].busy[kSu], Ticks{50 + 20});
  EXPECT_EQ(windows[0].known, Ticks{50 + 20});
}

// The same from intervals, split by hand, on schedules that also go back in time at seams.
TEST(PerfmonBusySums, AgreesWithIntervals) {
  for (std::uint64_t number = 0; number < 5'000; ++number) {
    Random random(number + 77);
    std::vector<std::byte> bytes;
    for (std::uint64_t part = 0; part < 1 + number % 3; ++part) {
      const std::vector<std::byte> more = encoded(random_schedule(number + 9 * part, kBiuPerf), {});
      bytes.insert(bytes.end(), more.begin(), more.end());
      bytes.erase(bytes.end() - static_cast<std::ptrdiff_t>(4 * random.below(3)), bytes.end());
    }
    EventList list;
    IntervalList intervals;
    IntervalBuilder builder(intervals);
    Decoder<> for_list;
    Decoder<> for_builder;
    for_list.feed(bytes, list);
    for_builder.feed(bytes, builder);
    builder.finish(for_builder.time());
    if (list.events.empty()) continue;
    std::vector<BusyWindow> windows;
    std::int64_t begin = list.events[0].time - 100;
    for (std::uint64_t i = 0; i < 6; ++i) {
      begin += static_cast<std::int64_t>(random.below(70'000)) * static_cast<std::int64_t>(random.below(2));
      const std::int64_t end = begin + static_cast<std::int64_t>(random.below(100'000));
      windows.push_back({Ticks{begin}, Ticks{end}});
      begin = end;
    }
    BusySums sums(windows);
    Decoder<> decoder;
    decoder.feed(bytes, sums);
    sums.finish(decoder.time());
    std::array<std::int64_t, kPipes> all = {};
    std::array<std::int64_t, kPipes> inside = {};
    for (const BusyWindow& window : windows) {
      std::array<std::int64_t, kPipes> expected = {};
      for (const BusyInterval& busy : intervals.intervals)
        expected[static_cast<std::size_t>(busy.pipe)] += std::max<std::int64_t>(
            0, std::min(busy.end, window.end).value - std::max(busy.begin, window.begin).value);
      for (std::size_t pipe = 0; pipe < kPipes; ++pipe) {
        ASSERT_EQ(window.busy[pipe].value, expected[pipe]) << number << ' ' << kPipeNames[pipe];
        ASSERT_LE(window.busy[pipe], window.known);
        inside[pipe] += window.busy[pipe].value;
      }
    }
    for (const BusyInterval& busy : intervals.intervals)
      all[static_cast<std::size_t>(busy.pipe)] += (busy.end - busy.begin).value;
    for (std::size_t pipe = 0; pipe < kPipes; ++pipe)
      ASSERT_EQ(inside[pipe] + sums.outside().busy[pipe].value, all[pipe]);
  }
}

}  // namespace
}  // namespace accelscope::formats::perfmon
