// Ten million random requests for every preset.
#include <gtest/gtest.h>

#include "memory/checked_traffic.h"
#include "memory/dram_preset_file.h"

namespace accelscope::memory {
namespace {

class LongDramLegality : public testing::TestWithParam<const char*> {};

TEST_P(LongDramLegality, OfTenMillionRequests) {
  const DramPreset preset = *load_dram_preset(GetParam());
  const CommandChecker checker = checked(preset, {}, 10'000'000, constraints_of(preset));
  EXPECT_TRUE(checker.faults().empty()) << checker.faults().front();
  EXPECT_GT(checker.commands(), 10'000'000U);
}

INSTANTIATE_TEST_SUITE_P(All, LongDramLegality,
                         testing::Values("ddr3-1600", "ddr3-1600-x16", "ddr4-2400", "hbm2", "hbm3"));

}  // namespace
}  // namespace accelscope::memory
