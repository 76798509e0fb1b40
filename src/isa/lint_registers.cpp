#include <fmt/core.h>

#include "isa/latencies.h"
#include "isa/lint_checks.h"
#include "isa/transfers.h"

namespace accelscope::isa {
namespace {

bool reads(Access access) {
  return access == Access::kRead || access == Access::kReadWrite;
}
bool writes(Access access) {
  return access == Access::kWrite || access == Access::kReadWrite;
}

constexpr std::uint64_t kVeryMany = ~std::uint64_t{0};

// The mask of a masked instruction; 0 where it has none.
std::uint32_t mask_of(const LintStep& step) {
  for (std::uint32_t i = 0; i < step.instruction->operand_count; ++i)
    if (step.instruction->operands[i].meaning == Meaning::kMask)
      return bits_of(step.instruction->operands[i].decoded).of(step.word);
  return 0;
}

// An addition of nothing to gp0 is how some programs write "do nothing".
bool leaves_zero(const LintStep& step) {
  return step.instruction->opcode == opcode("S_ADDI_INT") &&
         bits_of(Field::kImmediate18).of(step.word) == 0 && bits_of(Field::kRs1).of(step.word) == 0;
}

}  // namespace

void RegisterCheck::take(const LintStep& step) {
  if (step.instruction == nullptr) {
    report_.add(Rule::kUnknownWord, step.position, 0, [&] {
      return fmt::format("no instruction has opcode 0x{:02X}: the hardware stops at it",
                         opcode_of_word(step.word));
    });
    return;
  }
  take_operands(step);
  take_mask(step);
  switch (step.instruction->opcode) {
    case opcode("C_SET_V_MASK_REG"):
      mask_set_ = true;
      break;
    case opcode("C_SET_SCALE_REG"):
      scale_set_ = true;
      break;
    case opcode("C_SET_STRIDE_REG"):
      stride_set_ = true;
      break;
    case opcode("C_BREAK"):
      report_.add(Rule::kBreak, step.position, 0, [] {
        return "leaves the loop without a jump; its C_LOOP_END then finds no loop and stops the hardware";
      });
      break;
    case opcode("M_BMV"):
      report_.add(Rule::kUnusable, step.position, 0,
                  [] { return "the emulator stops at M_BMV: it adds shapes that do not fit; M_BTMV works"; });
      break;
    case opcode("V_TOPK"):
      if (const std::uint32_t choice = bits_of(Field::kRs3).of(step.word); choice > 1)
        report_.add(Rule::kRouting, step.position, 4, [&] {
          return fmt::format("there is no choice {}: 0 is 4 of 32 experts, 1 is 8 of 128", choice);
        });
      break;
    default:
      break;
  }
  if (step.instruction->unit == Unit::kMemory) take_transfer(step);
}

void RegisterCheck::take_operands(const LintStep& step) {
  const Instruction& instruction = *step.instruction;
  for (std::uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.file == RegisterFile::kNone || operand.decoded == Field::kNone || !reads(operand.access))
      continue;
    take_read(step, operand, i + 1, bits_of(operand.decoded).of(step.word));
  }
  for (std::uint32_t i = 0; i < instruction.operand_count; ++i) {
    const Operand& operand = instruction.operands[i];
    if (operand.file != RegisterFile::kNone && writes(operand.access))
      take_write(step, operand, i + 1, bits_of(operand.decoded).of(step.word));
  }
}

void RegisterCheck::take_read(const LintStep& step, const Operand& operand, std::uint32_t index,
                              std::uint32_t number) {
  std::uint32_t& known = written_[static_cast<std::size_t>(operand.file)];
  const std::uint32_t bit = std::uint32_t{1} << number;
  if ((known & bit) != 0) return;
  known |= bit;  // once is enough
  report_.add(Rule::kRegisterUnset, step.position, index, [&] {
    return fmt::format("{}{} is read and nothing wrote it before", prefix_of(operand.file), number);
  });
}

void RegisterCheck::take_write(const LintStep& step, const Operand& operand, std::uint32_t index,
                               std::uint32_t number) {
  written_[static_cast<std::size_t>(operand.file)] |= std::uint32_t{1} << number;
  if (number != 0) return;
  if (operand.file == RegisterFile::kInteger && !leaves_zero(step) &&
      step.instruction->opcode != opcode("C_LOOP_END")) {
    report_.add(Rule::kZeroWritten, step.position, index,
                [] { return "gp0 is written; programs and documents take it for 0, the emulator does not"; });
  } else if (operand.file == RegisterFile::kFloat) {
    const bool dropped = cost_variant_of(step.word) == CostVariant::kIntoZero;
    report_.add(Rule::kFloatZeroWritten, step.position, index, [&] {
      return dropped ? "the result is dropped: instructions into f0 are not carried out"
                     : "f0 is overwritten, which programs take for 0";
    });
  }
}

void RegisterCheck::take_mask(const LintStep& step) {
  if ((step.instruction->reads & places::kMaskRegister) == 0 || mask_of(step) == 0) return;
  const FlowValue& mask = step.state->mask();
  if (mask.known() && mask.base == 0)
    report_.add(Rule::kMaskUnset, step.position, 0, [&] {
      return fmt::format("masked, but the mask register is {}: nothing changes",
                         mask_set_ ? "0 here" : "never set before");
    });
  const Latency latency = step.instruction->latency;
  if (latency == Latency::kVectorSum || latency == Latency::kVectorMaximum)
    report_.add(Rule::kMaskedReduction, step.position, 0, [&] {
      return latency == Latency::kVectorSum
                 ? "a masked sum adds each chosen slice's sum once for every element of it"
                 : "a masked maximum is that of the whole row";
    });
}

void RegisterCheck::take_transfer(const LintStep& step) {
  const std::uint32_t stride = bits_of(Field::kRs3).of(step.word);
  if (stride > 1)
    report_.add(Rule::kStrideSwitch, step.position, 4, [&] {
      return fmt::format("{} means 0: rows behind each other; only 1 uses the stride register", stride);
    });
  if (stride == 1 && !stride_set_)
    report_.add(Rule::kStrideUnset, step.position, 4,
                [] { return "the stride register is never set before: rows are 1 byte apart"; });
  if (!scale_set_ && transfer_of(step.word, machine_).scale_bytes > 0)
    report_.add(Rule::kScaleUnset, step.position, 0,
                [] { return "the scale register is never set before: elements are read as scales"; });
}

void LoopCheck::take(const LintStep& step) {
  if (!carried_out_.empty() && carried_out_.back() != kVeryMany) ++carried_out_.back();
  const std::uint32_t opcode_here = opcode_of_word(step.word);
  if (opcode_here == opcode("C_LOOP_START")) {
    if (flow_.changes_its_counter(next_loop_))
      report_.add(Rule::kLoopRegisterWritten, step.position, 1, [&] {
        return fmt::format(
            "the body of this loop writes gp{}, which counts it: it ends sooner or later than after {} "
            "rounds",
            program_.loops[next_loop_].counter, program_.loops[next_loop_].count);
      });
    open_.push_back(next_loop_++);
    carried_out_.push_back(0);
    return;
  }
  if (opcode_here != opcode("C_LOOP_END")) return;
  const Loop& loop = program_.loops[open_.back()];
  const std::uint64_t round = carried_out_.back();
  if (round > machine_.max_loop_instructions)
    report_.add(Rule::kLoopGuard, loop.start, 0, [&] {
      return fmt::format(
          "one round carries out {} instructions; the emulator stops after {} "
          "(MAX_LOOP_INSTRUCTIONS)",
          round, machine_.max_loop_instructions);
    });
  open_.pop_back();
  carried_out_.pop_back();
  std::uint64_t all = 0;
  if (carried_out_.empty()) return;
  if (__builtin_mul_overflow(round, std::uint64_t{loop.count}, &all) ||
      __builtin_add_overflow(carried_out_.back(), all, &carried_out_.back()))
    carried_out_.back() = kVeryMany;
}

}  // namespace accelscope::isa
