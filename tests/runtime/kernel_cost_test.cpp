#include "runtime/kernel_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "runtime/kernel_work.h"
#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

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

// Four tiles of 20 cycles to load, 10 to compute and 10 to store.
constexpr Work kLoop = {.vector_operations = 4000, .bytes_read = 800, .bytes_written = 200, .tiles = 4};

TEST(KernelCosts, AreThoseOfTheLoopOnceItsBuffersAreSaid) {
  const auto of = [&](std::uint32_t buffers) {
    Work work = kLoop;
    work.buffers = buffers;
    return cost_of(work, ACCELSCOPE_ENGINE_VECTOR, simple_costs());
  };
  EXPECT_EQ(of(0).duration, device::Picoseconds{180'000}) << "tiles alone change nothing";
  EXPECT_EQ(of(1).duration, device::Picoseconds{230'000}) << "a load waits for the computation before it";
  EXPECT_EQ(of(2).duration, device::Picoseconds{200'000}) << "one tile is filled while another is emptied";
  EXPECT_EQ(of(64).duration, device::Picoseconds{200'000});
  EXPECT_EQ(of(1).counts.mte2_busy, of(0).counts.mte2_busy) << "counters show the work";
  EXPECT_EQ(of(1).counts.mte3_busy, 40U);
  EXPECT_EQ(of(1).counts.total_cycles, 230U);

  Work with_time = kLoop;
  with_time.buffers = 1;
  with_time.nanoseconds = 1000;
  EXPECT_EQ(cost_of(with_time, ACCELSCOPE_ENGINE_VECTOR, simple_costs()).duration,
            device::Picoseconds{1'230'000});
  EXPECT_EQ(cost_of(Work{.buffers = 1}, ACCELSCOPE_ENGINE_VECTOR, simple_costs()).duration,
            device::Picoseconds{100'000});
}

TEST(KernelCosts, FollowWhatTheGraphSaysOfPipes) {
  static constexpr accelscope_pipe_phase kPhases[] = {{ACCELSCOPE_PIPE_VEC, 0, 5}};
  const accelscope_kernel kernel = {.name = "loop",
                                    .engine = ACCELSCOPE_ENGINE_VECTOR,
                                    .run = nullptr,
                                    .check = nullptr,
                                    .work = [](const accelscope_kernel_call*, accelscope_kernel_work* work) {
                                      work->tiles = 3;
                                      work->buffers = 2;
                                      work->pipe_phases = kPhases;
                                      work->pipe_phase_count = 1;
                                      work->pipe_cycles = 10;
                                    }};
  const accelscope_kernel_call call = {};
  const auto work = [&](Pipes pipes) {
    return work_of(Function{.name = "f", .kernel = "loop", .pipes = pipes}, kernel, call);
  };
  EXPECT_EQ(work({}).tiles, 3U);
  EXPECT_EQ(work({}).buffers, 2U);
  EXPECT_EQ(work({}).pipe_phase_count, 1U);
  EXPECT_EQ(work({.tiles = 5}).tiles, 5U);
  EXPECT_EQ(work({.tiles = 5}).buffers, 2U) << "as the kernel says";
  EXPECT_EQ(work({.buffers = 1}).tiles, 3U);
  EXPECT_EQ(work({.buffers = 1}).buffers, 1U);
  EXPECT_EQ(work({.buffers = 1}).pipe_phase_count, 0U) << "which was of another loop";
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
  std::uint32_t buffers = 0;
  const auto duration = [&](double amount) {
    return cost_of(Work{.multiply_adds = amount,
                        .bytes_written = amount,
                        .nanoseconds = amount,
                        .buffers = buffers},
                   ACCELSCOPE_ENGINE_CUBE, costs)
        .duration;
  };
  constexpr device::Picoseconds kDay{86'400'000'000'000'000};
  for (buffers = 0; buffers < 3; ++buffers) {
    EXPECT_EQ(duration(-5), costs.kernel_start);
    EXPECT_EQ(duration(std::nan("")), costs.kernel_start);
    EXPECT_EQ(duration(HUGE_VAL), kDay + costs.kernel_start);
    EXPECT_EQ(duration(std::numeric_limits<double>::max()), kDay + costs.kernel_start);
  }
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
