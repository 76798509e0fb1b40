// What actors share, on both machines: the same behaviour for one thread, and the promises between threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "runtime/thread_machine.h"
#include "runtime/virtual_machine.h"

namespace accelscope::runtime {
namespace {

struct Entry {
  int value = 0;
  Entry* next = nullptr;
};

template <class Machine>
class Words : public testing::Test {};
using Machines = testing::Types<ThreadMachine, VirtualMachine>;
TYPED_TEST_SUITE(Words, Machines);

TYPED_TEST(Words, CountersSayWhoWasLast) {
  typename TypeParam::Counter counter;
  counter.set(2);
  counter.add(1);
  EXPECT_EQ(counter.zero_from(), kNever);
  EXPECT_FALSE(counter.drop(Moment{5}));
  EXPECT_FALSE(counter.drop(Moment{5}));
  EXPECT_TRUE(counter.drop(Moment{5}));
  EXPECT_NE(counter.zero_from(), kNever);
}

TYPED_TEST(Words, ListsGiveTheLastFirstAndCloseForGood) {
  typename TypeParam::template List<Entry> list;
  list.open();
  Entry a{1}, b{2}, c{3};
  EXPECT_TRUE(list.add(&a));
  EXPECT_TRUE(list.add(&b));
  EXPECT_FALSE(list.is_closed());
  const Entry* first = list.close(Moment{});
  ASSERT_EQ(first, &b);
  EXPECT_EQ(first->next, &a);
  EXPECT_EQ(a.next, nullptr);
  EXPECT_TRUE(list.is_closed());
  EXPECT_FALSE(list.add(&c));
  list.open();
  EXPECT_EQ(list.close(Moment{}), nullptr);
}

TYPED_TEST(Words, QueuesAreFirstInFirstOut) {
  typename TypeParam::template Queue<int> queue(3);
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(queue.pop(Moment{10}), std::nullopt);
    for (int i = 0; i < 3; ++i) queue.push(i, Moment{10});
    EXPECT_EQ(queue.size(Moment{10}), 3U);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.pop(Moment{10}), i);
  }
}

TYPED_TEST(Words, StatesChangeOnlyFromWhatTheyAre) {
  typename TypeParam::State state;
  EXPECT_FALSE(state.change(1, 2));
  EXPECT_TRUE(state.change(0, 2));
  EXPECT_EQ(state.exchange(7), 2U);
  EXPECT_EQ(state.fetch_add(3), 7U);
  EXPECT_EQ(state.get(), 10U);
}

TEST(VirtualWords, AreSeenFromTheirMomentOn) {
  VirtualWord word;
  word.write(1, Moment{100});
  word.write(2, Moment{200});
  EXPECT_EQ(word.read(Moment{50}), 0U);
  EXPECT_EQ(word.next_change(Moment{50}), Moment{100});
  EXPECT_EQ(word.read(Moment{150}), 1U);
  EXPECT_EQ(word.next_change(Moment{150}), Moment{200});
  EXPECT_EQ(word.read(Moment{200}), 2U);
  EXPECT_EQ(word.next_change(Moment{200}), kNever);
}

TEST(VirtualWords, CountersAreZeroAtTheLastOfAllMoments) {
  VirtualCounter counter;
  counter.set(2);
  counter.drop(Moment{700});
  EXPECT_EQ(counter.drop(Moment{300}), Moment{700});
  EXPECT_EQ(counter.zero_from(), Moment{700});
}

TEST(VirtualWords, QueuesGiveNothingOfTheFutureAndTheEarliestFirst) {
  VirtualQueue<int> queue(8);
  queue.push(1, Moment{300});
  queue.push(2, Moment{100});
  queue.push(3, Moment{300});
  EXPECT_EQ(queue.pop(Moment{50}), std::nullopt);
  EXPECT_EQ(queue.next_change(Moment{50}), Moment{100});
  EXPECT_EQ(queue.pop(Moment{200}), 2);
  EXPECT_EQ(queue.pop(Moment{200}), std::nullopt);
  EXPECT_EQ(queue.pop(Moment{300}), 1);
  EXPECT_EQ(queue.pop(Moment{300}), 3);
}

TEST(VirtualWakes, GoByTimeThenByNumber) {
  VirtualWakes wakes({1, 2});
  wakes.begin(3, Moment{50});
  wakes.begin(1, Moment{70});
  wakes.begin(0, Moment{70});
  std::vector<std::uint32_t> order;
  while (const auto due = wakes.next()) {
    order.push_back(due->actor);
    wakes.after_step(*due, StepResult::ended(), due->at);
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{3, 0, 1}));
  EXPECT_TRUE(wakes.has_ended(3));
}

TEST(VirtualWakes, AreSeenHalfATurnLaterByWhoPolls) {
  VirtualWakes wakes({1, 0});
  wakes.begin(1, Moment{100});
  StepResult idle = StepResult::idle(kNever, 0b10);
  idle.period = Moment{40};
  wakes.after_step(*wakes.next(), idle, Moment{110});
  EXPECT_FALSE(wakes.next());
  wakes.wake_schedulers(0b01, Moment{120});  // not what it waits for
  EXPECT_FALSE(wakes.next());
  wakes.wake_schedulers(0b10, Moment{195});
  wakes.wake(1, Moment{160});
  const auto due = wakes.next();
  ASSERT_TRUE(due);
  EXPECT_EQ(due->at, Moment{180});
  EXPECT_TRUE(due->was_asleep);
}

TEST(VirtualWakes, AreNotMissedByWhoIsAwake) {
  VirtualWakes wakes({1, 0});
  wakes.begin(1, Moment{100});
  auto due = wakes.next();
  wakes.wake(1, Moment{90});   // before it began to look
  wakes.wake(1, Moment{130});  // and later
  wakes.wake(1, Moment{500});
  wakes.after_step(*due, StepResult::idle(kNever), Moment{150});
  due = wakes.next();
  ASSERT_TRUE(due);
  EXPECT_EQ(due->at, Moment{150});
  wakes.after_step(*due, StepResult::idle(kNever), Moment{160});
  due = wakes.next();
  ASSERT_TRUE(due);
  EXPECT_EQ(due->at, Moment{500});
  wakes.after_step(*due, StepResult::idle(kNever), Moment{510});
  EXPECT_FALSE(wakes.next());
}

TEST(ThreadWords, QueuesLoseNothingBetweenThreads) {
  constexpr int kThreads = 3;
  constexpr int kItems = 20'000;
  ThreadQueue<int> queue(kThreads * kItems);
  std::vector<std::atomic<int>> seen(kThreads * kItems);
  std::atomic<int> left = kThreads * kItems;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) queue.push(t * kItems + i, Moment{});
    });
    threads.emplace_back([&] {
      while (left > 0) {
        if (const auto item = queue.pop(Moment{})) {
          ++seen[static_cast<std::size_t>(*item)];
          --left;
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& times) { return times == 1; }));
}

// Every entry is either taken by whoever closes, or refused to whoever adds.
TEST(ThreadWords, ListsLoseNothingWhileTheyAreClosed) {
  for (int round = 0; round < 200; ++round) {
    ThreadList<Entry> list;
    list.open();
    std::vector<Entry> entries(50);
    std::atomic<int> refused = 0;
    std::thread adder([&] {
      for (Entry& entry : entries)
        if (!list.add(&entry)) ++refused;
    });
    if (round % 2 == 0) std::this_thread::yield();
    int taken = 0;
    for (const Entry* entry = list.close(Moment{}); entry != nullptr; entry = entry->next) ++taken;
    adder.join();
    EXPECT_EQ(taken + refused, 50);
  }
}

TEST(TickScales, RoundDown) {
  EXPECT_EQ(TickScale(base::Frequency::mhz(50)).ticks(Moment{39'999}), 1U);
  EXPECT_EQ(TickScale(base::Frequency::mhz(1000)).ticks(Moment{39'999}), 39U);
  EXPECT_EQ(TickScale(base::Frequency{3'000'000'000, 7}).ticks(Moment{7'000'000}), 3'000U);
}

}  // namespace
}  // namespace accelscope::runtime
