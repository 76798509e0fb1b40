// What happens when a task is done: its consumers learn of it, then it lets go of its producers.
//
// The first is urgent, the second is not and waits until the thread has handed out what became ready. Belongs
// to one scheduler thread.
//
//   completion.complete(slot);
//   ...
//   completion.release_all();
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/actor_recorders.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

template <class Machine>
class Completion {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;

  Completion(SharedState<Machine>& shared, Clock& clock, SchedulerRecorders<Clock>& recorders)
      : shared_(shared), clock_(clock), recorders_(recorders) {}

  void complete(Slot& slot, std::uint32_t loop) {
    shared_.completed.fetch_add(1);
    slot.all_dispatched.set(1);
    Dependency<Machine>* first = in_order(slot.consumers.close(clock_.moment()));
    if (first != nullptr) resolve(first, loop);
    done_.push_back(&slot);
  }

  bool has_unreleased() const { return !done_.empty(); }
  std::uint32_t release_all() {
    const auto released = static_cast<std::uint32_t>(done_.size());
    for (Slot* slot : done_) release(*slot);
    done_.clear();
    return released;
  }

 private:
  // Recorded by itself only when it lasts: most tasks have a consumer or two.
  static constexpr std::int64_t kNanosecondsWorthARecord = 1000;

  // They were added the last one first.
  static Dependency<Machine>* in_order(Dependency<Machine>* entry) {
    Dependency<Machine>* first = nullptr;
    while (entry != nullptr) {
      Dependency<Machine>* next = entry->next;
      entry->next = first;
      first = entry;
      entry = next;
    }
    return first;
  }

  void resolve(Dependency<Machine>* entry, std::uint32_t loop) {
    const std::uint64_t begun = recorders_.phases.on_begin();
    std::uint32_t visited = 0;
    while (entry != nullptr) {
      // The entry is the consumer's, and may be used again as soon as the consumer is done.
      Dependency<Machine>* next = entry->next;
      Slot& consumer = *entry->consumer;
      clock_.charge(shared_.plan.costs.resolve_consumer);
      if (const std::optional<Moment> ready = consumer.fan_in.drop(clock_.moment()))
        make_ready(shared_, consumer, *ready, clock_);
      ++visited;
      entry = next;
    }
    if ((recorders_.flags & kDfxPhaseBuffers) == 0) return;
    const base::Ticks shortest = shared_.plan.chip.counter.from_nanoseconds({kNanosecondsWorthARecord});
    if (clock_.now() - begun < static_cast<std::uint64_t>(shortest.value)) return;
    typename recorder::SchedulerPhaseRecorder<Clock>::Counts counts;
    counts.loop = loop;
    counts.tasks_processed = visited;
    counts.pop_hits = counts.pop_misses = recorder::kNotCounted;
    for (std::int16_t& depth : counts.ready) depth = recorder::kNoDepth;
    recorders_.phases.on_end(number_of(Phase::kResolve), begun, counts);
  }

  void release(Slot& slot) {
    for (std::uint32_t i = 0; i < slot.dependencies; ++i) {
      clock_.charge(shared_.plan.costs.release_producer);
      drop_hold(*shared_.dependency(slot, i).producer);
    }
    drop_hold(slot);
    const std::optional<Moment> last = shared_.runnable.drop(clock_.moment());
    if (!last) return;
    // Whoever waits for the end, or for room that will never be, has to look.
    shared_.wakes.wake(ActorNumbers::orchestrator(), *last);
    shared_.wakes.wake_schedulers(kAllQueues, *last);
  }

  void drop_hold(Slot& slot) {
    if (const std::optional<Moment> free = slot.holds.drop(clock_.moment())) shared_.wakes.note_room(*free);
  }

  SharedState<Machine>& shared_;
  Clock& clock_;
  SchedulerRecorders<Clock>& recorders_;
  std::vector<Slot*> done_;
};

}  // namespace accelscope::runtime
