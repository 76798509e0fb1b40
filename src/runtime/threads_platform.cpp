#include "runtime/threads_platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "runtime/actors.h"
#include "runtime/graph_check.h"
#include "runtime/patience.h"
#include "runtime/thread_machine.h"

namespace accelscope::runtime {

ThreadClock::ThreadClock(base::Frequency counter, Steady::time_point beginning)
    : counter_(counter.reduced()), beginning_(beginning) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  if (counter_.seconds == 1 && kNanoseconds % counter_.ticks == 0) whole_ = kNanoseconds / counter_.ticks;
}

std::uint64_t ThreadClock::fraction(std::int64_t nanoseconds) const {
  return static_cast<std::uint64_t>(counter_.from_nanoseconds({nanoseconds}).value);
}

namespace {

using Steady = ThreadClock::Steady;

// Vain looks before a thread sleeps.
constexpr std::uint32_t kLooks = 8;
constexpr std::chrono::milliseconds kWatch{20};

// Everything that the threads touch: they own it together.
struct ThreadRun {
  ThreadRun(std::shared_ptr<RunOwned> run, Steady::time_point beginning)
      : owned(std::move(run)),
        wakes({owned->plan.chip.scheduler_threads, owned->plan.chip.cores()}),
        shared(owned->plan, owned->memory, owned->black_box, wakes, queue_places(owned->plan)),
        actors(shared, owned->recording.get(),
               [&](std::uint32_t) { return ThreadClock(owned->plan.chip.counter, beginning); }) {
    allocate_rings(shared);
  }

  void drive(std::uint32_t actor) {
    std::uint32_t looks = 0;
    std::uint32_t signal = wakes.signal(actor);  // before the first of several looks
    for (;;) {
      const StepResult result = actors.step(actor);
      if (result.kind == StepResult::Kind::kEnded) break;
      if (result.kind == StepResult::Kind::kMore) continue;
      if (result.kind == StepResult::Kind::kWorked) {
        looks = 0;
      } else if (++looks < kLooks) {
        std::this_thread::yield();
      } else {
        wakes.sleep(actor, signal);
        looks = 0;
      }
      signal = wakes.signal(actor);
    }
    const std::lock_guard lock(mutex);
    ended[actor] = true;
    ++ended_count;
    somebody_ended.notify_one();
  }

  std::shared_ptr<RunOwned> owned;
  ThreadWakes wakes;
  SharedState<ThreadMachine> shared;
  Actors<ThreadMachine> actors;

  std::mutex mutex;  // of what follows
  std::condition_variable somebody_ended;
  std::vector<bool> ended = std::vector<bool>(shared.actors.count(), false);
  std::uint32_t ended_count = 0;
};

class Supervisor {
 public:
  Supervisor(const std::shared_ptr<RunOwned>& owned, const PlatformOptions& options)
      : options_(options), run_(std::make_shared<ThreadRun>(owned, beginning_)) {}

  PlatformResult run() {
    if (start()) watch();
    PlatformResult result = result_of_run();
    result.left_behind = join_or_leave_behind();
    return result;
  }

 private:
  // False when there are no threads for it.
  bool start() {
    const ActorNumbers& numbers = run_->shared.actors;
    try {
      for (std::uint32_t actor = 0; actor < numbers.count(); ++actor)
        threads_.emplace_back([run = run_, actor] { run->drive(actor); });
    } catch (const std::system_error& error) {
      fail(RunFault::Kind::kInternal, fmt::format("no thread for each core: {}", error.what()), Stop::kLeave);
      wait_for(static_cast<std::uint32_t>(threads_.size()), options_.leave_after);
      return false;
    }
    return true;
  }

  void watch() {
    const std::uint32_t all = run_->shared.actors.count();
    Patience patience(options_.no_progress_limit);
    while (!wait_for(all, kWatch)) {
      run_->owned->black_box.run().alive.fetch_add(1, std::memory_order_relaxed);
      if (run_->shared.stopping() != Stop::kNo) return end_within_grace(all);
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
        fail(RunFault::Kind::kInterrupted, "the run was interrupted", Stop::kFinish);
      else if (patience.is_over(run_->shared.completed.get()))
        fail(RunFault::Kind::kNoProgress, no_progress_text(options_), Stop::kFinish);
    }
  }

  // Control CPUs wait for what runs; when that takes too long, they leave, and who runs is named.
  void end_within_grace(std::uint32_t all) {
    if (wait_for(all, options_.leave_after)) return;
    run_->shared.fail({}, Stop::kLeave, {});
    wait_for(all, options_.leave_after);
  }

  void fail(RunFault::Kind kind, std::string text, Stop how) {
    run_->shared.fail({.kind = kind, .text = std::move(text), .tasks = {}}, how, {});
  }

  bool wait_for(std::uint32_t count, std::chrono::milliseconds time) {
    std::unique_lock lock(run_->mutex);
    return run_->somebody_ended.wait_for(lock, time, [&] { return run_->ended_count >= count; });
  }

  PlatformResult result_of_run() {
    const SharedState<ThreadMachine>& shared = run_->shared;
    PlatformResult result;
    {
      const std::lock_guard lock(run_->shared.fault_mutex);
      result.fault = shared.first_fault;
    }
    const ThreadClock clock(shared.plan.chip.counter, beginning_);
    RunCounts& counts = result.counts;
    counts.begin_ticks = ThreadClock(shared.plan.chip.counter, Steady::now()).now();
    counts.end_ticks = clock.now();
    const std::chrono::nanoseconds took = Steady::now() - beginning_;
    counts.makespan = device::Picoseconds{1000 * took.count()};
    counts.completed = shared.completed.get();
    if (controls_ended()) {
      counts.submitted = run_->actors.orchestrator().submitted();
      counts.edges = run_->actors.orchestrator().edges();
      counts.dispatches = run_->actors.dispatches();
      if (result.fault) name_tasks_on_cores(*result.fault);
    }
    return result;
  }

  // Their accounts may be read then.
  bool controls_ended() {
    const std::lock_guard lock(run_->mutex);
    return std::all_of(run_->ended.begin(), run_->ended.begin() + 1 + run_->shared.actors.scheduler_threads,
                       [](bool ended) { return ended; });
  }

  // What was on cores and did not come back.
  void name_tasks_on_cores(RunFault& fault) {
    constexpr std::size_t kNamed = 5;
    std::vector<std::string> named;
    run_->actors.for_each_in_flight([&](std::uint32_t core, std::uint32_t task, bool begun) {
      if (std::find(fault.tasks.begin(), fault.tasks.end(), task) == fault.tasks.end())
        fault.tasks.push_back(task);
      if (named.size() < kNamed)
        named.push_back(fmt::format("{} {} core {}", task_in_words(run_->shared.plan.graph, task),
                                    begun ? "runs on" : "waits on", core));
    });
    if (!named.empty()) fault.text += fmt::format(": {}", fmt::join(named, ", "));
  }

  std::uint32_t join_or_leave_behind() {
    std::uint32_t left_behind = 0;
    for (std::size_t actor = 0; actor < threads_.size(); ++actor) {
      const bool ended = [&] {
        const std::lock_guard lock(run_->mutex);
        return bool{run_->ended[actor]};
      }();
      if (ended) {
        threads_[actor].join();
      } else {
        threads_[actor].detach();
        ++left_behind;
      }
    }
    return left_behind;
  }

  const PlatformOptions& options_;
  const Steady::time_point beginning_ = Steady::now();
  std::shared_ptr<ThreadRun> run_;
  std::vector<std::thread> threads_;
};

}  // namespace

PlatformResult run_on_threads(const std::shared_ptr<RunOwned>& run, const PlatformOptions& options) {
  return Supervisor(run, options).run();
}

}  // namespace accelscope::runtime
