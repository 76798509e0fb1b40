// A scheduler thread: sees which cores are done, hands out what is ready, and lets go of what is over.
//
// One turn of its loop is several steps, each a piece that does not wait: it looks at its cores and completes
// tasks, settles tasks that no core sees, hands out one ready task per step until it has no room or finds
// none, stages tasks early, and releases. A turn that finds nothing says what the thread waits for.
//
// One thread, or the virtual chip, calls step(). The table of cores is the thread's own (dispatcher.h).
//
//   Scheduler<Machine> scheduler(shared, thread, clock, recording);
//   while (scheduler.step().kind != StepResult::Kind::kEnded) ...
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "runtime/buffer_content.h"
#include "runtime/completion.h"
#include "runtime/dispatcher.h"
#include "runtime/drain.h"
#include "runtime/early_dispatch.h"

namespace accelscope::runtime {

template <class Machine>
class Scheduler {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;

  Scheduler(SharedState<Machine>& shared, std::uint32_t thread, Clock& clock,
            const capture::FileRecording* recording)
      : shared_(shared),
        clock_(clock),
        recorders_(recording, thread, clock),
        monitors_(shared, clock, recorders_),
        dispatcher_(shared, thread, clock, recorders_, monitors_),
        completion_(shared, clock, recorders_),
        drainer_(shared, dispatcher_, clock),
        early_(shared, dispatcher_, clock) {}

  StepResult step() {
    switch (piece_) {
      case Piece::kBegin:
        return begin_turn();
      case Piece::kDispatch:
        return dispatch();
      case Piece::kEnd:
        break;
    }
    return end_turn();
  }

  const CoreTable<Machine>& table() { return dispatcher_.table(); }
  std::uint64_t dispatches() const { return dispatches_; }

 private:
  enum class Piece : std::uint8_t { kBegin, kDispatch, kEnd };
  using Counts = typename recorder::SchedulerPhaseRecorder<Clock>::Counts;

  // --- the turn

  StepResult begin_turn() {
    const Stop stop = shared_.stopping();
    if (stop == Stop::kLeave || is_over() || (stop == Stop::kFinish && nothing_runs())) return end();
    ++loop_;
    turn_began_ = clock_.moment();
    worked_ = false;
    looks_ = 0;
    complete();
    if (stop == Stop::kFinish) {
      piece_ = Piece::kEnd;
      return StepResult::more();
    }
    settle_control_tasks();
    begin_dispatch();
    piece_ = Piece::kDispatch;
    return StepResult::more();
  }

  StepResult end_turn() {
    if (completion_.has_unreleased()) release();
    piece_ = Piece::kBegin;
    if (worked_) return StepResult::worked();
    clock_.charge(shared_.plan.costs.idle_loop);
    return rest();
  }

  // What the thread waits for: answers of its cores, and queues for which it has room.
  StepResult rest() {
    Moment until = shared_.ready_of(Shape::kControl).next_change(clock_.moment());
    std::uint32_t queues = bit_of(Shape::kControl) | kEarlyBit;
    std::int64_t reads = 0;
    for (FedCore<Machine>& core : dispatcher_.table().cores()) {
      if (core.outstanding() == 0) continue;
      ++reads;
      until = std::min(until, shared_.registers[core.core].condition.next_change(clock_.moment()));
    }
    for (const Shape shape : {Shape::kMix, Shape::kCube, Shape::kVector}) {
      if (drainer_.is_open() || !dispatcher_.has_room(shape)) continue;
      queues |= bit_of(shape);
      until = std::min(until, shared_.ready_of(shape).next_change(clock_.moment()));
    }
    const device::Costs& costs = shared_.plan.costs;
    StepResult result = StepResult::idle(until, queues);
    result.since = turn_began_;
    // Looking at cores and handing out both begin with a look at the counter, where that is recorded.
    constexpr std::int64_t kPieces = 2;
    const bool timed = (recorders_.flags & kDfxPhaseBuffers) != 0;
    result.period = costs.timestamp_read * (timed ? kPieces : 0) + costs.register_read * reads +
                    costs.pop_task * looks_ + costs.idle_loop;
    return result;
  }

  bool is_over() const { return shared_.orchestrator_done.get() != 0 && shared_.runnable.value() == 0; }
  bool nothing_runs() {
    for (const FedCore<Machine>& core : dispatcher_.table().cores())
      if (core.outstanding() > 0 && !core.only_gated()) return false;
    return true;
  }

  StepResult end() {
    // What was counted since the last phase of this kind.
    if (pop_hits_ + pop_misses_ > 0) {
      const std::uint64_t now = recorders_.phases.on_begin();
      record(Phase::kDispatch, now, 0, true);
    }
    for (const FedCore<Machine>& core : dispatcher_.table().cores()) {
      const Moment seen = clock_.moment() + shared_.plan.costs.control_to_core;
      shared_.registers[core.core].task.write(kExitSignal, seen);
      shared_.wakes.wake(shared_.actors.core(core.core), seen);
    }
    monitors_.stop_all();
    recorders_.flush();
    return StepResult::ended();
  }

  // --- what cores have done

  void complete() {
    const std::uint64_t begun = recorders_.phases.on_begin();
    std::uint32_t finished = 0;
    for (FedCore<Machine>& core : dispatcher_.table().cores())
      if (core.outstanding() > 0) finished += look_at(core);
    monitors_.publish();
    if (finished == 0) return;
    worked_ = true;
    record(Phase::kComplete, begun, finished, false);
  }

  // How many of its dispatches are done that were not before.
  std::uint32_t look_at(FedCore<Machine>& core) {
    const device::Costs& costs = shared_.plan.costs;
    // Who polled in vain until now was at it already; only the look that finds something is still to pay.
    if (!clock_.just_woke()) clock_.charge(costs.register_read);
    const std::uint32_t condition = shared_.registers[core.core].condition.read(clock_.moment());
    if (condition == core.condition) return 0;
    if (clock_.just_woke()) clock_.charge(costs.register_read);
    core.condition = condition;
    core.begun = number_in(condition);
    const std::uint32_t done = is_finished(condition) ? core.begun : core.begun - 1;
    std::uint32_t finished = 0;
    while (core.finished < done) {
      ++core.finished;
      ++finished;
      finish(core, core.finished);
    }
    if (finished > 0 && core.outstanding() == 0) dispatcher_.note_idle(core, true);
    return finished;
  }

  void finish(FedCore<Machine>& core, std::uint32_t number) {
    const InFlight<Machine>& flight = core.flights[number % 2];
    Slot& slot = *flight.slot;
    recorders_.lifecycles.on_finish(core.core, number, flight.dispatched);
    record_counters(core.core, number, slot.id);
    monitors_.after_finish(core.core, shared_.function_of(slot, flight.lane), slot.id);
    clock_.charge(shared_.plan.costs.complete_block);
    if (!slot.blocks_left.drop(clock_.moment())) return;
    record_tensors(shared_, slot, TensorStage::kAfter, recorders_);
    completion_.complete(slot, loop_);
  }

  void record_counters(std::uint32_t core, std::uint32_t number, std::uint64_t id) {
    const device::PmuGroup* group = shared_.plan.pmu;
    if (group == nullptr || (recorders_.flags & kDfxPmu) == 0) return;
    const device::PmuCounts& counts = shared_.registers[core].readings[number % 2];
    recorder::PmuRecord record{
        .task = id, .total_cycles = counts.total_cycles, .sequence = number, .core = core, .counters = {}};
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t i = 0; i < group->events.size() && i < recorder::PmuRecord::kCounters; ++i)
      record.counters[i] =
          static_cast<std::uint32_t>(std::min(kMost, device::pmu_value(group->events[i], counts)));
    recorders_.pmu.on_fact(record);
  }

  // --- tasks that no core sees

  void settle_control_tasks() {
    std::uint64_t begun = 0;
    std::uint32_t settled = 0;
    ++looks_;
    clock_.charge(shared_.plan.costs.pop_task);
    while (const std::optional<Slot*> slot = shared_.ready_of(Shape::kControl).pop(clock_.moment())) {
      // Such tasks are rare: a turn without any does not look at the counter for them.
      if (begun == 0) begun = recorders_.phases.on_begin();
      worked_ = true;
      if (settle(**slot)) ++settled;
    }
    if (settled > 0) record(Phase::kDummy, begun, settled, false);
  }

  // False for a task that is to run.
  bool settle(Slot& slot) {
    const bool dummy = slot.shape == Shape::kControl;
    if (!dummy && is_wanted(slot)) {
      shared_.ready_of(slot.shape).push(&slot, clock_.moment());
      shared_.wakes.wake_schedulers(bit_of(slot.shape), clock_.moment());
      return false;
    }
    clock_.charge(shared_.plan.costs.complete_block);
    const std::uint64_t now = recorders_.control_tasks.on_begin();
    recorders_.control_tasks.on_end(number_of(dummy ? Phase::kDummyTask : Phase::kPredicatedSkip), now,
                                    slot.id, loop_, 1);
    completion_.complete(slot, loop_);
    return true;
  }

  // Whoever wrote the tensor is done, and who writes it next waits for this task.
  bool is_wanted(const Slot& slot) const {
    const Predicate& predicate = shared_.plan.graph.tasks[slot.task].predicate;
    const DataType type = shared_.plan.graph.buffers[predicate.view.buffer].type;
    const std::byte* element =
        shared_.memory.address(predicate.view.buffer) + predicate.view.start * facts_of(type).bytes;
    return (load(type, element) == 0) == predicate.when_zero;
  }

  // --- what is ready

  void begin_dispatch() {
    dispatch_begun_ = recorders_.phases.on_begin();
    dispatched_ = 0;
    if ((recorders_.flags & kDfxPhaseBuffers) != 0) read_depths(depths_at_begin_);
  }

  // One ready task per step: others look into the same queues meanwhile.
  StepResult dispatch() {
    if (shared_.stopping() != Stop::kNo) return end_dispatch(false);
    if (drainer_.is_open()) return end_dispatch(true);
    for (const Shape shape : {Shape::kMix, Shape::kCube, Shape::kVector}) {
      if (!dispatcher_.has_room(shape)) continue;
      ++looks_;
      clock_.charge(shared_.plan.costs.pop_task);
      const std::optional<Slot*> slot = shared_.ready_of(shape).pop(clock_.moment());
      ++(slot ? pop_hits_ : pop_misses_);
      if (!slot) continue;
      worked_ = true;
      if (shared_.plan.graph.tasks[(*slot)->task].sync_start) return open_drain(**slot);
      dispatched_ += dispatcher_.hand_out(**slot);
      return StepResult::more();
    }
    return end_dispatch(false);
  }

  StepResult open_drain(Slot& slot) {
    const bool opened = drainer_.open(slot);
    if (!opened) shared_.ready_of(slot.shape).push(&slot, clock_.moment());
    return end_dispatch(true);
  }

  StepResult end_dispatch(bool draining) {
    piece_ = Piece::kEnd;
    record_dispatch();
    if (draining) {
      drain();
    } else if (early_.has_any() && shared_.stopping() == Stop::kNo) {
      stage_early();
    }
    return StepResult::more();
  }

  void record_dispatch() {
    if (dispatched_ == 0) return;
    dispatches_ += dispatched_;
    if ((recorders_.flags & kDfxPhaseBuffers) != 0)
      recorders_.depths.on_fact({.start = dispatch_begun_,
                                 .ready = {depths_at_begin_[0], depths_at_begin_[1], depths_at_begin_[2]},
                                 .reserved = 0});
    record(Phase::kDispatch, dispatch_begun_, dispatched_, true);
    dispatched_ = 0;
  }

  // What is staged counts as dispatched: in a phase of that kind, behind the drain.
  void drain() {
    const std::uint64_t begun = recorders_.phases.on_begin();
    std::uint64_t prepared = begun;
    bool rang = false;
    const std::uint32_t staged = drainer_.fill([&] {
      rang = true;
      prepared = recorders_.phases.on_begin();
    });
    if (staged == 0) return;
    worked_ = true;
    if (rang) record(Phase::kDrainPublish, prepared, staged, false);
    record(Phase::kDrain, begun, staged, false);
    dispatch_begun_ = recorders_.phases.on_begin();
    dispatched_ = staged;
    record_dispatch();
  }

  void stage_early() {
    const std::uint64_t begun = recorders_.phases.on_begin();
    const std::uint32_t staged = early_.stage_what_can_be();
    if (staged == 0) return;
    worked_ = true;
    dispatches_ += staged;
    record(Phase::kEarlyDispatch, begun, staged, false);
  }

  void release() {
    const std::uint64_t begun = recorders_.phases.on_begin();
    const std::uint32_t released = completion_.release_all();
    record(Phase::kRelease, begun, released, false);
  }

  // --- records

  void read_depths(std::int16_t (&depths)[kCoreShapes]) {
    constexpr std::size_t kMost = std::numeric_limits<std::int16_t>::max();
    for (std::size_t i = 0; i < kCoreShapes; ++i)
      depths[i] = static_cast<std::int16_t>(std::min(kMost, shared_.ready[i].size(clock_.moment())));
  }

  void record(Phase phase, std::uint64_t begun, std::uint32_t processed, bool with_looks) {
    if ((recorders_.flags & kDfxPhaseBuffers) == 0) return;
    Counts counts;
    counts.loop = loop_;
    counts.tasks_processed = processed;
    counts.pop_hits = counts.pop_misses = recorder::kNotCounted;
    if (with_looks) {
      constexpr std::uint32_t kMost = recorder::kNotCounted - 1;
      counts.pop_hits = static_cast<std::uint16_t>(std::min(kMost, pop_hits_));
      counts.pop_misses = static_cast<std::uint16_t>(std::min(kMost, pop_misses_));
      pop_hits_ = pop_misses_ = 0;
    }
    read_depths(counts.ready);
    recorders_.phases.on_end(number_of(phase), begun, counts);
  }

  SharedState<Machine>& shared_;
  Clock& clock_;
  SchedulerRecorders<Clock> recorders_;
  MonitorControl<Machine> monitors_;
  Dispatcher<Machine> dispatcher_;
  Completion<Machine> completion_;
  Drainer<Machine> drainer_;
  EarlyDispatcher<Machine> early_;

  Piece piece_ = Piece::kBegin;
  Moment turn_began_ = {};
  bool worked_ = false;     // in this turn
  std::int64_t looks_ = 0;  // into queues, in this turn
  std::uint32_t loop_ = 0;
  std::uint32_t pop_hits_ = 0;
  std::uint32_t pop_misses_ = 0;
  std::uint64_t dispatch_begun_ = 0;
  std::uint32_t dispatched_ = 0;  // in this dispatch phase
  std::int16_t depths_at_begin_[kCoreShapes] = {};
  std::uint64_t dispatches_ = 0;
};

}  // namespace accelscope::runtime
