#include "isa/loop_stack.h"

#include "isa/instruction_set.h"

namespace accelscope::isa {

void LoopStack::take(std::uint32_t position, std::uint32_t word, const Place& place) {
  switch (opcode_of_word(word)) {
    case opcode("C_LOOP_START"):
      return start(position, word, place);
    case opcode("C_LOOP_END"):
      return end(position, word, place);
    default:
      return;
  }
}

void LoopStack::start(std::uint32_t position, std::uint32_t word, const Place& place) {
  Loop loop;
  loop.start = loop.end = position;
  loop.parent = open_.empty() ? kNoLoop : open_.back().loop;
  loop.count = bits_of(Field::kImmediate22).of(word);
  loop.counter = bits_of(Field::kRd).of(word);
  loop.depth = static_cast<std::uint32_t>(open_.size());
  if (loop.count == 0)
    diagnostics_.error(Rule::kLoopCount, place, "a loop count of 0 is none: the hardware stops at it");
  const std::size_t same = innermost_[loop.counter];
  // The inner loop leaves 0 in the register, with which the outer one ends.
  if (same != kNone)
    diagnostics_.warning(Rule::kLoopRegisterReused, place,
                         "gp{} already counts the loop of line {}, which ends after its first round",
                         loop.counter, open_[same].place.line);
  innermost_[loop.counter] = open_.size();
  open_.push_back({static_cast<std::uint32_t>(loops_.size()), same, place});
  loops_.push_back(loop);
}

void LoopStack::end(std::uint32_t position, std::uint32_t word, const Place& place) {
  const std::uint32_t counter = bits_of(Field::kRd).of(word);
  if (open_.empty()) {
    diagnostics_.error(Rule::kUnbalancedLoop, place, "C_LOOP_END gp{} closes no loop", counter);
    return;
  }
  const std::size_t same = innermost_[counter];
  const Open& inner = open_.back();
  if (same == kNone) {
    diagnostics_.error(Rule::kUnbalancedLoop, place,
                       "C_LOOP_END gp{} closes no loop: the one of line {} counts in gp{}", counter,
                       inner.place.line, loops_[inner.loop].counter);
    return;
  }
  if (same + 1 != open_.size())
    diagnostics_.error(Rule::kUnbalancedLoop, place,
                       "C_LOOP_END gp{} closes the loop of line {} while that of line {} is open", counter,
                       open_[same].place.line, inner.place.line);
  loops_[open_[same].loop].end = position;
  for (; open_.size() > same; open_.pop_back())
    innermost_[loops_[open_.back().loop].counter] = open_.back().outer;
}

void LoopStack::finish() {
  for (const Open& one : open_)
    diagnostics_.error(Rule::kUnbalancedLoop, one.place,
                       "this loop is never closed: C_LOOP_END gp{} is missing", loops_[one.loop].counter);
}

}  // namespace accelscope::isa
