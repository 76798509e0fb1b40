// A whole layer of SmolLM2-135M, run and held against plain arithmetic.
#include <gtest/gtest.h>

#include "emulator/prepared_runs.h"
#include "isa/generators.h"

namespace accelscope::emulator {
namespace {

TEST(ModelLayer, IsExact) {
  for (const std::string_view blen : {"4", "16"}) {
    const auto program =
        isa::generate("decoder-layer:hidden=576,inter=1536,heads=9,kv_heads=3,blen=" + std::string(blen));
    ASSERT_TRUE(program);
    const auto ready = prepare(*program, {.kind = InputKind::kRandom});
    ASSERT_TRUE(ready);
    const Comparison found = emulated(*program, *ready, {}, "hbm");
    EXPECT_EQ(found.checked, 5U * 64 * 576 + 4U * 64 * 192 + 2U * 64 * 1536);
    EXPECT_EQ(found.different, 0U);
  }
}

}  // namespace
}  // namespace accelscope::emulator
