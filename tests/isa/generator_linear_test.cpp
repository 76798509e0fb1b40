#include "isa/generator_linear.h"

#include <gtest/gtest.h>

#include "isa/assembler.h"
#include "isa/program_builder.h"

namespace accelscope::isa {
namespace {

std::string refusal(const LinearShape& shape) {
  const auto made = linear_listing(shape);
  return made ? "" : made.error().message;
}

TEST(LinearGenerator, WritesTheDocumentedProgram) {
  const auto listing = linear_listing({.mlen = 16, .blen = 4, .rows = 128, .in = 16, .out = 32});
  ASSERT_TRUE(listing);
  EXPECT_EQ(
      listing->substr(0, listing->find("H_PREFETCH_V")),
      ";@ section activations\n;@ tensor X\n"
      "S_ADDI_INT gp1, gp0, 0\nC_SET_ADDR_REG a0, gp0, gp1\n"
      "S_ADDI_INT gp2, gp0, 0\nS_ADDI_INT gp3, gp0, 0\nS_ADDI_INT gp4, gp0, 0\nS_ADDI_INT gp5, gp0, 0\n"
      "S_ADDI_INT gp13, gp0, 0\nS_ADDI_INT gp1, gp0, 2048\nC_SET_SCALE_REG gp1\n"
      "S_ADDI_INT gp11, gp0, 0\nS_ADDI_INT gp12, gp0, 0\nS_ADDI_INT gp1, gp0, 16\nC_SET_STRIDE_REG gp1\n"
      "C_LOOP_START gp8, 1\n  S_ADDI_INT gp13, gp12, 0\n  C_LOOP_START gp9, 32\n    ");
  // The last block: weights behind 2304, columns 16 and on, results behind 2048 + 2048 + 7 * 256.
  const std::string last = listing->substr(listing->rfind(";@ section"));
  EXPECT_NE(last.find("S_ADDI_INT gp1, gp0, 2304\nC_SET_ADDR_REG"), std::string::npos) << last;
  EXPECT_NE(last.find("S_ADDI_INT gp12, gp0, 16\nH_PREFETCH_M gp11, gp12, a0, 1, 0"), std::string::npos);
  EXPECT_NE(last.find("S_ADDI_INT gp3, gp0, 5888\n"), std::string::npos);
}

TEST(LinearGenerator, MakesListingsThatAssembleWithoutWarnings) {
  for (const LinearShape& shape : {LinearShape{16, 4, 16, 16, 16}, LinearShape{64, 16, 128, 192, 256},
                                   LinearShape{256, 64, 1024, 1024, 512}})
    for (const Dialect dialect : {Dialect::kStrict, Dialect::kReference}) {
      const auto listing = linear_listing(shape);
      ASSERT_TRUE(listing);
      EXPECT_EQ(assemble("a", *listing, dialect).diagnostics.to_string(), "");
    }
}

TEST(LinearGenerator, RefusesShapesThatDoNotDivide) {
  EXPECT_EQ(refusal({.mlen = 0}), "no size of a linear layer may be 0");
  EXPECT_EQ(refusal({.mlen = 64, .blen = 5}), "mlen (64) must be a multiple of blen (5) and of 8");
  EXPECT_EQ(refusal({.rows = 65}), "rows (65), in (64) and out (128) must be multiples of mlen (64)");
  EXPECT_NE(refusal({.rows = 1U << 31U, .in = 1U << 31U, .out = 64}).find("beyond 32 bits"),
            std::string::npos);
}

TEST(ProgramBuilder, MakesConstantsOfAnySize) {
  ProgramBuilder build;
  build.set(3, 262143);
  build.set(3, 262144);
  build.add(4, 3, 262143);
  build.add(4, 3, 0xFFFFFFFF);
  EXPECT_EQ(build.take(),
            "S_ADDI_INT gp3, gp0, 262143\n"
            "S_LUI_INT gp3, 64\nS_ADDI_INT gp3, gp3, 0\n"
            "S_ADDI_INT gp4, gp3, 262143\n"
            "S_LUI_INT gp15, 1048575\nS_ADDI_INT gp15, gp15, 4095\nS_ADD_INT gp4, gp3, gp15\n");
}

}  // namespace
}  // namespace accelscope::isa
