#include "fit/machine.h"

#include <gtest/gtest.h>

#include "fit/kernel_cycles.h"
#include "fit/samples.h"

namespace accelscope::fit {
namespace {

using samples::machine_on;

TEST(Machine, SaysAllThatABoardLacksAndWhatGivesIt) {
  boards::Board board;
  board.name = "bare";
  const auto machine = machine_of(board, boards::SettingsTree{}, {});
  ASSERT_FALSE(machine);
  EXPECT_EQ(
      machine.error().message,
      "board bare has not what fit needs: a clock (clock_mhz; --clock-mhz gives one); a memory's capacity "
      "(memory.capacity_bytes; --capacity gives one); a memory's bandwidth "
      "(memory.effective_bandwidth_gbps; --bandwidth gives one)");
  EXPECT_TRUE(machine_of(
      board, boards::SettingsTree{},
      {.clock = base::Frequency::mhz(1), .capacity = base::Bytes{1}, .bandwidth = base::BytesPerSecond{1}}));
}

TEST(Machine, RefusesDimensionsThatMakeNoAccelerator) {
  EXPECT_EQ(wrong_dimensions(64, 4, 64), "");
  EXPECT_EQ(wrong_dimensions(64, 12, 64), "MLEN 64 is no multiple of BLEN 12");
  EXPECT_EQ(wrong_dimensions(64, 32, 16), "VLEN 16 is less than BLEN 32");
  EXPECT_EQ(wrong_dimensions(0, 4, 64), "MLEN, BLEN and VLEN must be above zero");
  EXPECT_NE(wrong_dimensions(std::uint64_t{1} << 21, 4, 64), "");
}

TEST(Machine, RefusesBuffersAndLatenciesBeyondReason) {
  const auto problem = [](const boards::Board& board, const Overrides& overrides) {
    const auto machine = machine_of(board, boards::SettingsTree{}, overrides);
    return machine ? std::string() : machine.error().message;
  };
  EXPECT_EQ(problem(samples::v80(), {.buffers = 0}), "buffers: 0 is not from 1 to 1024");
  EXPECT_EQ(problem(samples::v80(), {.buffers = 1025}), "buffers: 1025 is not from 1 to 1024");
  boards::Board board = samples::v80();
  board.latency.vector_exp = UINT64_MAX;
  EXPECT_EQ(problem(board, {}),
            "board v80: a latency of 18446744073709551615 cycles; at most 1000000000 make sense");
}

TEST(Machine, TheChipLimitsItsMemories) {
  // 512 KiB of tiles fit 1.6 MB; 512 MiB of rows do not.
  const Machine machine = machine_on(samples::nexys_video());
  EXPECT_EQ(machine.matrix_sram.value, 4096 * 64 * 2);
  EXPECT_EQ(machine.vector_sram.value, 365 * 4608 - 4096 * 64 * 2);
  EXPECT_EQ(machine.on_chip_asked.value, 4096 * 64 * 2 + 4'194'304LL * 64 * 2);
}

TEST(Machine, TheBoardsOwnMemoriesGoBeforeTheSettings) {
  boards::Board board = samples::v80();
  board.memory.matrix_sram_tiles = 1000;
  board.memory.vector_sram_depth = 2000;
  board.precision.vector_sram = *boards::parse_number_format("fp32");
  const Machine machine = machine_on(board);
  EXPECT_EQ(machine.matrix_sram.value, 1000 * 64 * 2);
  EXPECT_EQ(machine.vector_sram.value, 2000 * 64 * 4);
}

TEST(Machine, FormatsComeFromOptionsThenBoardThenSettings) {
  boards::Board board = samples::v80();
  board.precision.weights = *boards::parse_number_format("mxfp4");
  EXPECT_EQ(machine_on(board).formats.weights, *boards::parse_number_format("mxfp4"));
  EXPECT_EQ(machine_on(board).formats.kv, boards::kPlenaMx);
  EXPECT_EQ(machine_on(board, {.weights = *boards::parse_number_format("bf16")}).formats.weights,
            *boards::parse_number_format("bf16"));
}

TEST(KernelCycles, AProductIsBlocksOfTheArray) {
  // The reference's program X[64,128] @ W[128,256]: 2048 products of 64 cycles, 1024 write-outs.
  boards::Board board = samples::v80();
  const KernelCycles kernels(machine_on(board));
  const UnitCycles cycles = kernels.product(64, 128, 256);
  EXPECT_EQ(cycles.matrix.value(), 2048U * 64 + 1024);
  EXPECT_EQ(cycles.macs.value(), 64U * 128 * 256);
  // Within 2 % of the 144 938 cycles that its listing takes.
  EXPECT_NEAR(static_cast<double>(*cycles.total().value()), 144'938.0, 0.02 * 144'938);
}

TEST(KernelCycles, OneRowCostsABlockOrARowWhicheverIsLess) {
  const KernelCycles kernels(machine_on(samples::nexys_video()));  // 8 cycles of overhead for a block
  EXPECT_EQ(kernels.product(1, 64, 4).matrix.value(), 64U + 1);
  EXPECT_EQ(kernels.product(2, 64, 4).matrix.value(), 72U + 1);
}

TEST(KernelCycles, TheHardwareDescriptionDoesNotPayForTheDepth) {
  const KernelCycles small(machine_on(samples::v80(), {.mlen = 64, .blen = 16, .costs = Costs::kRtl}));
  const KernelCycles large(machine_on(samples::v80(), {.mlen = 256, .blen = 16, .costs = Costs::kRtl}));
  EXPECT_EQ(small.product(16, 256, 16).matrix.value(), 4U * 20 + 2 * 16 + 13);
  EXPECT_EQ(large.product(16, 256, 16).matrix.value(), 20U + 2 * 16 + 13);
}

TEST(KernelCycles, WhatDoesNotFitStaysMarked) {
  const KernelCycles kernels(machine_on(samples::v80()));
  EXPECT_FALSE(kernels.product(std::uint64_t{1} << 40, std::uint64_t{1} << 40, 64).total().fits());
}

}  // namespace
}  // namespace accelscope::fit
