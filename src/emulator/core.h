// The functional part of the accelerator: what every instruction does to registers and memories. It knows no
// time.
//
// Rules: `compat` does what the reference does, wrong or not; `strict` stops at everything that the hardware
// documents forbid or leave open, with the instruction. What the reference stops at, both stop at. A fault
// leaves the state as it was before the instruction. One thread uses one core, which owns its state; programs
// are read only.
//
//   ACCELSCOPE_TRY(Core core, Core::make(machine, Rules::kStrict));
//   if (const Fault fault = core.carry_out(operation); fault.found()) ...
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "emulator/operation.h"
#include "emulator/row_codec.h"
#include "emulator/state.h"
#include "emulator/transfer_plan.h"
#include "isa/machine.h"

namespace accelscope::emulator {

enum class Rules : std::uint8_t { kStrict, kCompat };

// Why an instruction could not be carried out. The text says what is wrong with which value; who runs the
// program adds pc, source line and the instruction as it is written.
// Costs a pointer where nothing is wrong.
class [[nodiscard]] Fault {
 public:
  Fault() = default;
  explicit Fault(std::string text) : text_(std::make_unique<std::string>(std::move(text))) {}

  bool found() const { return text_ != nullptr; }
  const std::string& text() const { return *text_; }  // only where one was found

 private:
  std::unique_ptr<std::string> text_;
};

class Core {
 public:
  // The machine must outlive the core.
  static base::Result<Core> make(const isa::Machine& machine, Rules rules);

  State& state() { return state_; }
  const State& state() const { return state_; }
  Rules rules() const { return rules_; }

  // Everything but loops and breaks, which are the business of who runs the program (run_loop.h).
  Fault carry_out(const Operation& operation);

 private:
  Core(const isa::Machine& machine, Rules rules, State state);

  const isa::Machine* machine_;
  Rules rules_;
  State state_;
};

}  // namespace accelscope::emulator
