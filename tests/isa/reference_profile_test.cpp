#include "isa/reference_profile.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "isa/generator_linear.h"

namespace accelscope::isa {
namespace {

ReferenceProfile profile_of(std::string_view text, const Latencies& latencies = {}) {
  const auto made = reference_profile(text, latencies);
  EXPECT_TRUE(made) << made.error().to_string();
  return *made;
}

Latencies small() {
  Latencies latencies;
  latencies.mlen = latencies.vlen = 16;
  return latencies;
}

TEST(ReferenceProfile, OfTheSmallLinearLayer) {
  const auto listing = linear_listing({.mlen = 16, .blen = 4, .rows = 128, .in = 16, .out = 32});
  const ReferenceProfile profile = profile_of(*listing, small());
  EXPECT_EQ(profile.static_lines, 486U);
  EXPECT_EQ(profile.dynamic_count, 3538U);
  EXPECT_EQ(profile.cycles, 7330U);
  base::MemoryOutput out;
  write_reference_json(
      profile, {.file = "a.asm", .board = "v80", .clock = base::Frequency::mhz(400), .mlen = 16}, out);
  EXPECT_EQ(out.bytes(), fmt::format(R"json({{
  "source_lines": {0},
  "static_instruction_lines": 486,
  "comment_or_metadata_lines": {1},
  "dynamic_instruction_count": 3538,
  "estimated_cycles": 7330,
  "estimated_ms_at_1ghz": 0.00733,
  "cycle_model": "v80 (MLEN=16, dc_en=1)",
  "cycle_model_dc_en": 1,
  "cycle_model_latency_profile": null,
  "loop_start_lines": 50,
  "instruction_types_dynamic": {{
    "C": 998,
    "H": 48,
    "M": 512,
    "S": 1980,
    "V": 0
  }},
  "selected_opcodes_dynamic": {{
    "C_LOOP_START": 338,
    "C_LOOP_END": 609,
    "H_PREFETCH_M": 16,
    "H_PREFETCH_V": 32,
    "M_MM": 256,
    "M_MM_WO": 256
  }}
}}
)json",
                                     profile.source_lines, profile.source_lines - 486));
}

TEST(ReferenceProfile, Text) {
  base::MemoryOutput out;
  write_reference_text(
      profile_of("C_LOOP_START gp1, 3\nM_MM 0, gp1, gp2\nC_LOOP_END gp1\n", small()),
      {.file = "a.asm", .board = "nexys_video", .clock = base::Frequency::mhz(100), .mlen = 16}, out);
  EXPECT_EQ(out.bytes(),
            "=== a.asm (nexys_video @100MHz, MLEN=16) ===\n"
            "Source lines:     3\nStatic instrs:    3\nDynamic instrs:   7\nEstimated cycles: 52\n"
            "Estimated time:   0.001 ms\nCycle model:      nexys_video (MLEN=16, dc_en=1)\n"
            "  C_LOOP_END     3\n  M_MM           3\n  C_LOOP_START   1\n");
}

TEST(ReferenceProfile, KeepsItsQuirks) {
  // A comment behind the count makes it 1.
  EXPECT_EQ(profile_of("C_LOOP_START gp1, 8 ; eight\nC_BREAK\nC_LOOP_END gp1\n").dynamic_count, 3U);
  // Whatever looks like an instruction costs a cycle.
  EXPECT_EQ(profile_of("S_MV_FP f1, f2\nV_TOPK gp1, gp2, gp3\nlabel:\n// S_ADDI_INT\n; x\n\n").cycles, 2U);
  // The end closes the innermost loop, whatever its register; one too many closes none.
  EXPECT_EQ(profile_of("C_LOOP_START gp1, 2\nC_LOOP_END gp9\nC_LOOP_END gp9\nC_BREAK\n").dynamic_count, 5U);
  EXPECT_EQ(profile_of("").source_lines, 0U);
  EXPECT_EQ(profile_of("H_STORE_V gp1, gp2, a0, 1, 0").static_lines, 1U);
}

TEST(ReferenceProfile, SaysWhatDoesNotFit) {
  std::string text;
  for (int i = 0; i < 3; ++i) text += "C_LOOP_START gp1, 4194303\n";
  const auto made = reference_profile(text + "C_BREAK\n", {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().to_string(), "line 3: the program takes more than 2^64 cycles");
}

}  // namespace
}  // namespace accelscope::isa
