// Sums of a run by parts of its program, and what the run could have been at best.
#include "emulator/run_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "emulator/limits.h"
#include "emulator/test_runs.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;
using isa::LabelKind;

constexpr std::string_view kLinear = "linear:rows=128,in=16,out=32,mlen=16,blen=4";

Emulation run_linear(const isa::Program& program, TimingMode timing) {
  EmulationOptions options;
  options.machine = machine_of(16, 4);
  options.timing = timing;
  return run(program, options, memory_of("reference-hbm2"));
}

InstructionAccount sum_of(const std::vector<RunPart>& parts) {
  InstructionAccount sum;
  for (const RunPart& part : parts) add(sum, part.account);
  return sum;
}

TEST(RunParts, SumToTheWhole) {
  const isa::Program program = generated(kLinear);
  for (const TimingMode timing : {TimingMode::kSerial, TimingMode::kOverlap}) {
    const Emulation done = run_linear(program, timing);
    const InstructionAccount total = total_account(done);
    EXPECT_EQ(total.count, done.instructions);
    EXPECT_EQ(total.bytes_read, done.bytes_read);
    EXPECT_EQ(sum_of(parts_by_opcode(program, done)), total);
    EXPECT_EQ(sum_of(parts_by_label(program, done, LabelKind::kSection)), total);
    EXPECT_EQ(sum_of(parts_by_label(program, done, LabelKind::kTensor)), total);
  }
}

TEST(RunParts, AreWhatTheListingSays) {
  const isa::Program program = generated(kLinear);
  const Emulation done = run_linear(program, TimingMode::kSerial);
  const std::vector<RunPart> opcodes = parts_by_opcode(program, done);
  const auto product =
      std::find_if(opcodes.begin(), opcodes.end(), [](const RunPart& part) { return part.name == "M_MM"; });
  ASSERT_NE(product, opcodes.end());
  EXPECT_EQ(product->account.count, 256U);
  EXPECT_EQ(product->account.busy.value, 256 * 16'000);
  const std::vector<RunPart> sections = parts_by_label(program, done, LabelKind::kSection);
  ASSERT_EQ(sections.size(), 17U);
  EXPECT_EQ(sections.front().name, "activations");
  EXPECT_EQ(sections.front().account.bytes_read, 16'384U);
  EXPECT_TRUE(parts_by_label(program_of("S_ADDI_INT gp1, gp0, 1"), {}, LabelKind::kSection).empty());
}

TEST(RunParts, LayersHoldWhateverSectionsTheyHave) {
  const isa::Program program = program_of(
      "S_ADDI_INT gp1, gp0, 1\n;@ layer 0\n;@ section attention\nS_ADDI_INT gp1, gp0, 1\n;@ section ffn\n"
      "S_ADDI_INT gp1, gp0, 1\n;@ layer 1\n;@ section attention\nS_ADDI_INT gp1, gp0, 1\n");
  const Emulation done = run_linear(program, TimingMode::kSerial);
  const std::vector<RunPart> layers = parts_by_label(program, done, LabelKind::kLayer);
  ASSERT_EQ(layers.size(), 3U);
  EXPECT_EQ(layers[0].name, "");
  EXPECT_EQ(layers[1].name, "0");
  EXPECT_EQ(layers[1].account.count, 2U);
  EXPECT_EQ(layers[2].name, "1");
  EXPECT_EQ(layers[2].account.count, 1U);
  EXPECT_EQ(sum_of(layers), total_account(done));
}

TEST(RunParts, HaveTheirPlaceOnTheCriticalPath) {
  const isa::Program program = generated(kLinear);
  const Emulation done = run_linear(program, TimingMode::kOverlap);
  ASSERT_TRUE(done.critical_path);
  Picoseconds path{};
  for (const RunPart& part : parts_by_opcode(program, done)) path += part.on_path;
  EXPECT_LE(path, done.latency);
  EXPECT_GT(path.value, done.latency.value / 2);
}

TEST(Limits, SharesSumToTheLatency) {
  const isa::Program program = generated(kLinear);
  for (const TimingMode timing : {TimingMode::kSerial, TimingMode::kOverlap}) {
    const Emulation done = run_linear(program, timing);
    Picoseconds sum{};
    for (const TimeShare& share : latency_shares(done)) {
      EXPECT_GE(share.time.value, 0) << share.id;
      sum += share.time;
    }
    EXPECT_EQ(sum, done.latency);
  }
}

TEST(Limits, NothingIsFasterThanItsBounds) {
  const isa::Program program = generated(kLinear);
  const Emulation serial = run_linear(program, TimingMode::kSerial);
  const Emulation overlap = run_linear(program, TimingMode::kOverlap);
  const auto bound = [](const Emulation& done, std::string_view id) {
    for (const Bound& one : bounds_of(done, true))
      if (one.id == id) return one.latency;
    return Picoseconds{-1};
  };
  // 7330 cycles of everything but transfers; 2978 of them of scalar and control instructions.
  EXPECT_EQ(bound(serial, "memory").value, 7'330'000);
  EXPECT_EQ(bound(serial, "scalar").value, 9'410'000 - 2'978'000);
  EXPECT_EQ(bound(serial, "overlap").value, 4'352'000);
  EXPECT_EQ(bound(serial, "link"), serial.latency);
  EXPECT_GE(overlap.latency, bound(serial, "overlap"));
  EXPECT_LE(overlap.latency, serial.latency);
  for (const Bound& one : bounds_of(overlap, false)) {
    EXPECT_GE(one.latency.value, 0) << one.id;
    EXPECT_LE(one.latency, overlap.latency) << one.id;
    EXPECT_NE(one.id, "link");
  }
}

TEST(Limits, RoofsAreThoseOfArrayAndMemory) {
  const isa::Program program = generated(kLinear);
  const Emulation done = run_linear(program, TimingMode::kSerial);
  const isa::Machine machine = machine_of(16, 4);
  const Roofline roofs = roofline(
      program, done, {machine, CostTable::kReference, base::BytesPerSecond{64'000'000'000}, std::nullopt});
  // X[128, 16] W[16, 32].
  EXPECT_EQ(roofs.multiplications, 128U * 16U * 32U);
  EXPECT_EQ(roofs.bytes, 49'152U);
  EXPECT_DOUBLE_EQ(roofs.intensity, 65536.0 / 49152.0);
  EXPECT_NEAR(roofs.attained, 65536 / 9410e-9, 1);
  ASSERT_EQ(roofs.roofs.size(), 4U);
  EXPECT_EQ(roofs.roofs[0].id, "array");
  EXPECT_DOUBLE_EQ(roofs.roofs[0].rate, 16e9);
  EXPECT_EQ(roofs.lowest, "costs");
  EXPECT_DOUBLE_EQ(roofs.attainable, 16e9);
  EXPECT_EQ(roofs.roofs[2].id, "memory_peak");
  EXPECT_NEAR(roofs.roofs[2].attainable, 64e9 * 65536 / 49152, 1);
}

TEST(Limits, CostsThatTellOfALargerArrayTakeItsRoofAway) {
  const isa::Program program = generated(kLinear);
  const Emulation done = run_linear(program, TimingMode::kSerial);
  const isa::Machine machine = machine_of(16, 4);
  const Roofline roofs = roofline(program, done, {machine, CostTable::kRtl});
  // BLEN x BLEN x MLEN products in BLEN + 4 cycles.
  ASSERT_FALSE(roofs.roofs.empty());
  EXPECT_EQ(roofs.roofs[0].id, "costs");
  EXPECT_DOUBLE_EQ(roofs.roofs[0].rate, 32e9);
}

TEST(Limits, ProgramsWithoutProductsHaveNoRoof) {
  const isa::Program program = program_of("S_ADDI_INT gp1, gp0, 1\nS_ADDI_INT gp2, gp1, 1\n");
  EmulationOptions options;
  options.machine = machine_of(16, 4);
  const Emulation done = run(program, options, memory_of("hbm2"));
  const Roofline roofs = roofline(program, done, {options.machine});
  EXPECT_EQ(roofs.multiplications, 0U);
  EXPECT_TRUE(roofs.roofs.empty());
}

}  // namespace
}  // namespace accelscope::emulator
