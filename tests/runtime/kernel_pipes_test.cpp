#include "runtime/kernel_pipes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/kernel_cost.h"
#include "runtime/kernel_work.h"
#include "runtime/kernels/kernel_harness.h"

namespace accelscope::runtime {
namespace {

using device::Pipe;
using device::PipeMark;
using device::PipePhase;
using device::PipeSchedule;

PipeSchedule on_vector(const accelscope_kernel_work& work) {
  return pipes_of(work, ACCELSCOPE_ENGINE_VECTOR, simple_costs());
}
PipeSchedule on_cube(const accelscope_kernel_work& work) {
  return pipes_of(work, ACCELSCOPE_ENGINE_CUBE, simple_costs());
}

std::int64_t busy(const PipeSchedule& schedule, Pipe pipe) {
  return device::busy_of(schedule)[static_cast<std::size_t>(pipe)];
}

std::vector<PipePhase> phases_of(const PipeSchedule& schedule, Pipe pipe) {
  std::vector<PipePhase> phases;
  std::ranges::copy_if(schedule.phases, std::back_inserter(phases),
                       [&](const PipePhase& phase) { return phase.pipe == pipe; });
  return phases;
}

TEST(KernelPipes, HaveTheNumbersOfTheFormat) {
  EXPECT_EQ(ACCELSCOPE_PIPE_SU, static_cast<int>(Pipe::kSu));
  EXPECT_EQ(ACCELSCOPE_PIPE_VEC, static_cast<int>(Pipe::kVec));
  EXPECT_EQ(ACCELSCOPE_PIPE_CUBE, static_cast<int>(Pipe::kCube));
  EXPECT_EQ(ACCELSCOPE_PIPE_MTE1, static_cast<int>(Pipe::kMte1));
  EXPECT_EQ(ACCELSCOPE_PIPE_MTE2, static_cast<int>(Pipe::kMte2));
  EXPECT_EQ(ACCELSCOPE_PIPE_MTE3, static_cast<int>(Pipe::kMte3));
  EXPECT_EQ(ACCELSCOPE_PIPE_FIXP, static_cast<int>(Pipe::kFixp));
}

TEST(KernelPipes, OfAVectorCoreLoadComputeAndStoreBehindTheSetup) {
  Work work = {.vector_operations = 4000, .bytes_read = 800, .bytes_written = 200, .tiles = 4, .buffers = 2};
  const PipeSchedule two = on_vector(work);
  EXPECT_EQ(two.length, 200);
  EXPECT_EQ(phases_of(two, Pipe::kSu), (std::vector<PipePhase>{{Pipe::kSu, 0, 100}}));
  EXPECT_EQ(phases_of(two, Pipe::kMte2).front(), (PipePhase{Pipe::kMte2, 100, 120}));
  EXPECT_EQ(phases_of(two, Pipe::kVec).front(), (PipePhase{Pipe::kVec, 120, 130}));
  EXPECT_EQ(phases_of(two, Pipe::kMte3).front(), (PipePhase{Pipe::kMte3, 130, 140}));
  EXPECT_EQ(phases_of(two, Pipe::kVec).size(), 4U) << "one for each tile";
  EXPECT_EQ(busy(two, Pipe::kMte2), 80);
  EXPECT_EQ(busy(two, Pipe::kVec), 40);
  EXPECT_EQ(busy(two, Pipe::kMte3), 40);
  EXPECT_EQ(busy(two, Pipe::kCube) + busy(two, Pipe::kMte1) + busy(two, Pipe::kFixp), 0);

  work.buffers = 1;
  const PipeSchedule one = on_vector(work);
  EXPECT_EQ(one.length, 230);
  EXPECT_EQ(busy(one, Pipe::kMte2), 80) << "the same work";
  EXPECT_EQ(phases_of(one, Pipe::kMte2)[1], (PipePhase{Pipe::kMte2, 130, 150})) << "behind the computation";
}

TEST(KernelPipes, OfACubeCorePassEveryTileOn) {
  const Work work = {
      .multiply_adds = 80'000, .bytes_read = 400, .bytes_written = 400, .tiles = 4, .buffers = 2};
  const PipeSchedule schedule = on_cube(work);
  EXPECT_EQ(busy(schedule, Pipe::kMte2), 40);
  EXPECT_EQ(busy(schedule, Pipe::kMte1), 8);
  EXPECT_EQ(busy(schedule, Pipe::kCube), 80);
  EXPECT_EQ(busy(schedule, Pipe::kFixp), 8) << "at the pace of the memories of a core";
  EXPECT_EQ(busy(schedule, Pipe::kMte3), 80);
  EXPECT_EQ(busy(schedule, Pipe::kVec), 0);
  std::int64_t before = 100;
  for (const Pipe pipe : {Pipe::kMte2, Pipe::kMte1, Pipe::kCube, Pipe::kFixp, Pipe::kMte3}) {
    EXPECT_EQ(phases_of(schedule, pipe).front().begin, before) << name_of(pipe);
    before = phases_of(schedule, pipe).front().end;
  }
}

TEST(KernelPipes, KeepTheScalarUnitBusyForEachTile) {
  const Work work = {.scalar_operations = 40, .bytes_read = 800, .tiles = 4, .buffers = 2};
  const PipeSchedule schedule = on_vector(work);
  EXPECT_EQ(busy(schedule, Pipe::kSu), 140);
  EXPECT_EQ(phases_of(schedule, Pipe::kSu).size(), 5U);
  EXPECT_EQ(schedule.length, 220) << "a tile is handed out before it is loaded";
  const PipeSchedule alone = on_vector(Work{.scalar_operations = 40, .tiles = 4, .buffers = 2});
  EXPECT_EQ(alone.length, 140);
  EXPECT_EQ(busy(alone, Pipe::kSu), 140);
}

TEST(KernelPipes, SqueezeTheLoopIntoTheTimeWhenNobodySaysItsBuffers) {
  const Work work = {.vector_operations = 4000, .bytes_read = 800, .bytes_written = 200, .tiles = 4};
  const PipeSchedule schedule = on_vector(work);
  EXPECT_EQ(schedule.length, 180) << "as long as the call";
  EXPECT_EQ(busy(schedule, Pipe::kSu), 100) << "setting up is not squeezed";
  EXPECT_EQ(busy(schedule, Pipe::kMte2), 64) << "80 of 100 cycles, in 80";
  Work usual = work;
  usual.tiles = 0;
  EXPECT_EQ(phases_of(on_vector(usual), Pipe::kVec).size(), kUsualTiles);
}

TEST(KernelPipes, LeaveOutWhatHasNothingToDo) {
  // With one buffer, loads and stores of a copy take turns: nothing lies between them.
  const PipeSchedule copy =
      on_vector(Work{.bytes_read = 400, .bytes_written = 200, .tiles = 4, .buffers = 1});
  EXPECT_EQ(copy.length, 100 + 80);
  EXPECT_EQ(busy(copy, Pipe::kVec), 0);
  EXPECT_EQ(on_vector({}), (PipeSchedule{.length = 100, .phases = {{Pipe::kSu, 0, 100}}})) << "only set up";
  EXPECT_EQ(on_vector(Work{.tiles = 7, .buffers = 1}), on_vector({}));
  const PipeSchedule spun = on_vector(Work{.nanoseconds = 500});
  EXPECT_EQ(spun.length, 600);
  EXPECT_EQ(busy(spun, Pipe::kSu), 600) << "who waits looks at the clock";
  device::Costs nothing = simple_costs();
  nothing.kernel_start = {};
  EXPECT_EQ(pipes_of({}, ACCELSCOPE_ENGINE_CUBE, nothing),
            (PipeSchedule{.length = 1, .phases = {{Pipe::kSu, 0, 1}}}));
}

TEST(KernelPipes, TakeAsLongAsTheCall) {
  device::Costs costs;
  for (const std::uint32_t engine : {ACCELSCOPE_ENGINE_CUBE, ACCELSCOPE_ENGINE_VECTOR})
    for (std::uint32_t buffers = 0; buffers < 4; ++buffers)
      for (const std::uint32_t tiles : {0U, 1U, 3U, 7U, 100U, 4096U, 5000U}) {
        const Work work = {.multiply_adds = engine == ACCELSCOPE_ENGINE_CUBE ? 1e6 : 0,
                           .vector_operations = 33'333,
                           .scalar_operations = 77,
                           .bytes_read = 100'000,
                           .bytes_written = 12'345,
                           .nanoseconds = 99,
                           .tiles = tiles,
                           .buffers = buffers};
        const PipeSchedule schedule = pipes_of(work, engine, costs);
        ASSERT_TRUE(device::check(schedule));
        EXPECT_NEAR(static_cast<double>(schedule.length),
                    static_cast<double>(cost_of(work, engine, costs).counts.total_cycles), 2)
            << tiles << " tiles, " << buffers << " buffers";
        EXPECT_LE(schedule.phases.size(), 7U * kMaxTiles + 2);
      }
}

TEST(KernelPipes, AreExactlyWhatAKernelSays) {
  const accelscope_pipe_phase phases[] = {{ACCELSCOPE_PIPE_MTE2, 0, 40}, {ACCELSCOPE_PIPE_VEC, 30, 100}};
  const accelscope_pipe_mark marks[] = {{ACCELSCOPE_PIPE_VEC, 7, 30}, {ACCELSCOPE_PIPE_SU, 4095, 100}};
  accelscope_kernel_work work = Work{.bytes_read = 800};
  work.pipe_phases = phases;
  work.pipe_phase_count = 2;
  work.pipe_marks = marks;
  work.pipe_mark_count = 2;
  work.pipe_cycles = 100;
  EXPECT_EQ(on_vector(work), (PipeSchedule{.length = 100,
                                           .phases = {{Pipe::kMte2, 0, 40}, {Pipe::kVec, 30, 100}},
                                           .marks = {{Pipe::kVec, 7, 30}, {Pipe::kSu, 4095, 100}}}));
  EXPECT_EQ(cost_of(work, ACCELSCOPE_ENGINE_VECTOR, simple_costs()).duration, device::Picoseconds{180'000})
      << "the time stays what it is";

  // Marks alone are put into the loop.
  work.pipe_phase_count = 0;
  const PipeSchedule marked = on_vector(work);
  EXPECT_EQ(marked.length, 180);
  EXPECT_GT(busy(marked, Pipe::kMte2), 0);
  EXPECT_EQ(marked.marks, (std::vector<PipeMark>{{Pipe::kVec, 7, 54}, {Pipe::kSu, 4095, 180}}));
  work.pipe_cycles = 0;
  EXPECT_TRUE(on_vector(work).marks.empty());
}

TEST(KernelPipes, LeaveOutWhatMakesNoSenseInAnExactSchedule) {
  constexpr std::uint32_t kMuch = std::numeric_limits<std::uint32_t>::max();
  const accelscope_pipe_phase phases[] = {{7, 0, 10},
                                          {kMuch, 0, 10},
                                          {ACCELSCOPE_PIPE_VEC, 20, 10},
                                          {ACCELSCOPE_PIPE_VEC, 20, 20},
                                          {ACCELSCOPE_PIPE_VEC, 100, kMuch},
                                          {ACCELSCOPE_PIPE_CUBE, 90, kMuch}};
  const accelscope_pipe_mark marks[] = {
      {7, 1, 10}, {ACCELSCOPE_PIPE_SU, 4096, 10}, {ACCELSCOPE_PIPE_SU, 1, 101}, {ACCELSCOPE_PIPE_FIXP, 0, 0}};
  accelscope_kernel_work work = {};
  work.pipe_phases = phases;
  work.pipe_phase_count = 6;
  work.pipe_marks = marks;
  work.pipe_mark_count = 4;
  work.pipe_cycles = 100;
  EXPECT_EQ(
      on_vector(work),
      (PipeSchedule{.length = 100, .phases = {{Pipe::kCube, 90, 100}}, .marks = {{Pipe::kFixp, 0, 0}}}));
  // Nothing sensible is left, or nothing is there.
  work.pipe_phase_count = 5;
  work.pipe_mark_count = 3;
  EXPECT_EQ(on_vector(work), on_vector({}));
  work.pipe_phases = nullptr;
  work.pipe_marks = nullptr;
  EXPECT_EQ(on_vector(work), on_vector({}));
}

TEST(KernelPipes, BearWorkThatIsNone) {
  for (const double amount : {-1.0, std::nan(""), HUGE_VAL, std::numeric_limits<double>::max(), 1e-300})
    for (const std::uint32_t count : {0U, 1U, 0xFFFFFFFFU}) {
      const Work work = {.multiply_adds = amount,
                         .vector_operations = amount,
                         .scalar_operations = amount,
                         .bytes_read = amount,
                         .bytes_written = amount,
                         .nanoseconds = amount,
                         .tiles = count,
                         .buffers = count};
      for (const PipeSchedule& schedule : {on_vector(work), on_cube(work)}) {
        ASSERT_TRUE(device::check(schedule)) << amount << ", " << count;
        EXPECT_GT(busy(schedule, Pipe::kSu), 0);
      }
    }
}

TEST(KernelPipes, OfCallsOfDaysKeepTheirShares) {
  const PipeSchedule schedule =
      on_vector(Work{.vector_operations = 1e17, .bytes_read = 1e16, .tiles = 8, .buffers = 2});
  ASSERT_TRUE(device::check(schedule));
  const auto length = static_cast<double>(schedule.length);
  EXPECT_NEAR(static_cast<double>(busy(schedule, Pipe::kMte2)) / length, 8.0 / 9, 1e-6);
  EXPECT_NEAR(static_cast<double>(busy(schedule, Pipe::kVec)) / length, 8.0 / 9, 1e-6);
}

TEST(KernelPipes, OfBuiltInKernelsAreAsManyTilesAsThereAreSteps) {
  const auto tiles = [](std::string_view name, const std::vector<Given>& tensors,
                        std::vector<double> scalars = {}) {
    const PreparedCall call = prepared(tensors, std::move(scalars));
    return work_of(kernel_named(name), call.block(0, 1)).tiles;
  };
  Tensor square = empty_tensor(DataType::kFloat32, {64, 64});
  Tensor lines = empty_tensor(DataType::kFloat32, {3, 4096});
  Tensor numbers = empty_tensor(DataType::kFloat32, {3});
  Tensor little = empty_tensor(DataType::kFloat32, {65});
  EXPECT_EQ(tiles("gemm", {{square, kRead}, {square, kRead}, {square, kWritten}}), 4U) << "16 deep each";
  EXPECT_EQ(tiles("copy", {{little, kRead}, {little, kWritten}}), 2U) << "256 bytes each";
  EXPECT_EQ(tiles("exp", {{square, kRead}, {square, kWritten}}), 8U) << "the most";
  EXPECT_EQ(tiles("softmax", {{lines, kRead}, {lines, kWritten}}), 3U) << "a line is not cut up";
  EXPECT_EQ(tiles("normalize_rows", {{lines, kRead}, {numbers, kRead}, {lines, kWritten}}), 8U);
  EXPECT_EQ(tiles("reduce_sum", {{lines, kRead}, {numbers, kWritten}}), 8U);
  EXPECT_EQ(tiles("spin", {}, {5}), 0U);
  for (const std::string_view name : {"spin", "empty"})
    EXPECT_EQ(busy(on_vector(work_of(kernel_named(name), prepared({}, {1}).block(0, 1))), Pipe::kSu),
              name == "spin" ? 1100 : 100);
}

TEST(KernelMarks, AreHandedOverOnlyToWhoRecords) {
  accelscope_kernel_call call = {};
  accelscope_mark(&call, ACCELSCOPE_PIPE_VEC, 1);
  std::vector<PipeMark> marks;
  call.mark_context = &marks;
  call.mark = [](const accelscope_kernel_call* of, std::uint32_t pipe, std::uint32_t id) {
    static_cast<std::vector<PipeMark>*>(of->mark_context)->push_back({static_cast<Pipe>(pipe), id, 0});
  };
  accelscope_mark(&call, ACCELSCOPE_PIPE_VEC, 0);
  accelscope_mark(&call, ACCELSCOPE_PIPE_FIXP, 4095);
  accelscope_mark(&call, ACCELSCOPE_PIPE_SU, 4096);
  accelscope_mark(&call, 7, 3);
  EXPECT_EQ(marks, (std::vector<PipeMark>{{Pipe::kVec, 0, 0}, {Pipe::kFixp, 4095, 0}}));
}

}  // namespace
}  // namespace accelscope::runtime
