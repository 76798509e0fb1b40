#include "runtime/virtual_platform.h"

#include <algorithm>
#include <functional>

#include "runtime/actors.h"
#include "runtime/virtual_machine.h"

namespace accelscope::runtime {
namespace {

// Counters do not begin at zero, and records take a time of zero for none.
constexpr Moment kVirtualBeginning{1'000'000'000};
// Often enough that no lane of a recording runs out of buffers between two looks.
constexpr std::uint64_t kStepsBetweenCollecting = 64;
constexpr std::uint64_t kStepsBetweenStopLooks = 1024;

class VirtualPlatform {
 public:
  VirtualPlatform(RunOwned& run, const PlatformOptions& options)
      : options_(options),
        note_(run.black_box.run()),
        collect_([this] { options_.collect(Collect::kNow); }),
        wakes_({run.plan.chip.scheduler_threads, run.plan.chip.cores()}),
        shared_(run.plan, run.memory, run.black_box, wakes_, queue_places(run.plan), run.monitors.get()),
        scale_(run.plan.chip.counter) {
    const RunPlan& plan = run.plan;
    allocate_rings(shared_);
    const auto make_clock = [&](std::uint32_t actor) {
      // What a core's own looks cost is part of the times between its tasks.
      const bool is_core = actor > plan.chip.scheduler_threads;
      VirtualClock clock(scale_, is_core ? device::Picoseconds{} : plan.costs.timestamp_read, &collect_);
      clock.begin_step(kVirtualBeginning, false);
      return clock;
    };
    actors_.emplace(shared_, run.recording.get(), make_clock);
    for (std::uint32_t actor = 0; actor < actors_->numbers().count(); ++actor)
      wakes_.begin(actor, kVirtualBeginning);
  }

  PlatformResult run() {
    run_events();
    if (!everybody_ended()) {
      shared_.fail(
          {.kind = RunFault::Kind::kInternal, .text = "nothing is left to happen, and tasks are left"},
          Stop::kLeave, last_);
      run_events();
    }
    const Moment over = shared_.runnable.zero_from();
    const Moment end = over == kNever ? last_ : std::max(over, actors_->clock(0).moment());
    return {.fault = shared_.first_fault,
            .counts = {.begin_ticks = scale_.ticks(kVirtualBeginning),
                       .end_ticks = scale_.ticks(end),
                       .makespan = end - kVirtualBeginning,
                       .submitted = actors_->orchestrator().submitted(),
                       .completed = shared_.completed.get(),
                       .dispatches = actors_->dispatches(),
                       .edges = actors_->orchestrator().edges(),
                       .steps = steps_,
                       .timestamp_reads = actors_->timestamp_reads()}};
  }

 private:
  void run_events() {
    while (const std::optional<VirtualWakes::Due> due = wakes_.next()) {
      VirtualClock& clock = actors_->clock(due->actor);
      clock.begin_step(due->at, due->was_asleep);
      note_.picoseconds.store((due->at - kVirtualBeginning).value, std::memory_order_relaxed);
      note_.alive.store(steps_, std::memory_order_relaxed);
      const StepResult result = actors_->step(due->actor);
      wakes_.after_step(*due, result, clock.moment());
      if (result.kind != StepResult::Kind::kIdle) last_ = std::max(last_, clock.moment());
      ++steps_;
      if (steps_ % kStepsBetweenCollecting == 0) options_.collect(Collect::kIfThereIsSomething);
      if (steps_ % kStepsBetweenStopLooks == 0) look_for_stop(clock.moment());
    }
  }

  void look_for_stop(Moment now) {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed) ||
        shared_.stopping() != Stop::kNo)
      return;
    shared_.fail({.kind = RunFault::Kind::kInterrupted, .text = "the run was interrupted"}, Stop::kFinish,
                 now);
  }

  bool everybody_ended() const {
    for (std::uint32_t actor = 0; actor < actors_->numbers().count(); ++actor)
      if (!wakes_.has_ended(actor)) return false;
    return true;
  }

  const PlatformOptions& options_;
  RunNote& note_;
  std::function<void()> collect_;
  VirtualWakes wakes_;
  SharedState<VirtualMachine> shared_;
  TickScale scale_;
  std::optional<Actors<VirtualMachine>> actors_;
  Moment last_ = kVirtualBeginning;
  std::uint64_t steps_ = 0;
};

}  // namespace

PlatformResult run_virtual(RunOwned& run, const PlatformOptions& options) {
  return VirtualPlatform(run, options).run();
}

}  // namespace accelscope::runtime
