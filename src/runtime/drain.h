// Tasks whose blocks all begin together.
//
// The thread that takes such a task from a queue opens the drain; from then on no thread hands out anything
// else, and each puts blocks, gated, on its cores as they become idle. Who puts the last one there rings for
// all of them and closes the drain. One task at a time: another goes back into its queue.
//
// A thread works on the drain between entering and leaving it. The task may be done, and its slot another's,
// while some thread is still inside to find that nothing is left: so threads look only at what the drain
// itself says, and the last one to leave makes way for the next task. Each thread has an object of its own;
// what they share is SharedState::Drain.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "runtime/dispatcher.h"

namespace accelscope::runtime {

template <class Machine>
class Drainer {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;
  using Drain = typename SharedState<Machine>::Drain;

  Drainer(SharedState<Machine>& shared, Dispatcher<Machine>& dispatcher, Clock& clock)
      : shared_(shared), drain_(shared.drain), dispatcher_(dispatcher), clock_(clock) {}

  bool is_open() const { return drain_.state.get() != Drain::kNone; }

  // False when another task has it.
  bool open(Slot& slot) {
    if (!drain_.state.change(Drain::kNone, Drain::kSettingUp)) return false;
    drain_.slot = &slot;
    drain_.shape = slot.shape;
    drain_.lanes = slot.lanes;
    drain_.blocks = slot.blocks;
    drain_.next_block.set(0);
    drain_.staged.set(0);
    drain_.state.set(Drain::kActive);
    shared_.wakes.wake_schedulers(kAllQueues, clock_.moment());
    return true;
  }

  // Fills the thread's idle cores, and returns how many dispatches that were. Calls on_ring() when the
  // doorbells are about to ring.
  template <class OnRing>
  std::uint32_t fill(OnRing&& on_ring) {
    std::uint32_t staged = 0;
    drain_.inside.fetch_add(1);
    if (drain_.state.get() == Drain::kActive) staged = fill_inside(on_ring);
    constexpr std::uint32_t kMinusOne = ~std::uint32_t{0};
    if (drain_.inside.fetch_add(kMinusOne) == 1 && drain_.state.change(Drain::kClosing, Drain::kNone))
      shared_.wakes.wake_schedulers(kAllQueues, clock_.moment());
    return staged;
  }

 private:
  template <class OnRing>
  std::uint32_t fill_inside(OnRing&& on_ring) {
    const std::uint32_t all = drain_.blocks * static_cast<std::uint32_t>(std::popcount(drain_.lanes));
    std::uint32_t staged = 0;
    while (const auto place = dispatcher_.table().find(drain_.shape, drain_.lanes, Room::kIdle)) {
      const std::uint32_t block = drain_.next_block.fetch_add(1);
      if (block >= drain_.blocks) break;
      const std::uint32_t dispatches = stage(*place, block);
      staged += dispatches;
      if (drain_.staged.fetch_add(dispatches) + dispatches < all) continue;
      on_ring();
      dispatcher_.note_all_dispatched(*drain_.slot);
      drain_.state.set(Drain::kClosing);
      ring(all);
      break;
    }
    return staged;
  }

  std::uint32_t stage(std::uint32_t place, std::uint32_t block) {
    const std::uint32_t dispatches = dispatcher_.place_block(*drain_.slot, place, block, true);
    std::uint32_t position = block * dispatches;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((drain_.lanes & (1U << lane)) == 0) continue;
      const FedCore<Machine>& core = drain_.shape == Shape::kMix ? dispatcher_.table().lane(place, lane)
                                                                 : dispatcher_.table().cores()[place];
      drain_.where[position++] = {core.core, core.given};
    }
    return dispatches;
  }

  void ring(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const StagedBlock& block = drain_.where[i];
      clock_.charge(shared_.plan.costs.register_write);
      const Moment seen = clock_.moment() + shared_.plan.costs.doorbell;
      shared_.registers[block.core].doorbell.write(block.sequence, seen);
      shared_.wakes.wake(shared_.actors.core(block.core), seen);
    }
  }

  SharedState<Machine>& shared_;
  Drain& drain_;
  Dispatcher<Machine>& dispatcher_;
  Clock& clock_;
};

}  // namespace accelscope::runtime
