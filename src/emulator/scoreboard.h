// In-order issue with units that work at the same time: when each instruction of a run starts, and what
// everybody does meanwhile.
//
// One instruction is issued a cycle, in order. It waits until its registers and accumulators are ready, its
// part of the hardware takes it, and nothing in flight reads or writes what it writes, or writes what it
// reads. docs/emulator.md has the rules. Time that issue waits has one cause; every unit that is idle then
// waits for the same.
//
// Used by one thread; operations and machine outlive it. Its memory does not grow with the run.
//
//   const Issued issued = board.issue(pc, registers);
//   const base::Picoseconds start = board.begin_transfer(pc, registers);    // and then
//   board.end_transfer(pc, done, registers);
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.h"
#include "emulator/accounts.h"
#include "emulator/footprint.h"
#include "emulator/operation.h"
#include "emulator/path_log.h"
#include "emulator/timed_run.h"
#include "emulator/transfer_port.h"

namespace accelscope::emulator {

struct Issued {
  base::Picoseconds issued{};
  base::Picoseconds start{};  // later than issued where it waits in its unit
  base::Picoseconds end{};
};

class Scoreboard {
 public:
  Scoreboard(std::span<const Operation> operations, const TimingSetup& setup);

  // Whether an instruction never waits, and nothing ever waits for it.
  bool is_prompt(std::uint32_t pc) const { return prompt_[pc]; }
  Issued issue_prompt(std::uint32_t pc) {
    const Operation& operation = operations_[pc];
    const base::Picoseconds start = issue_;
    const base::Picoseconds end = start + cycles(operation.cost.whole());
    ++counts_[pc].count;
    make_room_in_log();
    const NodeId node = log_.add(pc, start, last_, PathLog::Reason::kOrder);
    note_end(end, node, operation.unit);
    move_on(start, end, node);
    return {start, start, end};
  }
  // Any other but a transfer.
  Issued issue(std::uint32_t pc, const Registers& registers);
  // When a transfer starts; it must be ended before anything else is issued.
  base::Picoseconds begin_transfer(std::uint32_t pc, const Registers& registers);
  void end_transfer(std::uint32_t pc, const Transferred& done, const Registers& registers);

  // When the next instruction is issued at the earliest.
  base::Picoseconds now() const { return issue_; }
  // When the last operation so far is over.
  base::Picoseconds end() const { return last_end_.until; }
  // `latency` is when the memory is quiet, too.
  TimedRun finish(base::Picoseconds latency);

 private:
  // Something that is not to be had before a time, and who has it.
  struct Holder {
    base::Picoseconds until{};
    NodeId node = kNoNode;
    isa::Unit unit = isa::Unit::kControl;
  };
  struct InFlight {
    PieceRange range;
    bool writes = false;
    Holder holder;
  };
  using Ranges = std::vector<InFlight>;

  base::Picoseconds cycles(std::uint64_t count) const { return period_ * static_cast<std::int64_t>(count); }
  void wait_for(const Holder& holder) {
    if (holder.until > wait_.until) wait_ = holder;
  }
  void wait_for_places(HeldPlaces places);
  void wait_for_ranges(const Footprint& footprint, const Registers& registers);
  void wait_for_ports(const Operation& operation, const Footprint& footprint);
  void find_wait(std::uint32_t pc, HeldPlaces places, const Registers& registers);
  // Spends the time until the instruction can be issued, and gives it its node.
  Holder take_turn(std::uint32_t pc);
  void hold(std::uint32_t pc, const Holder& started, const Registers& registers);
  void hold_ranges(const Footprint& footprint, const Registers& registers, base::Picoseconds read_until,
                   const Holder& written);
  // Units that are idle from one time to another are so for this cause.
  void pass(base::Picoseconds from, base::Picoseconds to, Cause cause) {
    for (std::size_t unit = 0; unit < isa::kUnits; ++unit) {
      const base::Picoseconds idle_from = std::max(from, busy_until_[unit]);
      if (to > idle_from) idle_[unit][index(cause)] += to - idle_from;
    }
  }
  void note_end(base::Picoseconds end, NodeId node, isa::Unit unit) {
    base::Picoseconds& busy = busy_until_[index(unit)];
    busy = std::max(busy, end);
    if (end > last_end_.until || last_end_.node == kNoNode) last_end_ = {end, node, unit};
  }
  // To the next turn: a cycle later, or as soon as an instruction that takes less is over.
  void move_on(base::Picoseconds issued, base::Picoseconds end, NodeId node) {
    const base::Picoseconds next = std::min(issued + period_, end);
    pass(issued, next, Cause::kIssue);
    issue_ = next;
    last_ = node;
  }
  void make_room_in_log() {
    if (log_.full()) forget();
  }
  void forget();

  std::span<const Operation> operations_;
  const isa::Machine& machine_;
  base::Picoseconds period_;
  bool recovers_;
  std::vector<Footprint> footprints_;
  std::vector<bool> prompt_;
  HeldPlaces watched_ = ~HeldPlaces{0};  // places that may have to be waited for

  base::Picoseconds issue_{};
  NodeId last_ = 0;
  Holder wait_;  // of the instruction whose turn it is
  std::array<Holder, held::kCount> ready_{};
  std::array<Holder, kResources> free_{};
  Ranges rows_, tiles_;  // in flight
  // What only `rtl` knows: the last row of the pipeline, the last reduction, and the ports of the vector
  // memory.
  Holder retired_, reduced_, rows_done_, rows_moved_;
  Holder last_end_;

  std::array<base::Picoseconds, isa::kUnits> busy_until_{};
  std::array<std::array<base::Picoseconds, kCauses>, isa::kUnits> idle_{};
  std::vector<InstructionCount> counts_;
  std::uint32_t last_transfer_ = 0;
  PathLog log_;
};

}  // namespace accelscope::emulator
