#include "isa/machine.h"

#include <gtest/gtest.h>

namespace accelscope::isa {
namespace {

boards::Board a_board() {
  boards::Board board;
  board.name = "mine";
  board.clock = base::Frequency::mhz(150);
  board.latency.vector_add = 9;
  board.latency.systolic_processing_overhead = 8;
  board.memory.prefetch_matrix = base::Cycles{400};
  board.memory.prefetch_vector = base::Cycles{25};
  board.memory.store_vector = base::Cycles{26};
  board.memory.matrix_prefetch_rows = 128;
  board.memory.vector_prefetch_rows = 8;
  board.memory.capacity_size = base::Bytes{1024};
  return board;
}

Machine made(const MachineSources& sources) {
  const auto machine = make_machine(sources);
  EXPECT_TRUE(machine) << machine.error().to_string();
  return *machine;
}

TEST(Machine, IsThatOfTheShippedSettings) {
  const Machine machine = made({});
  EXPECT_EQ(machine.name, "settings");
  EXPECT_EQ(machine.mlen, 64U);
  EXPECT_EQ(machine.matrix_tiles, 64U);
  EXPECT_EQ(machine.latencies.vector_sum, 8U);
  EXPECT_FALSE(machine.charges_transfers);
  EXPECT_EQ(machine.clock, base::Frequency::mhz(1000));
}

TEST(Machine, TakesTheColumnOfTheSettings) {
  boards::SettingsTree settings;
  settings.config.dc_enabled = false;
  EXPECT_EQ(made({.settings = &settings}).latencies.vector_exponential, 6U);
  settings.config.latency_profile = "nexys_video_150mhz";
  const Machine machine = made({.settings = &settings});
  EXPECT_EQ(machine.latencies.vector_exponential, 18U);
  EXPECT_EQ(machine.latencies.float_reciprocal, 6U);
  EXPECT_EQ(machine.latencies.vector_multiply, 5U);
  EXPECT_EQ(machine.latency_profile, "nexys_video_150mhz");
  // With the vendor's library the profile is not looked at.
  settings.config.dc_enabled = true;
  EXPECT_EQ(made({.settings = &settings}).latencies.vector_exponential, 1U);
  settings.config.dc_enabled = false;
  settings.config.latency_profile = "nexys_vido_150mhz";
  EXPECT_EQ(
      make_machine({.settings = &settings}).error().to_string(),
      "no latency profile is called `nexys_vido_150mhz`; did you mean `nexys_video_150mhz`?; there are: "
      "nexys_a7_150mhz, nexys_video_150mhz");
}

TEST(Machine, ABoardIsStrongerThanSettingsOnCostsOnly) {
  const boards::Board board = a_board();
  boards::SettingsTree settings;
  settings.config.vector_prefetch_rows = 16;
  const Machine machine = made({.settings = &settings, .board = &board});
  EXPECT_EQ(machine.latencies.vector_add, 9U);
  EXPECT_EQ(machine.latencies.prefetch_matrix, 400U);
  EXPECT_TRUE(machine.charges_transfers);
  EXPECT_EQ(machine.clock, base::Frequency::mhz(150));
  EXPECT_EQ(machine.external_memory, base::Bytes{1024});
  // What the file says of this build.
  EXPECT_EQ(machine.vector_prefetch_rows, 16U);
  // What nobody said of it.
  EXPECT_EQ(made({.board = &board}).vector_prefetch_rows, 8U);
  EXPECT_EQ(made({.board = &board}).matrix_prefetch_rows, 128U);
}

TEST(Machine, WhatIsSaidOutrightIsStrongest) {
  const boards::Board board = a_board();
  const Machine machine =
      made({.board = &board, .overrides = {.mlen = 16, .blen = 2, .clock = base::Frequency::mhz(1)}});
  EXPECT_EQ(machine.mlen, 16U);
  EXPECT_EQ(machine.vlen, 16U);
  EXPECT_EQ(machine.latencies.mlen, 16U);
  EXPECT_EQ(machine.matrix_prefetch_rows, 16U);
  EXPECT_EQ(machine.vector_prefetch_rows, 2U);
  EXPECT_EQ(machine.clock, base::Frequency::mhz(1));
  EXPECT_EQ(made({.overrides = {.mlen = 16, .vlen = 32}}).vlen, 32U);
}

TEST(Machine, FillsWholeTiles) {
  boards::SettingsTree settings;
  settings.config.matrix_prefetch_rows = 65;
  EXPECT_EQ(made({.settings = &settings}).matrix_prefetch_rows, 128U);
}

TEST(Machine, RefusesDimensionsThatContradict) {
  EXPECT_FALSE(make_machine({.overrides = {.mlen = 0}}));
  EXPECT_FALSE(make_machine({.overrides = {.mlen = 1'000'000}}));
  EXPECT_FALSE(make_machine({.overrides = {.mlen = 64, .blen = 48}}));
  EXPECT_FALSE(make_machine({.overrides = {.clock = base::Frequency::unknown()}}));
}

}  // namespace
}  // namespace accelscope::isa
