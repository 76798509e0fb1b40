#include "isa/static_profile.h"

#include <gtest/gtest.h>

#include "isa/generator_linear.h"

namespace accelscope::isa {
namespace {

Program profiled_program(std::string_view text) {
  ReadProgram read = read_program("a.asm", text, Dialect::kStrict);
  EXPECT_TRUE(read.diagnostics.ok()) << read.diagnostics.to_string();
  return std::move(read.program);
}

StaticProfile profile_of(const Program& program, const Latencies& latencies = {},
                         CycleModel model = CycleModel::kReference, LabelKind parts = LabelKind::kSection) {
  const auto counts = count(program, {parts});
  EXPECT_TRUE(counts) << counts.error().to_string();
  const auto profile = price(*counts, latencies, model);
  EXPECT_TRUE(profile) << profile.error().to_string();
  return *profile;
}

Program linear(const LinearShape& shape) {
  const auto listing = linear_listing(shape);
  EXPECT_TRUE(listing) << listing.error().to_string();
  return profiled_program(*listing);
}

// As the boards' files have them.
Latencies nexys_video() {
  Latencies latencies;
  latencies.systolic_overhead = 8;
  latencies.vector_add = 9;
  latencies.vector_multiply = 7;
  latencies.vector_exponential = 15;
  latencies.vector_reciprocal = 8;
  latencies.vector_sum = 30;
  latencies.float_exponential = latencies.float_reciprocal = latencies.float_square_root = 2;
  latencies.prefetch_vector = latencies.store_vector = 25;
  latencies.prefetch_matrix = 400;
  return latencies;
}

std::uint64_t dynamic_of(const StaticProfile& profile, std::string_view mnemonic) {
  return profile.opcodes[find_instruction(mnemonic)->opcode].dynamic;
}

constexpr std::string_view kScaleRows =
    "S_LD_FP f1, gp0, 1\nS_ADDI_INT gp2, gp0, 0\nC_LOOP_START gp3, 8\nV_MUL_VF gp2, gp2, f1, 0\n"
    "S_ADDI_INT gp2, gp2, 64\nC_LOOP_END gp3\n";

TEST(StaticProfile, OfARowByRowLoop) {
  for (const CycleModel model : {CycleModel::kReference, CycleModel::kEmulator})
    EXPECT_EQ(profile_of(profiled_program(kScaleRows), {}, model).total, (Cost{6, 27, 27}));
}

TEST(StaticProfile, OfTheSmallLinearLayer) {
  const Program program = linear({.mlen = 16, .blen = 4, .rows = 128, .in = 16, .out = 32});
  Latencies latencies;
  latencies.mlen = latencies.vlen = 16;
  for (const CycleModel model : {CycleModel::kReference, CycleModel::kEmulator})
    EXPECT_EQ(profile_of(program, latencies, model).total, (Cost{486, 3538, 7330}));

  const StaticProfile profile = profile_of(program, latencies);
  EXPECT_EQ(dynamic_of(profile, "S_ADDI_INT"), 1980U);
  for (const std::string_view set : {"C_SET_ADDR_REG", "C_SET_SCALE_REG", "C_SET_STRIDE_REG"})
    EXPECT_EQ(dynamic_of(profile, set), 17U);
  EXPECT_EQ(dynamic_of(profile, "C_LOOP_START"), 338U);
  EXPECT_EQ(dynamic_of(profile, "C_LOOP_END"), 609U);
  EXPECT_EQ(dynamic_of(profile, "H_PREFETCH_V"), 32U);
  EXPECT_EQ(dynamic_of(profile, "H_PREFETCH_M"), 16U);
  EXPECT_EQ(dynamic_of(profile, "M_MM"), 256U);
  EXPECT_EQ(dynamic_of(profile, "M_MM_WO"), 256U);
}

TEST(StaticProfile, OfTheSmallLinearLayerOnBoards) {
  const Program program = linear({.mlen = 16, .blen = 4, .rows = 128, .in = 16, .out = 32});
  Latencies video = nexys_video();
  video.mlen = video.vlen = 16;
  EXPECT_EQ(profile_of(program, video).total.cycles, 16578U);
  Latencies a7 = video;
  a7.systolic_overhead = 0;
  EXPECT_EQ(profile_of(program, a7).total.cycles, 14530U);
}

TEST(StaticProfile, OfTheLargeLinearLayer) {
  const Program program = linear({.mlen = 64, .blen = 4, .rows = 64, .in = 128, .out = 256});
  const StaticProfile profile = profile_of(program);
  EXPECT_EQ(profile.total, (Cost{150, 15954, 144938}));
  EXPECT_EQ(dynamic_of(profile, "S_ADDI_INT"), 8562U);
  EXPECT_EQ(dynamic_of(profile, "C_SET_ADDR_REG"), 5U);
  EXPECT_EQ(dynamic_of(profile, "C_LOOP_START"), 1095U);
  EXPECT_EQ(dynamic_of(profile, "C_LOOP_END"), 3170U);
  EXPECT_EQ(dynamic_of(profile, "H_PREFETCH_V"), 32U);
  EXPECT_EQ(dynamic_of(profile, "H_PREFETCH_M"), 8U);
  EXPECT_EQ(dynamic_of(profile, "M_MM"), 2048U);
  EXPECT_EQ(dynamic_of(profile, "M_MM_WO"), 1024U);
  EXPECT_EQ(profile_of(program, nexys_video()).total.cycles, 165322U);
}

TEST(StaticProfile, PartsSumToTheWhole) {
  const Program program = linear({.mlen = 16, .blen = 4, .rows = 32, .in = 32, .out = 32});
  for (const LabelKind kind : {LabelKind::kSection, LabelKind::kTensor, LabelKind::kPair}) {
    const StaticProfile profile = profile_of(program, {}, CycleModel::kEmulator, kind);
    Cost parts;
    for (const StaticProfile::Part& part : profile.parts_by(kind)) {
      parts.in_text += part.cost.in_text;
      parts.dynamic += part.cost.dynamic;
      parts.cycles += part.cost.cycles;
    }
    EXPECT_EQ(parts, profile.total);
    std::uint64_t units = 0;
    for (const Cost& unit : profile.units) units += unit.cycles;
    EXPECT_EQ(units, profile.total.cycles);
  }
  EXPECT_EQ(profile_of(program).parts_by(LabelKind::kSection).size(), 1U + 2 * 2);
  EXPECT_EQ(
      profile_of(program, {}, CycleModel::kReference, LabelKind::kTensor).parts_by(LabelKind::kTensor).size(),
      3U);
}

TEST(StaticProfile, InstructionsWithoutALabelAreAPartToo) {
  const Program program = profiled_program(
      "C_BREAK\n;@ section a\nC_BREAK\nC_BREAK\n;@ section b\nC_BREAK\n;@ section a\nC_BREAK\n"
      ";@ section\nC_BREAK\n");
  std::string text;
  const StaticProfile profile = profile_of(program);
  for (const auto& part : profile.parts_by(LabelKind::kSection))
    text += fmt::format("{}={} ", part.name, part.cost.dynamic);
  EXPECT_EQ(text, "=2 a=3 b=1 ");
}

// Where emulator and reference profiler do not agree.
TEST(StaticProfile, ChargesAsTheModelSays) {
  Latencies latencies = nexys_video();
  latencies.mlen = 32;
  latencies.vlen = 16;
  const auto cycles = [&](std::string_view line, CycleModel model) {
    return profile_of(profiled_program(line), latencies, model).total.cycles;
  };
  struct Row {
    std::string_view line;
    std::uint64_t emulator;
    std::uint64_t reference;
  };
  for (const Row& row : std::initializer_list<Row>{{"M_MM 0, gp1, gp2", 40, 40},
                                                   {"M_BTMM 0, gp1, gp2", 40, 40},
                                                   {"M_MV 0, gp1, gp2", 32, 40},
                                                   {"M_TMV 0, gp1, gp2", 32, 40},
                                                   {"M_BMV gp0, gp1, gp2", 9, 40},
                                                   {"M_BTMV gp0, gp1, gp2", 9, 40},
                                                   {"M_BMM_WO gp1, 0", 1, 1},
                                                   {"S_MAP_V_FP gp1, gp0, 0", 32, 16},
                                                   {"V_SHFT_V gp1, gp2, gp3", 7, 7},
                                                   {"V_MAX_VF gp1, gp2, f1", 4, 1},
                                                   {"V_MIN_VF gp1, gp2, f1", 4, 1},
                                                   {"V_TOPK gp1, gp2, gp3", 128, 1},
                                                   {"V_TOPK gp1, gp2, gp3, 1", 512, 1},
                                                   {"V_RED_SUM f1, gp2", 30, 30},
                                                   {"V_RED_SUM f0, gp2", 0, 30},
                                                   {"V_RED_MAX f0, gp2", 0, 4},
                                                   {"S_EXP_FP f0, f1", 0, 2},
                                                   {"S_ADD_FP f0, f1, f1", 0, 1},
                                                   {"S_LD_FP f0, gp0, 1", 1, 1},
                                                   {"V_ADD_VF gp0, gp0, f0", 9, 9},
                                                   {"H_PREFETCH_M gp1, gp2, a0, 1, 0", 400, 400},
                                                   {"H_STORE_V gp1, gp2, a0, 1, 0", 25, 25}}) {
    EXPECT_EQ(cycles(row.line, CycleModel::kEmulator), row.emulator) << row.line;
    EXPECT_EQ(cycles(row.line, CycleModel::kReference), row.reference) << row.line;
  }
}

TEST(StaticProfile, SaysWhenCountsDoNotFit) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += fmt::format("C_LOOP_START gp{}, 4194303\n", i + 1);
    text += "C_BREAK\n";
    for (int i = depth; i-- > 0;) text += fmt::format("C_LOOP_END gp{}\n", i + 1);
    return profiled_program(text);
  };
  EXPECT_TRUE(count(nested(2), {LabelKind::kSection}));
  const auto counts = count(nested(3), {LabelKind::kSection});
  ASSERT_FALSE(counts);
  EXPECT_EQ(counts.error().to_string(),
            "a.asm:4: is carried out more than 2^64 times: the loops around it multiply");
  Latencies latencies;
  latencies.integer_basic = ~std::uint64_t{0} / 2;
  const auto some =
      count(profiled_program("S_ADDI_INT gp1, gp0, 1\nS_ADDI_INT gp1, gp0, 1\nS_ADDI_INT gp1, gp0, 1\n"),
            {LabelKind::kSection});
  EXPECT_FALSE(price(*some, latencies, CycleModel::kEmulator));
}

TEST(StaticProfile, OfNothingIsNothing) {
  EXPECT_EQ(profile_of(profiled_program("")).total, Cost{});
  EXPECT_EQ(profile_of(profiled_program(".word 0x33\n")).total, (Cost{1, 1, 0}));
}

}  // namespace
}  // namespace accelscope::isa
