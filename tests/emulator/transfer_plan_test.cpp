// The addresses of a transfer, against the arithmetic of the reference's documents.
#include "emulator/transfer_plan.h"

#include <gtest/gtest.h>

#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

Operation prefetch(std::uint8_t opcode, std::uint8_t strided) {
  Operation made;
  made.opcode = opcode;
  made.rd = 1;
  made.rs1 = 2;
  made.rs2 = 3;
  made.rs3 = strided;
  return made;
}

std::vector<std::uint64_t> blocks_of(const TransferPlan& plan) {
  std::vector<std::uint64_t> made;
  append_blocks(plan, made);
  return made;
}

TEST(TransferPlan, ReadsElementsAndScalesOfEveryRow) {
  const isa::Machine machine;
  Registers registers;
  registers.gp[1] = 256;
  registers.gp[2] = 512;
  registers.a[3] = 4096;
  registers.scale = 8192;
  registers.stride = 128;
  const TransferPlan plan = plan_transfer(prefetch(isa::opcode("H_PREFETCH_V"), 1), registers, machine);
  EXPECT_EQ(plan.rows, 4U);
  EXPECT_EQ(plan.row_bytes, 64U);
  EXPECT_EQ(plan.scale_bytes, 8U);
  EXPECT_EQ(plan.element_address(2), 4096U + 512 + 256);
  EXPECT_EQ(plan.scale_address(2), 4096U + 8192 + 64 + 32);
  EXPECT_EQ(blocks_of(plan),
            (std::vector<std::uint64_t>{4608, 12352, 4736, 12352, 4864, 12352, 4992, 12352}));
}

TEST(TransferPlan, RowsLieBehindEachOtherUnlessTheStrideIsAskedForByOne) {
  const isa::Machine machine;
  Registers registers;
  registers.stride = 128;
  for (const std::uint8_t wish : {std::uint8_t{0}, std::uint8_t{2}, std::uint8_t{15}})
    EXPECT_EQ(plan_transfer(prefetch(isa::opcode("H_PREFETCH_M"), wish), registers, machine).row_step, 64U);
  EXPECT_EQ(plan_transfer(prefetch(isa::opcode("H_PREFETCH_M"), 1), registers, machine).row_step, 128U);
}

TEST(TransferPlan, AnUnalignedRowTouchesOneBlockMore) {
  const isa::Machine machine;
  Registers registers;
  registers.gp[2] = 8;
  const TransferPlan plan = plan_transfer(prefetch(isa::opcode("H_PREFETCH_V"), 0), registers, machine);
  EXPECT_EQ(blocks_of(plan).size(), 4U * 3);
}

TEST(TransferPlan, ScalesBehindTheEndOfTheirBlockAreNotRead) {
  isa::Machine machine;
  machine.mlen = machine.vlen = 1024;
  const Registers registers;
  const TransferPlan plan = plan_transfer(prefetch(isa::opcode("H_PREFETCH_V"), 0), registers, machine);
  EXPECT_EQ(plan.scale_bytes, 128U);
  EXPECT_EQ(plan.scale_bytes_read(0), 64U);
}

TEST(TransferPlan, VectorsBehindTheEndOfTheMemoryAreLeftOut) {
  isa::Machine machine;
  machine.vector_rows = 6;
  Registers registers;
  registers.gp[1] = 4 * 64;
  EXPECT_EQ(plan_transfer(prefetch(isa::opcode("H_PREFETCH_V"), 0), registers, machine).rows, 2U);
  registers.gp[1] = 6 * 64;
  EXPECT_EQ(plan_transfer(prefetch(isa::opcode("H_PREFETCH_V"), 0), registers, machine).rows, 0U);
}

}  // namespace
}  // namespace accelscope::emulator
