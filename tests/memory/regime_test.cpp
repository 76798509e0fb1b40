#include "memory/regime.h"

#include <gtest/gtest.h>

namespace accelscope::memory {
namespace {

TEST(Regime, ChangesWhereTheNextByteDoesNotFit) {
  const base::Bytes capacity{100};
  EXPECT_EQ(choose_regime({{60}, {100}}, capacity), Regime::kResident);
  EXPECT_EQ(choose_regime({{60}, {101}}, capacity), Regime::kKvSwap);
  EXPECT_EQ(choose_regime({{100}, {101}}, capacity), Regime::kKvSwap);
  EXPECT_EQ(choose_regime({{101}, {101}}, capacity), Regime::kWeightStream);
}

TEST(Regime, HasTheNamesOfTheDocumentation) {
  EXPECT_EQ(name_of(Regime::kResident), "resident");
  EXPECT_EQ(name_of(Regime::kKvSwap), "kv-swap");
  EXPECT_EQ(name_of(Regime::kWeightStream), "weight-stream");
}

}  // namespace
}  // namespace accelscope::memory
