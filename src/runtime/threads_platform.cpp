#include "runtime/threads_platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "capture/counter_frequency.h"
#include "runtime/actors.h"
#include "runtime/graph_check.h"
#include "runtime/home_processor.h"
#include "runtime/patience.h"
#include "runtime/thread_machine.h"

namespace accelscope::runtime {
namespace {

// Counters do not begin at zero, and records take a time of zero for none.
constexpr std::int64_t kBeginning = 1'000'000;  // nanoseconds

}  // namespace

ThreadTimeBase ThreadTimeBase::now(base::Frequency counter, bool often) {
  constexpr std::chrono::milliseconds kMeasure{2};
  ThreadTimeBase base;
  if (often && machine_counter_is_trusted()) {
    static const auto kMachine = capture::measure_counter(kMeasure);  // once in a process
    base.machine_scale = CounterScale::make(kMachine, counter);
  }
  base.beginning = Steady::now();
  base.machine_beginning = read_machine_counter();
  return base;
}

ThreadClock::ThreadClock(base::Frequency counter, const ThreadTimeBase& base)
    : counter_(counter.reduced()), base_(base), first_(fraction(kBeginning)) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  if (counter_.seconds == 1 && kNanoseconds % counter_.ticks == 0) whole_ = kNanoseconds / counter_.ticks;
}

std::uint64_t ThreadClock::fraction(std::int64_t nanoseconds) const {
  return static_cast<std::uint64_t>(counter_.from_nanoseconds({nanoseconds}).value);
}

namespace {

using Steady = ThreadClock::Steady;

// Vain looks before a thread sleeps, with a yield behind each. A core that is out of work will have more when
// its scheduler thread has had a turn, which is sooner than a thread wakes up. A scheduler thread that finds
// nothing had better leave its processor: the system may have put its cores together on another one, and
// moves them only to one that is idle.
constexpr std::uint32_t kLooksOfCores = 64;
constexpr std::uint32_t kLooksOfControl = 4;

// How an actor waits. Where a yield takes long, somebody else uses the processor for as long as the system
// lets it: who is woken gets it back sooner than who asks for it, so then it sleeps at once, for some time.
class Waiting {
 public:
  explicit Waiting(std::uint32_t most_looks) : most_looks_(most_looks) {}

  void after_work() { looks_ = 0; }
  // True when it has yielded and may look again, false when it should sleep.
  bool yields() {
    if (looks_ == 0 && sleeps_to_come_ > 0) {
      --sleeps_to_come_;
      return false;
    }
    if (++looks_ >= most_looks_) {
      looks_ = 0;
      return false;
    }
    const Steady::time_point before = Steady::now();
    std::this_thread::yield();
    if (Steady::now() - before > kLongYield) {
      looks_ = 0;
      sleeps_to_come_ = kSleepsAfterALongYield;
    }
    return true;
  }

 private:
  static constexpr std::chrono::microseconds kLongYield{2000};
  static constexpr std::uint32_t kSleepsAfterALongYield = 32;
  std::uint32_t most_looks_;
  std::uint32_t looks_ = 0;
  std::uint32_t sleeps_to_come_ = 0;
};
constexpr std::chrono::milliseconds kWatch{20};

// Everything that the threads touch: they own it together.
struct ThreadRun {
  ThreadRun(std::shared_ptr<RunOwned> run, const ThreadTimeBase& time_base)
      : owned(std::move(run)),
        wakes({owned->plan.chip.scheduler_threads, owned->plan.chip.cores()}),
        shared(owned->plan, owned->memory, owned->black_box, wakes, queue_places(owned->plan),
               owned->monitors.get()),
        actors(shared, owned->recording.get(),
               [&](std::uint32_t) { return ThreadClock(owned->plan.chip.counter, time_base); }) {
    allocate_rings(shared);
  }

  // Cores of a kind in turn; control CPUs have none, and run where there is time.
  std::optional<HomeProcessor> home_of(std::uint32_t actor) const {
    const device::Chip& chip = owned->plan.chip;
    if (actor < shared.actors.core(0)) return std::nullopt;
    const std::uint32_t core = actor - shared.actors.core(0);
    return HomeProcessor(chip.is_cube(core) ? core : core - chip.cube_cores(), shared.actors.count());
  }

  void drive(std::uint32_t actor) {
    std::optional<HomeProcessor> home = home_of(actor);
    Waiting waiting(home ? kLooksOfCores : kLooksOfControl);
    ThreadWakes::Seen seen = wakes.seen(actor);  // before the first of several looks
    for (;;) {
      const StepResult result = actors.step(actor);
      if (result.kind == StepResult::Kind::kEnded) break;
      if (result.kind == StepResult::Kind::kMore) continue;
      if (result.kind == StepResult::Kind::kWorked) {
        waiting.after_work();
      } else {
        if (home) home->go_back();
        if (result.room_wanted > 1 || !waiting.yields()) sleep(actor, seen, result.room_wanted);
      }
      seen = wakes.seen(actor);
    }
    const std::lock_guard lock(mutex);
    ended[actor] = true;
    ++ended_count;
    somebody_ended.notify_one();
  }

  void sleep(std::uint32_t actor, const ThreadWakes::Seen& seen, std::uint32_t room_wanted) {
    if (room_wanted > 0)
      wakes.sleep_for_room(seen, room_wanted);
    else
      wakes.sleep(actor, seen.signal);
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
      : options_(options),
        time_base_(ThreadTimeBase::now(owned->plan.chip.counter, owned->plan.dfx_flags != 0)),
        run_(std::make_shared<ThreadRun>(owned, time_base_)) {}

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
    ThreadClock clock(shared.plan.chip.counter, time_base_);
    RunCounts& counts = result.counts;
    counts.begin_ticks = clock.at_the_beginning();
    counts.end_ticks = clock.now();
    const std::chrono::nanoseconds took = Steady::now() - time_base_.beginning;
    counts.makespan = device::Picoseconds{1000 * took.count()};
    counts.completed = shared.completed.get();
    if (all_ended()) counts.timestamp_reads = run_->actors.timestamp_reads();
    if (controls_ended()) {
      counts.submitted = run_->actors.orchestrator().submitted();
      counts.edges = run_->actors.orchestrator().edges();
      counts.dispatches = run_->actors.dispatches();
      if (result.fault) name_tasks_on_cores(*result.fault);
    }
    return result;
  }

  bool all_ended() {
    const std::lock_guard lock(run_->mutex);
    return run_->ended_count == run_->ended.size();
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
  const ThreadTimeBase time_base_;
  std::shared_ptr<ThreadRun> run_;
  std::vector<std::thread> threads_;
};

}  // namespace

PlatformResult run_on_threads(const std::shared_ptr<RunOwned>& run, const PlatformOptions& options) {
  return Supervisor(run, options).run();
}

}  // namespace accelscope::runtime
