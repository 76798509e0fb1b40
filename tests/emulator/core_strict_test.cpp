// What strict rules stop at and the reference does not; and that they do not stop where all is well.
#include <gtest/gtest.h>

#include "emulator/core_fixture.h"

namespace accelscope::emulator {
namespace {

// By strict rules the fault; by the others, nothing.
template <class Prepare>
void expect_strict(const Prepare& prepare, std::string_view line, std::string_view expected) {
  TestCore strict(Rules::kStrict);
  prepare(strict);
  EXPECT_EQ(strict.run(line), expected) << line;
  TestCore compat(Rules::kCompat);
  prepare(compat);
  EXPECT_EQ(compat.run(line), "") << line;
}

void fill(TestCore& core) {
  for (std::uint64_t i = 0; i < 64; ++i) core.set_row(i, std::vector<float>(8, 1));
  for (std::uint64_t i = 0; i < 4; ++i) core.set_tile(i, std::vector<float>(64, 1));
}

TEST(CoreStrict, KeepsGp0) {
  const auto prepare = [](TestCore& core) { core.state().scalars.integer_written[0] = true; };
  for (const std::string_view line :
       {"S_ADD_INT gp0, gp1, gp2", "S_ADDI_INT gp0, gp0, 0", "S_SUB_INT gp0, gp1, gp2",
        "S_MUL_INT gp0, gp1, gp2", "S_LUI_INT gp0, 1", "S_LD_INT gp0, gp0, 0"})
    expect_strict(prepare, line,
                  std::string(line.substr(0, line.find(' '))) +
                      " writes gp0, which is 0 by the instruction set's documents");
  TestCore compat(Rules::kCompat);
  EXPECT_EQ(compat.run("S_ADDI_INT gp0, gp0, 5"), "");
  EXPECT_EQ(compat.registers().gp[0], 5U) << "the reference lets it stick";
}

TEST(CoreStrict, KeepsF0) {
  const auto prepare = [](TestCore& core) {
    core.state().scalars.floats[3] = 7;
    core.state().scalars.float_written[3] = true;
  };
  expect_strict(prepare, "S_LD_FP f0, gp0, 3",
                "S_LD_FP writes f0, which is 0 by the instruction set's documents");
  TestCore compat(Rules::kCompat);
  prepare(compat);
  EXPECT_EQ(compat.run("S_LD_FP f0, gp0, 3"), "");
  EXPECT_EQ(compat.registers().f[0], 7.0F);
}

TEST(CoreStrict, SeesScalarsThatWereNeverWritten) {
  const auto nothing = [](TestCore&) {};
  expect_strict(nothing, "S_LD_FP f1, gp0, 3", "float address 3 (gp0 + 3) is read, but was never written");
  expect_strict(nothing, "S_LD_INT gp1, gp0, 3",
                "integer address 3 (gp0 + 3) is read, but was never written");
  const auto but_one = [](TestCore& core) {
    core.state().scalars.float_written.fill(true);
    core.state().scalars.float_written[13] = false;
  };
  expect_strict(but_one, "S_MAP_V_FP gp0, gp0, 10",
                "float address 13 is read, but was never written (from 10 (gp0 + 10) on)");
  TestCore strict(Rules::kStrict);
  but_one(strict);
  EXPECT_EQ(strict.run("S_MAP_V_FP gp0, gp0, 14"), "");
  EXPECT_EQ(strict.run("S_ST_INT gp0, gp0, 9"), "");
  EXPECT_EQ(strict.run("S_LD_INT gp1, gp0, 9"), "");
}

TEST(CoreStrict, SeesRowsThatWereNeverWritten) {
  const auto rows = [](TestCore& core) {
    core.set_row(1, {1});
    core.registers().gp[1] = 8;
    core.registers().gp[2] = 16;
  };
  constexpr std::string_view kExpected =
      "vector row 2 (elements from 16 on) is read, but was never written; its address comes from 16 in gp2";
  for (const std::string_view line :
       {"V_ADD_VV gp1, gp2, gp1", "V_ADD_VV gp1, gp1, gp2", "V_MUL_VF gp1, gp2, f1", "V_EXP_V gp1, gp2",
        "V_RECI_V gp1, gp2", "V_RED_SUM f1, gp2", "V_RED_MAX f1, gp2", "V_SHFT_V gp1, gp2, gp0"})
    expect_strict(rows, line, kExpected);
  const auto of_store = [&](TestCore& core) {
    rows(core);
    core.registers().scale = 4096;
  };
  expect_strict(
      of_store, "H_STORE_V gp1, gp0, a0, 0, 0",
      "vector row 2 (elements from 16 on) is read, but was never written; its address comes from 8 in gp1");
  expect_strict(
      of_store, "V_TOPK gp0, gp1, gp0, 0",
      "vector row 2 (elements from 16 on) is read, but was never written; its address comes from 8 in gp1");
}

TEST(CoreStrict, SeesPartsOfRowsThatWereNeverWritten) {
  TestCore core(Rules::kStrict);
  core.set_tile(0, std::vector<float>(64, 1));
  for (std::uint64_t i = 0; i < 4; ++i) core.set_row(i, std::vector<float>(8, 1));
  core.registers().gp[1] = 32;
  EXPECT_EQ(core.run("M_MM 0, gp0, gp0"), "");
  EXPECT_EQ(core.run("M_MM_WO gp1, gp0, 0"), "");
  EXPECT_EQ(core.run("V_RED_SUM f1, gp1"),
            "element 4 of vector row 4 (elements from 32 on) is read, but was never written; its address "
            "comes from "
            "32 in gp1");
  // What the mask leaves out is not read; it is copied as the nothing that it is.
  core.registers().mask = 1;
  core.registers().gp[2] = 40;
  EXPECT_EQ(core.run("V_ADD_VV gp2, gp1, gp1, 1"), "");
  EXPECT_EQ(core.state().vectors.written.rows[5], 0x0FU);
  core.registers().mask = 2;
  EXPECT_NE(core.run("V_ADD_VV gp2, gp1, gp1, 1"), "");
  EXPECT_EQ(core.run("M_MM 0, gp0, gp0"), "");
  EXPECT_EQ(core.run("M_MM_WO gp1, gp0, 4"), "");
  EXPECT_EQ(core.run("V_RED_SUM f1, gp1"), "");
  // Only what stays in the row is read by a shift.
  core.state().vectors.written.rows[6] = 0x0F;
  core.registers().gp[3] = 48;
  core.registers().gp[4] = 4;
  EXPECT_EQ(core.run("V_SHFT_V gp3, gp3, gp4"), "");
  EXPECT_EQ(core.run("V_RED_SUM f1, gp3"), "");
}

TEST(CoreStrict, SeesLongRowsByTheirParts) {
  isa::Machine machine = small_machine();
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = 256;
  machine.hlen = 64;
  machine.broadcast = 4;
  machine.matrix_tiles = 1;
  machine.vector_rows = 16;
  TestCore core(Rules::kStrict, machine);
  const WrittenRows& written = core.state().vectors.written;
  EXPECT_EQ(written.elements_a_bit, 4U);
  EXPECT_EQ(written.all, ~std::uint64_t{0});
  EXPECT_EQ(written.bits(4, 4), 2U);
  EXPECT_EQ(written.bits(3, 2), 3U);
  EXPECT_EQ(written.bits(252, 4), std::uint64_t{1} << 63U);
}

TEST(CoreStrict, SeesTilesThatWereNeverWritten) {
  const auto rows = [](TestCore& core) {
    for (std::uint64_t i = 0; i < 64; ++i) core.set_row(i, std::vector<float>(8, 1));
    core.registers().gp[1] = 64;
  };
  for (const std::string_view line : {"M_MM 0, gp1, gp0", "M_MV 0, gp1, gp0", "M_TMV 0, gp1, gp0",
                                      "M_BMM 0, gp1, gp0", "M_BTMM 0, gp1, gp0"})
    expect_strict(rows, line, "tile 1 at matrix address 64 in gp1 is read, but was never written");
  expect_strict(rows, "M_TMM 0, gp0, gp1",
                "tile 1 at matrix address 64 in gp1 is read, but was never written");
  const auto tiles = [](TestCore& core) {
    core.set_tile(0, std::vector<float>(64, 1));
    core.set_row(0, std::vector<float>(8, 1));
  };
  expect_strict(
      tiles, "M_MM 0, gp0, gp0",
      "vector row 1 (elements from 8 on) is read, but was never written; its address comes from 0 in gp0");
}

TEST(CoreStrict, SeesEmptyAccumulators) {
  constexpr std::string_view kExpected =
      "nothing is there to write out: no product went into this accumulator since it was last empty";
  expect_strict(fill, "M_MM_WO gp0, gp0, 0", kExpected);
  expect_strict(fill, "M_MV_WO gp0, 0", kExpected);
  expect_strict(fill, "M_BMM_WO gp0, 0", kExpected);
  expect_strict(fill, "M_BMV_WO gp0, 0", kExpected);
  const auto written_out = [](TestCore& core) {
    fill(core);
    EXPECT_EQ(core.run("M_MM 0, gp0, gp0"), "");
    EXPECT_EQ(core.run("M_MM_WO gp0, gp0, 0"), "");
  };
  expect_strict(written_out, "M_MM_WO gp0, gp0, 0", kExpected);
  const auto other = [](TestCore& core) {
    fill(core);
    EXPECT_EQ(core.run("M_MV 0, gp0, gp0"), "");
  };
  expect_strict(other, "M_MM_WO gp0, gp0, 0", kExpected);
}

TEST(CoreStrict, SeesRowsOfABlockOverwriteEachOther) {
  const auto product = [](TestCore& core) {
    fill(core);
    EXPECT_EQ(core.run("M_MM 0, gp0, gp0"), "");
  };
  expect_strict(product, "M_MM_WO gp0, gp5, 0",
                "the step in gp5 is 0: the rows of the block would overwrite each other");
}

TEST(CoreStrict, SeesMasksThatDoNotWork) {
  TestCore strict(Rules::kStrict);
  fill(strict);
  constexpr std::string_view kExpected =
      "a masked reduction does not reduce the chosen slices: the hardware's result has nothing to do with "
      "the mask";
  EXPECT_EQ(strict.run_word(0x15U | (1U << 6U) | (1U << 18U)), kExpected);
  EXPECT_EQ(strict.run_word(0x16U | (1U << 6U) | (1U << 18U)), kExpected);

  isa::Machine machine = small_machine();
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = 64;
  machine.hlen = 1;
  TestCore many(Rules::kStrict, machine);
  many.set_row(0, std::vector<float>(64, 1));
  EXPECT_EQ(many.run("V_ADD_VV gp0, gp0, gp0, 0"), "");
  EXPECT_EQ(many.run("V_ADD_VV gp0, gp0, gp0, 1"),
            "a row has 64 slices of HLEN (1) elements, more than the mask register has bits");
}

TEST(CoreStrict, SeesBitsThatNobodyLooksAt) {
  constexpr std::string_view kTail = " does not look at: the word means something else than it says";
  struct Case {
    std::string_view name;
    std::uint32_t word;
  };
  // The mask where the reference's assembler puts it, an offset not a multiple of 16 likewise, and plain
  // rubbish.
  for (const Case& one :
       {Case{"V_EXP_V", 0x00004013}, Case{"M_BMM_WO", 0x05U | (1U << 10U)}, Case{"M_MM", 0x01U | (3U << 6U)},
        Case{"S_ADD_INT", 0x21U | (1U << 6U) | (1U << 31U)}, Case{"C_SET_SCALE_REG", 0x2CU | (1U << 10U)}}) {
    TestCore strict(Rules::kStrict);
    fill(strict);
    EXPECT_EQ(strict.run_word(one.word), "bits are set that " + std::string(one.name) + std::string(kTail));
    TestCore compat(Rules::kCompat);
    fill(compat);
    EXPECT_EQ(compat.run_word(one.word), "") << one.name;
  }
}

TEST(CoreStrict, SeesTransfersThatAreNotWhatTheySeem) {
  const auto nothing = [](TestCore& core) { core.registers().scale = 4096; };
  expect_strict(nothing, "H_PREFETCH_V gp0, gp0, a0, 2, 0",
                "the stride switch is 2: only 1 takes the stride register, all else means 0");
  const auto shifted = [&](TestCore& core) {
    nothing(core);
    core.registers().gp[1] = 4;
    core.registers().stride = 12;
  };
  expect_strict(shifted, "H_PREFETCH_V gp0, gp1, a0, 0, 0",
                "offset 4 in gp1 lies within a block of 8 elements: its scale would be another block's");
  expect_strict(shifted, "H_PREFETCH_M gp0, gp0, a0, 1, 0",
                "rows 12 bytes apart begin within blocks of 8 elements: their scales would be other blocks'");
  const auto odd = [](boards::NumberFormat format, std::string_view expected) {
    for (const Rules rules : kBothRules) {
      isa::Machine machine = small_machine();
      machine.formats.matrix_weights = format;
      TestCore core(rules, machine);
      core.registers().scale = 4096;
      EXPECT_EQ(core.run("H_PREFETCH_M gp0, gp0, a0, 0, 0"), rules == Rules::kStrict ? expected : "");
    }
  };
  odd({boards::kBf16}, "without the stride register rows lie 8 bytes apart, but a row in bf16 has 16");
  odd({boards::kE4m3, 16, boards::kE8m0},
      "a row of 8 elements is no whole number of blocks of 16: the rest has no scale");
}

TEST(CoreStrict, LeavesTheStateAloneWhenItStops) {
  TestCore core(Rules::kStrict);
  fill(core);
  core.registers().gp[1] = 62 * 8;
  core.registers().scale = 65'500;
  const auto before = core.row(62);
  EXPECT_NE(core.run("H_PREFETCH_V gp1, gp0, a15, 3, 0"), "");
  EXPECT_EQ(core.row(62), before);
  EXPECT_EQ(core.run("M_MM 0, gp0, gp0"), "");
  EXPECT_NE(core.run("M_MM_WO gp1, gp0, 0"), "");
  EXPECT_EQ(core.row(62), before);
  EXPECT_EQ(core.run("M_MM_WO gp0, gp0, 0"), "");
  EXPECT_EQ(core.row(0)[0], 8.0F);
}

}  // namespace
}  // namespace accelscope::emulator
