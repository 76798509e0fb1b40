#include "accelscope/dfx_flags.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <string>

namespace accelscope {
namespace {

TEST(DfxFlags, HaveTheBitsThatTravel) {
  EXPECT_EQ(kDfxCoreTiming, 1U);
  EXPECT_EQ(kDfxTaskLifecycle, 2U);
  EXPECT_EQ(kDfxPhaseBuffers, 4U);
  EXPECT_EQ(kDfxDumpTensor, 8U);
  EXPECT_EQ(kDfxDependencyCapture, 16U);
  EXPECT_EQ(kDfxPmu, 32U);
  EXPECT_EQ(kDfxScopeStats, 64U);
  EXPECT_EQ(kDfxCoreSwimlane, 128U);
  EXPECT_EQ(known_dfx_bits(), 0xFFU);
}

TEST(DfxFlags, EachFeatureHasOneBitAndOneName) {
  std::set<std::string> names;
  std::uint64_t seen = 0;
  for (const DfxFeature& feature : kDfxFeatures) {
    EXPECT_TRUE(std::has_single_bit(feature.bit)) << feature.name;
    EXPECT_EQ(seen & feature.bit, 0U) << feature.name;
    seen |= feature.bit;
    EXPECT_EQ(feature.implies & ~known_dfx_bits(), 0U) << feature.name;
    EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
  }
}

TEST(DfxFlags, ImpliedFeaturesAreAddedAllTheWay) {
  EXPECT_EQ(with_implied_dfx(0), 0U);
  EXPECT_EQ(with_implied_dfx(kDfxTaskLifecycle), 0b11U);
  EXPECT_EQ(with_implied_dfx(kDfxPhaseBuffers), 0b111U);
  EXPECT_EQ(with_implied_dfx(kDfxCoreSwimlane), kDfxCoreSwimlane | kDfxCoreTiming);
  EXPECT_EQ(with_implied_dfx(kDfxPmu | kDfxScopeStats), kDfxPmu | kDfxScopeStats);
  for (std::uint64_t flags = 0; flags < 256; ++flags)
    EXPECT_EQ(with_implied_dfx(with_implied_dfx(flags)), with_implied_dfx(flags)) << flags;
}

TEST(DfxFlags, UnknownBitsAreSeenAndKept) {
  EXPECT_EQ(unknown_dfx_bits(0xFF), 0U);
  EXPECT_EQ(unknown_dfx_bits(0x101), 0x100U);
  EXPECT_EQ(unknown_dfx_bits(~std::uint64_t{0}), ~std::uint64_t{0xFF});
  EXPECT_EQ(with_implied_dfx(std::uint64_t{1} << 63U), std::uint64_t{1} << 63U);
}

TEST(DfxFlags, LevelsMapToTheFirstThreeBits) {
  EXPECT_EQ(dfx_flags_of_level(0), 0U);
  EXPECT_EQ(dfx_flags_of_level(1), 0b1U);
  EXPECT_EQ(dfx_flags_of_level(2), 0b11U);
  EXPECT_EQ(dfx_flags_of_level(3), 0b111U);
  for (const int wrong : {-1, 4, 1000}) {
    EXPECT_FALSE(is_chip_swimlane_level(wrong));
    EXPECT_EQ(dfx_flags_of_level(wrong), 0U);
  }
  for (int level = 0; level <= kMaxChipSwimlaneLevel; ++level)
    EXPECT_EQ(chip_swimlane_level_of(dfx_flags_of_level(level) | kDfxPmu), level);
  EXPECT_EQ(chip_swimlane_level_of(kDfxPhaseBuffers), 3);
}

// What a runtime does to add a feature: a bit and a row. Everything else takes it as it is.
TEST(DfxFlags, AFeatureMoreIsABitMore) {
  constexpr std::uint64_t kDfxPower = std::uint64_t{1} << 8U;
  constexpr DfxFeature kFeatures[] = {{kDfxCoreTiming, 0, "chip_swimlane_aicore_timing"},
                                      {kDfxTaskLifecycle, kDfxCoreTiming, "chip_swimlane_task_lifecycle"},
                                      {kDfxPower, kDfxTaskLifecycle, "power"}};
  static_assert(with_implied_dfx(kDfxPower, kFeatures) == (kDfxPower | 0b11U));
  EXPECT_EQ(known_dfx_bits(kFeatures), 0x103U);
}

}  // namespace
}  // namespace accelscope
