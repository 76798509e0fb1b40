// What the actors of a run share.
//
// Each member says who writes it. Slots, dependencies and payloads are handed from one actor to the next
// through queues, lists and registers, which order what was written before (machine.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/black_box.h"
#include "runtime/buffer_memory.h"
#include "runtime/core_registers.h"
#include "runtime/machine.h"
#include "runtime/run_fault.h"
#include "runtime/run_plan.h"
#include "runtime/task_slot.h"

namespace accelscope::runtime {

class CoreMonitors;

// How far a run that is to stop goes on.
enum class Stop : std::uint32_t {
  kNo,
  kFinish,  // what runs on cores is waited for
  kLeave,   // at once: somebody does not come back
};

// A bit beside those of shapes: for whoever might stage a task early.
inline constexpr std::uint32_t kEarlyBit = 1U << kShapes;
inline constexpr std::uint32_t kAllQueues = (1U << (kShapes + 1)) - 1;

template <class Machine>
struct SharedState {
  using Slot = TaskSlot<Machine>;
  using Queue = typename Machine::template Queue<Slot*>;

  // The slots and dependencies of a ring; positions are the orchestrator's (BoundedRing).
  struct RingMemory {
    std::unique_ptr<Slot[]> slots;
    std::unique_ptr<Dependency<Machine>[]> dependencies;
    std::uint64_t window = 1;
    std::uint64_t pool = 1;
  };
  // All blocks of one task are to begin together (drain.h). The plain members are written in kSettingUp, and
  // read by threads that are inside; the state is kNone again only when nobody is.
  struct Drain {
    static constexpr std::uint32_t kNone = 0, kSettingUp = 1, kActive = 2, kClosing = 3;

    typename Machine::State state;
    typename Machine::State inside;  // threads
    typename Machine::State next_block;
    typename Machine::State staged;  // dispatches
    Slot* slot = nullptr;
    Shape shape = Shape::kControl;
    std::uint32_t lanes = 0;
    std::uint32_t blocks = 0;
    std::vector<StagedBlock> where;  // each by whoever staged it, before `staged` counts it
  };

  SharedState(const RunPlan& run_plan, BufferMemory& buffers, const BlackBox& box,
              typename Machine::Wakes& all_wakes, std::size_t places, CoreMonitors* core_monitors)
      : plan(run_plan),
        memory(buffers),
        black_box(box),
        monitors(core_monitors),
        wakes(all_wakes),
        actors{run_plan.chip.scheduler_threads, run_plan.chip.cores()},
        ready{Queue(places), Queue(places), Queue(places), Queue(places)},
        early(places),
        registers(std::make_unique<CoreRegisters<Machine>[]>(run_plan.chip.cores())) {
    drain.where.resize(run_plan.chip.cores());
  }

  Queue& ready_of(Shape shape) { return ready[static_cast<std::size_t>(shape)]; }
  Dependency<Machine>& dependency(const Slot& slot, std::uint32_t which) {
    const RingMemory& ring = rings[ring_of(slot.id)];
    return ring.dependencies[(slot.first_dependency + which) % ring.pool];
  }
  std::uint32_t thread_of_core(std::uint32_t core) const {
    return plan.chip.cluster_of(core) % plan.chip.scheduler_threads;
  }
  // By position in Graph::functions.
  std::uint32_t function_of(const Slot& slot, std::uint32_t lane) const {
    return static_cast<std::uint32_t>(plan.graph.tasks[slot.task].kernels[lane]);
  }
  Stop stopping() const { return static_cast<Stop>(stop.get()); }

  // The first fault stays. `now` is the time of whoever found it.
  void fail(RunFault fault, Stop how, Moment now) {
    {
      const std::lock_guard lock(fault_mutex);
      if (!first_fault) first_fault = std::move(fault);
    }
    if (stop.get() < static_cast<std::uint32_t>(how)) stop.set(static_cast<std::uint32_t>(how));
    for (std::uint32_t actor = 0; actor < actors.count(); ++actor) wakes.wake(actor, now);
  }

  const RunPlan& plan;
  BufferMemory& memory;
  const BlackBox& black_box;
  CoreMonitors* const monitors;  // where pipes are recorded
  typename Machine::Wakes& wakes;
  const ActorNumbers actors;

  std::array<RingMemory, kRings> rings;  // slots: the orchestrator, then whoever has the task
  std::array<Queue, kShapes> ready;      // pushed by whoever finds a task ready, popped by scheduler threads
  Queue early;                           // tasks that may be staged; the orchestrator pushes
  std::unique_ptr<CoreRegisters<Machine>[]> registers;
  Drain drain;

  // Tasks that are ready, on cores, or not yet released: while there are any, something will change. Counted
  // up before what made them ready is counted down.
  alignas(64) typename Machine::Counter runnable;
  typename Machine::State completed;                        // tasks; scheduler threads
  alignas(64) std::array<typename Machine::State, 2> idle;  // cores without work: cube, vector; their threads
  // Read by everybody all the time, and hardly ever written.
  alignas(64) typename Machine::State orchestrator_done;  // the orchestrator
  typename Machine::State stop;                           // anybody

  std::mutex fault_mutex;
  std::optional<RunFault> first_fault;  // under the mutex
};

// A task whose producers are all done goes where somebody looks for it, or, if it waits on cores already, may
// begin there. By whoever completed the last producer, or the orchestrator.
template <class Machine>
void make_ready(SharedState<Machine>& shared, TaskSlot<Machine>& slot, Moment moment,
                typename Machine::Clock& clock) {
  shared.runnable.add(1);
  const bool controlled =
      slot.shape == Shape::kControl || shared.plan.graph.tasks[slot.task].predicate.present;
  if (slot.early) {
    const auto before =
        static_cast<EarlyState>(slot.early_state.exchange(static_cast<std::uint32_t>(EarlyState::kReleased)));
    if (before == EarlyState::kStaging) return;  // who stages it rings
    if (before == EarlyState::kStaged) return ring_doorbells(shared, slot, moment, clock);
  }
  const Shape queue = controlled ? Shape::kControl : slot.shape;
  shared.ready_of(queue).push(&slot, moment);
  shared.wakes.wake_schedulers(bit_of(queue), moment);
}

// Lets the blocks of a task begin that were staged early.
template <class Machine>
void ring_doorbells(SharedState<Machine>& shared, TaskSlot<Machine>& slot, Moment moment,
                    typename Machine::Clock& clock) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if ((slot.lanes & (1U << lane)) == 0) continue;
    const StagedBlock& block = slot.staged[lane];
    const Moment from = std::max(moment, clock.moment()) + shared.plan.costs.doorbell;
    shared.registers[block.core].doorbell.write(block.sequence, from);
    clock.charge(shared.plan.costs.register_write);
    shared.wakes.wake(shared.actors.core(block.core), from);
  }
}

}  // namespace accelscope::runtime
