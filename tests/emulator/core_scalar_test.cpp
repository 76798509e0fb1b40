#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/half_float.h"
#include "emulator/core_fixture.h"

namespace accelscope::emulator {
namespace {

float bf16(double value) {
  return base::float_of_bfloat16(base::bfloat16_bits(value));
}

TEST(CoreScalar, CalculatesWithIntegersThatWrap) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    auto& gp = core.registers().gp;
    gp[1] = 7;
    gp[2] = 0xFFFFFFFF;
    EXPECT_EQ(core.run("S_ADD_INT gp3, gp1, gp2"), "");
    EXPECT_EQ(gp[3], 6U);
    EXPECT_EQ(core.run("S_SUB_INT gp3, gp1, gp2"), "");
    EXPECT_EQ(gp[3], 8U);
    EXPECT_EQ(core.run("S_MUL_INT gp3, gp2, gp2"), "");
    EXPECT_EQ(gp[3], 1U);
    EXPECT_EQ(core.run("S_ADDI_INT gp3, gp2, 262143"), "");
    EXPECT_EQ(gp[3], 262'142U);
    EXPECT_EQ(core.run("S_LUI_INT gp3, 1048575"), "");
    EXPECT_EQ(gp[3], 0xFFFFF000U);
    EXPECT_EQ(core.run("S_LUI_INT gp3, 4194303"), "");
    EXPECT_EQ(gp[3], 0xFFFFF000U) << "two bits fall off";
  }
}

TEST(CoreScalar, KeepsIntegersInTheirMemory) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.registers().gp[1] = 1000;
    core.registers().gp[2] = 42;
    EXPECT_EQ(core.run("S_ST_INT gp2, gp1, 23"), "");
    EXPECT_EQ(core.state().scalars.integers[1023], 42U);
    EXPECT_EQ(core.run("S_LD_INT gp3, gp1, 23"), "");
    EXPECT_EQ(core.registers().gp[3], 42U);
    EXPECT_EQ(core.run("S_LD_INT gp3, gp1, 24"),
              "integer address 1024 (gp1 + 24) lies behind the end of the memory of 1024 words");
    EXPECT_EQ(core.run("S_ST_INT gp3, gp1, 24"),
              "integer address 1024 (gp1 + 24) lies behind the end of the memory of 1024 words");
  }
}

TEST(CoreScalar, CalculatesInBf16) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    auto& f = core.registers().f;
    f[1] = 1;
    f[2] = 0x1p-8F;
    f[3] = 3;
    f[4] = -2;
    EXPECT_EQ(core.run("S_ADD_FP f5, f1, f2"), "");
    EXPECT_EQ(f[5], 1.0F) << "a tie goes to the even one";
    EXPECT_EQ(core.run("S_SUB_FP f5, f1, f3"), "");
    EXPECT_EQ(f[5], -2.0F);
    EXPECT_EQ(core.run("S_MUL_FP f5, f3, f4"), "");
    EXPECT_EQ(f[5], -6.0F);
    EXPECT_EQ(core.run("S_MAX_FP f5, f3, f4"), "");
    EXPECT_EQ(f[5], 3.0F);
    EXPECT_EQ(core.run("S_RECI_FP f5, f3"), "");
    EXPECT_EQ(f[5], bf16(1.0 / 3));
    EXPECT_EQ(core.run("S_SQRT_FP f5, f3"), "");
    EXPECT_EQ(f[5], bf16(std::sqrt(3.0)));
    EXPECT_EQ(core.run("S_EXP_FP f5, f4"), "");
    EXPECT_EQ(f[5], bf16(std::exp(-2.0)));
    f[4] = 1000;
    EXPECT_EQ(core.run("S_EXP_FP f5, f4"), "");
    EXPECT_EQ(f[5], bf16(std::exp(88.0))) << "exponents end at 88";
    f[4] = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(core.run("S_EXP_FP f5, f4"), "");
    EXPECT_EQ(f[5], bf16(std::exp(-88.0)));
  }
}

// The table of exponentials takes all numbers near zero for 1.
TEST(CoreScalar, ExponentialsAreTheRoundedOnes) {
  TestCore core(Rules::kStrict);
  auto& f = core.registers().f;
  for (std::uint32_t bits = 0; bits < 65'536; ++bits) {
    f[1] = base::float_of_bfloat16(static_cast<std::uint16_t>(bits));
    ASSERT_EQ(core.run_word(0x0000049B), "") << "S_EXP_FP f2, f1";
    if (std::isnan(f[1])) {
      ASSERT_TRUE(std::isnan(f[2]));
      continue;
    }
    const long double exact = std::exp(static_cast<long double>(std::fmin(std::fmax(f[1], -88.0F), 88.0F)));
    ASSERT_EQ(f[2], bf16(static_cast<double>(static_cast<float>(exact)))) << f[1];
    // So far from where rounding turns over that no library's last bit matters.
    const auto below = static_cast<long double>(static_cast<float>(exact * (1 - 1e-14L)));
    const auto above = static_cast<long double>(static_cast<float>(exact * (1 + 1e-14L)));
    if (std::fabs(f[1]) > 0x1p-10F) {
      ASSERT_EQ(below, above) << f[1];
    }
  }
}

TEST(CoreScalar, DropsWhatIsForF0) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.registers().f[1] = 5;
    for (const std::string_view line :
         {"S_ADD_FP f0, f1, f1", "S_SUB_FP f0, f1, f0", "S_MUL_FP f0, f1, f1", "S_MAX_FP f0, f1, f1",
          "S_EXP_FP f0, f1", "S_RECI_FP f0, f1", "S_SQRT_FP f0, f1"})
      EXPECT_EQ(core.run(line), "") << line;
    EXPECT_EQ(core.registers().f[0], 0.0F);
  }
}

TEST(CoreScalar, KeepsFloatsInTheirMemory) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.registers().gp[1] = 10;
    core.registers().f[1] = 1.5F;
    EXPECT_EQ(core.run("S_ST_FP f1, gp1, 5"), "");
    EXPECT_EQ(core.run("S_LD_FP f2, gp0, 15"), "");
    EXPECT_EQ(core.registers().f[2], 1.5F);
    EXPECT_EQ(core.run("S_LD_FP f2, gp1, 5000"),
              "float address 5010 (gp1 + 5000) lies behind the end of the memory of 1024 words");
  }
}

TEST(CoreScalar, MapsFloatsIntoARow) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    for (std::size_t i = 0; i < 8; ++i) {
      core.state().scalars.floats[3 + i] = static_cast<float>(i);
      core.state().scalars.float_written[3 + i] = true;
    }
    core.registers().gp[1] = 16;
    core.registers().gp[2] = 1;
    EXPECT_EQ(core.run("S_MAP_V_FP gp1, gp2, 2"), "");
    EXPECT_EQ(core.row(2), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(core.run("S_MAP_V_FP gp1, gp0, 1017"),
              "8 words from float address 1017 (gp0 + 1017) on reach behind the end of the memory of 1024");
    EXPECT_EQ(core.run("S_MAP_V_FP gp2, gp0, 3"), "vector address 1 in gp2 is not a multiple of VLEN (8)");
  }
}

TEST(CoreScalar, SetsSpecialRegisters) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.registers().gp[1] = 2;
    core.registers().gp[2] = 0x80000000;
    EXPECT_EQ(core.run("C_SET_ADDR_REG a15, gp1, gp2"), "");
    EXPECT_EQ(core.registers().a[15], 0x280000000U);
    EXPECT_EQ(core.run("C_SET_SCALE_REG gp1"), "");
    EXPECT_EQ(core.run("C_SET_STRIDE_REG gp2"), "");
    EXPECT_EQ(core.run("C_SET_V_MASK_REG gp1"), "");
    EXPECT_EQ(core.registers().scale, 2U);
    EXPECT_EQ(core.registers().stride, 0x80000000U);
    EXPECT_EQ(core.registers().mask, 2U);
  }
}

TEST(CoreScalar, HasEightFloatRegisters) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    EXPECT_EQ(core.run_word(0x17U | (9U << 6U)), "there is no register f9: they end with f7");  // S_ADD_FP f9
    EXPECT_EQ(core.run_word(0x17U | (1U << 6U) | (8U << 10U)), "there is no register f8: they end with f7");
    EXPECT_EQ(core.run_word(0x1EU | (15U << 6U)), "there is no register f15: they end with f7");   // S_LD_FP
    EXPECT_EQ(core.run_word(0x0EU | (15U << 14U)), "there is no register f15: they end with f7");  // V_ADD_VF
    EXPECT_EQ(core.run_word(0x15U | (8U << 6U)), "there is no register f8: they end with f7");  // V_RED_SUM
  }
}

TEST(CoreScalar, KnowsWhatIsNotItsOwn) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    EXPECT_EQ(core.run_word(0x33), "the word is no instruction");
    EXPECT_EQ(core.run_word(0x34), "C_BREAK is carried out by who runs the program");
  }
}

}  // namespace
}  // namespace accelscope::emulator
