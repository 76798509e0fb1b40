#include "emulator/loop_stack.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::emulator {

Fault LoopStack::fault_of_write(std::uint32_t gp) const {
  const auto loop =
      std::find_if(open_.rbegin(), open_.rend(), [&](const Open& one) { return one.counter == gp; });
  return Fault(
      fmt::format("writes gp{}, which counts the rounds of the loop that began at pc {}", gp, loop->start));
}

Fault LoopStack::start(const Operation& operation, std::uint32_t& pc, std::uint64_t carried_out,
                       Registers& registers) {
  if (operation.immediate == 0) return Fault("a loop of 0 rounds: expected at least 1");
  const std::uint32_t bit = 1U << operation.rd;
  if (strict_ && operation.rd == 0) return Fault("counts rounds in gp0, which is always 0");
  if ((counters_ & bit) != 0) return fault_of_write(operation.rd);
  registers.gp[operation.rd] = operation.immediate;
  open_.push_back({pc, operation.rd, carried_out});
  if (strict_) counters_ |= bit;
  ++pc;
  return {};
}

Fault LoopStack::check_round(const Open& loop, std::uint64_t carried_out) const {
  if (carried_out - loop.since <= longest_round_) return {};
  return Fault(
      fmt::format("a round of the loop that began at pc {} has carried out {} instructions, more than the {} "
                  "that MAX_LOOP_INSTRUCTIONS allows",
                  loop.start, carried_out - loop.since, longest_round_));
}

void LoopStack::close(std::size_t position) {
  if (strict_) counters_ &= ~(1U << open_[position].counter);
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(position));
}

Fault LoopStack::end_of_any(const Operation& operation, std::uint32_t& pc, std::uint64_t carried_out,
                            Registers& registers) {
  std::size_t position = open_.size();
  while (position > 0 && open_[position - 1].counter != operation.rd) --position;
  if (position == 0) return Fault(fmt::format("ends a loop of gp{}, but none is open", operation.rd));
  --position;
  Open& loop = open_[position];
  if (strict_ && position + 1 != open_.size())
    return Fault(
        fmt::format("ends the loop that began at pc {} while one inside it, that of gp{} at pc {}, is open",
                    loop.start, open_.back().counter, open_.back().start));
  // A round of the outermost loop is never shorter than one of those inside it.
  if (Fault fault = check_round(open_.front(), carried_out); fault.found()) return fault;
  if (Fault fault = check_round(loop, carried_out); fault.found()) return fault;
  std::uint32_t& left = registers.gp[operation.rd];
  if (left > 1) {
    --left;
    loop.since = carried_out;
    pc = loop.start + 1;
    return {};
  }
  left = 0;
  close(position);
  ++pc;
  return {};
}

Fault LoopStack::break_out(std::uint32_t& pc, Registers& registers) {
  if (strict_)
    return Fault(
        "the hardware documents call this a breakpoint, and the reference closes the innermost loop without "
        "leaving it: there is no program that means the same to both");
  if (open_.empty()) return Fault("leaves a loop, but none is open");
  registers.gp[open_.back().counter] = 0;
  close(open_.size() - 1);
  ++pc;
  return {};
}

Fault LoopStack::finish() const {
  if (!strict_ || open_.empty()) return {};
  return Fault(fmt::format("the program ends inside the loop of gp{} that began at pc {}",
                           open_.back().counter, open_.back().start));
}

}  // namespace accelscope::emulator
