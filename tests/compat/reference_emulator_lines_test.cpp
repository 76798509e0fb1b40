// The lines of the reference's emulator, letter by letter.
#include "compat/reference_emulator_lines.h"

#include <gtest/gtest.h>

#include <limits>

namespace accelscope::compat {
namespace {

TEST(ReferenceEmulatorLines, RatesHaveNoPlusAndNoZeros) {
  EXPECT_EQ(scientific(5.2234e9), "5.22e9");
  EXPECT_EQ(scientific(1.5e11), "1.50e11");
  EXPECT_EQ(scientific(0), "0.00e0");
  EXPECT_EQ(scientific(9.996e-3), "1.00e-2");
  EXPECT_EQ(scientific(-2.5e100), "-2.50e100");
  EXPECT_EQ(scientific(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(scientific(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

TEST(ReferenceEmulatorLines, AreAsPublished) {
  EXPECT_EQ(traffic_line(49'152, 0, {9'410'000}),
            "HBM Statistics - Bytes read: 49152 | Bytes written: 0 | Utilization: 5.22e9 bytes/sec");
  EXPECT_EQ(latency_line({9'410'000}), "Simulation completed. Latency 9410.000ns");
  EXPECT_EQ(latency_line({849'688'528}), "Simulation completed. Latency 849688.528ns");
  EXPECT_EQ(latency_line({5}), "Simulation completed. Latency 0.005ns");
}

TEST(ReferenceEmulatorLines, EachModelHasItsOwn) {
  const ReferenceLinkCounts counts{.weight_reads = 1,
                                   .weight_bytes = 64,
                                   .activation_reads = 2,
                                   .activation_bytes = 128,
                                   .resident_bytes = 3,
                                   .streamed_bytes = 4,
                                   .swaps = 5,
                                   .swapped_bytes = 6,
                                   .swap_time = {7'999}};
  EXPECT_EQ(link_line("hbm", counts), "");
  EXPECT_EQ(link_line("host-stream", counts),
            "Host-stream memory - weight reads: 1 (64 bytes) | activation reads: 2 (128 bytes)");
  EXPECT_EQ(link_line("layer-swap", counts),
            "Layer-swap memory - swaps: 5 | swapped bytes: 6 | swap time: 7 ns");
  EXPECT_EQ(link_line("kv-swap", counts),
            "Capacity model [kv-swap] - resident bytes: 3 | kv swapped bytes: 6 (swaps: 5) | weight streamed "
            "bytes: 4");
}

}  // namespace
}  // namespace accelscope::compat
