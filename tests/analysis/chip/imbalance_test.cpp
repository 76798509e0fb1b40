#include "analysis/chip/imbalance.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::analysis::chip {
namespace {

using tests::ChipSketch;
using trace::TaskId;
using trace::Trace;

std::vector<EngineBalance> balance_of(const Trace& trace) {
  const trace::ChipRun chip = trace::chip_run(trace);
  return imbalance(chip, core_time(trace, chip, task_times(trace, chip)));
}

TEST(Imbalance, ComparesTheCoresOfAnEngine) {
  ChipSketch chip(1, 4);
  const TaskId a = chip.task(0, "A", "AIV");
  chip.run(1, a, {.start = 0, .end = 10});
  chip.run(2, a, {.start = 0, .end = 30});
  chip.run(4, a, {.start = 5, .end = 5});  // worked, in no time
  const std::vector<EngineBalance> balance = balance_of(chip.finish());
  ASSERT_EQ(balance.size(), 2U);
  EXPECT_EQ(balance[0].engine, "AIC");
  EXPECT_EQ(balance[0].imbalance(), 0);
  EXPECT_EQ(balance[0].idle_cores, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(balance[1].cores, 4U);
  EXPECT_EQ(balance[1].busy_min, Ticks{0});
  EXPECT_EQ(balance[1].busy_max, Ticks{30});
  EXPECT_DOUBLE_EQ(balance[1].busy_mean(), 10);
  EXPECT_DOUBLE_EQ(balance[1].imbalance(), 3);
  EXPECT_EQ(balance[1].busiest, 2U);
  EXPECT_EQ(balance[1].idle_cores, (std::vector<std::uint32_t>{3}));
}

TEST(Imbalance, NoCoresNoBalance) {
  EXPECT_TRUE(balance_of(ChipSketch(0, 0).finish()).empty());
}

}  // namespace
}  // namespace accelscope::analysis::chip
