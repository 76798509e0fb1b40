// What programs cost on the boards that are part of the program, as the job says it.
#include "jobs/isa_profile.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/output.h"
#include "findings/findings_json.h"
#include "isa/generators.h"
#include "support/temporary_folder.h"

namespace accelscope::jobs {
namespace {

using findings::Findings;
using tests::TemporaryFolder;

// The program of which 9410 ns are published, and X[64, 128] W[128, 256].
constexpr std::string_view kSmall = "linear:mlen=16,blen=4,rows=128,in=16,out=32";
constexpr std::string_view kLarge = "linear:mlen=64,blen=4,rows=64,in=128,out=256";

std::string made(const TemporaryFolder& folder, std::string_view program, std::string_view name = "a.asm") {
  const auto listing = isa::generate_program(program);
  EXPECT_TRUE(listing) << listing.error().to_string();
  tests::write_file(folder.file(name), *listing);
  return folder.file(name);
}

Findings profile(const IsaProfileOptions& options) {
  const auto outcome = profile_programs(options);
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  if (!outcome) return {};
  EXPECT_TRUE(outcome->rejected.empty());
  return outcome->findings;
}

IsaProfileOptions small_options(const TemporaryFolder& folder, std::vector<std::string> boards) {
  return {.files = {made(folder, kSmall)},
          .machine = {.boards = std::move(boards), .overrides = {.mlen = 16, .blen = 4}}};
}

double metric(const Findings& findings, std::string_view section, std::string_view id) {
  const findings::Section* const found = findings::find_section(findings, section);
  EXPECT_NE(found, nullptr) << section;
  const findings::Metric* const value = found == nullptr ? nullptr : findings::find_metric(*found, id);
  EXPECT_NE(value, nullptr) << id;
  return value == nullptr ? -1 : value->value.value_or(-1);
}

TEST(IsaProfile, OfThePublishedProgramOnTheBoards) {
  const TemporaryFolder folder;
  for (const isa::CycleModel model : {isa::CycleModel::kEmulator, isa::CycleModel::kReference}) {
    IsaProfileOptions options = small_options(folder, {"v80", "nexys_video", "nexys_a7", "custom_a7"});
    options.model = model;
    const Findings findings = profile(options);
    EXPECT_EQ(metric(findings, "program_1_v80", "cycles"), 7330);
    EXPECT_EQ(metric(findings, "program_1_nexys_video", "cycles"), 16578);
    EXPECT_EQ(metric(findings, "program_1_nexys_a7", "cycles"), 14530);
    EXPECT_EQ(metric(findings, "program_1_custom_a7", "cycles"), 16578);
    for (const std::string_view board : {"v80", "nexys_video", "nexys_a7", "custom_a7"}) {
      const std::string section = fmt::format("program_1_{}", board);
      EXPECT_EQ(metric(findings, section, "static"), 486);
      EXPECT_EQ(metric(findings, section, "dynamic"), 3538);
      EXPECT_EQ(metric(findings, section, "external_bytes"), 49152);
      EXPECT_EQ(metric(findings, section, "external_reads"), 768);
      EXPECT_EQ(metric(findings, section, "external_writes"), 0);
    }
    EXPECT_EQ(metric(findings, "program_1_v80", "memory_cycles"), 0);
    EXPECT_EQ(metric(findings, "program_1_nexys_a7", "memory_cycles"), 7200);
    EXPECT_DOUBLE_EQ(metric(findings, "program_1_v80", "time"), 7330 / 400e3);
    EXPECT_DOUBLE_EQ(metric(findings, "program_1_nexys_video", "time"), 16578 / 100e3);
    // Only the board that does not say what transfers cost.
    EXPECT_EQ(findings.quality.count("isa.memory_not_charged"), 1U);
    EXPECT_EQ(findings.quality.count("isa.transfer_size"), 3U);
  }
}

TEST(IsaProfile, OfThePublishedProgramWithASettingsFile) {
  const TemporaryFolder folder;
  IsaProfileOptions options = small_options(folder, {});
  options.machine.overrides = {};
  std::string settings = tests::read_file(std::string(ACCELSCOPE_SOURCE_DIR) + "/data/settings/plena.toml");
  tests::write_file(folder.file("plena.toml"), settings);
  options.machine.settings = folder.file("plena.toml");
  // The shipped file is for tiles of 64.
  EXPECT_EQ(metric(profile(options), "program_1_settings", "cycles"), 7330 + 256 * (64 - 16));
  options.machine.overrides.mlen = 16;
  const Findings findings = profile(options);
  EXPECT_EQ(metric(findings, "program_1_settings", "cycles"), 7330);
  EXPECT_EQ(metric(findings, "program_1_settings", "external_bytes"), 49152);
  EXPECT_DOUBLE_EQ(metric(findings, "program_1_settings", "time"), 0.00733);
  EXPECT_EQ(findings.quality.count("isa.memory_not_charged"), 1U);
}

TEST(IsaProfile, OfTheLargeLinearLayer) {
  const TemporaryFolder folder;
  const Findings findings =
      profile({.files = {made(folder, kLarge)}, .machine = {.boards = {"v80", "nexys_video"}}});
  EXPECT_EQ(metric(findings, "program_1_v80", "dynamic"), 15954);
  EXPECT_EQ(metric(findings, "program_1_v80", "cycles"), 144938);
  EXPECT_EQ(metric(findings, "program_1_nexys_video", "cycles"), 165322);
  EXPECT_EQ(metric(findings, "program_1_v80", "external_bytes"), 81920);
  const findings::Table* const opcodes =
      findings::find_table(*findings::find_section(findings, "program_1_v80"), "opcodes");
  ASSERT_NE(opcodes, nullptr);
  std::string text;
  for (const std::vector<findings::Cell>& row : opcodes->rows)
    text += fmt::format("{} {} {}\n", std::get<std::string>(row[0]), std::get<std::int64_t>(row[3]),
                        std::get<std::int64_t>(row[5]));
  EXPECT_EQ(text,
            "M_MM 2048 131072\nS_ADDI_INT 8562 8562\nC_LOOP_END 3170 3170\nC_LOOP_START 1095 1095\n"
            "M_MM_WO 1024 1024\nC_SET_ADDR_REG 5 5\nC_SET_SCALE_REG 5 5\nC_SET_STRIDE_REG 5 5\n"
            "H_PREFETCH_V 32 0\nH_PREFETCH_M 8 0\n");
}

TEST(IsaProfile, PutsProgramsAndBoardsSideBySide) {
  const TemporaryFolder folder;
  IsaProfileOptions options = small_options(folder, {"v80", "nexys_a7"});
  options.files.push_back(made(folder, "softmax", "b.asm"));
  const Findings findings = profile(options);
  const findings::Section* const boards = findings::find_section(findings, "boards");
  ASSERT_EQ(boards->tables.front().rows.size(), 4U);
  const findings::Table* const units =
      findings::find_table(*findings::find_section(findings, "program_1"), "units");
  std::vector<std::string> ids;
  for (const findings::Column& column : units->columns) ids.push_back(column.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"unit", "static", "dynamic", "cycles_v80", "share_v80",
                                           "cycles_nexys_a7", "share_nexys_a7"}));
  // Parts of each kind that labels name.
  EXPECT_NE(findings::find_table(*findings::find_section(findings, "program_2"), "sections"), nullptr);
  EXPECT_EQ(findings::find_table(*findings::find_section(findings, "program_2"), "kernels"), nullptr);
}

TEST(IsaProfile, RanksWhatToOptimise) {
  const TemporaryFolder folder;
  const Findings findings = profile(small_options(folder, {"nexys_video"}));
  const findings::Section* const advice = findings::find_section(findings, "advice");
  ASSERT_GE(advice->statements.size(), 4U);
  EXPECT_EQ(advice->statements[0].id, "isa.prefetch_matrix");
  EXPECT_EQ(advice->statements[1].id, "isa.matrix_products");
  EXPECT_EQ(advice->statements[2].id, "isa.integer_arithmetic");
  const findings::Gain gain = *advice->statements[0].gain;
  EXPECT_EQ(gain.before, 16578);
  EXPECT_EQ(gain.after, 16578 - 6400);
  EXPECT_NE(advice->statements[0].text.find("38.6 % of the cycles"), std::string::npos);
  EXPECT_NE(advice->statements[0].text.find("Halved, the program would be 1.24 times as fast."),
            std::string::npos);
}

TEST(IsaProfile, WhatIsSaidOutrightDecides) {
  const TemporaryFolder folder;
  IsaProfileOptions options = small_options(folder, {"nexys_video"});
  options.machine.overrides.clock = base::Frequency::mhz(200);
  EXPECT_DOUBLE_EQ(metric(profile(options), "program_1_nexys_video", "time"), 16578 / 200e3);
  options.machine.overrides.mlen = 32;
  EXPECT_EQ(metric(profile(options), "program_1_nexys_video", "cycles"), 16578 + 256 * 16);
}

TEST(IsaProfile, SaysWhatItCannotBeSureOf) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"),
                    "S_LD_INT gp1, gp0, 1\nH_PREFETCH_V gp1, gp1, a0, 0, 0\nC_LOOP_START gp2, 3\n"
                    "S_ADDI_INT gp2, gp0, 1\nC_LOOP_END gp2\nC_BREAK\n.word 0x33\nV_EXP_V gp1, gp1, 1\n");
  const Findings findings = profile({.files = {folder.file("a.asm")}});
  for (const std::string_view id : {"isa.addresses_assumed", "isa.changed_counter", "isa.break",
                                    "isa.unknown_word", "isa.warnings", "isa.memory_not_charged"})
    EXPECT_EQ(findings.quality.count(id), 1U) << id;
}

TEST(IsaProfile, HandsBackWhatIsWrongWithListings) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"), "M_MN 0\nC_LOOP_END gp1\n");
  tests::write_file(folder.file("b.asm"), "C_BREAK\n");
  const auto outcome = profile_programs({.files = {folder.file("a.asm"), folder.file("b.asm")}});
  ASSERT_TRUE(outcome);
  ASSERT_EQ(outcome->rejected.size(), 1U);
  EXPECT_EQ(outcome->rejected[0].errors(), 2U);
  EXPECT_TRUE(outcome->findings.sections.empty());
}

TEST(IsaProfile, OfAnEmptyFile) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"), "");
  const Findings findings = profile({.files = {folder.file("a.asm")}, .machine = {.boards = {"v80"}}});
  EXPECT_EQ(metric(findings, "program_1_v80", "cycles"), 0);
  base::MemoryOutput out;
  findings::write_json(findings, out);
  EXPECT_TRUE(findings::read_json(base::MappedFile::from_memory("f.json", out.bytes())));
}

TEST(IsaProfile, RefusesWhatMakesNoSense) {
  const TemporaryFolder folder;
  const auto error = [&](const IsaMachineOptions& machine) {
    const auto outcome = profile_programs({.files = {made(folder, "add")}, .machine = machine});
    return outcome ? "" : outcome.error().to_string();
  };
  EXPECT_EQ(error({.boards = {"v80", "v80"}}), "--board v80: there is a board v80 already");
  EXPECT_EQ(error({.overrides = {.mlen = 64, .blen = 5}}),
            "settings: MLEN (64) must be a multiple of BLEN (5)");
  EXPECT_NE(error({.boards = {"v8"}}).find("v80"), std::string::npos) << error({.boards = {"v8"}});
  EXPECT_NE(error({.settings = folder.file("none.toml")}), "");
}

TEST(IsaProfile, SpeaksAsTheReference) {
  const TemporaryFolder folder;
  const auto text = reference_profiles(small_options(folder, {"nexys_video"}), false);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->substr(0, text->find('\n')), "=== a.asm (nexys_video @100MHz, MLEN=16) ===");
  EXPECT_NE(text->find("Estimated cycles: 16578\nEstimated time:   0.166 ms\n"), std::string::npos) << *text;
  const auto json = reference_profiles(small_options(folder, {"nexys_video", "v80"}), true);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->substr(0, 4), "[\n{\n");
  EXPECT_NE(json->find("}\n,\n{"), std::string::npos) << *json;
  EXPECT_NE(json->find("\"cycle_model_dc_en\": 0"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::jobs
