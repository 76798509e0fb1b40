// Tasks that are put on a core before their producers are done, so that the way there takes no time later.
//
// Only on cores that have nothing else to do, and only when all producers are on cores themselves: whatever
// waits on a core then waits for what was put on a core before it, so that nothing waits in a circle. Who
// completes the last producer and who stages the task may be two threads at the same time; the slot's
// early_state says who of them rings. Each thread has an object of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/dispatcher.h"

namespace accelscope::runtime {

template <class Machine>
class EarlyDispatcher {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;

  EarlyDispatcher(SharedState<Machine>& shared, Dispatcher<Machine>& dispatcher, Clock& clock)
      : shared_(shared), dispatcher_(dispatcher), clock_(clock) {}

  bool has_any() const { return shared_.early.size(clock_.moment()) > 0; }

  // Looks at each task that waits, once. Returns how many dispatches it made.
  std::uint32_t stage_what_can_be() {
    std::uint32_t staged = 0;
    for (std::size_t left = shared_.early.size(clock_.moment()); left > 0; --left) {
      const std::optional<Slot*> slot = shared_.early.pop(clock_.moment());
      if (!slot) break;
      clock_.charge(shared_.plan.costs.pop_task);
      staged += stage(**slot);
    }
    return staged;
  }

 private:
  static constexpr std::uint32_t number(EarlyState state) { return static_cast<std::uint32_t>(state); }

  std::uint32_t stage(Slot& slot) {
    if (slot.early_state.get() == number(EarlyState::kReleased)) {
      let_go(slot);
      return 0;
    }
    const std::optional<std::uint32_t> place = dispatcher_.table().find(slot.shape, slot.lanes, Room::kIdle);
    if (!place || !producers_are_on_cores(slot)) {
      shared_.early.push(&slot, clock_.moment());
      return 0;
    }
    if (!slot.early_state.change(number(EarlyState::kWaiting), number(EarlyState::kStaging))) {
      let_go(slot);
      return 0;
    }
    const std::uint32_t dispatches = dispatcher_.place_block(slot, *place, 0, true);
    dispatcher_.note_all_dispatched(slot);
    // Released meanwhile: nobody else rings.
    if (!slot.early_state.change(number(EarlyState::kStaging), number(EarlyState::kStaged)))
      ring_doorbells(shared_, slot, clock_.moment(), clock_);
    let_go(slot);
    return dispatches;
  }

  // The task holds its producers, so that their slots are still theirs.
  bool producers_are_on_cores(const Slot& slot) {
    for (std::uint32_t i = 0; i < slot.dependencies; ++i)
      if (shared_.dependency(slot, i).producer->all_dispatched.get() == 0) return false;
    return true;
  }

  // Being in the queue was a hold.
  void let_go(Slot& slot) {
    if (const std::optional<Moment> free = slot.holds.drop(clock_.moment())) shared_.wakes.note_room(*free);
  }

  SharedState<Machine>& shared_;
  Dispatcher<Machine>& dispatcher_;
  Clock& clock_;
};

}  // namespace accelscope::runtime
