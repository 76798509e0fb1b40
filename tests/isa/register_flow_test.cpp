#include "isa/register_flow.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>

#include "isa/instruction_set.h"
#include "isa/machine.h"
#include "isa/traffic.h"

namespace accelscope::isa {
namespace {

Program program_of(std::string_view text) {
  ReadProgram read = read_program("a.asm", text, Dialect::kStrict);
  EXPECT_TRUE(read.diagnostics.ok()) << read.diagnostics.to_string();
  return std::move(read.program);
}

// What register 2 has at the last C_BREAK of a program.
FlowValue at_break(const Program& program) {
  FlowValue found;
  RegisterFlow(program).walk([&](std::uint32_t, std::uint32_t word, const RegisterState& state) {
    if (opcode_of_word(word) == opcode("C_BREAK")) found = state.gp(2);
  });
  return found;
}

TEST(RegisterFlow, FollowsNumbers) {
  EXPECT_EQ(at_break(program_of("S_LUI_INT gp1, 3\nS_ADDI_INT gp2, gp1, 5\nC_BREAK\n")),
            FlowValue::constant(3 * 4096 + 5));
  EXPECT_EQ(at_break(program_of("S_ADDI_INT gp1, gp0, 7\nS_MUL_INT gp2, gp1, gp1\nC_BREAK\n")),
            FlowValue::constant(49));
  EXPECT_EQ(at_break(program_of("S_ADDI_INT gp1, gp0, 7\nS_SUB_INT gp2, gp0, gp1\nC_BREAK\n")),
            FlowValue::constant(~7U + 1));
  EXPECT_FALSE(at_break(program_of("S_LD_INT gp2, gp0, 1\nC_BREAK\n")).known());
  EXPECT_FALSE(at_break(program_of("C_BREAK\n")).known());
}

TEST(RegisterFlow, TakesLoopsByArithmetic) {
  const Program program = program_of(
      "S_ADDI_INT gp2, gp0, 10\nC_LOOP_START gp3, 4000000\nC_LOOP_START gp4, 4000000\nC_BREAK\n"
      "S_ADDI_INT gp2, gp2, 1\nC_LOOP_END gp4\nS_ADDI_INT gp2, gp2, 2\nC_LOOP_END gp3\n");
  const FlowValue value = at_break(program);
  ASSERT_TRUE(value.every_round());
  EXPECT_EQ(value.base, 10U);
  EXPECT_EQ(value.steps[0], 4'000'002);
  EXPECT_EQ(value.steps[1], 1);
}

TEST(RegisterFlow, KnowsTheCounterOfALoop) {
  const FlowValue value =
      at_break(program_of("C_LOOP_START gp2, 9\nC_BREAK\nC_LOOP_END gp2\nS_ADDI_INT gp1, gp2, 0\n"));
  ASSERT_TRUE(value.every_round());
  EXPECT_EQ(value.base, 9U);
  EXPECT_EQ(value.steps[0], -1);
}

TEST(RegisterFlow, SaysWhereOnlyTheFirstRoundIsCertain) {
  const FlowValue value = at_break(program_of(
      "S_ADDI_INT gp2, gp0, 1\nC_LOOP_START gp3, 4\nC_BREAK\nS_ADDI_INT gp2, gp0, 8\nC_LOOP_END gp3\n"));
  EXPECT_EQ(value.kind, FlowValue::Kind::kFirstRound);
  EXPECT_EQ(value.base, 1U);
}

TEST(RegisterFlow, FindsBodiesThatChangeTheirCounter) {
  const Program program = program_of(
      "C_LOOP_START gp3, 4\nC_LOOP_START gp4, 4\nS_ADDI_INT gp3, gp0, 8\nC_LOOP_END gp4\nC_LOOP_END gp3\n");
  const RegisterFlow flow(program);
  EXPECT_TRUE(flow.changes_its_counter(0));
  EXPECT_FALSE(flow.changes_its_counter(1));
}

TEST(RegisterFlow, GivesUpOnDeepNests) {
  std::string text = "S_ADDI_INT gp2, gp0, 1\n";
  for (int i = 0; i < 20; ++i) text += fmt::format("C_LOOP_START gp{}, 1\n", i % 8 + 4);
  text += "C_BREAK\n";
  for (int i = 20; i-- > 0;) text += fmt::format("C_LOOP_END gp{}\n", i % 8 + 4);
  EXPECT_FALSE(at_break(program_of(text)).known());
  EXPECT_FALSE(at_break(program_of(text + "C_BREAK\n")).known());
  EXPECT_TRUE(at_break(program_of(text + "S_LUI_INT gp2, 1\nC_BREAK\n")).known());
}

// Random programs, carried out for real beside what is said of them.
class Carried {
 public:
  explicit Carried(const Program& program) : program_(program) {
    RegisterFlow flow(program);
    flow.walk([&](std::uint32_t, std::uint32_t, const RegisterState& state) { said_.push_back(state); });
    known_.fill(false);
    known_[0] = true;
  }

  void run() {
    std::uint32_t at = 0;
    while (at < program_.words.size()) at = step(at);
  }

  std::uint64_t checked = 0;

 private:
  std::uint32_t step(std::uint32_t at) {
    check(at);
    const std::uint32_t word = program_.words[at];
    const std::uint32_t rd = bits_of(Field::kRd).of(word);
    const std::uint32_t rs1 = bits_of(Field::kRs1).of(word);
    const std::uint32_t rs2 = bits_of(Field::kRs2).of(word);
    switch (opcode_of_word(word)) {
      case opcode("S_ADDI_INT"):
        gp_[rd] = gp_[rs1] + bits_of(Field::kImmediate18).of(word);
        break;
      case opcode("S_ADD_INT"):
        gp_[rd] = gp_[rs1] + gp_[rs2];
        break;
      case opcode("S_SUB_INT"):
        gp_[rd] = gp_[rs1] - gp_[rs2];
        break;
      case opcode("S_MUL_INT"):
        gp_[rd] = gp_[rs1] * gp_[rs2];
        break;
      case opcode("C_LOOP_START"):
        gp_[rd] = bits_of(Field::kImmediate22).of(word);
        open_.push_back({at, 0});
        break;
      case opcode("C_LOOP_END"):
        if (gp_[rd] > 1) {
          --gp_[rd];
          ++open_.back().round;
          return open_.back().start + 1;
        }
        gp_[rd] = 0;
        open_.pop_back();
        break;
      default:
        break;
    }
    return at + 1;
  }

  void check(std::uint32_t at) {
    bool first = true;
    for (const Open& one : open_) first &= one.round == 0;
    for (std::uint32_t i = 0; i < 16; ++i) {
      const FlowValue& value = said_[at].gp(i);
      if (!value.every_round() && !(value.known() && first)) continue;
      std::uint32_t expected = value.base;
      for (std::size_t loop = 0; loop < open_.size(); ++loop)
        expected += static_cast<std::uint32_t>(value.steps[loop]) * open_[loop].round;
      ASSERT_EQ(expected, gp_[i]) << "gp" << i << " at " << at;
      ++checked;
    }
  }

  struct Open {
    std::uint32_t start = 0;
    std::uint32_t round = 0;
  };

  const Program& program_;
  std::vector<RegisterState> said_;
  std::array<std::uint32_t, 16> gp_{};
  std::array<bool, 16> known_{};
  std::vector<Open> open_;
};

std::string random_body(std::mt19937& random, int depth) {
  const auto below = [&](unsigned most) { return static_cast<unsigned>(random() % most); };
  std::string text;
  for (unsigned i = 1 + below(5); i-- > 0;) {
    const unsigned kind = below(10);
    if (kind < 3 && depth < 4) {
      const int counter = 12 + depth;
      text += fmt::format("C_LOOP_START gp{}, {}\n{}C_LOOP_END gp{}\n", counter, 1 + below(4),
                          random_body(random, depth + 1), counter);
    } else if (kind < 8) {
      text +=
          fmt::format("S_ADDI_INT gp{}, gp{}, {}\n", 1 + below(6), below(3) == 0 ? 0 : below(16), below(50));
    } else {
      constexpr std::array<std::string_view, 3> kOps{"S_ADD_INT", "S_SUB_INT", "S_MUL_INT"};
      text += fmt::format("{} gp{}, gp{}, gp{}\n", kOps[below(3)], 1 + below(6), below(16), below(16));
    }
  }
  return text;
}

TEST(RegisterFlow, IsRightInEveryRoundOfRandomPrograms) {
  std::uint64_t checked = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 1; i < 16; ++i) text += fmt::format("S_ADDI_INT gp{}, gp0, {}\n", i, random() % 9);
    text += random_body(random, 0) + random_body(random, 0);
    const Program program = program_of(text);
    Carried carried(program);
    carried.run();
    ASSERT_FALSE(testing::Test::HasFatalFailure()) << "seed " << seed << '\n' << text;
    checked += carried.checked;
  }
  EXPECT_GT(checked, 500'000U);
}

Machine machine_of(std::uint64_t mlen, std::uint64_t blen) {
  const auto made = make_machine({.overrides = {.mlen = mlen, .blen = blen}});
  EXPECT_TRUE(made) << made.error().to_string();
  return *made;
}

Traffic traffic_on(const Program& program, const Machine& machine) {
  return traffic_of(program, {&machine, 1}).front();
}

TEST(Traffic, CountsBlocksAndScales) {
  const Program program = program_of(
      "C_SET_ADDR_REG a0, gp0, gp0\nS_ADDI_INT gp1, gp0, 0\nH_PREFETCH_M gp1, gp1, a0, 0, 0\n"
      "H_PREFETCH_V gp1, gp1, a0, 0, 0\nH_STORE_V gp1, gp1, a0, 0, 0\n");
  const Traffic traffic = traffic_on(program, machine_of(64, 4));
  EXPECT_EQ(traffic.prefetch_matrix.accesses, (Accesses{128, 0}));
  EXPECT_EQ(traffic.prefetch_vector.accesses, (Accesses{8, 0}));
  EXPECT_EQ(traffic.store_vector.accesses, (Accesses{8, 8}));
  EXPECT_EQ(traffic.total().proven_transfers, 3U);
}

// A row of 64 bytes that begins in the middle of a block touches two.
TEST(Traffic, IsExactWhereTheAddressIsCertain) {
  const auto reads = [](std::string_view offset, std::uint32_t loops) {
    const Program program = program_of(fmt::format(
        "C_SET_ADDR_REG a0, gp0, gp0\nS_ADDI_INT gp1, gp0, 0\nS_ADDI_INT gp2, gp0, {}\nC_LOOP_START gp3, {}\n"
        "H_PREFETCH_V gp1, gp2, a0, 0, 0\nS_ADDI_INT gp2, gp2, 32\nC_LOOP_END gp3\n",
        offset, loops));
    return traffic_on(program, machine_of(64, 4)).prefetch_vector;
  };
  EXPECT_EQ(reads("0", 1).accesses.reads, 8U);
  EXPECT_EQ(reads("8", 1).accesses.reads, 12U);
  EXPECT_EQ(reads("8", 1).crossing_rows, 4U);
  // Every second round begins in the middle.
  EXPECT_EQ(reads("0", 4'000'000).accesses.reads, 2'000'000U * 8 + 2'000'000U * 12);
}

TEST(Traffic, AssumesAlignmentWhereTheAddressIsNot) {
  const Program program =
      program_of("S_LD_INT gp2, gp0, 1\nS_ADDI_INT gp1, gp0, 0\nH_PREFETCH_V gp1, gp2, a0, 0, 0\n");
  const TransferTraffic traffic = traffic_on(program, machine_of(64, 4)).prefetch_vector;
  EXPECT_EQ(traffic.accesses.reads, 8U);
  EXPECT_EQ(traffic.proven_transfers, 0U);
  EXPECT_EQ(traffic.transfers, 1U);
}

}  // namespace
}  // namespace accelscope::isa
