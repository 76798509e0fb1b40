#include "emulator/scoreboard.h"

#include <algorithm>
#include <bit>

#include "isa/instruction_set.h"

namespace accelscope::emulator {
namespace {

using base::Picoseconds;

bool has_prompt_integers(const isa::Machine& machine) {
  return machine.latencies.integer_basic <= 1;
}

}  // namespace

Scoreboard::Scoreboard(std::span<const Operation> operations, const TimingSetup& setup)
    : operations_(operations),
      machine_(setup.machine),
      period_(setup.period),
      recovers_(setup.recovery_cycles),
      counts_(operations.size()),
      log_(operations, setup.period) {
  const bool prompt = setup.costs == CostTable::kRtl || has_prompt_integers(setup.machine);
  // Integers and what is set from them is ready before the next instruction is issued.
  constexpr HeldPlaces kIntegers = (HeldPlaces{1} << held::kFloat) - 1;
  constexpr HeldPlaces kSet = (HeldPlaces{0xFFFF} << held::kAddress) | held::bit(held::kScale) |
                              held::bit(held::kStride) | held::bit(held::kMask);
  if (prompt) watched_ = ~(kIntegers | kSet);
  footprints_.reserve(operations.size());
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Footprint made = footprint_of(setup.words[i], setup.machine, setup.costs);
    const bool does_nothing = made.resource == Resource::kNone;
    prompt_.push_back(does_nothing || (prompt && made.resource == Resource::kInteger));
    footprints_.push_back(made);
  }
}

void Scoreboard::wait_for_places(HeldPlaces places) {
  for (HeldPlaces left = places & watched_; left != 0; left &= left - 1)
    wait_for(ready_[static_cast<std::size_t>(std::countr_zero(left))]);
}

void Scoreboard::wait_for_ranges(const Footprint& footprint, const Registers& registers) {
  for (const RangeUse& use : footprint.used()) {
    Ranges& in_flight = use.matrix ? tiles_ : rows_;
    const PieceRange range = range_of(use, registers, machine_);
    for (std::size_t i = 0; i < in_flight.size();) {
      const InFlight& other = in_flight[i];
      if (other.holder.until <= issue_) {
        in_flight[i] = in_flight.back();
        in_flight.pop_back();
        continue;
      }
      // What waits in its unit starts behind all products anyway.
      const bool behind = footprint.enters_waiting && other.holder.unit == isa::Unit::kMatrix;
      if (!behind && (use.writes || other.writes) && overlap(range, other.range)) wait_for(other.holder);
      ++i;
    }
  }
}

// None of this is ever held but under `rtl`.
void Scoreboard::wait_for_ports(const Operation& operation, const Footprint& footprint) {
  if (footprint.resource == Resource::kMatrix || footprint.resource == Resource::kVector)
    wait_for(rows_moved_);
  if (footprint.uses_vector_port) {
    wait_for(free_[index(Resource::kMatrix)]);
    wait_for(rows_done_);
  }
  if (footprint.broadcasts) wait_for(free_[index(Resource::kFloat)]);
  if (footprint.resource == Resource::kFloat) wait_for(reduced_);
  if (footprint.elementwise && retired_.node != kNoNode) {
    // One row a cycle is written, in order.
    Holder in_order = retired_;
    in_order.until += period_ - cycles(operation.cost.latency);
    wait_for(in_order);
  }
}

void Scoreboard::find_wait(std::uint32_t pc, HeldPlaces places, const Registers& registers) {
  const Footprint& footprint = footprints_[pc];
  wait_ = {issue_, last_, isa::Unit::kControl};
  wait_for_places(places);
  wait_for(free_[index(footprint.resource)]);
  wait_for_ports(operations_[pc], footprint);
  if (footprint.range_count > 0) wait_for_ranges(footprint, registers);
}

Scoreboard::Holder Scoreboard::take_turn(std::uint32_t pc) {
  Picoseconds start = wait_.until;
  PathLog::Reason reason = PathLog::Reason::kOrder;
  if (start > issue_) {
    pass(issue_, start, cause_of_waiting_for(wait_.unit));
    reason = PathLog::Reason::kWait;
    if (recovers_) {
      pass(start, start + period_, Cause::kRecovery);
      start += period_;
      reason = PathLog::Reason::kRecovered;
    }
    counts_[pc].stalled += start - issue_;
  }
  ++counts_[pc].count;
  return {start, log_.add(pc, start, wait_.node, reason), operations_[pc].unit};
}

void Scoreboard::hold_ranges(const Footprint& footprint, const Registers& registers, Picoseconds read_until,
                             const Holder& written) {
  for (const RangeUse& use : footprint.used()) {
    Holder holder = written;
    if (!use.writes) holder.until = read_until;
    if (holder.until <= issue_) continue;
    (use.matrix ? tiles_ : rows_).push_back({range_of(use, registers, machine_), use.writes, holder});
  }
}

void Scoreboard::hold(std::uint32_t pc, const Holder& started, const Registers& registers) {
  const Operation& operation = operations_[pc];
  const Footprint& footprint = footprints_[pc];
  const Picoseconds start = started.until;
  Holder ready = started;
  ready.until = start + cycles(operation.cost.latency);
  Holder taken = started;
  taken.until = start + cycles(operation.cost.occupancy);
  free_[index(footprint.resource)] = taken;
  for (HeldPlaces left = footprint.writes & watched_; left != 0; left &= left - 1)
    ready_[static_cast<std::size_t>(std::countr_zero(left))] = ready;
  if (footprint.range_count > 0) hold_ranges(footprint, registers, taken.until, ready);
  if (footprint.elementwise) retired_ = ready;
  if (footprint.reduction) reduced_ = ready;
  if (footprint.resource == Resource::kVector && ready.until > rows_done_.until) rows_done_ = ready;
}

Issued Scoreboard::issue(std::uint32_t pc, const Registers& registers) {
  make_room_in_log();
  const Operation& operation = operations_[pc];
  const Footprint& footprint = footprints_[pc];
  const HeldPlaces places = footprint.reads | footprint.writes;
  find_wait(pc, footprint.enters_waiting ? places & ~held::kAccumulators : places, registers);
  const Holder turn = take_turn(pc);
  Holder started = turn;
  if (footprint.enters_waiting) {
    wait_ = turn;
    wait_for_places(places & held::kAccumulators);
    wait_for(free_[index(Resource::kMatrix)]);
    if (wait_.until > turn.until)
      started = {wait_.until, log_.add(pc, wait_.until, wait_.node, PathLog::Reason::kWait), turn.unit};
  }
  const Picoseconds end = started.until + cycles(operation.cost.whole());
  note_end(end, started.node, operation.unit);
  move_on(turn.until, end, turn.node);
  hold(pc, started, registers);
  return {turn.until, started.until, end};
}

Picoseconds Scoreboard::begin_transfer(std::uint32_t pc, const Registers& registers) {
  make_room_in_log();
  find_wait(pc, footprints_[pc].reads, registers);
  wait_ = take_turn(pc);
  return wait_.until;
}

void Scoreboard::end_transfer(std::uint32_t pc, const Transferred& done, const Registers& registers) {
  const Footprint& footprint = footprints_[pc];
  Holder over = wait_;
  over.until = done.end;
  counts_[pc].add(done);
  last_transfer_ = pc;
  note_end(done.end, over.node, isa::Unit::kMemory);
  move_on(done.start, done.end, over.node);
  free_[index(Resource::kPort)] = over;
  if (footprint.uses_vector_port) rows_moved_ = over;
  hold_ranges(footprint, registers, done.end, over);
}

void Scoreboard::forget() {
  std::vector<NodeId*> used{&last_};
  const auto keep = [&](Holder& holder) {
    // Nothing waits for what is over.
    if (holder.until > issue_ && holder.node != kNoNode)
      used.push_back(&holder.node);
    else
      holder.node = kNoNode;
  };
  for (Holder& holder : ready_) keep(holder);
  for (Holder& holder : free_) keep(holder);
  for (Ranges* ranges : {&rows_, &tiles_})
    for (InFlight& access : *ranges) keep(access.holder);
  for (Holder* holder : {&retired_, &reduced_, &rows_done_, &rows_moved_}) keep(*holder);
  if (last_end_.node != kNoNode) used.push_back(&last_end_.node);
  log_.keep(used);
}

TimedRun Scoreboard::finish(Picoseconds latency) {
  const Picoseconds end = std::max(issue_, last_end_.until);
  pass(issue_, end, Cause::kDrain);
  // What is left then is the memory's.
  busy_until_[index(isa::Unit::kMemory)] = std::max(busy_until_[index(isa::Unit::kMemory)], latency);
  pass(end, latency, Cause::kDrain);

  TimedRun run;
  run.latency = run.accounts.total = latency;
  count_instructions(operations_, counts_, period_, run);
  for (std::size_t unit = 0; unit < isa::kUnits; ++unit) {
    UnitAccount& account = run.accounts.units[unit];
    account.time = idle_[unit];
    account.time[index(Cause::kBusy)] = latency - account.total();
  }
  run.critical_path = log_.finish(last_end_.node, end);
  run.critical_path->total = latency;
  if (latency > end && !operations_.empty()) {
    run.critical_path->by_unit[index(isa::Unit::kMemory)] += latency - end;
    run.critical_path->by_instruction[last_transfer_] += latency - end;
  }
  return run;
}

}  // namespace accelscope::emulator
