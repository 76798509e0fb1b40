#include "isa/lint.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/line_reader.h"
#include "isa/generators.h"
#include "support/temporary_folder.h"

namespace accelscope::isa {
namespace {

Machine machine_of(const MachineOverrides& overrides = {}) {
  auto made = make_machine({.overrides = overrides});
  EXPECT_TRUE(made) << made.error().to_string();
  made->latencies.prefetch_matrix = 400;
  made->latencies.prefetch_vector = made->latencies.store_vector = 25;
  made->charges_transfers = true;
  return *made;
}

std::set<std::string> rules_in(const Diagnostics& found) {
  std::set<std::string> rules;
  for (const Diagnostic& one : found.in_order()) rules.emplace(facts_of(one.rule).id);
  return rules;
}

std::set<std::string> rules_of(std::string_view text, const Machine& machine = machine_of(),
                               Dialect dialect = Dialect::kStrict) {
  return rules_in(lint("a.asm", text, dialect, machine));
}

// What most programs need before anything else, and what makes it worth having.
constexpr std::string_view kStart =
    "S_ADDI_INT gp1, gp0, 4096\nC_SET_ADDR_REG a0, gp0, gp0\nC_SET_SCALE_REG gp1\nS_ADDI_INT gp1, gp0, 64\n"
    "C_SET_STRIDE_REG gp1\nS_ADDI_INT gp1, gp0, 0\nS_ADDI_INT gp2, gp0, 0\nS_ADDI_INT gp3, gp0, 0\n"
    "S_LD_FP f1, gp0, 1\n";

std::string with_start(std::string_view rest) {
  return std::string(kStart) + std::string(rest);
}

// The last column of the rules' table in the page, as programs.
struct DocumentedRule {
  std::string id;
  std::string severity;
  std::string summary;
  std::string remark;  // "(reference)"
  std::string program;
};

std::vector<std::string> cells_of(std::string_view row) {
  std::vector<std::string> cells;
  for (std::size_t at = row.find('|'); at != std::string_view::npos;) {
    const std::size_t end = row.find('|', at + 1);
    if (end == std::string_view::npos) break;
    std::string_view cell = row.substr(at + 1, end - at - 1);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.emplace_back(cell);
    at = end;
  }
  return cells;
}

std::vector<DocumentedRule> documented_rules() {
  const std::string page = tests::read_file(std::string(ACCELSCOPE_SOURCE_DIR) + "/docs/isa.md");
  std::vector<DocumentedRule> rules;
  base::LineReader lines(page);
  bool in_table = false;
  while (lines.next()) {
    if (lines.line().starts_with("| rule | severity |")) in_table = true;
    if (lines.line().empty()) in_table = false;
    if (!in_table || !lines.line().starts_with("| `")) continue;
    const std::vector<std::string> cells = cells_of(lines.line());
    if (cells.size() != 4) {
      ADD_FAILURE() << lines.line();
      continue;
    }
    DocumentedRule rule{cells[0].substr(1, cells[0].size() - 2), cells[1], cells[2], "", ""};
    const std::string& example = cells[3];
    rule.remark = example.substr(0, example.find('`'));
    for (std::size_t at = example.find('`'); at != std::string::npos;) {
      const std::size_t end = example.find('`', at + 1);
      rule.program += example.substr(at + 1, end - at - 1) + "\n";
      at = example.find('`', end + 1);
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

TEST(Lint, ThePageHasEveryRuleAsItIs) {
  const std::vector<DocumentedRule> documented = documented_rules();
  ASSERT_EQ(documented.size(), rules().size());
  for (std::size_t i = 0; i < documented.size(); ++i) {
    EXPECT_EQ(documented[i].id, rules()[i].id);
    EXPECT_EQ(documented[i].severity, name_of(rules()[i].severity)) << documented[i].id;
    EXPECT_EQ(documented[i].summary, rules()[i].summary);
  }
}

TEST(Lint, EveryExampleOfThePageBreaksItsRule) {
  for (const DocumentedRule& rule : documented_rules()) {
    const bool reference = rule.remark == "(reference) ";
    const Machine machine = rule.remark == "(MLEN 1024) " ? machine_of({.mlen = 1024}) : machine_of();
    const auto found = rules_of(rule.program, machine, reference ? Dialect::kReference : Dialect::kStrict);
    EXPECT_EQ(found.count(rule.id), 1U) << rule.id << '\n'
                                        << rule.program << fmt::format("{}", fmt::join(found, " "));
  }
}

// Each beside the example that breaks it: what does not.
TEST(Lint, WhatIsRightIsNotReported) {
  struct Row {
    std::string_view rule;
    std::string program;
  };
  const std::vector<Row> rows{
      {"syntax", "M_MM 0, gp1, gp2 // a comment\n; one\n\n"},
      {"operand", "S_ADDI_INT gp1, gp0, 262143\n"},
      {"ignored-operand", "H_PREFETCH_V gp1, gp2, a0, 1, 0\n"},
      {"register-kind", "S_ADDI_INT gp1, gp0, 1\n"},
      {"misplaced-operand", "V_EXP_V gp2, gp1, 0\nM_BMM_WO gp1, 0\n"},
      {"annotation", ";@ section a\n;@ tensor\n; @ sektion\n"},
      {"unbalanced-loop", "C_LOOP_START gp1, 2\nC_LOOP_END gp1\n"},
      {"loop-count", "C_LOOP_START gp1, 1\nC_LOOP_END gp1\n"},
      {"loop-register-reused", "C_LOOP_START gp1, 2\nC_LOOP_END gp1\nC_LOOP_START gp1, 2\nC_LOOP_END gp1\n"},
      {"loop-register-written",
       "C_LOOP_START gp1, 2\nS_ADDI_INT gp2, gp1, 5\nC_LOOP_END gp1\nS_ADDI_INT gp1, gp0, 5\n"},
      {"loop-guard", "C_LOOP_START gp1, 4000000\nC_LOOP_START gp2, 99998\nC_LOOP_END gp2\nC_LOOP_END gp1\n"},
      {"break", "S_ADDI_INT gp1, gp0, 5\n"},
      {"unknown-word", ".word 0x00200062\n"},
      {"unusable", "M_BTMV gp0, gp0, gp0\n"},
      {"routing", "V_TOPK gp0, gp0, gp0, 1\nV_TOPK gp0, gp0, gp0\n"},
      {"gp0-written", "S_ADDI_INT gp0, gp0, 0\nS_ADDI_INT gp1, gp0, 3\n"},
      {"f0-written", "S_ADD_FP f1, f0, f0\nS_ST_FP f0, gp0, 1\n"},
      {"register-unset",
       "S_ADDI_INT gp2, gp0, 1\nS_ADDI_INT gp1, gp2, 64\nC_LOOP_START gp3, 2\n"
       "S_ADDI_INT gp1, gp3, 0\nC_LOOP_END gp3\n"},
      {"mask-unset", "S_ADDI_INT gp1, gp0, 1\nC_SET_V_MASK_REG gp1\nV_ADD_VV gp0, gp0, gp0, 1\n"},
      {"mask-unset", "V_ADD_VV gp0, gp0, gp0, 0\n"},
      {"mask-unset", "S_LD_INT gp1, gp0, 1\nC_SET_V_MASK_REG gp1\nV_ADD_VV gp0, gp0, gp0, 1\n"},
      {"masked-reduction", "V_RED_SUM f1, gp0\nV_ADD_VV gp0, gp0, gp0, 1\n"},
      {"scale-unset", with_start("H_PREFETCH_V gp1, gp2, a0, 1, 0\n")},
      {"stride-unset", with_start("H_PREFETCH_V gp1, gp2, a0, 1, 0\n")},
      {"stride-unset", "H_PREFETCH_V gp0, gp0, a0, 0, 0\n"},
      {"stride-switch", with_start("H_PREFETCH_V gp1, gp2, a0, 1, 0\nH_STORE_V gp1, gp2, a0, 0, 0\n")},
      // Column blocks of a tile, and of the next one.
      {"matrix-alignment",
       "S_ADDI_INT gp1, gp0, 256\nC_LOOP_START gp2, 31\nM_MM 0, gp1, gp0\n"
       "S_ADDI_INT gp1, gp1, 256\nC_LOOP_END gp2\n"},
      {"matrix-alignment", "S_LD_INT gp1, gp0, 7\nM_MM 0, gp1, gp0\n"},
      {"matrix-alignment",
       "S_ADDI_INT gp1, gp0, 60\nM_MV 0, gp1, gp0\nS_ADDI_INT gp1, gp0, 48\nM_BTMM 0, gp1, gp0\n"},
      {"matrix-range", "S_LUI_INT gp1, 63\nM_MM 0, gp1, gp0\nH_PREFETCH_M gp1, gp0, a0, 0, 0\n"},
      {"vector-alignment",
       "S_ADDI_INT gp1, gp0, 128\nV_ADD_VV gp1, gp1, gp1\nS_ADDI_INT gp1, gp0, 4\n"
       "M_MM_WO gp1, gp0, 0\nM_MV_WO gp1, 4\n"},
      {"vector-range", "S_LUI_INT gp1, 65535\nV_ADD_VV gp1, gp1, gp1\n"},
      {"scalar-range", "S_LD_FP f1, gp0, 1023\nS_MAP_V_FP gp0, gp0, 960\nS_LD_INT gp1, gp0, 0\n"},
      {"external-alignment", with_start("S_ADDI_INT gp2, gp0, 128\nH_PREFETCH_V gp1, gp2, a0, 0, 0\n")},
      {"external-range", with_start("H_PREFETCH_V gp1, gp2, a0, 0, 0\n")},
      {"scale-truncated", with_start("H_PREFETCH_V gp1, gp2, a0, 0, 0\n")},
      {"accumulator-empty", "M_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\n"},
      {"accumulator-empty", "C_LOOP_START gp1, 2\nM_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\nC_LOOP_END gp1\n"},
      {"accumulator-left", "M_MM 0, gp0, gp0\nM_TMM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\n"},
      {"accumulator-mixed", "M_MM 0, gp0, gp0\nM_MM_WO gp0, gp0, 0\nM_MV 0, gp0, gp0\nM_MV_WO gp0, 0\n"},
      {"unwritten-matrix", with_start("H_PREFETCH_M gp1, gp2, a0, 1, 0\nM_MM 0, gp1, gp3\n")},
      // Where a write may have gone anywhere.
      {"unwritten-matrix", "S_LD_INT gp1, gp0, 7\nH_PREFETCH_M gp1, gp0, a0, 1, 0\nM_MM 0, gp0, gp0\n"},
      {"unwritten-vector", with_start("S_MAP_V_FP gp1, gp0, 0\nV_ADD_VV gp1, gp1, gp1\n")},
      {"dead-prefetch", with_start("H_PREFETCH_M gp1, gp2, a0, 1, 0\nM_MM 0, gp1, gp3\n"
                                   "H_PREFETCH_M gp1, gp2, a0, 1, 0\nM_MM 0, gp1, gp3\n")},
      // Where a read may be of anything.
      {"dead-prefetch",
       with_start("H_PREFETCH_M gp1, gp2, a0, 1, 0\nS_LD_INT gp4, gp0, 7\nM_MM 0, gp4, gp3\n")},
      {"prefetch-distance", with_start("H_PREFETCH_M gp1, gp2, a0, 1, 0\nC_LOOP_START gp5, 200\n"
                                       "S_ADDI_INT gp6, gp0, 1\nC_LOOP_END gp5\nM_MM 0, gp1, gp3\n")}};
  std::set<std::string> tested;
  for (const Row& row : rows) {
    EXPECT_EQ(rules_of(row.program).count(std::string(row.rule)), 0U)
        << row.rule << '\n'
        << lint("a.asm", row.program, Dialect::kStrict, machine_of()).to_string(Diagnostics::Rules::kShown);
    tested.emplace(row.rule);
  }
  for (const RuleFacts& rule : rules()) EXPECT_EQ(tested.count(std::string(rule.id)), 1U) << rule.id;
}

TEST(Lint, SaysInWhichRound) {
  const auto text = [](std::string_view program) {
    return lint("a.asm", program, Dialect::kStrict, machine_of()).to_string(Diagnostics::Rules::kShown);
  };
  EXPECT_NE(
      text("S_ADDI_INT gp1, gp0, 0\nC_LOOP_START gp2, 4000000\n  V_ADD_VF gp1, gp1, f0\n"
           "S_ADDI_INT gp1, gp1, 32\nC_LOOP_END gp2\n")
          .find(
              "a.asm:3:12: error: V_ADD_VF takes a multiple of VLEN = 64, not 32 in the second round of the "
              "loop of line 2 [vector-alignment]\n      V_ADD_VF gp1, gp1, f0\n               ^\n"),
      std::string::npos);
  EXPECT_NE(text("S_ADDI_INT gp1, gp0, 0\nC_LOOP_START gp2, 65\nM_MM 0, gp1, gp0\nS_ADDI_INT gp1, gp1, 4096\n"
                 "C_LOOP_END gp2\n")
                .find("a.asm:3:9: error: address 262144 in the last round of the loop of line 2 is in tile "
                      "64, and the "
                      "matrix memory has 64 [matrix-range]"),
            std::string::npos);
  EXPECT_NE(text("M_MM 0, gp0, gp0\nC_LOOP_START gp2, 2\nM_MM_WO gp0, gp0, 0\nC_LOOP_END gp2\n")
                .find("a.asm:3:1: warning: nothing was accumulated since the last write-out in the second "
                      "round of the "
                      "loop of line 2: zeros are written [accumulator-empty]"),
            std::string::npos);
}

TEST(Lint, FindsPrefetchesOverwrittenBeforeTheyAreRead) {
  const Diagnostics found =
      lint("a.asm",
           with_start("H_PREFETCH_M gp1, gp2, a0, 1, 0\nH_PREFETCH_M gp1, gp3, a0, 1, 0\nM_MM 0, gp1, gp3\n"),
           Dialect::kStrict, machine_of());
  EXPECT_NE(found.to_string().find("a.asm:10:1: warning: line 11 fetches something else to the same place"),
            std::string::npos)
      << found.to_string();
}

TEST(Lint, CountsWhatItDoesNotKeep) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "S_ADDI_INT gp0, gp0, 1\n";
  const Diagnostics found = lint("a.asm", text, Dialect::kStrict, machine_of());
  EXPECT_EQ(found.warnings(), 1000U);
  EXPECT_EQ(found.in_order().size(), 300U);
  EXPECT_NE(found.to_string().find("a.asm: and 700 more warnings\n"), std::string::npos);
}

TEST(Lint, ReadsWordsToo) {
  const Diagnostics found = lint("a.mem", "0x00000033\n0x00000034\n", Dialect::kStrict, machine_of());
  EXPECT_EQ(rules_in(found), (std::set<std::string>{"unknown-word", "break"}));
  EXPECT_EQ(found.in_order()[1].line, 2U);
  EXPECT_EQ(found.in_order()[1].text, "0x00000034");
}

TEST(Lint, OfErrorsInReadingOnlyThose) {
  EXPECT_EQ(rules_of("M_MN 0\nC_BREAK\n"), std::set<std::string>{"syntax"});
  EXPECT_TRUE(rules_of("").empty());
}

TEST(Lint, ProgramsMadeToOrderAreClean) {
  for (const ProgramGenerator& generator : program_generators())
    for (const std::string_view dimensions :
         {"mlen=64,blen=4", "mlen=16,blen=4", "mlen=32,blen=32", "mlen=8,blen=1"}) {
      const auto listing = generate_program(fmt::format("{}:{}", generator.name, dimensions));
      ASSERT_TRUE(listing) << listing.error().to_string();
      const std::uint64_t mlen = dimensions.starts_with("mlen=64")   ? 64
                                 : dimensions.starts_with("mlen=16") ? 16
                                 : dimensions.starts_with("mlen=32") ? 32
                                                                     : 8;
      const std::uint64_t blen = mlen == 32 ? 32 : mlen == 8 ? 1 : 4;
      auto machine = make_machine({.overrides = {.mlen = mlen, .blen = blen, .hlen = 8}});
      ASSERT_TRUE(machine);
      const Diagnostics found = lint("a.asm", *listing, Dialect::kStrict, *machine);
      EXPECT_EQ(found.to_string(Diagnostics::Rules::kShown), "") << generator.name << ' ' << dimensions;
    }
}

}  // namespace
}  // namespace accelscope::isa
