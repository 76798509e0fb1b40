#include <fmt/core.h>

#include "isa/lint_checks.h"

namespace accelscope::isa {
namespace {

struct AccumulatorFacts {
  Places place;
  std::string_view write_out;
};

constexpr std::array<AccumulatorFacts, 4> kAccumulators{{{places::kBlockAccumulator, "M_MM_WO"},
                                                         {places::kHeadsAccumulator, "M_BMM_WO"},
                                                         {places::kHeadRowAccumulator, "M_BMV_WO"},
                                                         {places::kRowAccumulator, "M_MV_WO"}}};

}  // namespace

void AccumulatorCheck::take(const LintStep& step) {
  const std::uint32_t opcode_here = opcode_of_word(step.word);
  if (opcode_here == opcode("C_LOOP_START")) {
    open_.push_back({});
    open_loops_.push_back(next_loop_++);
    return;
  }
  if (opcode_here == opcode("C_LOOP_END")) return take_loop_end();
  if (step.instruction == nullptr || step.instruction->unit != Unit::kMatrix) return;
  for (std::size_t i = 0; i < kCount; ++i)
    if ((step.instruction->writes & kAccumulators[i].place) != 0)
      take_operation(step, i, step.instruction->latency == Latency::kWriteOut);
}

void AccumulatorCheck::take_operation(const LintStep& step, std::size_t accumulator, bool write_out) {
  if (!open_.empty() && !open_.back()[accumulator].seen)
    open_.back()[accumulator] = {true, write_out, step.position};
  std::size_t other = kCount;
  for (std::size_t i = 0; i < kCount; ++i)
    if (i != accumulator && full_[i]) other = i;
  if (write_out) {
    if (!full_[accumulator])
      report_.add(Rule::kAccumulatorEmpty, step.position, 0, [&] {
        return other == kCount
                   ? std::string("nothing was accumulated since the last write-out: zeros are written")
                   : fmt::format("nothing was accumulated here: the product of line {} is written out by {}",
                                 program_.lines[last_product_[other]], kAccumulators[other].write_out);
      });
    full_[accumulator] = false;
    return;
  }
  if (other != kCount && !full_[accumulator])
    report_.add(Rule::kAccumulatorMixed, step.position, 0, [&] {
      return fmt::format("the product of line {} still waits for its {}",
                         program_.lines[last_product_[other]], kAccumulators[other].write_out);
    });
  full_[accumulator] = true;
  last_product_[accumulator] = step.position;
}

// From its second round on, a body begins with what it ended with.
void AccumulatorCheck::take_loop_end() {
  const Loop& loop = program_.loops[open_loops_.back()];
  const Firsts firsts = open_.back();
  open_.pop_back();
  open_loops_.pop_back();
  for (std::size_t i = 0; i < kCount; ++i) {
    if (!firsts[i].seen) continue;
    if (firsts[i].write_out && !full_[i] && loop.count > 1)
      report_.add(Rule::kAccumulatorEmpty, firsts[i].position, 0, [&] {
        return fmt::format(
            "nothing was accumulated since the last write-out in the second round of the loop of "
            "line {}: zeros are written",
            program_.lines[loop.start]);
      });
    if (!open_.empty() && !open_.back()[i].seen) open_.back()[i] = firsts[i];
  }
}

void AccumulatorCheck::finish() {
  for (std::size_t i = 0; i < kCount; ++i)
    if (full_[i])
      report_.add(Rule::kAccumulatorLeft, last_product_[i], 0, [&] {
        return fmt::format("the program ends before {} writes this product out", kAccumulators[i].write_out);
      });
}

}  // namespace accelscope::isa
