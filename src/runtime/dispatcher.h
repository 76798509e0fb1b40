// Hands blocks of tasks to cores: the part of a scheduler thread that writes into registers.
//
// Owns the thread's table of cores. A thread takes from a ready queue what it has room for; what is left of a
// task with many blocks goes back into the queue for others. Room behind a running task is used only when
// there is more ready than idle cores of the whole chip could take, so that no thread hoards what others
// could begin at once.
//
//   if (dispatcher.has_room(Shape::kCube))
//     if (auto slot = shared.ready_of(Shape::kCube).pop(clock.moment())) dispatcher.hand_out(**slot);
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "accelscope/dfx_flags.h"
#include "runtime/actor_recorders.h"
#include "runtime/core_table.h"
#include "runtime/monitor_control.h"
#include "runtime/shared_state.h"
#include "runtime/tensor_records.h"

namespace accelscope::runtime {

template <class Machine>
class Dispatcher {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;

  Dispatcher(SharedState<Machine>& shared, std::uint32_t thread, Clock& clock,
             SchedulerRecorders<Clock>& recorders, MonitorControl<Machine>& monitors)
      : shared_(shared),
        clock_(clock),
        recorders_(recorders),
        monitors_(monitors),
        table_(shared.plan.chip, thread),
        // The counters of a core are read when it is done: nothing may begin before.
        dual_issue_((shared.plan.dfx_flags & kDfxPmu) == 0) {
    for (const FedCore<Machine>& core : table_.cores()) note_idle(core, true);
    for (const FedCore<Machine>& core : table_.cores()) monitors_.start(core.core);
  }

  CoreTable<Machine>& table() { return table_; }

  bool has_room(Shape shape) { return find(shape, kAnyLanes).has_value(); }
  bool has_idle(Shape shape, std::uint32_t lanes) {
    return table_.find(shape, lanes, Room::kIdle).has_value();
  }

  // As many blocks as there is room for. Returns how many dispatches these were.
  std::uint32_t hand_out(Slot& slot) {
    std::uint32_t dispatched = 0;
    while (slot.next_block < slot.blocks) {
      const std::optional<std::uint32_t> place = find(slot.shape, slot.lanes);
      if (!place) break;
      dispatched += place_block(slot, *place, slot.next_block++, false);
    }
    if (slot.next_block < slot.blocks) {
      shared_.ready_of(slot.shape).push(&slot, clock_.moment());
      shared_.wakes.wake_schedulers(bit_of(slot.shape), clock_.moment());
    } else {
      note_all_dispatched(slot);
    }
    return dispatched;
  }

  // One block into all its lanes, at a position that the table gave.
  std::uint32_t place_block(Slot& slot, std::uint32_t place, std::uint32_t block, bool gated) {
    if (block == 0) record_tensors(shared_, slot, TensorStage::kBefore, recorders_);
    if (slot.shape != Shape::kMix) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(slot.lanes));
      give(table_.cores()[place], slot, block, lane, gated);
      return 1;
    }
    std::uint32_t dispatched = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((slot.lanes & (1U << lane)) == 0) continue;
      give(table_.lane(place, lane), slot, block, lane, gated);
      ++dispatched;
    }
    return dispatched;
  }

  // Others may wait for this before they put a consumer on a core.
  void note_all_dispatched(Slot& slot) {
    slot.all_dispatched.set(1);
    if (shared_.early.size(clock_.moment()) > 0) shared_.wakes.wake_schedulers(kEarlyBit, clock_.moment());
  }

  void note_idle(const FedCore<Machine>& core, bool idle) {
    auto& count = shared_.idle[shared_.plan.chip.is_cube(core.core) ? 0 : 1];
    count.fetch_add(idle ? 1U : ~std::uint32_t{0});
  }

 private:
  // A MIX task is not known before it is taken: room for a whole cluster is room for any.
  static constexpr std::uint32_t kAnyLanes = (1U << kLanes) - 1;

  std::optional<std::uint32_t> find(Shape shape, std::uint32_t lanes) {
    if (const auto idle = table_.find(shape, lanes, Room::kIdle)) return idle;
    if (!dual_issue_ || !more_ready_than_idle(shape)) return std::nullopt;
    return table_.find(shape, lanes, Room::kPending);
  }

  bool more_ready_than_idle(Shape shape) {
    const std::uint32_t cubes = shared_.idle[0].get();
    const std::uint32_t vectors = shared_.idle[1].get();
    const std::uint32_t idle = shape == Shape::kCube     ? cubes
                               : shape == Shape::kVector ? vectors
                                                         : std::min(cubes, vectors / 2);
    return idle == 0 || shared_.ready_of(shape).size(clock_.moment()) > idle;
  }

  void give(FedCore<Machine>& core, Slot& slot, std::uint32_t block, std::uint32_t lane, bool gated) {
    if (core.outstanding() == 0) note_idle(core, false);
    const std::uint32_t number = ++core.given;
    CoreRegisters<Machine>& registers = shared_.registers[core.core];
    registers.payloads[number % 2] = {.slot = &slot, .block = block, .lane = lane, .gated = gated};
    clock_.charge(shared_.plan.costs.dispatch_task);
    monitors_.before_dispatch(core.core, shared_.function_of(slot, lane));
    if (gated && slot.early) slot.staged[lane] = {core.core, number};
    core.flights[number % 2] = {.slot = &slot,
                                .block = block,
                                .lane = lane,
                                .dispatched = recorders_.lifecycles.on_dispatch(),
                                .gated = gated};
    clock_.charge(shared_.plan.costs.register_write);
    const Moment seen = clock_.moment() + shared_.plan.costs.control_to_core;
    registers.task.write(number, seen);
    shared_.wakes.wake(shared_.actors.core(core.core), seen);
  }

  SharedState<Machine>& shared_;
  Clock& clock_;
  SchedulerRecorders<Clock>& recorders_;
  MonitorControl<Machine>& monitors_;
  CoreTable<Machine> table_;
  bool dual_issue_;
};

}  // namespace accelscope::runtime
