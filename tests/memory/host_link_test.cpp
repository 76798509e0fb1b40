#include "memory/host_link.h"

#include <gtest/gtest.h>

#include <vector>

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::Picoseconds;

HostLink link_of(const HostLinkOptions& options) {
  return *HostLink::make(options);
}

std::vector<std::int64_t> ends(HostLink& link) {
  std::vector<std::int64_t> times;
  while (const auto done = link.next({1'000'000'000})) times.push_back(done->end.value);
  return times;
}

TEST(HostLink, OneAfterTheOtherEachWithItsLatency) {
  HostLink link = link_of({.bandwidth = {1'000'000'000}, .latency = {500}});
  link.submit({1}, LinkDirection::kToBoard, {0}, true);
  link.submit({2}, LinkDirection::kToHost, {100}, true);
  EXPECT_EQ(link.next_end().value, 1500);
  EXPECT_EQ(ends(link), (std::vector<std::int64_t>{1500, 4000}));
  const ModelStatistics statistics = link.statistics();
  EXPECT_EQ(statistics.traffic.bytes_read.value, 1);
  EXPECT_EQ(statistics.traffic.bytes_written.value, 2);
  EXPECT_EQ(statistics.counters.front().value, 4000);
}

TEST(HostLink, LatencyHidesBehindBytesWhereSeveralAreOutstanding) {
  HostLink link = link_of({.bandwidth = {1'000'000'000}, .latency = {500}, .outstanding = 2});
  for (int i = 0; i < 3; ++i) link.submit({1}, LinkDirection::kToBoard, {0}, true);
  EXPECT_EQ(ends(link), (std::vector<std::int64_t>{1500, 2500, 3500}));
}

TEST(HostLink, UrgentOnesGoFirst) {
  HostLink link = link_of({.bandwidth = {1'000'000'000'000}});
  link.submit({10}, LinkDirection::kToBoard, {0}, false);
  const HostLink::Id later = link.submit({20}, LinkDirection::kToBoard, {0}, false);
  const HostLink::Id hurried = link.submit({30}, LinkDirection::kToBoard, {0}, false);
  const HostLink::Id urgent = link.submit({40}, LinkDirection::kToBoard, {0}, true);
  link.hurry(hurried);
  std::vector<HostLink::Id> order;
  while (const auto done = link.next({1000})) order.push_back(done->id);
  EXPECT_EQ(order, (std::vector<HostLink::Id>{0, urgent, hurried, later}));
}

TEST(HostLink, RoundsUpAndIsNeverFree) {
  EXPECT_EQ(link_of({.bandwidth = {3}}).time_of({1}).value, 333'333'333'334);
  EXPECT_EQ(link_of({.bandwidth = base::BytesPerSecond::max()}).time_of({1}).value, 1);
  EXPECT_EQ(link_of({.bandwidth = {60'000'000}}).time_of({20'000'000'000}).value, 333'333'333'333'334);
  EXPECT_EQ(link_of({.bandwidth = {1}}).time_of(Bytes::max()), Picoseconds::max());
}

TEST(HostLink, RefusesWhatMakesNoSense) {
  EXPECT_EQ(HostLink::make({.bandwidth = {0}}).error().message,
            "a host link of 0 bytes a second: expected at least 1");
  EXPECT_EQ(HostLink::make({.latency = {-1}}).error().message,
            "a host link with a latency of -1 ps: expected 0 or more");
  EXPECT_EQ(HostLink::make({.outstanding = 0}).error().message,
            "a host link of 0 outstanding transfers: expected at least 1");
}

}  // namespace
}  // namespace accelscope::memory
