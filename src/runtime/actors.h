// All actors of a run, with a clock each: the orchestrator, scheduler threads, cores, numbered as
// ActorNumbers does.
//
// A platform owns it. step(actor) is for whoever drives that actor; no two drive the same one. What the
// accounts say is exact when all have ended.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "runtime/core.h"
#include "runtime/orchestrator.h"
#include "runtime/scheduler.h"

namespace accelscope::runtime {

template <class Machine>
class Actors {
 public:
  using Clock = typename Machine::Clock;

  // make_clock(actor) gives the clock of each; they stay where they are.
  template <class MakeClock>
  Actors(SharedState<Machine>& shared, const capture::FileRecording* recording, MakeClock&& make_clock)
      : numbers_(shared.actors) {
    for (std::uint32_t actor = 0; actor < numbers_.count(); ++actor) clocks_.push_back(make_clock(actor));
    orchestrator_.emplace(shared, clocks_[ActorNumbers::orchestrator()], recording);
    for (std::uint32_t thread = 0; thread < numbers_.scheduler_threads; ++thread)
      schedulers_.emplace_back(shared, thread, clocks_[numbers_.scheduler(thread)], recording);
    for (std::uint32_t core = 0; core < numbers_.cores; ++core)
      cores_.emplace_back(shared, core, clocks_[numbers_.core(core)], recording);
  }

  StepResult step(std::uint32_t actor) {
    if (actor == ActorNumbers::orchestrator()) return orchestrator_->step();
    if (numbers_.is_scheduler(actor)) return schedulers_[actor - 1].step();
    return cores_[actor - 1 - numbers_.scheduler_threads].step();
  }

  Clock& clock(std::uint32_t actor) { return clocks_[actor]; }
  const ActorNumbers& numbers() const { return numbers_; }
  const Orchestrator<Machine>& orchestrator() const { return *orchestrator_; }
  // Calls visit(core, task of the graph, begun) for what scheduler threads have given out and not seen done.
  template <class Visit>
  void for_each_in_flight(Visit&& visit) {
    for (Scheduler<Machine>& scheduler : schedulers_)
      for (const FedCore<Machine>& core : scheduler.table().cores())
        for (std::uint32_t number = core.finished + 1; number <= core.given; ++number)
          visit(core.core, core.flights[number % 2].slot->task, number <= core.begun);
  }
  std::uint64_t dispatches() const {
    std::uint64_t sum = 0;
    for (const Scheduler<Machine>& scheduler : schedulers_) sum += scheduler.dispatches();
    return sum;
  }
  std::uint64_t timestamp_reads() const {
    std::uint64_t sum = 0;
    for (const Clock& clock : clocks_) sum += clock.reads();
    return sum;
  }

 private:
  ActorNumbers numbers_;
  std::deque<Clock> clocks_;
  std::optional<Orchestrator<Machine>> orchestrator_;
  std::deque<Scheduler<Machine>> schedulers_;
  std::deque<Core<Machine>> cores_;
};

}  // namespace accelscope::runtime
