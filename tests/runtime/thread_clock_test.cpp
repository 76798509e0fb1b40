// The chip's counter on threads, by the system's clock and by the machine's counter.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "runtime/thread_machine.h"

namespace accelscope::runtime {
namespace {

using namespace std::chrono_literals;

class ThreadClocks : public testing::TestWithParam<bool> {
 protected:
  ThreadClock clock(base::Frequency counter) {
    const ThreadTimeBase base = ThreadTimeBase::now(counter, GetParam());
    return ThreadClock(counter, base);
  }
};

TEST_P(ThreadClocks, RunsAsFastAsTheCounter) {
  for (const base::Frequency counter : {base::Frequency::mhz(50), base::Frequency::mhz(1000),
                                        base::Frequency{1'000'000'000, 3}, base::Frequency::mhz(100'000)}) {
    ThreadClock one = clock(counter);
    const auto from = std::chrono::steady_clock::now();
    const std::uint64_t begin = one.now();
    std::this_thread::sleep_for(20ms);
    const std::uint64_t end = one.now();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
    EXPECT_GE(begin, one.at_the_beginning());
    EXPECT_GT(one.at_the_beginning(), 0U);
    // The looks at both clocks are apart by as long as somebody else had the processor; never the other way.
    const double ticks_per_second = 1 / counter.to_seconds({1});
    EXPECT_LE(static_cast<double>(end - begin), 1.001 * ticks_per_second * took.count());
    EXPECT_GE(static_cast<double>(end - begin), 0.999 * ticks_per_second * 0.02);
    EXPECT_EQ(one.reads(), 2U);
  }
}

// Who has seen what another thread did reads no earlier time than that one had read.
TEST_P(ThreadClocks, NeverRunsBackwardsFromThreadToThread) {
  const base::Frequency counter = base::Frequency::mhz(1000);
  const ThreadClock made = clock(counter);
  std::atomic<std::uint64_t> last = 0;
  std::atomic<std::uint32_t> backwards = 0;
  std::atomic<std::uint32_t> turn = 0;
  constexpr std::uint32_t kTurns = 400;
  const auto play = [&](std::uint32_t me) {
    ThreadClock mine = made;
    for (;;) {
      const std::uint32_t now = turn.load(std::memory_order_acquire);
      if (now >= kTurns) return;
      if (now % 2 != me) {
        std::this_thread::yield();
        continue;
      }
      const std::uint64_t time = mine.now();
      if (time < last.load(std::memory_order_relaxed)) ++backwards;
      last.store(time, std::memory_order_relaxed);
      turn.store(now + 1, std::memory_order_release);
    }
  };
  std::thread other(play, 1);
  play(0);
  other.join();
  EXPECT_EQ(backwards, 0U);
}

INSTANTIATE_TEST_SUITE_P(By, ThreadClocks, testing::Bool(), [](const auto& instance) {
  return instance.param ? "TheMachinesCounter" : "TheSystemsClock";
});

TEST(CounterScale, IsOfSlowerCountersOnly) {
  const base::Frequency machine = base::Frequency::mhz(2000);
  EXPECT_FALSE(CounterScale::make(machine, base::Frequency::mhz(2000)));
  EXPECT_FALSE(CounterScale::make(machine, base::Frequency::unknown()));
  EXPECT_FALSE(CounterScale::make(base::Frequency::unknown(), machine));
  const auto scale = CounterScale::make(machine, base::Frequency::mhz(500));
  ASSERT_TRUE(scale);
  EXPECT_EQ(scale->scaled(0), 0U);
  EXPECT_EQ(scale->scaled(4'000'000'000'000'000'000), 1'000'000'000'000'000'000U);
}

}  // namespace
}  // namespace accelscope::runtime
