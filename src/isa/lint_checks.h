// The checks of the linter, each over all instructions in the order of the listing. Internal to the linter.
//
// In that order a walk meets the first round of every loop; what happens in later rounds is told by the
// registers' steps.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "isa/instruction_set.h"
#include "isa/lint_report.h"
#include "isa/machine.h"
#include "isa/memory_access.h"
#include "isa/register_flow.h"

namespace accelscope::isa {

// One instruction, as every check gets it.
struct LintStep {
  std::uint32_t position = 0;
  std::uint32_t word = 0;
  const Instruction* instruction = nullptr;  // nullptr: a word of none
  const RegisterState* state = nullptr;
  const MemoryAccesses* accesses = nullptr;
};

// Registers that are set, used, and never to be written; instructions that do not do what they say.
class RegisterCheck {
 public:
  RegisterCheck(const Machine& machine, LintReport& report) : machine_(machine), report_(report) {}
  void take(const LintStep& step);

 private:
  void take_operands(const LintStep& step);
  void take_mask(const LintStep& step);
  void take_transfer(const LintStep& step);
  void take_write(const LintStep& step, const Operand& operand, std::uint32_t index, std::uint32_t number);
  void take_read(const LintStep& step, const Operand& operand, std::uint32_t index, std::uint32_t number);

  const Machine& machine_;
  LintReport& report_;
  // By file of registers, a bit for each that was written or complained about. gp0 and f0 hold 0.
  std::array<std::uint32_t, 4> written_{0, 1, 1, 0};
  bool mask_set_ = false;
  bool scale_set_ = false;
  bool stride_set_ = false;
};

// Loops: their counters, and how much one round carries out.
class LoopCheck {
 public:
  LoopCheck(const Program& program, const RegisterFlow& flow, const Machine& machine, LintReport& report)
      : program_(program), flow_(flow), machine_(machine), report_(report) {}
  void take(const LintStep& step);

 private:
  const Program& program_;
  const RegisterFlow& flow_;
  const Machine& machine_;
  LintReport& report_;
  std::vector<std::uint64_t> carried_out_;  // in one round, by open loop
  std::vector<std::uint32_t> open_;
  std::uint32_t next_loop_ = 0;
};

// Addresses that instructions cannot take.
class AddressCheck {
 public:
  AddressCheck(const Machine& machine, LintReport& report) : machine_(machine), report_(report) {}
  void take(const LintStep& step);

 private:
  void take_access(const LintStep& step, const MemoryAccess& access);
  void take_scalar(const LintStep& step, const FlowValue& address, std::uint64_t count,
                   std::uint32_t operand);
  void take_scalars(const LintStep& step);
  void take_transfer(const LintStep& step);

  const Machine& machine_;
  LintReport& report_;
};

// Accumulators that are written out empty, or never.
class AccumulatorCheck {
 public:
  AccumulatorCheck(const Program& program, LintReport& report) : program_(program), report_(report) {}
  void take(const LintStep& step);
  void finish();

 private:
  static constexpr std::size_t kCount = 4;
  struct First {
    bool seen = false;
    bool write_out = false;
    std::uint32_t position = 0;
  };
  using Firsts = std::array<First, kCount>;

  void take_operation(const LintStep& step, std::size_t accumulator, bool write_out);
  void take_loop_end();

  const Program& program_;
  LintReport& report_;
  std::array<bool, kCount> full_{};
  std::array<std::uint32_t, kCount> last_product_{};
  std::vector<Firsts> open_;  // by open loop, what its body does first
  std::vector<std::uint32_t> open_loops_;
  std::uint32_t next_loop_ = 0;
};

// A set of whole numbers that may be in it; it only grows. With too many pieces it becomes everything.
class PossibleSet {
 public:
  void add(std::uint64_t first, std::uint64_t last);
  void add_everything() { everything_ = true; }
  bool may_have(std::uint64_t first, std::uint64_t last) const;

 private:
  static constexpr std::size_t kMostPieces = 100'000;
  std::map<std::uint64_t, std::uint64_t> pieces_;  // first to last
  bool everything_ = false;
};

// What is read before it is written, fetched in vain, or fetched too late; for one of the two memories.
class ContentCheck {
 public:
  ContentCheck(const Program& program, const Machine& machine, bool matrix, LintReport& report)
      : program_(program), machine_(machine), matrix_(matrix), report_(report) {}
  void take(const LintStep& step, std::uint64_t clock);
  void finish();

 private:
  // Pieces are tiles or rows.
  struct Pieces {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  struct Prefetch {
    std::uint32_t position = 0;
    std::uint32_t loop = kNoLoop;  // around it
    std::size_t nesting = 0;
    std::uint64_t clock = 0;  // when it was done
    Pieces pieces;            // in the first round
    FlowValue address;
  };

  Pieces first_round(const MemoryAccess& access) const;
  void take_read(const LintStep& step, const MemoryAccess& access, std::uint64_t clock);
  void take_write(const LintStep& step, const MemoryAccess& access, std::uint64_t clock);
  void use(const LintStep& step, const Prefetch& prefetch, std::uint64_t clock);
  bool is_around(const Prefetch& prefetch, const RegisterState& state) const;

  const Program& program_;
  const Machine& machine_;
  const bool matrix_;
  LintReport& report_;
  PossibleSet written_;
  PossibleSet read_;
  std::vector<Prefetch> prefetches_;           // those whose place is certain
  std::map<std::uint64_t, Prefetch> waiting_;  // not read since, by their first piece
};

}  // namespace accelscope::isa
