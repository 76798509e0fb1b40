// What a scheduler thread does with the performance monitors of its cores: starts them before anything runs,
// drains each where a task ends, and stops them.
//
// At a task's end it reads the counters of the core's monitor and publishes which bytes are new; the host
// copies them. Where monitors are started anew at every drain, it waits until the host has done so, for a
// limited time. Where functions are chosen, monitors are on only while tasks of these are on the core.
//
// Belongs to one scheduler thread. Without monitors, every call is a test of a pointer.
//
//   MonitorControl<Machine> monitors(shared, clock, recorders.drains);
//   monitors.start(core);
//   monitors.before_dispatch(core, function);
//   monitors.after_finish(core, function, task);
//   monitors.publish();
//   monitors.stop_all();
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "accelscope/perfmon/core_perfmon.h"
#include "runtime/actor_recorders.h"
#include "runtime/core_monitors.h"
#include "runtime/shared_state.h"

namespace accelscope::runtime {

template <class Machine>
class MonitorControl {
 public:
  using Clock = typename Machine::Clock;

  MonitorControl(SharedState<Machine>& shared, Clock& clock, SchedulerRecorders<Clock>& recorders)
      : shared_(shared),
        monitors_(shared.monitors),
        clock_(clock),
        recorders_(recorders),
        bus_{monitors_ == nullptr ? nullptr : &monitors_->model(), clock, shared.plan.costs},
        wait_limit_(shared.plan.chip.counter.from_nanoseconds({kMostWait}).value) {}

  // Before the run begins, which it costs nothing of.
  void start(std::uint32_t core) {
    if (monitors_ == nullptr || !monitors_->records(core)) return;
    Monitored& monitored = cores_.emplace_back(monitors_->chip(), bus_, core);
    bus_.is_free = true;
    if (const perfmon::Fault fault = monitored.perfmon.start(monitors_->start_config(core));
        fault != perfmon::Fault::kNone) {
      monitors_->note_fault(core, fault);
      cores_.pop_back();
    } else {
      if (by_core_.size() <= core) by_core_.resize(core + 1, nullptr);
      by_core_[core] = &monitored;
      if (monitors_->chooses_functions()) pause(monitored);
    }
    bus_.is_free = false;
  }

  void before_dispatch(std::uint32_t core, std::uint32_t function) {
    Monitored* monitored = find(core);
    if (monitored == nullptr || !monitors_->chooses_functions() || !monitors_->wants(function)) return;
    if (monitored->wanted_tasks++ == 0) resume(*monitored);
  }

  void after_finish(std::uint32_t core, std::uint32_t function, std::uint64_t task) {
    if (monitors_ == nullptr || !monitors_->records(core)) return;
    advance(core);  // also where nobody listens, so that nothing piles up
    Monitored* monitored = find(core);
    if (monitored == nullptr || !monitors_->wants(function)) return;
    // Another that is wanted runs already: both are drained when it ends.
    if (monitors_->chooses_functions() && --monitored->wanted_tasks > 0) return;
    drain(*monitored, task);
    if (monitored->perfmon.state() != perfmon::CoreState::kPaused || monitors_->chooses_functions()) return;
    publish();
    resume(*monitored);
  }

  // What was drained goes to the host now.
  void publish() { recorders_.drains.publish(); }

  void stop_all() {
    for (Monitored& monitored : cores_) {
      const std::uint64_t time = clock_.now();
      advance(monitored.perfmon.core());
      put(monitored, monitored.perfmon.stop(), recorder::PerfmonDrainRecord::kNoTask, time);
    }
    publish();
  }

 private:
  // What a control CPU pays for a look at a register.
  struct Bus {
    device::RegisterWindow* window;
    Clock& clock;
    const device::Costs& costs;
    bool is_free = false;

    std::uint32_t read_reg(std::uint32_t core, std::uint32_t offset) {
      if (!is_free) clock.charge(costs.register_read);
      return window->read32(core, offset);
    }
    void write_reg(std::uint32_t core, std::uint32_t offset, std::uint32_t value) {
      if (!is_free) clock.charge(costs.register_write);
      window->write32(core, offset, value);
    }
    void barrier() { window->barrier(); }
    void give_up(std::uint32_t core) { window->give_up(core); }
  };
  struct Monitored {
    Monitored(const perfmon::PerfmonChip& chip, Bus& bus, std::uint32_t core) : perfmon(chip, bus, core) {}

    perfmon::CorePerfmon<Bus> perfmon;
    perfmon::Slice last = {};  // what confirm() is asked about
    recorder::DrainAccount drains = {};
    std::uint32_t wanted_tasks = 0;  // on the core, where functions are chosen
  };

  // Whoever waits longer for the host goes on without: the monitor writes over what was not copied.
  static constexpr std::int64_t kMostWait = 100'000'000;  // nanoseconds
  static constexpr std::uint32_t kLooksInVirtualTime = 4;

  Monitored* find(std::uint32_t core) { return core < by_core_.size() ? by_core_[core] : nullptr; }

  // On the virtual chip, what cores have done lies in the future until now.
  void advance(std::uint32_t core) {
    if constexpr (Machine::kTimeIsCharged)
      monitors_->advance(core, clock_.ticks(clock_.moment()), clock_.ticks(clock_.step_began()));
  }

  void drain(Monitored& monitored, std::uint64_t task) {
    // Before the registers are looked at: all that was written by then is in the drain.
    const std::uint64_t time = clock_.now();
    advance(monitored.perfmon.core());
    monitored.last = monitored.perfmon.drain();
    put(monitored, monitored.last, task, time);
  }

  // Nothing was written by a monitor that nobody has heard of yet.
  void pause(Monitored& monitored) { monitored.last = monitored.perfmon.drain(); }

  void resume(Monitored& monitored) {
    if (monitored.perfmon.state() != perfmon::CoreState::kPaused) return;
    wait_for_copy(monitored);
    advance(monitored.perfmon.core());
    monitors_->release_ring(monitored.perfmon.core(), monitored.drains.drains);
    monitored.perfmon.confirm(monitored.last);
  }

  // Who has waited in vain once does not wait again before the host answers.
  void wait_for_copy(const Monitored& monitored) {
    const std::uint32_t core = monitored.perfmon.core();
    const std::uint32_t wanted = monitored.drains.drains;
    if (monitors_->acknowledged(core) == wanted) {
      host_is_gone_ = false;
      return;
    }
    publish();
    if (host_is_gone_) return;
    const std::uint64_t from = clock_.now();
    for (std::uint32_t looks = 0; monitors_->acknowledged(core) != wanted; ++looks) {
      // In virtual time the host does all that it can when it is asked once.
      const bool too_long = Machine::kTimeIsCharged
                                ? looks == kLooksInVirtualTime
                                : clock_.now() - from > static_cast<std::uint64_t>(wait_limit_);
      host_is_gone_ = too_long || shared_.stopping() == Stop::kLeave;
      if (host_is_gone_) return;
      clock_.relax();
      publish();
    }
  }

  void put(Monitored& monitored, const perfmon::Slice& slice, std::uint64_t task, std::uint64_t time) {
    recorders_.drains.on_drain(monitored.drains, slice, task, time);
  }

  SharedState<Machine>& shared_;
  CoreMonitors* monitors_;
  Clock& clock_;
  SchedulerRecorders<Clock>& recorders_;
  Bus bus_;
  std::int64_t wait_limit_;  // ticks
  std::deque<Monitored> cores_;
  std::vector<Monitored*> by_core_;
  bool host_is_gone_ = false;  // it did not copy in time
};

}  // namespace accelscope::runtime
