#include "runtime/home_processor.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <utility>

#include "base/beside.h"

namespace accelscope::runtime {
namespace {

constexpr std::uint32_t kManyThreads = std::numeric_limits<std::uint32_t>::max();

// In a thread of its own: the test's stays as it is.
template <class Work>
void in_a_thread(Work&& work) {
  std::thread(std::forward<Work>(work)).join();
}

TEST(HomeProcessor, NobodyHasOneWhereThereIsAProcessorForEachThread) {
  in_a_thread([] {
    HomeProcessor home(0, 1);
    EXPECT_FALSE(home.has_home());
    home.go_back();
  });
}

TEST(HomeProcessor, AThreadMayUseAllProcessorsAtHome) {
  in_a_thread([] {
    const cpu_set_t before = base::own_processors();
    for (std::uint32_t number = 0; number < 5; ++number) {
      HomeProcessor home(number, kManyThreads);
      EXPECT_TRUE(home.has_home());
      home.go_back();
      const cpu_set_t after = base::own_processors();
      EXPECT_TRUE(CPU_EQUAL(&before, &after));
    }
  });
}

TEST(HomeProcessor, AThreadThatMayNotUseItStaysWhereItIs) {
  in_a_thread([] {
    const cpu_set_t all = base::own_processors();
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor only";
    HomeProcessor home(0, kManyThreads);
    unsigned first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    cpu_set_t others = all;
    CPU_CLR(first, &others);
    base::use_processors(others);
    home.go_back();
    const cpu_set_t after = base::own_processors();
    EXPECT_TRUE(CPU_EQUAL(&others, &after));
    EXPECT_NE(sched_getcpu(), static_cast<int>(first));
  });
}

TEST(HomeProcessor, AThreadThatWasMovedGoesBack) {
  in_a_thread([] {
    const cpu_set_t all = base::own_processors();
    if (CPU_COUNT(&all) < 2) GTEST_SKIP() << "there is one processor only";
    unsigned first = 0;
    while (!CPU_ISSET(first, &all)) ++first;
    cpu_set_t others = all;
    CPU_CLR(first, &others);
    HomeProcessor home(0, kManyThreads);
    // The system may move it at any time, so that one of several looks is enough.
    bool was_there = false;
    for (int i = 0; i < 100 && !was_there; ++i) {
      base::use_processors(others);
      base::use_processors(all);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      home.go_back();
      was_there = sched_getcpu() == static_cast<int>(first);
    }
    EXPECT_TRUE(was_there);
  });
}

}  // namespace
}  // namespace accelscope::runtime
