// Overlapping timing: what may run at the same time and what may not, and that nothing is lost or invented.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "emulator/test_runs.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;

constexpr std::array<std::string_view, 7> kDrams{"naive", "simple",        "simple-window", "reference-hbm2",
                                                 "hbm2",  "ddr3-1600-x16", "ddr4-2400"};

EmulationOptions options_for(TimingMode timing, CostTable costs) {
  EmulationOptions options;
  options.machine = small_timed_machine();
  options.timing = timing;
  options.costs = costs;
  options.rules = Rules::kCompat;
  options.recovery_cycles = false;
  return options;
}

Picoseconds sum_of(const std::vector<Picoseconds>& times) {
  return std::accumulate(times.begin(), times.end(), Picoseconds{});
}

void check_accounts(const Emulation& done) {
  EXPECT_TRUE(accounts_close(done.accounts));
  EXPECT_EQ(done.accounts.total, done.latency);
  for (const InstructionAccount& account : done.by_instruction) EXPECT_GE(account.stalled, Picoseconds{});
  ASSERT_TRUE(done.critical_path);
  const CriticalPath& path = *done.critical_path;
  Picoseconds units = path.issue;
  for (const Picoseconds time : path.by_unit) {
    EXPECT_GE(time, Picoseconds{});
    units += time;
  }
  EXPECT_EQ(path.total, done.latency);
  EXPECT_EQ(units, path.total);
  EXPECT_EQ(sum_of(path.by_instruction), path.total);
}

// How long each unit had something in flight, from the log of all instructions.
std::array<Picoseconds, isa::kUnits> busy_in_log(const Emulation& done, const isa::Program& program) {
  std::array<Picoseconds, isa::kUnits> busy{};
  std::array<Picoseconds, isa::kUnits> until{};
  std::vector<LoggedSlice> slices = done.log.slices;
  std::stable_sort(slices.begin(), slices.end(),
                   [](const LoggedSlice& a, const LoggedSlice& b) { return a.start < b.start; });
  for (const LoggedSlice& slice : slices) {
    const std::size_t unit = index(isa::instruction_of_word(program.words[slice.pc])->unit);
    const Picoseconds from = std::max(slice.start, until[unit]);
    const Picoseconds end = slice.start + slice.duration;
    if (end > from) busy[unit] += end - from;
    until[unit] = std::max(until[unit], end);
  }
  return busy;
}

void check_busy(const Emulation& done, const isa::Program& program) {
  const std::array<Picoseconds, isa::kUnits> busy = busy_in_log(done, program);
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit)
    EXPECT_EQ(done.accounts.units[unit].busy().value, busy[unit].value) << unit;
}

// A DRAM is no monotone thing: a transfer that comes sooner may meet a refresh, or writes that drain, and end
// later. What always holds is that nothing but the transfers themselves can make overlap slower.
TEST(Overlap, NeverSlowerThanSerialAndAlwaysAccountedFor) {
  for (std::uint64_t seed = 0; seed < 70; ++seed) {
    const isa::Program program = program_of(RandomProgram(seed).listing());
    const std::string dram(kDrams[seed % kDrams.size()]);
    for (const CostTable costs : {CostTable::kReference, CostTable::kRtl}) {
      SCOPED_TRACE(fmt::format("seed {} on {} with {}", seed, dram, name_of(costs)));
      EmulationOptions options = options_for(TimingMode::kSerial, costs);
      // Integers that others have to wait for.
      if (seed % 3 == 0) options.machine.latencies.integer_basic = 3;
      const Emulation serial = run(program, options, memory_of(dram));
      options.timing = TimingMode::kOverlap;
      options.log = LogDetail::kInstructions;
      const Emulation overlap = run(program, options, memory_of(dram));
      EXPECT_LE((overlap.latency - overlap.transfers).value, (serial.latency - serial.transfers).value);
      if (dram != "ddr3-1600-x16") {
        EXPECT_LE(overlap.latency.value, serial.latency.value);
      }
      EXPECT_EQ(overlap.bytes_read, serial.bytes_read);
      EXPECT_EQ(overlap.bytes_written, serial.bytes_written);
      EXPECT_EQ(overlap.instructions, serial.instructions);
      check_accounts(overlap);
      check_busy(overlap, program);
      EXPECT_TRUE(accounts_close(serial.accounts));
      options.recovery_cycles = true;
      const Emulation recovering = run(program, options, memory_of(dram));
      if (dram == "naive") {
        EXPECT_GE(recovering.latency.value, overlap.latency.value);
      }
      check_accounts(recovering);
      check_busy(recovering, program);
    }
  }
}

// When each instruction starts, in cycles; a prefetch takes 100.
std::vector<std::int64_t> starts(std::string_view listing, CostTable costs, bool recovery = false) {
  EmulationOptions options = options_for(TimingMode::kOverlap, costs);
  options.recovery_cycles = recovery;
  options.log = LogDetail::kInstructions;
  const Emulation done = run(program_of(listing), options, std::make_unique<FixedMemory>(100));
  check_accounts(done);
  std::vector<std::int64_t> made;
  for (const LoggedSlice& slice : done.log.slices) made.push_back(slice.start.value / 1000);
  made.push_back(done.latency.value / 1000);
  return made;
}

using Starts = std::vector<std::int64_t>;  // and the end

TEST(Overlap, APrefetchRunsBehindWhatDoesNotNeedIt) {
  EXPECT_EQ(starts("S_ADDI_INT gp1, gp0, 256\n"
                   "H_PREFETCH_M gp0, gp0, a0, 0, 0\n"
                   "M_MM 0, gp1, gp0\n"   // another tile
                   "M_MM 0, gp0, gp0\n",  // this one
                   CostTable::kReference),
            (Starts{0, 1, 2, 101, 117}));
}

TEST(Overlap, NobodyWritesWhatIsBeingRead) {
  EXPECT_EQ(starts("M_MM 0, gp0, gp0\nH_PREFETCH_M gp0, gp0, a0, 0, 0\n", CostTable::kReference),
            (Starts{0, 16, 116}));
  // The store reads rows 0 to 3; row 4 is free.
  EXPECT_EQ(starts("S_ADDI_INT gp1, gp0, 64\n"
                   "H_STORE_V gp0, gp0, a0, 0, 0\n"
                   "V_EXP_V gp1, gp0\n"
                   "V_EXP_V gp0, gp1\n",
                   CostTable::kReference),
            (Starts{0, 1, 2, 801, 802}));
}

TEST(Overlap, NobodyWritesWhatIsBeingWritten) {
  EXPECT_EQ(starts("H_PREFETCH_V gp0, gp0, a0, 0, 0\nV_RECI_V gp0, gp1\n", CostTable::kReference),
            (Starts{0, 100, 102}));
}

TEST(Overlap, RowsOfAWriteOutMayLieApart) {
  // Rows 0, 2, 4 and 6 are written once the product is done with rows 0 to 3; those between them are free
  // then.
  const std::string head =
      "S_ADDI_INT gp1, gp0, 2\nS_ADDI_INT gp2, gp0, 16\nM_MM 0, gp0, gp0\nM_MM_WO gp0, gp1, 0\n";
  EXPECT_EQ(starts(head + "V_EXP_V gp2, gp2\n", CostTable::kRtl), (Starts{0, 1, 2, 10, 10, 31}));
  EXPECT_EQ(starts(head + "V_EXP_V gp0, gp2\n", CostTable::kRtl), (Starts{0, 1, 2, 10, 31, 52}));
}

TEST(Overlap, TransfersPassOnePortInOrder) {
  EXPECT_EQ(starts("S_ADDI_INT gp1, gp0, 256\n"
                   "H_PREFETCH_M gp0, gp0, a0, 0, 0\n"
                   "H_PREFETCH_M gp1, gp0, a0, 0, 0\n"
                   "S_ADDI_INT gp2, gp0, 1\n",
                   CostTable::kReference),
            (Starts{0, 1, 101, 102, 201}));
}

TEST(Overlap, PipelinesTakeARowACycleUntilOneIsNeeded) {
  EXPECT_EQ(starts("S_ADDI_INT gp1, gp0, 16\n"
                   "S_ADDI_INT gp2, gp0, 32\n"
                   "V_ADD_VV gp1, gp0, gp0\n"
                   "V_ADD_VV gp2, gp0, gp0\n"
                   "V_ADD_VV gp2, gp1, gp0\n",
                   CostTable::kRtl),
            (Starts{0, 1, 2, 3, 15, 27}));
}

TEST(Overlap, RowsEndInOrderOneACycle) {
  EXPECT_EQ(starts("S_ADDI_INT gp1, gp0, 16\n"
                   "S_ADDI_INT gp2, gp0, 32\n"
                   "V_EXP_V gp1, gp0\n"
                   "V_MUL_VV gp2, gp0, gp0\n",
                   CostTable::kRtl),
            (Starts{0, 1, 2, 2 + 21 + 1 - 10, 24}));
}

TEST(Overlap, ScalarsAndRowsGetInEachOthersWay) {
  // Any scalar arithmetic holds up rows that need a scalar, whichever.
  EXPECT_EQ(starts("S_ADD_FP f1, f2, f3\nV_ADD_VF gp0, gp0, f4\n", CostTable::kRtl), (Starts{0, 10, 23}));
  EXPECT_EQ(starts("S_ADD_FP f1, f2, f3\nV_EXP_V gp0, gp0\n", CostTable::kRtl), (Starts{0, 1, 22}));
  // A reduction of 16 elements takes 5 + 7 * 5 cycles, and holds up scalar arithmetic.
  EXPECT_EQ(starts("V_RED_SUM f1, gp0\nS_ADD_FP f2, f3, f4\n", CostTable::kRtl), (Starts{0, 40, 50}));
}

TEST(Overlap, AResultIsThereBeforeItsUnitTakesTheNext) {
  EXPECT_EQ(starts("S_ADD_FP f1, f2, f3\nS_ST_FP f1, gp0, 0\n", CostTable::kRtl), (Starts{0, 9, 10}));
  EXPECT_EQ(starts("S_ADD_FP f1, f2, f3\nS_ADD_FP f4, f2, f3\n", CostTable::kRtl), (Starts{0, 10, 20}));
}

TEST(Overlap, AWriteOutEntersWhileItsProductRuns) {
  EXPECT_EQ(starts("M_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\nS_ADDI_INT gp1, gp0, 1\nM_MM 0, gp0, gp0\n",
                   CostTable::kRtl),
            (Starts{0, 8, 2, 29, 37}));
  EXPECT_EQ(starts("M_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\nS_ADDI_INT gp1, gp0, 1\n", CostTable::kReference),
            (Starts{0, 16, 17, 18}));
}

TEST(Overlap, TransfersOfVectorsShareTheirPort) {
  const std::string head = "S_ADDI_INT gp1, gp0, 2048\n";
  EXPECT_EQ(starts(head + "H_PREFETCH_V gp1, gp0, a0, 0, 0\nV_EXP_V gp0, gp0\n", CostTable::kRtl),
            (Starts{0, 1, 101, 122}));
  EXPECT_EQ(starts(head + "V_EXP_V gp0, gp0\nH_PREFETCH_V gp1, gp0, a0, 0, 0\n", CostTable::kRtl),
            (Starts{0, 1, 22, 122}));
  EXPECT_EQ(starts(head + "H_PREFETCH_V gp1, gp0, a0, 0, 0\nV_EXP_V gp0, gp0\n", CostTable::kReference),
            (Starts{0, 1, 2, 101}));
}

TEST(Overlap, AStallCostsACycleMore) {
  EXPECT_EQ(starts("S_EXP_FP f1, f2\nS_ADD_FP f2, f1, f1\nS_ADDI_INT gp1, gp0, 1\n", CostTable::kRtl, true),
            (Starts{0, 21, 22, 31}));
}

TEST(Overlap, WhatWritesFloatZeroIsNothing) {
  EXPECT_EQ(
      starts("S_ADD_FP f1, f2, f3\nS_ADD_FP f0, f1, f1\nS_ADDI_INT gp1, gp0, 1\n", CostTable::kReference),
      (Starts{0, 1, 1, 2}));
}

TEST(Overlap, IntegersOfSeveralCyclesAreWaitedFor) {
  EmulationOptions options = options_for(TimingMode::kOverlap, CostTable::kReference);
  options.machine.latencies.integer_basic = 3;
  const Emulation done = run(program_of("S_ADDI_INT gp1, gp0, 256\nM_MM 0, gp1, gp0\n"), options,
                             std::make_unique<FixedMemory>(100));
  EXPECT_EQ(done.latency.value, 19'000);
  EXPECT_EQ(done.accounts.units[index(isa::Unit::kMatrix)].time[index(Cause::kScalar)].value, 2000);
}

TEST(Overlap, WhatTheMemoryStillDoesBelongsToTheRun) {
  const Emulation done = run(program_of("H_PREFETCH_V gp0, gp0, a0, 0, 0\n"),
                             options_for(TimingMode::kOverlap, CostTable::kReference), memory_of("simple"));
  EXPECT_GT(done.latency, done.transfers);
  check_accounts(done);
  EXPECT_EQ(done.critical_path->by_unit[index(isa::Unit::kMemory)], done.latency);
}

TEST(Overlap, WhatAMemoryBringsOfItsOwnAccordDoesNot) {
  const boards::WeightManifest manifest{.activation_ceiling = 0,
                                        .regions = {{0, 0, {40'960}, boards::RegionKind::kWeight},
                                                    {1, 40'960, {16'384}, boards::RegionKind::kWeight}}};
  MemoryWishes wishes;
  wishes.model = *memory_model_named("layer-swap");
  wishes.manifest = &manifest;
  wishes.dram = "naive";
  for (const std::uint32_t depth : {0U, 1U}) {
    wishes.prefetch_depth = depth;
    const Emulation done = run(program_of("H_PREFETCH_V gp0, gp0, a0, 0, 0\n"),
                               options_for(TimingMode::kOverlap, CostTable::kReference),
                               std::move(set_up_memory(wishes)->timing));
    EXPECT_EQ(done.latency, done.transfers) << depth;
  }
}

TEST(Overlap, AnEmptyProgramTakesNoTime) {
  const Emulation done = run(isa::Program{}, options_for(TimingMode::kOverlap, CostTable::kRtl),
                             std::make_unique<FixedMemory>(100));
  EXPECT_EQ(done.latency.value, 0);
  check_accounts(done);
}

TEST(Overlap, EveryIdleMomentHasItsCause) {
  EmulationOptions options = options_for(TimingMode::kOverlap, CostTable::kReference);
  const Emulation done =
      run(program_of("H_PREFETCH_M gp0, gp0, a0, 0, 0\nM_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\n"), options,
          std::make_unique<FixedMemory>(100));
  const auto of = [&](isa::Unit unit, Cause cause) {
    return done.accounts.units[index(unit)].time[index(cause)].value / 1000;
  };
  EXPECT_EQ(done.latency.value, 117'000);
  EXPECT_EQ(of(isa::Unit::kMatrix, Cause::kBusy), 17);
  EXPECT_EQ(of(isa::Unit::kMatrix, Cause::kIssue), 1);
  EXPECT_EQ(of(isa::Unit::kMatrix, Cause::kTransfer), 99);
  EXPECT_EQ(of(isa::Unit::kVector, Cause::kIssue), 3);
  EXPECT_EQ(of(isa::Unit::kVector, Cause::kMatrix), 15);
  EXPECT_EQ(of(isa::Unit::kMemory, Cause::kBusy), 100);
  EXPECT_EQ(done.by_instruction[1].stalled.value, 99'000);
  EXPECT_EQ(done.critical_path->by_unit[index(isa::Unit::kMemory)].value, 100'000);
  EXPECT_EQ(done.critical_path->by_unit[index(isa::Unit::kMatrix)].value, 17'000);
  EXPECT_EQ(done.critical_path->by_instruction[0].value, 100'000);
}

}  // namespace
}  // namespace accelscope::emulator
