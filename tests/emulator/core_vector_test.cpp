#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/half_float.h"
#include "emulator/core_fixture.h"

namespace accelscope::emulator {
namespace {

using Row = std::vector<float>;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float to_bf16(double value) {
  return base::float_of_bfloat16(base::bfloat16_bits(value));
}

// Rows 1 and 2 are given; gp1 to gp3 point to rows 1 to 3, f1 is 2.
TestCore with_rows(Rules rules, Row first, Row second) {
  TestCore core(rules);
  core.set_row(1, std::move(first));
  core.set_row(2, std::move(second));
  for (std::uint32_t i = 1; i < 4; ++i) core.registers().gp[i] = 8 * i;
  core.registers().f[1] = 2;
  return core;
}

struct Case {
  std::string_view line;
  Row expected;
};

TEST(CoreVector, CalculatesElementByElement) {
  const Row a{1, -2, 3, 0.5F, 1.0F, 100, 8, -1};
  const Row b{4, 2, -3, 0.25F, 0x1p-8F, 1, 8, 3};
  const std::vector<Case> cases{
      {"V_ADD_VV gp3, gp1, gp2", {5, 0, 0, 0.75F, 1, 101, 16, 2}},
      {"V_SUB_VV gp3, gp1, gp2", {-3, -4, 6, 0.25F, 0.99609375F, 99, 0, -4}},
      {"V_MUL_VV gp3, gp1, gp2", {4, -4, -9, 0.125F, 0x1p-8F, 100, 64, -3}},
      {"V_ADD_VF gp3, gp1, f1", {3, 0, 5, 2.5F, 3, 102, 10, 1}},
      {"V_MUL_VF gp3, gp1, f1", {2, -4, 6, 1, 2, 200, 16, -2}},
      {"V_SUB_VF gp3, gp1, f1, 0, 0", {-1, -4, 1, -1.5F, -1, 98, 6, -3}},
      {"V_SUB_VF gp3, gp1, f1, 0, 1", {1, 4, -1, 1.5F, 1, -98, -6, 3}},
      {"V_MAX_VF gp3, gp1, f1", {2, 2, 3, 2, 2, 100, 8, 2}},
      {"V_MIN_VF gp3, gp1, f1", {1, -2, 2, 0.5F, 1, 2, 2, -1}},
      {"V_RECI_V gp3, gp1", {1, -0.5F, to_bf16(1.0 / 3), 2, 1, to_bf16(0.01), 0.125F, -1}},
  };
  for (const Rules rules : kBothRules)
    for (const Case& one : cases) {
      TestCore core = with_rows(rules, a, b);
      EXPECT_EQ(core.run(one.line), "");
      EXPECT_EQ(core.row(3), one.expected) << one.line;
      EXPECT_EQ(core.row(1), a) << one.line;
    }
}

TEST(CoreVector, MayWriteWhatItReads) {
  TestCore core = with_rows(Rules::kStrict, {1, 2, 3, 4}, {10, 20, 30, 40});
  EXPECT_EQ(core.run("V_SUB_VV gp1, gp2, gp1"), "");
  EXPECT_EQ(core.row(1), (Row{9, 18, 27, 36, 0, 0, 0, 0}));
  EXPECT_EQ(core.run("V_MUL_VV gp1, gp1, gp1"), "");
  EXPECT_EQ(core.row(1), (Row{81, 324, 728, 1296, 0, 0, 0, 0}))
      << "729 takes ten bits, 728 and 732 do with eight";
}

TEST(CoreVector, RoundsToTheFormatOfTheMemory) {
  isa::Machine machine = small_machine();
  machine.formats.vector_sram = {boards::ElementType::floating(true, 8, 23)};
  TestCore core(Rules::kStrict, machine);
  core.set_row(0, Row(8, 1 + 0x1p-20F));
  EXPECT_EQ(core.run("V_ADD_VV gp0, gp0, gp0"), "");
  EXPECT_EQ(core.row(0), Row(8, 2 + 0x1p-19F));
  EXPECT_EQ(core.run("V_EXP_V gp0, gp0, 0"), "");
  EXPECT_EQ(core.row(0)[0], static_cast<float>(std::exp(2 + 0x1p-19)));

  machine.formats.vector_sram = {boards::ElementType::floating(true, 8, 3)};
  TestCore coarse(Rules::kStrict, machine);
  coarse.set_row(0, Row(8, 1.125F));
  EXPECT_EQ(coarse.run("V_MUL_VV gp0, gp0, gp0"), "");
  EXPECT_EQ(coarse.row(0), Row(8, 1.25F)) << "1.265625";
}

TEST(CoreVector, TakesExponentials) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_rows(rules, {0, 1, -1, 100, -100, kInfinity, -kInfinity, kNotANumber}, {});
    EXPECT_EQ(core.run("V_EXP_V gp3, gp1, 0"), "");
    const Row made = core.row(3);
    EXPECT_EQ(Row(made.begin(), made.end() - 1),
              (Row{1, to_bf16(std::exp(1.0)), to_bf16(std::exp(-1.0)), to_bf16(std::exp(88.0)),
                   to_bf16(std::exp(-88.0)), to_bf16(std::exp(88.0)), to_bf16(std::exp(-88.0))}));
    EXPECT_TRUE(std::isnan(made[7]));
  }
}

TEST(CoreVector, MasksBySlices) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_rows(rules, {1, 1, 1, 1, 2, 2, 2, 2}, {3, 3, 3, 3, 3, 3, 3, 3});
    core.registers().mask = 2;
    EXPECT_EQ(core.run("V_ADD_VV gp3, gp1, gp2, 1"), "");
    EXPECT_EQ(core.row(3), (Row{1, 1, 1, 1, 5, 5, 5, 5})) << "what is left out is copied";
    EXPECT_EQ(core.run("V_MUL_VF gp3, gp1, f1, 1"), "");
    EXPECT_EQ(core.row(3), (Row{1, 1, 1, 1, 4, 4, 4, 4}));
    EXPECT_EQ(core.run("V_RECI_V gp3, gp1, 1"), "");
    EXPECT_EQ(core.row(3), (Row{1, 1, 1, 1, .5F, .5F, .5F, .5F}));
    core.registers().mask = 0;
    EXPECT_EQ(core.run("V_MUL_VF gp3, gp1, f1, 1"), "");
    EXPECT_EQ(core.row(3), core.row(1));
  }
}

TEST(CoreVector, MaskedExponentialsClampWhatTheyLeaveOut) {
  TestCore compat = with_rows(Rules::kCompat, {0, 0, 0, 0, 100, -100, 3, kNotANumber}, {});
  compat.registers().mask = 1;
  EXPECT_EQ(compat.run("V_EXP_V gp3, gp1, 1"), "");
  const Row made = compat.row(3);
  EXPECT_EQ(Row(made.begin(), made.end() - 1), (Row{1, 1, 1, 1, 88, -88, 3}));
  EXPECT_TRUE(std::isnan(made[7]));

  TestCore strict = with_rows(Rules::kStrict, {0, 0, 0, 0, 88, -88, 3, 4}, {});
  strict.registers().mask = 1;
  EXPECT_EQ(strict.run("V_EXP_V gp3, gp1, 1"), "");
  EXPECT_EQ(strict.row(3), (Row{1, 1, 1, 1, 88, -88, 3, 4}));
  strict.set_row(1, {0, 0, 0, 0, 1, -100, 3, 4});
  EXPECT_EQ(
      strict.run("V_EXP_V gp3, gp1, 1"),
      "element 5 of the row at vector address 8 in gp1 is -100: the mask leaves it out, but V_EXP_V would "
      "clamp it to -88 all the same");
}

TEST(CoreVector, ReducesOntoWhatTheRegisterHolds) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_rows(rules, {1, 2, 3, 4, 5, 6, 7, 8}, {-5, -4, -7, -9, -4.5F, -8, -8, -8});
    EXPECT_EQ(core.run("V_RED_SUM f1, gp1"), "");
    EXPECT_EQ(core.registers().f[1], 38.0F);
    EXPECT_EQ(core.run("V_RED_MAX f1, gp1"), "");
    EXPECT_EQ(core.registers().f[1], 38.0F);
    core.registers().f[2] = -100;
    EXPECT_EQ(core.run("V_RED_MAX f2, gp2"), "");
    EXPECT_EQ(core.registers().f[2], -4.0F);
    core.registers().gp[5] = 12345;
    EXPECT_EQ(core.run("V_RED_SUM f0, gp5"), "") << "into f0 nothing happens at all";
    EXPECT_EQ(core.run("V_RED_MAX f0, gp5"), "");
    EXPECT_EQ(core.registers().f[0], 0.0F);
  }
}

TEST(CoreVector, SumsUpwards) {
  // In any other order the small ones are not lost.
  TestCore core = with_rows(Rules::kStrict, {0x1p24F, 1, 1, 1, 1, -0x1p24F, 0, 0}, {});
  core.registers().f[1] = 0;
  EXPECT_EQ(core.run("V_RED_SUM f1, gp1"), "");
  EXPECT_EQ(core.registers().f[1], 0.0F);
}

TEST(CoreVector, ReducesWrongUnderAMaskAsTheReferenceDoes) {
  TestCore core = with_rows(Rules::kCompat, {1, 2, 3, 4, 5, 6, 7, 80}, {});
  core.registers().mask = 1;
  core.registers().f[1] = 0;
  // Rmask stands in bits 18 to 21, where the reference's assembler never puts it.
  EXPECT_EQ(core.run_word(0x15U | (1U << 6U) | (1U << 10U) | (1U << 18U)), "");
  EXPECT_EQ(core.registers().f[1], 4.0F * 10 + 98);
  EXPECT_EQ(core.run_word(0x16U | (2U << 6U) | (1U << 10U) | (1U << 18U)), "");
  EXPECT_EQ(core.registers().f[2], 80.0F);
}

TEST(CoreVector, MaximaKeepWhatIsNoNumber) {
  TestCore core = with_rows(Rules::kCompat, {1, kNotANumber, 3}, {});
  core.registers().f[2] = 50;
  EXPECT_EQ(core.run("V_RED_MAX f2, gp1"), "");
  EXPECT_TRUE(std::isnan(core.registers().f[2]));
  EXPECT_EQ(core.run("V_MAX_VF gp3, gp1, f1"), "");
  EXPECT_TRUE(std::isnan(core.row(3)[1]));
  EXPECT_EQ(core.row(3)[0], 2.0F);
}

TEST(CoreVector, ShiftsTowardsHigherElements) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_rows(rules, {1, 2, 3, 4, 5, 6, 7, 8}, {});
    core.registers().gp[4] = 3;
    EXPECT_EQ(core.run("V_SHFT_V gp3, gp1, gp4"), "");
    EXPECT_EQ(core.row(3), (Row{0, 0, 0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(core.run("V_SHFT_V gp1, gp1, gp4"), "") << "in place";
    EXPECT_EQ(core.row(1), (Row{0, 0, 0, 1, 2, 3, 4, 5}));
    core.registers().gp[4] = 0xFFFFFFFF;
    EXPECT_EQ(core.run("V_SHFT_V gp3, gp1, gp4"), "");
    EXPECT_EQ(core.row(3), Row(8));
  }
}

TEST(CoreVector, StopsAtAddressesThatAreNoRows) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_rows(rules, {}, {});
    core.registers().gp[4] = 12;
    core.registers().gp[5] = 512;
    EXPECT_EQ(core.run("V_ADD_VV gp4, gp1, gp2"), "vector address 12 in gp4 is not a multiple of VLEN (8)");
    EXPECT_EQ(core.run("V_ADD_VV gp3, gp4, gp2"), "vector address 12 in gp4 is not a multiple of VLEN (8)");
    EXPECT_EQ(core.run("V_ADD_VV gp3, gp1, gp5"),
              "vector address 512 in gp5 lies behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(core.run("V_EXP_V gp5, gp1, 0"),
              "vector address 512 in gp5 lies behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(core.run("V_RED_SUM f1, gp4"), "vector address 12 in gp4 is not a multiple of VLEN (8)");
    EXPECT_EQ(core.run("V_SHFT_V gp3, gp4, gp0"), "vector address 12 in gp4 is not a multiple of VLEN (8)");
  }
}

// Logits 0, 1, 2, ... but for a few.
void set_logits(TestCore& core, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 8) {
    Row row(8);
    for (std::size_t j = 0; j < 8; ++j) row[j] = static_cast<float>((i + j) % 13) / 4;
    core.set_row(i / 8, row);
  }
}

TEST(CoreVector, RoutesToTheBestExperts) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    set_logits(core, 128);
    core.state().vectors.row(1)[2] = 9;            // expert 10
    core.state().vectors.row(2)[1] = kNotANumber;  // expert 17
    core.registers().gp[1] = 100;
    core.registers().gp[2] = 200;
    EXPECT_EQ(core.run("V_TOPK gp1, gp0, gp2, 0"), "");
    const auto& integers = core.state().scalars.integers;
    EXPECT_EQ(std::vector<std::uint32_t>(integers.begin() + 200, integers.begin() + 205),
              (std::vector<std::uint32_t>{10, 12, 25, 11, 0}))
        << "the lower of equals first";
    const double sum = 1 + 2 * std::exp(3.0 - 9) + std::exp(2.75 - 9);
    const auto& floats = core.state().scalars.floats;
    EXPECT_EQ(floats[100], to_bf16(1 / sum));
    EXPECT_EQ(floats[101], to_bf16(std::exp(3.0 - 9) / sum));
    EXPECT_EQ(floats[102], floats[101]);
    EXPECT_EQ(floats[103], to_bf16(std::exp(2.75 - 9) / sum));
    EXPECT_EQ(core.run("V_TOPK gp1, gp0, gp2, 1"), "");
    EXPECT_EQ(std::vector<std::uint32_t>(integers.begin() + 200, integers.begin() + 208),
              (std::vector<std::uint32_t>{10, 12, 25, 38, 51, 64, 77, 90}));
  }
}

TEST(CoreVector, RoutesWithoutWeightsWhereThereAreNone) {
  TestCore core(Rules::kStrict);
  for (std::uint64_t row = 0; row < 4; ++row) core.set_row(row, Row(8, kNotANumber));
  EXPECT_EQ(core.run("V_TOPK gp0, gp0, gp0, 0"), "");
  EXPECT_EQ(core.state().scalars.integers[3], 3U);
  EXPECT_EQ(core.state().scalars.floats[0], 0.0F);
}

TEST(CoreVector, StopsAtRoutesThatLeaveTheirMemories) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    set_logits(core, 128);
    core.registers().gp[1] = 1021;
    core.registers().gp[2] = 61 * 8;
    EXPECT_EQ(core.run("V_TOPK gp1, gp0, gp0, 0"),
              "4 words from float address 1021 in gp1 on reach behind the end of the memory of 1024");
    EXPECT_EQ(core.run("V_TOPK gp0, gp0, gp1, 0"),
              "4 words from integer address 1021 in gp1 on reach behind the end of the memory of 1024");
    EXPECT_EQ(
        core.run("V_TOPK gp0, gp2, gp0, 0"),
        "4 rows from vector address 488 in gp2 on reach behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(core.run_word(0x37U | (2U << 18U)),
              "V_TOPK chooses 4 of 32 (0) or 8 of 128 (1); there is no choice 2");
  }
}

}  // namespace
}  // namespace accelscope::emulator
