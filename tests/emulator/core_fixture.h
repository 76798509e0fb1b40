// A small accelerator for tests, and instructions for it as they are written.
//
//   TestCore core(Rules::kStrict);
//   core.set_row(1, {1, 2, 3});
//   EXPECT_EQ(core.run("V_ADD_VV gp1, gp2, gp2"), "");      // or the text of the fault
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/core.h"
#include "isa/assembler.h"

namespace accelscope::emulator {

// Tiles of 8 x 8, blocks of 4, two heads of 4.
inline isa::Machine small_machine() {
  isa::Machine machine;
  machine.name = "small";
  machine.mlen = machine.vlen = 8;
  machine.blen = 4;
  machine.hlen = 4;
  machine.broadcast = 2;
  machine.matrix_tiles = 4;
  machine.vector_rows = 64;
  machine.matrix_prefetch_rows = 8;
  machine.vector_prefetch_rows = 2;
  machine.vector_writeback_rows = 2;
  machine.external_memory = {65'536};
  return machine;
}

// Every kind of thing that the hardware has two opinions about is tried by both.
inline constexpr Rules kBothRules[] = {Rules::kStrict, Rules::kCompat};

class TestCore {
 public:
  explicit TestCore(Rules rules, isa::Machine machine = small_machine())
      : machine_(std::make_unique<isa::Machine>(std::move(machine))), core_(make(*machine_, rules)) {}

  Core& core() { return core_; }
  State& state() { return core_.state(); }
  Registers& registers() { return core_.state().registers; }
  const isa::Machine& machine() const { return *machine_; }

  // "" or the text of the fault.
  std::string run(std::string_view line) {
    const isa::Assembly assembly = isa::assemble("test", line, isa::Dialect::kStrict);
    EXPECT_TRUE(assembly.diagnostics.ok()) << assembly.diagnostics.to_string();
    return assembly.words.size() == 1 ? run_word(assembly.words.front()) : "no single instruction";
  }
  std::string run_word(std::uint32_t word) {
    const Fault fault = core_.carry_out(decode(word, *machine_, CostTable::kReference));
    return fault.found() ? fault.text() : "";
  }

  // Elements that are not given are zero.
  void set_row(std::uint64_t row, std::vector<float> values) {
    values.resize(machine_->vlen);
    std::copy(values.begin(), values.end(), state().vectors.row(row));
    state().vectors.written.rows[row] = state().vectors.written.all;
  }
  std::vector<float> row(std::uint64_t number) {
    const float* begin = state().vectors.row(number);
    return {begin, begin + machine_->vlen};
  }
  void set_tile(std::uint64_t tile, const std::vector<float>& values) {
    std::copy(values.begin(), values.end(), state().matrices.tile(tile));
    state().matrices.set_written(tile);
  }

 private:
  static Core make(const isa::Machine& machine, Rules rules) {
    auto made = Core::make(machine, rules);
    EXPECT_TRUE(made) << made.error().to_string();
    return *std::move(made);
  }

  std::unique_ptr<isa::Machine> machine_;  // stays where it is when this moves
  Core core_;
};

}  // namespace accelscope::emulator
