// The orchestrator: carries out the steps of a graph, so that its tasks are submitted in order.
//
// A submission finds the tasks that it must wait for (those it names, those that made its buffers, those that
// the tensor map knows), takes a slot, memory and entries from the ring of its scope, and is wired to its
// producers. When something is short it waits for older tasks to retire, in order; when none can, the run is
// a deadlock, and ends with the names of those concerned.
//
// One thread, or the virtual chip, calls step(). Rings, scopes and the tensor map are the orchestrator's own.
//
//   Orchestrator<Machine> orchestrator(shared, clock, recording);
//   while (orchestrator.step().kind != StepResult::Kind::kEnded) ...
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/actor_recorders.h"
#include "runtime/bounded_ring.h"
#include "runtime/deadlock.h"
#include "runtime/producers.h"
#include "runtime/scopes.h"
#include "runtime/shared_state.h"
#include "runtime/tensor_map.h"

namespace accelscope::runtime {

template <class Machine>
class Orchestrator {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;

  Orchestrator(SharedState<Machine>& shared, Clock& clock, const capture::FileRecording* recording)
      : shared_(shared),
        clock_(clock),
        recorders_(recording, 0, clock),
        map_(shared.plan.tensor_map_entries, retired_entries(shared.plan.dfx_flags)),
        scopes_(static_cast<std::uint32_t>(shared.plan.graph.sites.size())),
        ids_(shared.plan.graph.tasks.size(), 0) {
    for (std::size_t i = 0; i < kRings; ++i) rings_[i].emplace(shared.plan.rings[i]);
    record_scope(true);
  }

  StepResult step() {
    if (shared_.stopping() != Stop::kNo) return end();
    const Graph& graph = shared_.plan.graph;
    if (next_step_ == graph.steps.size()) return finish();
    const Step& step = graph.steps[next_step_];
    if (step.kind == StepKind::kSubmit) return submit(step.task);
    clock_.charge(shared_.plan.costs.scope);
    if (step.kind == StepKind::kBeginScope) {
      scopes_.begin(step.site, step.manual);
      record_scope(true);
    } else {
      end_scope();
    }
    ++next_step_;
    return StepResult::worked();
  }

  std::uint64_t edges() const { return edges_; }
  std::uint32_t submitted() const { return submitted_; }

 private:
  struct Ring {
    explicit Ring(const RingSizes& sizes)
        : slots(sizes.task_window), heap(sizes.heap_bytes), dependencies(sizes.dependency_pool) {}
    BoundedRing slots;
    BoundedRing heap;
    BoundedRing dependencies;
  };
  // What is being submitted, while it waits for room.
  struct Submission {
    bool begun = false;
    std::uint64_t begun_at = 0;  // ticks
    std::uint64_t heap_bytes = 0;
    std::uint64_t dependencies = 0;
    std::uint64_t slot_place = 0;
    std::uint64_t heap_place = 0;
    std::uint64_t dependencies_place = 0;
    std::uint32_t map_entries = 0;
  };

  Ring& ring_of_scope() { return *rings_[scopes_.ring()]; }
  Slot& slot_at(std::uint32_t ring, std::uint64_t local) {
    return shared_.rings[ring].slots[local % shared_.rings[ring].window];
  }
  bool is_retired(std::uint64_t id) const { return local_of(id) < rings_[ring_of(id)]->slots.start(); }

  StepResult submit(std::uint32_t task) {
    if (!submission_.begun) begin(task);
    std::optional<Shortage> shortage = acquire(task);
    if (shortage && shared_.runnable.value() == 0) {
      // Nothing runs that could give anything back; but what ran last may have done so since we looked.
      shortage = acquire(task);
      if (shortage && coming_ == kNever) return deadlock(task, *shortage);
    }
    if (shortage && shortage->can_never_be_met() && shortage->resource != Resource::kDependencyPool)
      return deadlock(task, *shortage);
    if (shortage) return wait_for_room();
    publish(task);
    submission_ = {};
    ++next_step_;
    return StepResult::worked();
  }

  // The chip has enough to do for long: a part of it at a time, instead of a slot.
  StepResult wait_for_room() {
    constexpr std::uint64_t kPart = 8;
    StepResult result = StepResult::idle(coming_);
    result.room_wanted = std::max(1U, static_cast<std::uint32_t>(ring_of_scope().slots.used() / kPart));
    return result;
  }

  // Finds producers and what the task needs; nothing is taken yet.
  void begin(std::uint32_t task) {
    const Graph& graph = shared_.plan.graph;
    submission_.begun = true;
    submission_.begun_at = recorders_.phases.on_begin();
    const auto arguments = graph.arguments_of(task);
    clock_.charge(shared_.plan.costs.submit_task +
                  shared_.plan.costs.submit_argument * static_cast<std::int64_t>(arguments.size()));
    for (const Argument& argument : arguments)
      if (argument.access == Access::kCreatedOutput)
        submission_.heap_bytes += heap_bytes_of(graph.buffers[argument.view.buffer]);
    submission_.map_entries =
        static_cast<std::uint32_t>(arguments.size()) + (graph.tasks[task].predicate.present ? 1 : 0);
    if (graph.tasks[task].kind != TaskKind::kAlloc)
      producers_.find(graph, task, scopes_.innermost().manual ? nullptr : &map_, ids_);
    else
      producers_.clear();
  }

  // What is missing, if anything is. Takes nothing.
  std::optional<Shortage> acquire(std::uint32_t task) {
    coming_ = kNever;
    for (std::uint32_t ring = 0; ring < kRings; ++ring) retire(ring);
    Ring& ring = ring_of_scope();
    const auto shortage = [&](Resource resource, const BoundedRing& of, std::uint64_t needed) {
      return Shortage{resource, scopes_.ring(), needed, of.used(), of.capacity()};
    };
    const auto slot = ring.slots.place(1);
    if (!slot) return shortage(Resource::kTaskWindow, ring.slots, 1);
    const auto heap = ring.heap.place_together(submission_.heap_bytes);
    if (!heap) return shortage(Resource::kHeap, ring.heap, submission_.heap_bytes);
    // Fewer than there are producers, and fewer the longer it waits: those that are retired need none.
    submission_.dependencies =
        static_cast<std::uint64_t>(std::count_if(producers_.distinct().begin(), producers_.distinct().end(),
                                                 [&](std::uint64_t id) { return !is_retired(id); }));
    const auto dependencies = ring.dependencies.place(submission_.dependencies);
    if (!dependencies)
      return shortage(Resource::kDependencyPool, ring.dependencies, submission_.dependencies);
    if (!map_has_room() && shared_.plan.graph.tasks[task].kind != TaskKind::kAlloc)
      return Shortage{Resource::kTensorMap, 0, submission_.map_entries, map_.live(), map_.capacity()};
    submission_.slot_place = *slot;
    submission_.heap_place = *heap;
    submission_.dependencies_place = *dependencies;
    return std::nullopt;
  }

  // Whoever writes down all dependencies wants those on tasks that are done, too.
  static TensorMap::Retired retired_entries(std::uint64_t dfx_flags) {
    return (dfx_flags & (kDfxTaskLifecycle | kDfxDependencyCapture)) != 0 ? TensorMap::Retired::kKept
                                                                          : TensorMap::Retired::kDropped;
  }

  bool map_has_room() {
    if (map_.capacity() - map_.live() >= submission_.map_entries) return true;
    map_.forget([&](std::uint64_t id) { return is_retired(id); });
    return map_.capacity() - map_.live() >= submission_.map_entries;
  }

  // Takes back, in order, what nobody holds any more.
  void retire(std::uint32_t number) {
    Ring& ring = *rings_[number];
    while (ring.slots.used() > 0) {
      const Slot& oldest = slot_at(number, ring.slots.start());
      const Moment from = oldest.holds.zero_from();
      if (from > clock_.moment()) {
        coming_ = std::min(coming_, from);
        return;
      }
      ring.heap.give_back_until(oldest.heap_end);
      ring.dependencies.give_back_until(oldest.dependencies_end);
      ring.slots.give_back_until(ring.slots.start() + 1);
    }
  }

  void publish(std::uint32_t task) {
    const Task& facts = shared_.plan.graph.tasks[task];
    Slot& slot = fill_slot(task);
    make_buffers(task);
    record_task(task, slot);
    if (facts.kind == TaskKind::kAlloc) {
      slot.consumers.close(clock_.moment());
      slot.all_dispatched.set(1);
      ++submitted_;
      return record_submission(slot.id);
    }
    wire(slot);
    insert_into_map(task, slot.id);
    ++submitted_;
    record_submission(slot.id);
    hand_over(slot);
  }

  Slot& fill_slot(std::uint32_t task) {
    const Task& facts = shared_.plan.graph.tasks[task];
    Ring& ring = ring_of_scope();
    ring.slots.take(submission_.slot_place, 1);
    ring.heap.take(submission_.heap_place, submission_.heap_bytes);
    ring.dependencies.take(submission_.dependencies_place, submission_.dependencies);
    Slot& slot = slot_at(scopes_.ring(), submission_.slot_place);
    slot.id = ids_[task] = task_id(scopes_.ring(), submission_.slot_place);
    slot.task = task;
    slot.manual_scope = scopes_.innermost().manual;
    const TaskLayout layout = layout_of(facts);
    slot.shape = layout.shape;
    slot.lanes = layout.lanes;
    slot.blocks = facts.blocks;
    // What a task reads is dumped when it is handed out, so it has to be there then.
    const bool may_be_early = (shared_.plan.dfx_flags & kDfxDumpTensor) == 0;
    slot.early =
        may_be_early && facts.early_dispatch && layout.can_be_early && !producers_.distinct().empty();
    slot.first_dependency = submission_.dependencies_place;
    slot.dependencies = 0;
    slot.heap_end = ring.heap.end();
    slot.dependencies_end = ring.dependencies.end();
    slot.consumers.open();
    slot.next_block = 0;
    slot.all_dispatched.set(0);
    slot.early_state.set(static_cast<std::uint32_t>(EarlyState::kWaiting));
    slot.blocks_left.set(facts.blocks * layout.lane_count);
    const bool held = scopes_.holds(submission_.heap_bytes > 0);
    const bool done_by_itself = facts.kind != TaskKind::kAlloc;
    slot.holds.set((held ? 1U : 0U) + (done_by_itself ? 1U : 0U) + (slot.early ? 1U : 0U));
    if (held) scopes_.hold(slot);
    return slot;
  }

  void make_buffers(std::uint32_t task) {
    const Graph& graph = shared_.plan.graph;
    std::uint64_t place = submission_.heap_place;
    for (const Argument& argument : graph.arguments_of(task)) {
      if (argument.access != Access::kCreatedOutput) continue;
      const std::uint64_t bytes = heap_bytes_of(graph.buffers[argument.view.buffer]);
      shared_.memory.place(argument.view.buffer, scopes_.ring(), ring_of_scope().heap.index_of(place), bytes,
                           shared_.plan.run_kernels);
      place += bytes;
    }
  }

  // The slot cannot become ready meanwhile: one part of its fan-in is the orchestrator's.
  void wire(Slot& slot) {
    slot.fan_in.set(1 + static_cast<std::uint32_t>(producers_.distinct().size()));
    for (const std::uint64_t id : producers_.distinct()) {
      if (is_retired(id)) {
        slot.fan_in.drop({});
        continue;
      }
      clock_.charge(shared_.plan.costs.wire_edge);
      Slot& producer = slot_at(ring_of(id), local_of(id));
      producer.holds.add(1);
      Dependency<Machine>& entry = shared_.dependency(slot, slot.dependencies++);
      entry.producer = &producer;
      entry.consumer = &slot;
      if (!producer.consumers.add(&entry)) slot.fan_in.drop(producer.consumers.closed_from());
    }
    edges_ += producers_.distinct().size();
  }

  // There is room: acquire() has looked.
  void insert_into_map(std::uint32_t task, std::uint64_t id) {
    const Graph& graph = shared_.plan.graph;
    const auto drop = scopes_.innermost().manual ? TensorMap::Drop::kNothing : TensorMap::Drop::kCovered;
    bool fits = true;
    for (const Argument& argument : graph.arguments_of(task))
      fits &= map_.insert(argument.view, argument.access, id, drop);
    if (const Predicate& predicate = graph.tasks[task].predicate; predicate.present)
      fits &= map_.insert(predicate.view, Access::kInput, id, drop);
    if (!fits)
      shared_.fail(
          {.kind = RunFault::Kind::kInternal, .text = "the tensor map took less than it had room for"},
          Stop::kFinish, clock_.moment());
  }

  void hand_over(Slot& slot) {
    const bool early = slot.early;
    if (const std::optional<Moment> ready = slot.fan_in.drop(clock_.moment())) {
      make_ready(shared_, slot, *ready, clock_);
      if (early) slot.holds.drop(clock_.moment());
    } else if (early) {
      shared_.early.push(&slot, clock_.moment());
      shared_.wakes.wake_schedulers(kEarlyBit, clock_.moment());
    }
  }

  void end_scope() {
    record_scope(false);
    scopes_.end([&](Slot& slot) { slot.holds.drop(clock_.moment()); });
  }

  // Every step is carried out.
  StepResult finish() {
    end_scope();
    shared_.orchestrator_done.set(1);
    return end();
  }
  StepResult end() {
    shared_.wakes.wake_schedulers(kAllQueues, clock_.moment());
    recorders_.flush();
    return StepResult::ended();
  }

  StepResult deadlock(std::uint32_t task, const Shortage& shortage) {
    constexpr std::size_t kNamed = 5;
    std::vector<std::uint32_t> oldest;
    if (shortage.resource != Resource::kTensorMap)
      for (std::uint64_t local = ring_of_scope().slots.start();
           local < ring_of_scope().slots.end() && oldest.size() < kNamed; ++local)
        oldest.push_back(slot_at(scopes_.ring(), local).task);
    shared_.fail(deadlock_of(shared_.plan.graph, task, shortage, oldest), Stop::kFinish, clock_.moment());
    recorders_.flush();
    return StepResult::ended();
  }

  void record_task(std::uint32_t task, const Slot& slot) {
    if ((recorders_.flags & kDfxDependencyCapture) != 0) {
      const Task& facts = shared_.plan.graph.tasks[task];
      const std::uint32_t early = facts.early_dispatch ? recorder::TaskDescriptionRecord::kEarlyDispatch : 0U;
      const std::uint32_t manual = slot.manual_scope ? recorder::TaskDescriptionRecord::kManualScope : 0U;
      recorders_.descriptions.on_fact({.task = slot.id,
                                       .kernels = {facts.kernels[0], facts.kernels[1], facts.kernels[2]},
                                       .blocks = facts.blocks,
                                       .flags = early | manual,
                                       .reserved = 0});
      for (const FoundProducer& found : producers_.found())
        recorders_.edges.on_edge(found.producer, slot.id, found.reason, found.argument);
    } else {
      for (const std::uint64_t producer : producers_.distinct())
        recorders_.fan_out.on_edge(producer, slot.id, recorder::EdgeReason::kFanout, 0);
    }
  }

  void record_submission(std::uint64_t id) {
    recorders_.phases.on_end(number_of(Phase::kSubmit), submission_.begun_at, id, submitted_ - 1);
  }

  void record_scope(bool begins) {
    if ((recorders_.flags & kDfxScopeStats) == 0) return;
    for (std::uint32_t number = 0; number < kRings; ++number) retire(number);
    const Ring& ring = ring_of_scope();
    recorders_.scopes.on_fact({.site = scopes_.innermost().site,
                               .depth = static_cast<std::uint16_t>(scopes_.depth()),
                               .ring = static_cast<std::uint8_t>(scopes_.ring()),
                               .begins = static_cast<std::uint8_t>(begins ? 1 : 0),
                               .task_window_start = ring.slots.start(),
                               .task_window_end = ring.slots.end(),
                               .heap_start = ring.heap.start(),
                               .heap_end = ring.heap.end(),
                               .dep_pool_start = ring.dependencies.start(),
                               .dep_pool_end = ring.dependencies.end(),
                               .tensormap = map_.live()});
  }

  SharedState<Machine>& shared_;
  Clock& clock_;
  OrchestratorRecorders<Clock> recorders_;
  TensorMap map_;
  OpenScopes<Slot> scopes_;
  std::array<std::optional<Ring>, kRings> rings_;
  std::vector<std::uint64_t> ids_;  // of the graph's tasks, as they are submitted
  Producers producers_;
  Submission submission_;
  Moment coming_ = kNever;  // when a slot that is wanted will have been given back
  std::size_t next_step_ = 0;
  std::uint32_t submitted_ = 0;
  std::uint64_t edges_ = 0;
};

}  // namespace accelscope::runtime
