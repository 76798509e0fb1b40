// Serial timing: cycles and transfers sum, and what is written down of a run.
#include <gtest/gtest.h>

#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;

EmulationOptions small_options() {
  EmulationOptions options;
  options.machine = small_timed_machine();
  options.rules = Rules::kCompat;
  return options;
}

TEST(Serial, APrefetchAsksForEverythingAtOnceAStoreForOneAfterTheOther) {
  const auto time = [](std::string_view line) {
    return run(program_of(line), small_options(), std::make_unique<FixedMemory>(100)).latency.value / 1000;
  };
  EXPECT_EQ(time("H_PREFETCH_M gp0, gp0, a0, 0, 0\n"), 100);
  EXPECT_EQ(time("H_PREFETCH_V gp0, gp0, a0, 0, 0\n"), 100);
  // Four rows of a block of elements and one of scales: eight are read; writes are posted.
  EXPECT_EQ(time("H_STORE_V gp0, gp0, a0, 0, 0\n"), 800);
}

TEST(Serial, TheClockOfTheMachineCounts) {
  EmulationOptions options = small_options();
  options.machine.clock = base::Frequency::mhz(100);
  const Emulation done =
      run(program_of("M_MM 0, gp0, gp0\nH_PREFETCH_M gp0, gp0, a0, 0, 0\nM_MM_WO gp0, gp0, 0\n"), options,
          std::make_unique<FixedMemory>(100));
  EXPECT_EQ(done.latency.value, (16 + 1) * 10'000 + 100'000);
}

TEST(Serial, WhatTheMemoryStillDoesBelongsToTheRun) {
  // The bank is precharged behind the last byte.
  const Emulation done =
      run(program_of("H_PREFETCH_V gp0, gp0, a0, 0, 0\n"), small_options(), memory_of("simple"));
  EXPECT_GT(done.latency, done.transfers);
  EXPECT_TRUE(accounts_close(done.accounts));
  EXPECT_EQ(done.accounts.units[index(isa::Unit::kMatrix)].time[index(Cause::kDrain)],
            done.latency - done.transfers);
}

TEST(Serial, OthersWaitForWhoWorks) {
  const Emulation done =
      run(program_of("M_MM 0, gp0, gp0\nV_EXP_V gp0, gp0\nS_ADDI_INT gp1, gp0, 1\nC_SET_SCALE_REG gp1\n"
                     "H_PREFETCH_M gp0, gp0, a0, 0, 0\n"),
          small_options(), std::make_unique<FixedMemory>(100));
  const UnitAccount& vector = done.accounts.units[index(isa::Unit::kVector)];
  EXPECT_EQ(vector.busy().value, 1000);
  EXPECT_EQ(vector.time[index(Cause::kMatrix)].value, 16'000);
  EXPECT_EQ(vector.time[index(Cause::kScalar)].value, 1000);
  EXPECT_EQ(vector.time[index(Cause::kIssue)].value, 1000);
  EXPECT_EQ(vector.time[index(Cause::kTransfer)].value, 100'000);
  EXPECT_EQ(vector.operations, 1U);
  EXPECT_EQ(vector.total(), done.latency);
  EXPECT_EQ(done.by_instruction[4].bytes_read, 16U * 2 * 64);
}

TEST(Serial, LogsSayAsMuchAsTheyWereAskedFor) {
  const isa::Program program = program_of(
      ";@ section a\nS_ADDI_INT gp1, gp0, 16\nC_LOOP_START gp2, 3\n;@ section b\nV_EXP_V gp1, gp0\n"
      "S_ADDI_INT gp3, gp3, 1\nC_LOOP_END gp2\nH_PREFETCH_V gp0, gp0, a0, 0, 0\n");
  EmulationOptions options = small_options();
  const auto logged = [&](LogDetail detail) {
    options.log = detail;
    return run(program, options, memory_of("reference-hbm2")).log;
  };
  EXPECT_TRUE(logged(LogDetail::kNone).slices.empty());
  const RunLog sections = logged(LogDetail::kSections);
  ASSERT_EQ(sections.sections.size(), 2U);
  EXPECT_EQ(sections.sections[0].duration.value, 2000);
  EXPECT_EQ(sections.sections[1].first_pc, 2U);
  EXPECT_TRUE(sections.slices.empty());

  const RunLog units = logged(LogDetail::kUnits);
  // Scalars and control between the rows are one slice each.
  ASSERT_EQ(units.slices.size(), 8U);
  EXPECT_EQ(units.slices[0].count, 2U);
  EXPECT_EQ(units.slices[0].duration.value, 2000);
  EXPECT_EQ(units.slices[1].unit, isa::Unit::kVector);
  EXPECT_EQ(units.slices[2].unit, isa::Unit::kScalar);
  EXPECT_EQ(units.slices[2].count, 2U);
  EXPECT_EQ(units.slices[7].unit, isa::Unit::kMemory);
  ASSERT_FALSE(units.activities.empty());
  for (const LoggedActivity& activity : units.activities) {
    EXPECT_EQ(activity.slice, 7U);
    EXPECT_GE(activity.channel, 0);
    EXPECT_LE(activity.busy, units.slices[7].duration);
  }
  EXPECT_EQ(logged(LogDetail::kInstructions).slices.size(), 2U + 3 * 3 + 1);
}

TEST(Serial, ALinkIsSeenInTheLogAndInTheAccounts) {
  const boards::WeightManifest manifest{.activation_ceiling = 0,
                                        .regions = {{0, 0, {4096}, boards::RegionKind::kWeight}}};
  MemoryWishes wishes;
  wishes.model = *memory_model_named("weight-stream");
  wishes.manifest = &manifest;
  EmulationOptions options = small_options();
  options.log = LogDetail::kUnits;
  const Emulation done =
      run(program_of("H_PREFETCH_M gp0, gp0, a0, 0, 0\n"), options, std::move(set_up_memory(wishes)->timing));
  ASSERT_FALSE(done.log.activities.empty());
  EXPECT_EQ(done.log.activities.back().channel, -1);
  const UnitAccount& matrix = done.accounts.units[index(isa::Unit::kMatrix)];
  EXPECT_GT(matrix.time[index(Cause::kLink)].value, 9 * matrix.time[index(Cause::kTransfer)].value);
  EXPECT_TRUE(accounts_close(done.accounts));
}

}  // namespace
}  // namespace accelscope::emulator
