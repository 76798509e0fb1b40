// Packed busy times against a plain list, and owners found by walking against a plain search.
#include "formats/chip_run/busy_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "formats/chip_run/dispatch_windows.h"

namespace accelscope::formats::chip_run {
namespace {

using base::Ticks;

auto fields(const BusyTime& busy) {
  return std::tuple(busy.begin.value, busy.end.value, busy.begin_unknown, busy.end_unknown);
}

std::vector<BusyTime> times_in(const BusyList& list) {
  std::vector<BusyTime> times;
  list.for_each([&](const BusyTime& busy) { times.push_back(busy); });
  return times;
}

void expect_times(const BusyList& list, const std::vector<BusyTime>& expected) {
  const std::vector<BusyTime> times = times_in(list);
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) ASSERT_EQ(fields(times[i]), fields(expected[i])) << i;
}

void add(BusyList& list, const BusyTime& busy) {
  busy.begin_unknown ? list.turn_about(busy.begin) : list.turn(busy.begin);
  list.turn_if(false, busy.end);
  busy.end_unknown ? list.turn_about(busy.end) : list.turn(busy.end);
}

TEST(BusyList, KeepsWhatWasAdded) {
  std::mt19937_64 random(3);
  BusyList list;
  EXPECT_TRUE(list.empty());
  std::vector<BusyTime> expected;
  std::int64_t now = 0;
  const auto step = [&] {
    const std::uint64_t kind = random() % 64;
    if (kind == 0) return std::int64_t{0xFFFFFFFE} + static_cast<std::int64_t>(random() % 3);
    return static_cast<std::int64_t>(kind == 1 ? random() >> 24U : random() % 2000);
  };
  for (int i = 0; i < 50'000; ++i) {
    BusyTime busy;
    busy.begin = Ticks{now += step()};
    busy.end = Ticks{now += step()};
    busy.begin_unknown = random() % 100 == 0;
    busy.end_unknown = random() % 100 == 0;
    add(list, busy);
    expected.push_back(busy);
  }
  EXPECT_FALSE(list.empty());
  expect_times(list, expected);
  list.put_in_order();
  expect_times(list, expected);
}

TEST(BusyList, PutsInOrderWhatCameOutOfIt) {
  std::mt19937_64 random(5);
  BusyList list;
  std::vector<BusyTime> expected;
  for (int i = 0; i < 20'000; ++i) {
    const Ticks begin{static_cast<std::int64_t>(random() % 5000)};
    const BusyTime busy{begin, begin + Ticks{static_cast<std::int64_t>(random() % 50)}, i % 7 == 0,
                        i % 11 == 0};
    add(list, busy);
    expected.push_back(busy);
  }
  expect_times(list, expected);
  list.put_in_order();
  std::stable_sort(expected.begin(), expected.end(),
                   [](const BusyTime& a, const BusyTime& b) { return a.begin < b.begin; });
  expect_times(list, expected);
}

std::uint32_t owner_by_rules(const DispatchWindows& windows, Ticks begin, Ticks end) {
  std::uint32_t ends_in = windows.count();
  std::uint32_t covers = windows.count();
  for (std::uint32_t i = 0; i < windows.count(); ++i) {
    if (windows.start(i) <= begin && begin < windows.end(i)) return i;
    const bool begins_inside = windows.start(i) > begin && windows.start(i) < end;
    if (begins_inside && end <= windows.end(i)) ends_in = i;
    if (begins_inside && covers == windows.count()) covers = i;
  }
  return ends_in < windows.count() ? ends_in : covers;
}

TEST(OwnerSearch, FindsWhatTheRulesSayInAnyOrder) {
  std::mt19937_64 random(7);
  trace::SliceTable slices;
  Ticks now{100};
  for (int i = 0; i < 40; ++i) {
    now += Ticks{static_cast<std::int64_t>(random() % 30)};
    slices.start.push_back(now);
    slices.duration.push_back(Ticks{1 + static_cast<std::int64_t>(random() % 30)});
    slices.task.push_back(trace::TaskId::kNone);
    now += slices.duration[slices.start.size() - 1];
  }
  const DispatchWindows windows(slices, {0, 40});
  ASSERT_TRUE(windows.all_there());
  OwnerSearch search(windows);
  for (int i = 0; i < 20'000; ++i) {
    const Ticks begin{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(now.value + 200))};
    const Ticks end = begin + Ticks{static_cast<std::int64_t>(random() % (i % 2 == 0 ? 20 : 300))};
    ASSERT_EQ(search.owner_of(begin, end), owner_by_rules(windows, begin, end))
        << begin.value << " " << end.value;
    const std::uint32_t in = search.at(end);
    const std::uint32_t expected = owner_by_rules(windows, end, end);
    ASSERT_EQ(in, expected) << end.value;
  }
}

}  // namespace
}  // namespace accelscope::formats::chip_run
