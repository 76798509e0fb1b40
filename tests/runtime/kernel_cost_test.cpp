#include "runtime/kernel_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

// With names for those that are not zero.
struct Work {
  double multiply_adds = 0;
  double vector_operations = 0;
  double scalar_operations = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double nanoseconds = 0;

  operator accelscope_kernel_work() const {
    return {multiply_adds, vector_operations, scalar_operations, bytes_read, bytes_written, nanoseconds};
  }
};

// A clock of 1 GHz, so that a cycle is a nanosecond.
device::Costs simple_costs() {
  device::Costs costs;
  costs.core_clock_mhz = 1000;
  costs.kernel_start = {100'000};
  costs.cube_multiply_adds_per_cycle = 1000;
  costs.vector_operations_per_cycle = 100;
  costs.scalar_operations_per_cycle = 1;
  costs.bytes_per_cycle_read = 10;
  costs.bytes_per_cycle_written = 5;
  costs.bytes_per_cycle_moved = 50;
  return costs;
}

TEST(KernelCosts, AreThoseOfTheBusiestPipe) {
  const device::Costs costs = simple_costs();
  const auto duration = [&](const Work& work) {
    return cost_of(work, ACCELSCOPE_ENGINE_VECTOR, costs).duration;
  };
  EXPECT_EQ(duration({}), device::Picoseconds{100'000}) << "what every call costs";
  EXPECT_EQ(duration({.multiply_adds = 7000}), device::Picoseconds{107'000});
  EXPECT_EQ(duration({.vector_operations = 900}), device::Picoseconds{109'000});
  EXPECT_EQ(duration({.scalar_operations = 11}), device::Picoseconds{111'000});
  EXPECT_EQ(duration({.bytes_read = 120}), device::Picoseconds{112'000});
  EXPECT_EQ(duration({.bytes_written = 65}), device::Picoseconds{113'000});
  EXPECT_EQ(duration({.vector_operations = 900, .bytes_read = 120, .bytes_written = 5}),
            device::Picoseconds{112'000})
      << "pipes work side by side";
  EXPECT_EQ(duration({.vector_operations = 900, .nanoseconds = 50}), device::Picoseconds{159'000})
      << "time comes on top";
}

TEST(KernelCosts, BecomeCounters) {
  const Work work = {.multiply_adds = 20'000, .scalar_operations = 3, .bytes_read = 100, .bytes_written = 40};
  const device::PmuCounts counts = cost_of(work, ACCELSCOPE_ENGINE_CUBE, simple_costs()).counts;
  EXPECT_EQ(counts.total_cycles, 120U);
  EXPECT_EQ(counts.cube_busy, 20U);
  EXPECT_EQ(counts.scalar_busy, 3U);
  EXPECT_EQ(counts.mte1_busy, 2U);
  EXPECT_EQ(counts.mte2_busy, 10U);
  EXPECT_EQ(counts.mte3_busy, 8U);
  EXPECT_EQ(counts.vector_busy, 0U);
  EXPECT_EQ(counts.bytes_read, 100U);
  EXPECT_EQ(counts.bytes_written, 40U);
  EXPECT_EQ(cost_of(work, ACCELSCOPE_ENGINE_VECTOR, simple_costs()).counts.mte1_busy, 0U);
}

TEST(KernelCosts, DifferByTheJitterAlone) {
  device::Costs costs = simple_costs();
  costs.jitter = 0.1;
  const Work work = {.nanoseconds = 1'000'000};
  std::set<device::Picoseconds> durations;
  double sum = 0;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const CallIdentity call = {.task = i / 4, .block = i % 4};
    const device::Picoseconds duration = cost_of(work, ACCELSCOPE_ENGINE_VECTOR, costs, call).duration;
    EXPECT_EQ(cost_of(work, ACCELSCOPE_ENGINE_VECTOR, costs, call).duration, duration) << "the same again";
    const double factor = static_cast<double>((duration - costs.kernel_start).value) / 1e9;
    EXPECT_GE(factor, 0.9);
    EXPECT_LE(factor, 1.1);
    sum += factor;
    durations.insert(duration);
  }
  EXPECT_GT(durations.size(), 990U);
  EXPECT_NEAR(sum / 1000, 1, 0.01);
  const CallIdentity call = {.task = 7};
  const device::Picoseconds first = cost_of(work, ACCELSCOPE_ENGINE_VECTOR, costs, call).duration;
  EXPECT_NE(cost_of(work, ACCELSCOPE_ENGINE_VECTOR, costs, {.task = 7, .lane = 1}).duration, first);
  costs.seed = 2;
  EXPECT_NE(cost_of(work, ACCELSCOPE_ENGINE_VECTOR, costs, call).duration, first);
}

TEST(KernelCosts, BearWorkThatIsNone) {
  const device::Costs costs = simple_costs();
  const auto duration = [&](double amount) {
    return cost_of(Work{.multiply_adds = amount, .bytes_written = amount, .nanoseconds = amount},
                   ACCELSCOPE_ENGINE_CUBE, costs)
        .duration;
  };
  EXPECT_EQ(duration(-5), costs.kernel_start);
  EXPECT_EQ(duration(std::nan("")), costs.kernel_start);
  constexpr device::Picoseconds kDay{86'400'000'000'000'000};
  EXPECT_EQ(duration(HUGE_VAL), kDay + costs.kernel_start);
  EXPECT_EQ(duration(std::numeric_limits<double>::max()), kDay + costs.kernel_start);
}

TEST(KernelCosts, AreGuessedWhereAKernelSaysNothing) {
  Tensor a = empty_tensor(DataType::kFloat16, {8, 4});
  Tensor out = empty_tensor(DataType::kFloat32, {8, 4});
  const PreparedCall call = prepared({{a, kRead}, {out, kBoth}}, {});
  const accelscope_kernel silent = {.name = "silent",
                                    .engine = ACCELSCOPE_ENGINE_VECTOR,
                                    .run = nullptr,
                                    .check = nullptr,
                                    .work = nullptr};
  const accelscope_kernel_call part = call.block(1, 2);
  const accelscope_kernel_work work = work_of(silent, part);
  EXPECT_EQ(work.bytes_read, 32 + 64);
  EXPECT_EQ(work.bytes_written, 64);
  EXPECT_EQ(work.vector_operations, 16);
  EXPECT_EQ(work.multiply_adds, 0);
  const accelscope_kernel_work spun = work_of(kernel_named("spin"), prepared({}, {20}).block(0, 1));
  EXPECT_EQ(spun.nanoseconds, 20'000);
}

}  // namespace
}  // namespace accelscope::runtime
