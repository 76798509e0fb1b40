#include "emulator/costs.h"

#include <gtest/gtest.h>

#include "emulator/test_runs.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

Cost cost(std::string_view line, const isa::Machine& machine, CostTable table) {
  return cost_of(program_of(line).words.front(), machine, table);
}

TEST(Costs, NamesReadBack) {
  for (const std::string_view name : cost_table_names()) EXPECT_EQ(name_of(*cost_table_named(name)), name);
  EXPECT_FALSE(cost_table_named("fast"));
}

TEST(Costs, OfTheReferenceAreWhatTheStaticProfileCharges) {
  const isa::Machine machine = machine_of(64, 4);
  EXPECT_EQ(cost("M_MM 0, gp1, gp2", machine, CostTable::kReference), (Cost{64, 64}));
  EXPECT_EQ(cost("M_MM_WO gp1, gp0, 0", machine, CostTable::kReference), (Cost{1, 1}));
  EXPECT_EQ(cost("S_MAP_V_FP gp1, gp0, 4", machine, CostTable::kReference), (Cost{128, 128}));
  EXPECT_EQ(cost("V_RED_SUM f0, gp1", machine, CostTable::kReference), (Cost{0, 0}));
  EXPECT_EQ(cost("V_TOPK gp1, gp2, gp3, 1", machine, CostTable::kReference), (Cost{512, 512}));
  EXPECT_EQ(cost("H_PREFETCH_M gp1, gp2, a0, 0, 0", machine, CostTable::kReference), Cost{});
}

TEST(Costs, OfABoardFollowItsLatencies) {
  isa::Machine machine = machine_of(64, 4);
  machine.latencies.systolic_overhead = 8;
  machine.latencies.vector_add = 9;
  EXPECT_EQ(cost("M_MM 0, gp1, gp2", machine, CostTable::kBoard), (Cost{72, 72}));
  EXPECT_EQ(cost("V_ADD_VV gp1, gp2, gp3", machine, CostTable::kBoard), (Cost{9, 9}));
}

TEST(Costs, OfTheHardwareAsMeasured) {
  for (const auto& [blen, product, written] : {std::tuple{4U, 8U, 21U}, {8U, 12U, 29U}, {16U, 20U, 45U}}) {
    const isa::Machine machine = machine_of(64, blen);
    EXPECT_EQ(cost("M_MM 0, gp1, gp2", machine, CostTable::kRtl), (Cost{product, product}));
    EXPECT_EQ(cost("M_MM_WO gp1, gp0, 0", machine, CostTable::kRtl), (Cost{written, written}));
  }
  const isa::Machine machine = machine_of(64, 4);
  EXPECT_EQ(cost("M_MV 0, gp1, gp2", machine, CostTable::kRtl), (Cost{68, 68}));
  EXPECT_EQ(cost("M_MV_WO gp1, 0", machine, CostTable::kRtl), (Cost{4, 4}));
  EXPECT_EQ(cost("V_ADD_VV gp1, gp2, gp3", machine, CostTable::kRtl), (Cost{12, 1}));
  EXPECT_EQ(cost("V_MUL_VF gp1, gp2, f3", machine, CostTable::kRtl), (Cost{11, 1}));
  EXPECT_EQ(cost("V_EXP_V gp1, gp2", machine, CostTable::kRtl), (Cost{21, 1}));
  EXPECT_EQ(cost("V_RED_SUM f1, gp2", machine, CostTable::kRtl), (Cost{54, 54}));
  EXPECT_EQ(cost("V_RED_MAX f1, gp2", machine, CostTable::kRtl), (Cost{19, 19}));
  EXPECT_EQ(cost("S_ADD_FP f1, f2, f3", machine, CostTable::kRtl), (Cost{9, 10}));
  EXPECT_EQ(cost("S_EXP_FP f1, f2", machine, CostTable::kRtl), (Cost{19, 20}));
  EXPECT_EQ(cost("S_MAP_V_FP gp1, gp0, 0", machine, CostTable::kRtl), (Cost{67, 68}));
  EXPECT_EQ(cost("S_ADDI_INT gp1, gp0, 1", machine, CostTable::kRtl), (Cost{1, 1}));
  EXPECT_EQ(cost("C_SET_SCALE_REG gp1", machine, CostTable::kRtl), (Cost{1, 1}));
  EXPECT_EQ(cost("S_ADD_FP f0, f2, f3", machine, CostTable::kRtl), (Cost{1, 1}));
  EXPECT_EQ(cost("H_STORE_V gp1, gp2, a0, 0, 0", machine, CostTable::kRtl), Cost{});
}

TEST(Costs, OfIntegerWeights) {
  isa::Machine machine = machine_of(64, 4);
  machine.formats.matrix_weights.element = boards::ElementType::integer(8);
  EXPECT_EQ(cost("M_MM 0, gp1, gp2", machine, CostTable::kRtl), (Cost{16, 16}));
  EXPECT_EQ(cost("M_MM_WO gp1, gp0, 0", machine, CostTable::kRtl), (Cost{6, 6}));
}

TEST(Costs, EveryInstructionButTransfersCostsSomethingInHardware) {
  const isa::Machine machine = machine_of(64, 4);
  std::size_t guessed = 0;
  for (const isa::Instruction& instruction : isa::instructions()) {
    if (!is_measured(instruction.opcode, CostTable::kRtl)) ++guessed;
    EXPECT_TRUE(is_measured(instruction.opcode, CostTable::kReference));
    const Cost of = cost_of(instruction.opcode, machine, CostTable::kRtl);
    EXPECT_EQ(of.whole() > 0, instruction.unit != isa::Unit::kMemory) << instruction.mnemonic;
  }
  EXPECT_EQ(guessed, 13U);
}

}  // namespace
}  // namespace accelscope::emulator
