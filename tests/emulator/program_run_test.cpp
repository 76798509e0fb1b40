// Programs made to order, run on the functional core by a loop of the test's own, leave exactly what the
// network that they stand for computes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "base/half_float.h"
#include "emulator/comparison.h"
#include "emulator/core.h"
#include "emulator/expected_arithmetic.h"
#include "emulator/prepared_runs.h"
#include "emulator/program_images.h"
#include "isa/assembler.h"
#include "isa/generators.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

struct ProgramCase {
  std::string program;
  InputKind inputs = InputKind::kExact;

  friend std::ostream& operator<<(std::ostream& out, const ProgramCase& one) {
    return out << one.program << (one.inputs == InputKind::kExact ? " exact" : " random");
  }
};

// Carries out a program; "" where nothing went wrong.
std::string run(const std::vector<Operation>& operations, Core& core) {
  struct Loop {
    std::size_t first;
    std::uint32_t left;
  };
  std::vector<Loop> loops;
  for (std::size_t pc = 0; pc < operations.size(); ++pc) {
    const Operation& operation = operations[pc];
    if (operation.opcode == isa::opcode("C_LOOP_START")) {
      loops.push_back({pc, operation.immediate});
    } else if (operation.opcode == isa::opcode("C_LOOP_END")) {
      if (--loops.back().left > 0)
        pc = loops.back().first;
      else
        loops.pop_back();
    } else if (const Fault fault = core.carry_out(operation); fault.found()) {
      return fmt::format("pc {}: {}", pc, fault.text());
    }
  }
  return "";
}

void load(const PreparedProgram& ready, State& state) {
  ASSERT_TRUE(state.external.write(0, ready.images.external));
  for (std::size_t i = 0; 2 * i < ready.images.floats.size(); ++i) {
    const auto low = std::to_integer<unsigned>(ready.images.floats[2 * i]);
    const auto high = std::to_integer<unsigned>(ready.images.floats[2 * i + 1]);
    state.scalars.floats[i] = to_bf16(base::float_of_float16(static_cast<std::uint16_t>(low | high << 8U)));
    state.scalars.float_written[i] = true;
  }
}

// Runs what was prepared and holds it against the expectation.
Comparison outcome(const isa::GeneratedProgram& program, const PreparedProgram& ready) {
  boards::SettingsTree settings;
  settings.config = ready.settings;
  const auto machine = isa::make_machine({.settings = &settings});
  EXPECT_TRUE(machine) << machine.error().to_string();
  const isa::Assembly assembly = isa::assemble("a.asm", program.listing, isa::Dialect::kStrict);
  auto core = Core::make(*machine, Rules::kStrict);
  EXPECT_TRUE(core) << core.error().to_string();
  load(ready, core->state());
  EXPECT_EQ(run(decode(assembly.words, *machine, CostTable::kReference), *core), "");
  const auto found = compare(core->state(), ready.expectation, {});
  EXPECT_TRUE(found) << found.error().to_string();
  return *found;
}

class RunPrograms : public testing::TestWithParam<ProgramCase> {};

TEST_P(RunPrograms, LeaveWhatIsExpected) {
  const auto program = isa::generate(GetParam().program);
  ASSERT_TRUE(program) << program.error().to_string();
  const auto ready = prepare(*program, {.kind = GetParam().inputs});
  ASSERT_TRUE(ready) << ready.error().to_string();
  const Comparison found = outcome(*program, *ready);
  std::uint64_t outputs = 0;
  for (const isa::ProgramTensor& tensor : program->tensors)
    if (tensor.role == isa::TensorRole::kOutput) outputs += tensor.elements();
  EXPECT_EQ(found.checked, outputs);
  EXPECT_EQ(found.different, 0U);
  for (const Difference& difference : found.first) ADD_FAILURE() << describe(difference, ready->expectation);
}

// One bit of one weight is seen in the results.
TEST(ProgramRun, DiffersWhenAnInputDoes) {
  for (const char* const text : {"linear:mlen=16,rows=16,in=16,out=16", "decoder-layer:mlen=16,hidden=32"}) {
    const auto program = isa::generate(text);
    auto ready = prepare(*program, {.kind = InputKind::kRandom});
    ASSERT_TRUE(ready);
    const auto weights =
        std::ranges::find(program->tensors, isa::TensorContent::kWeights, &isa::ProgramTensor::content);
    ready->images.external[weights->address] ^= std::byte{0x10};
    EXPECT_GT(outcome(*program, *ready).different, 0U) << text;
  }
}

// The same through the run loop.
TEST(ProgramRun, IsTheSameByAllRulesTimingsAndMemories) {
  for (const char* const text : {"decoder-layer:mlen=16,hidden=48,inter=32,heads=2,dim=16,rows=16",
                                 "ffn:mlen=16,blen=8,rows=16,hidden=32,inter=16"}) {
    const auto program = isa::generate(text);
    const auto ready = prepare(*program, {.kind = InputKind::kRandom, .seed = 5});
    ASSERT_TRUE(ready);
    EmulationOptions overlapping;
    overlapping.timing = TimingMode::kOverlap;
    EmulationOptions as_reference;
    as_reference.rules = Rules::kCompat;
    for (const EmulationOptions& options : {EmulationOptions(), overlapping, as_reference})
      for (const std::string_view memory : {"hbm", "layer-swap", "weight-stream"}) {
        const Comparison found = emulated(*program, *ready, options, memory);
        EXPECT_GT(found.checked, 0U);
        EXPECT_EQ(found.different, 0U) << text << ' ' << memory;
      }
  }
}

std::vector<ProgramCase> cases() {
  std::vector<ProgramCase> all;
  for (const InputKind kind : {InputKind::kExact, InputKind::kRandom})
    for (const char* const program :
         {"add:mlen=16,blen=4,rows=32,hidden=48",
          "add:mlen=64,blen=16,rows=16,hidden=128",
          "attention:mlen=16,blen=4,seq=32,dim=32",
          "attention:mlen=16,blen=16,seq=32,dim=16,causal=1",
          "attention:mlen=16,blen=8,seq=16,dim=32,heads=4,kv_heads=2",
          "attention:mlen=64,blen=8,seq=64",
          "decoder-layer:mlen=16,blen=4,rows=32,hidden=48,inter=80,heads=4,kv_heads=2,dim=16",
          "decoder-layer:mlen=16,blen=8,rows=16,hidden=32,inter=48,heads=3,kv_heads=1,dim=32,causal=0",
          "decoder-layer:mlen=64,blen=16",
          "ffn:mlen=16,blen=4,rows=32,hidden=32,inter=48",
          "ffn:mlen=64,blen=8,rows=64,hidden=64,inter=128",
          "layer_norm:mlen=16,blen=4,rows=8,hidden=48",
          "layer_norm:mlen=64,blen=8",
          "linear:mlen=16,blen=4,rows=128,in=16,out=32",
          "linear:mlen=16,blen=8,rows=32,in=48,out=32",
          "linear:mlen=64,blen=16,rows=64,in=128,out=64",
          "linear:mlen=8,blen=1,rows=8,in=16,out=8",
          "rms_norm:mlen=16,blen=4,rows=8,hidden=48",
          "rms_norm:mlen=64,blen=16",
          "rope:mlen=16,blen=4,rows=32,hidden=32",
          "rope:mlen=64,blen=8",
          "softmax:mlen=16,blen=4,rows=8,hidden=48",
          "softmax:mlen=64,blen=16,rows=32,hidden=128"})
      all.push_back({program, kind});
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, RunPrograms, testing::ValuesIn(cases()));

}  // namespace
}  // namespace accelscope::emulator
