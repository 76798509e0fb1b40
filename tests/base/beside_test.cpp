#include "base/beside.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

namespace accelscope::base {
namespace {

TEST(Beside, AnswersWithAndWithoutAThread) {
  for (const bool with_thread : {true, false}) {
    const std::thread::id here = std::this_thread::get_id();
    std::thread::id worker;
    Beside<std::string> work(
        [&] {
          worker = std::this_thread::get_id();
          return std::string("done");
        },
        with_thread);
    EXPECT_TRUE(work.valid());
    EXPECT_EQ(work.get(), "done");
    EXPECT_FALSE(work.valid());
    EXPECT_EQ(worker != here, with_thread);
  }
}

TEST(Beside, HandsOnWhatTheWorkThrows) {
  for (const bool with_thread : {true, false}) {
    Beside<int> work([]() -> int { throw std::runtime_error("no"); }, with_thread);
    EXPECT_THROW(work.get(), std::runtime_error);
  }
}

TEST(Beside, WaitsForWorkThatNobodyAsksFor) {
  std::atomic<int> done = 0;
  {
    Beside<void> first([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++done;
    });
    first = Beside<void>([&] { ++done; });  // the first one's end is waited for here
    EXPECT_GE(done.load(), 1);
  }
  EXPECT_EQ(done.load(), 2);
}

TEST(Beside, WorkWithoutAThreadThatNobodyAsksForIsNotDone) {
  bool done = false;
  {
    const Beside<void> work([&] { done = true; }, false);
  }
  EXPECT_FALSE(done);
  EXPECT_FALSE(Beside<int>().valid());
}

TEST(Beside, ItsThreadMayUseTheProcessorsOfItsMaker) {
  const int mine = [] {
    const cpu_set_t own = own_processors();
    return CPU_COUNT(&own);
  }();
  // The maker's wish and the thread's own may come in either order; each leaves at least one processor.
  Beside<int> work([] {
    const cpu_set_t own = own_processors();
    return CPU_COUNT(&own);
  });
  const int there = work.get();
  EXPECT_GE(there, 1);
  EXPECT_LE(there, mine);
}

}  // namespace
}  // namespace accelscope::base
