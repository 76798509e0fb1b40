#include "base/together.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace accelscope::base {
namespace {

TEST(Together, DoesEveryJobOnce) {
  std::vector<std::atomic<int>> done(100);
  std::vector<std::function<void()>> jobs;
  for (std::atomic<int>& count : done) jobs.emplace_back([&count] { ++count; });
  do_together(jobs);
  for (const std::atomic<int>& count : done) EXPECT_EQ(count, 1);
  do_together({});
}

TEST(Together, WorksOnTwoJobsAtTheSameTime) {
  std::atomic<int> there{0};
  // Neither can end before the other has begun.
  const auto meet = [&there] {
    ++there;
    while (there < 2) std::this_thread::yield();
  };
  do_together({meet, meet});
  EXPECT_EQ(there, 2);
}

TEST(Together, PassesExceptionsOn) {
  for (const std::size_t failing : {std::size_t{0}, std::size_t{1}}) {
    std::atomic<int> done{0};
    std::vector<std::function<void()>> jobs(2, [&done] { ++done; });
    jobs[failing] = [] { throw std::runtime_error("no"); };
    EXPECT_THROW(do_together(jobs), std::runtime_error);
    EXPECT_LE(done, 1);
  }
}

}  // namespace
}  // namespace accelscope::base
