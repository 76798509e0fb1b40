// A core: polls its register, runs the kernel it is told to, answers.
//
// One step carries out one dispatch, from receiving it to being ready for the next; a gated one may take two,
// with a wait for its doorbell in between. One thread, or the virtual chip, calls step().
//
//   Core<Machine> core(shared, 7, clock, recording);
//   while (core.step().kind != StepResult::Kind::kEnded) ...
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/actor_recorders.h"
#include "runtime/fault_note.h"
#include "runtime/kernel_cost.h"
#include "runtime/kernel_run.h"
#include "runtime/pipe_teller.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

template <class Machine>
class Core {
 public:
  using Clock = typename Machine::Clock;
  using Slot = TaskSlot<Machine>;

  Core(SharedState<Machine>& shared, std::uint32_t number, Clock& clock,
       const capture::FileRecording* recording)
      : shared_(shared),
        registers_(shared.registers[number]),
        note_(shared.black_box.note(number)),
        number_(number),
        clock_(clock),
        recorders_(recording, number, clock),
        pipes_(shared.monitors, number, clock),
        seen_functions_(shared.plan.graph.functions.size(), false) {}

  StepResult step() {
    const std::uint32_t number = registers_.task.read(clock_.moment());
    if (number == kExitSignal || shared_.stopping() == Stop::kLeave) {
      recorders_.flush();
      return StepResult::ended();
    }
    if (number == done_) return StepResult::idle(registers_.task.next_change(clock_.moment()));
    const DispatchPayload<Machine>& payload = registers_.payloads[number % 2];
    if (!received_) receive(payload);
    if (payload.gated && registers_.doorbell.read(clock_.moment()) != number)
      return StepResult::idle(registers_.doorbell.next_change(clock_.moment()));
    run(payload, number);
    done_ = number;
    received_ = false;
    return StepResult::worked();
  }

 private:
  // Fetches what the task needs; who waits for a doorbell has done so before it rings.
  void receive(const DispatchPayload<Machine>& payload) {
    const device::Costs& costs = shared_.plan.costs;
    recorders_.tasks.on_receive();
    received_ = true;
    const std::uint32_t function = function_of(payload);
    clock_.charge(seen_functions_[function] ? costs.receive_to_start : costs.receive_to_start_cold);
    seen_functions_[function] = true;
  }

  void run(const DispatchPayload<Machine>& payload, std::uint32_t number) {
    const Slot& slot = *payload.slot;
    const std::uint64_t id = slot.id;
    const std::uint32_t function = function_of(payload);
    answer(number);
    recorders_.tasks.on_start();
    call_kernel(slot.task, payload, number);
    recorders_.tasks.on_end(id, number, function);
    // Behind the task's time, which it would be part of, and before anybody sees that it is done.
    pipes_.end(work_, shared_.plan.kernels[function]->engine, shared_.plan.costs, recorders_.tasks.ended());
    answer(number | kFinished);
    clock_.charge(shared_.plan.costs.end_to_next);
  }

  std::uint32_t function_of(const DispatchPayload<Machine>& payload) const {
    return shared_.function_of(*payload.slot, payload.lane);
  }

  void answer(std::uint32_t condition) {
    const Moment seen = clock_.moment() + shared_.plan.costs.core_to_control;
    registers_.condition.write(condition, seen);
    shared_.wakes.wake(shared_.actors.scheduler(shared_.thread_of_core(number_)), seen);
  }

  // One that fails stops the run before it is seen to be done, so that nobody works with what it left.
  void call_kernel(std::uint32_t task, const DispatchPayload<Machine>& payload, std::uint32_t number) {
    const Graph& graph = shared_.plan.graph;
    const accelscope_kernel& kernel = *shared_.plan.kernels[function_of(payload)];
    describe_tensors(
        graph, task, [&](std::uint32_t buffer) { return shared_.memory.address(buffer); }, tensors_);
    accelscope_kernel_call call = call_of(graph, task, tensors_, payload.lane, payload.block);
    if (std::exchange(is_new_, false)) enter_core(note_);
    note_.begin(task, payload.block);
    pipes_.begin(call, recorders_.tasks.started());
    work_ = {};
    if (Machine::kTimeIsCharged || shared_.plan.pmu != nullptr || pipes_.is_on())
      work_ = work_of(graph.functions[function_of(payload)], kernel, call);
    if (Machine::kTimeIsCharged || shared_.plan.pmu != nullptr) {
      const KernelCost cost = cost_of(work_, kernel.engine, shared_.plan.costs,
                                      {.task = task, .block = payload.block, .lane = payload.lane});
      registers_.readings[number % 2] = cost.counts;
      clock_.charge(cost.duration);
    }
    const KernelFailure failure = shared_.plan.run_kernels ? run_kernel(kernel, call) : KernelFailure();
    note_.end();
    if (failure.failed)
      shared_.fail(fault_of_kernel(graph, task, payload.block, number_, failure), Stop::kFinish,
                   clock_.moment());
  }

  SharedState<Machine>& shared_;
  CoreRegisters<Machine>& registers_;
  CoreNote& note_;
  std::uint32_t number_;
  Clock& clock_;
  CoreRecorders<Clock> recorders_;
  PipeTeller<Machine> pipes_;
  std::vector<bool> seen_functions_;
  std::vector<accelscope_tensor> tensors_;
  accelscope_kernel_work work_ = {};  // of the last call
  std::uint32_t done_ = 0;
  bool received_ = false;
  bool is_new_ = true;  // has not called a kernel yet
};

}  // namespace accelscope::runtime
