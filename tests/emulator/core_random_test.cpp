// Operations drawn at random: whatever they are, the core answers with a fault or carries them out, and all
// processors do the same.
#include <gtest/gtest.h>

#include <xxhash.h>

#include <array>

#include "base/output.h"
#include "base/splitmix.h"
#include "emulator/core_fixture.h"
#include "emulator/dump.h"
#include "emulator/every_processor.h"
#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : state_(seed) {}
  std::uint64_t word() { return base::splitmix(state_ += base::kSplitmixStep); }
  std::uint64_t below(std::uint64_t bound) { return word() % bound; }

 private:
  std::uint64_t state_;
};

// Mostly what an instruction can take, now and then anything.
std::uint32_t drawn_register(Drawer& drawer, const isa::Machine& machine) {
  switch (drawer.below(8)) {
    case 0:
      return static_cast<std::uint32_t>(drawer.word());
    case 1:
      return static_cast<std::uint32_t>(drawer.below(2048));
    case 2:
      return static_cast<std::uint32_t>(drawer.below(machine.matrix_tiles) * machine.mlen * machine.mlen);
    case 3:
      return static_cast<std::uint32_t>(drawer.below(4 * machine.mlen) * machine.blen);
    default:
      return static_cast<std::uint32_t>(drawer.below(machine.vector_rows) * machine.vlen);
  }
}

void draw_registers(Core& core, Drawer& drawer) {
  Registers& registers = core.state().registers;
  const std::size_t number = drawer.below(16);
  registers.gp[number] = number == 0 ? 0 : drawn_register(drawer, core.machine());
  if (drawer.below(16) == 0)
    registers.a[drawer.below(16)] = drawer.below(2) == 0 ? drawer.below(65'536) : drawer.word();
  if (drawer.below(64) == 0) registers.stride = static_cast<std::uint32_t>(drawer.below(1024));
  if (drawer.below(64) == 0) registers.scale = static_cast<std::uint32_t>(drawer.below(65'536));
}

std::uint32_t drawn_word(Drawer& drawer) {
  const auto all = isa::instructions();
  const auto random = static_cast<std::uint32_t>(drawer.word());
  if (drawer.below(8) == 0) return random;
  const std::uint32_t opcode = all[drawer.below(all.size())].opcode;
  // Fields above rs2 are rarely set, for most instructions do not look at them.
  const std::uint32_t kept = drawer.below(4) == 0 ? 0xFFFFFFC0U : 0x0003FFC0U;
  return (random & kept) | opcode;
}

struct Outcome {
  std::uint64_t carried_out = 0;
  std::uint64_t faults = 0;
  std::uint64_t contents = 0;                 // a hash of everything
  std::array<std::uint64_t, 64> of_opcode{};  // carried out
};

Outcome run(const isa::Machine& machine, Rules rules, std::uint64_t seed, int count) {
  TestCore core(rules, machine);
  Drawer drawer(seed);
  for (std::uint64_t row = 0; row < machine.vector_rows / 2; ++row) {
    std::vector<float> values;
    for (std::uint64_t i = 0; i < machine.vlen; ++i)
      values.push_back(static_cast<float>(drawer.below(64)) / 8 - 4);
    core.set_row(row, values);
  }
  std::vector<std::byte> image(4096);
  for (std::byte& one : image) one = static_cast<std::byte>(drawer.word());
  EXPECT_TRUE(core.state().external.write(0, image));
  core.registers().f = {0, 1, -2, 0.5F, 3, 88, 1e-3F, -1e4F};
  Outcome outcome;
  for (int i = 0; i < count; ++i) {
    draw_registers(core.core(), drawer);
    const std::uint32_t word = drawn_word(drawer);
    const Operation operation = decode(word, machine, CostTable::kReference);
    const Fault fault = core.core().carry_out(operation);
    ++(fault.found() ? outcome.faults : outcome.carried_out);
    outcome.of_opcode[operation.opcode] += fault.found() ? 0 : 1;
    EXPECT_FALSE(fault.found() && fault.text().empty());
  }
  base::MemoryOutput out;
  EXPECT_TRUE(dump_vectors(out, core.state(), machine.formats.vector_sram));
  EXPECT_TRUE(dump_matrices(out, core.state(), machine.formats.matrix_sram));
  EXPECT_TRUE(dump_floats(out, core.state()));
  EXPECT_TRUE(dump_integers(out, core.state()));
  EXPECT_TRUE(dump_external(out, core.state()));
  outcome.contents = XXH3_64bits(out.bytes().data(), out.bytes().size());
  return outcome;
}

TEST(CoreAtRandom, NeverFails) {
  for (const Rules rules : kBothRules) {
    const Outcome outcome = run(small_machine(), rules, 7, 200'000);
    // Both ways are taken often enough to mean something.
    EXPECT_GT(outcome.carried_out, 20'000U);
    EXPECT_GT(outcome.faults, 20'000U);
    for (const isa::Instruction& instruction : isa::instructions()) {
      const bool of_the_loop =
          instruction.mnemonic.starts_with("C_LOOP") || instruction.mnemonic == "C_BREAK";
      const bool never = of_the_loop || instruction.mnemonic == "M_BMV";
      EXPECT_EQ(outcome.of_opcode[instruction.opcode] == 0, never) << instruction.mnemonic;
    }
  }
}

TEST(CoreAtRandom, NeverFailsInOddFormats) {
  isa::Machine machine = small_machine();
  machine.formats.vector_sram = {boards::ElementType::floating(true, 5, 10)};
  machine.formats.matrix_weights = {boards::ElementType::floating(true, 2, 1), 4, boards::kE8m0};
  machine.formats.vector_activations = {boards::ElementType::integer(4), 8, boards::kE8m0};
  machine.formats.vector_kv = {boards::ElementType::floating(true, 3, 2), 2, boards::kE8m0,
                               boards::BlockRule::kOcp};
  machine.formats.matrix_kv = {boards::ElementType::integer(32)};
  machine.vlen = machine.mlen = machine.matrix_prefetch_rows = 12;
  machine.blen = 3;
  machine.hlen = 6;
  for (const Rules rules : kBothRules) EXPECT_GT(run(machine, rules, 11, 30'000).carried_out, 1000U);
}

TEST(CoreAtRandom, IsTheSameOnEveryProcessor) {
  isa::Machine machine = small_machine();
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = 32;
  machine.blen = 8;
  machine.hlen = 8;
  machine.broadcast = 4;
  machine.vector_rows = 256;
  for (const Rules rules : kBothRules) {
    std::vector<std::uint64_t> contents;
    for_every_processor(
        [&](std::string_view) { contents.push_back(run(machine, rules, 3, 20'000).contents); });
    for (const std::uint64_t one : contents) EXPECT_EQ(one, contents.front());
  }
}

}  // namespace
}  // namespace accelscope::emulator
