#include "runtime/chip_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/child_process.h"
#include "runtime/fault_note.h"
#include "runtime/kernel_run.h"
#include "runtime/patience.h"

namespace accelscope::runtime {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::uint8_t kCollect = 'c';  // asked by the chip, and answered likewise
constexpr std::uint8_t kResult = 'r';

constexpr std::chrono::milliseconds kWatch{20};

// --- The result as bytes. Both ends are this program, forked: the layout is the same.

void put(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

std::string packed(const PlatformResult& result) {
  std::string bytes;
  static_assert(std::is_trivially_copyable_v<RunCounts>);
  put(bytes, &result.counts, sizeof result.counts);
  if (!result.fault) return bytes;
  const RunFault& fault = *result.fault;
  const auto tasks = static_cast<std::uint64_t>(fault.tasks.size());
  put(bytes, &fault.kind, sizeof fault.kind);
  put(bytes, &tasks, sizeof tasks);
  put(bytes, fault.tasks.data(), fault.tasks.size() * sizeof fault.tasks[0]);
  return bytes + fault.text;
}

// Nothing when they are no result: a kernel may have written into the channel.
std::optional<PlatformResult> unpacked(std::string_view bytes) {
  const auto take = [&](void* to, std::size_t size) {
    if (size > bytes.size()) return false;
    if (size > 0) std::memcpy(to, bytes.data(), size);
    bytes.remove_prefix(size);
    return true;
  };
  PlatformResult result;
  if (!take(&result.counts, sizeof result.counts)) return std::nullopt;
  if (bytes.empty()) return result;
  RunFault fault;
  std::uint64_t tasks = 0;
  if (!take(&fault.kind, sizeof fault.kind) || !take(&tasks, sizeof tasks)) return std::nullopt;
  if (tasks > bytes.size() / sizeof fault.tasks[0]) return std::nullopt;
  fault.tasks.resize(tasks);
  take(fault.tasks.data(), tasks * sizeof fault.tasks[0]);
  fault.text = bytes;
  result.fault = std::move(fault);
  return result;
}

// --- In the process.

void run_the_chip(const std::shared_ptr<RunOwned>& run, Platform platform, PlatformOptions options,
                  Channel& parent) {
  note_faults(run->black_box);
  options.stop = &run->black_box.run().stop;
  options.collect = [&](Collect when) {
    if (when == Collect::kIfThereIsSomething && !run->recording->has_full_buffers()) return;
    if (parent.send(kCollect, {})) parent.receive();
  };
  parent.send(kResult, packed(run_platform(run, platform, options)));
}

// --- Beside it.

class Watcher {
 public:
  Watcher(RunOwned& run, Platform platform, const PlatformOptions& options, ChildProcess& child)
      : run_(run), platform_(platform), options_(options), child_(child) {}

  PlatformResult watch() {
    for (;;) {
      const Channel::Wait came = child_.channel().wait(kWatch);
      if (came == Channel::Wait::kClosed) return ended_by_itself();
      if (came == Channel::Wait::kMessage) {
        const std::optional<Message> message = child_.channel().receive();
        if (!message) return ended_by_itself();
        if (message->kind == kResult) return result_of(*message);
        if (message->kind != kCollect) return ended_by_itself();
        run_.recording->poll();
        child_.channel().send(kCollect, {});
      } else if (child_.has_ended()) {
        return ended_by_itself();
      }
      if (std::optional<RunFault> fault = look_for_trouble()) return killed(std::move(*fault));
    }
  }

 private:
  PlatformResult result_of(const Message& message) {
    std::optional<PlatformResult> result = unpacked(message.payload);
    if (!result) return ended_by_itself();
    result->left_behind = 0;
    child_.wait(options_.leave_after);
    return *std::move(result);
  }

  // What cannot go on by itself: a kernel that never returns, where nobody in the process can notice.
  std::optional<RunFault> look_for_trouble() {
    const Steady::time_point now = Steady::now();
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed) && !stopped_since_) {
      run_.black_box.run().stop.store(true);
      stopped_since_ = now;
    }
    // What watches over threads gives them this time twice.
    if (stopped_since_ && now - *stopped_since_ > 3 * options_.leave_after)
      return RunFault{.kind = RunFault::Kind::kInterrupted, .text = "the run was interrupted"};
    if (patience_.is_over(run_.black_box.run().alive.load(std::memory_order_relaxed), now))
      return RunFault{.kind = RunFault::Kind::kNoProgress, .text = no_progress_text(options_)};
    return std::nullopt;
  }

  PlatformResult killed(RunFault fault) {
    child_.wait(std::chrono::milliseconds(0));
    const Running running = name_running(0, "runs");
    if (!running.texts.empty()) fault.text += fmt::format(": {}", fmt::join(running.texts, ", "));
    return result_with(std::move(fault), running);
  }

  PlatformResult ended_by_itself() {
    const ProcessEnd end = child_.wait(options_.leave_after);
    RunFault fault{.kind = RunFault::Kind::kInternal,
                   .text = fmt::format("the chip's process {}", in_words(end))};
    const std::int32_t bad_thread = run_.black_box.run().bad_thread.load(std::memory_order_relaxed);
    Running running = name_running(bad_thread, "ran");
    if (running.tasks.empty()) running = name_running(0, "ran");
    if (!running.tasks.empty()) {
      fault.kind = RunFault::Kind::kKernel;
      fault.text += fmt::format(" while {}", fmt::join(running.texts, ", "));
    }
    return result_with(std::move(fault), running);
  }

  struct Running {
    std::vector<std::uint32_t> tasks = {};
    std::vector<std::string> texts = {};
  };

  // On the cores of one thread, or on all.
  Running name_running(std::int32_t thread, std::string_view verb) const {
    constexpr std::size_t kNamed = 5;
    Running running;
    run_.black_box.for_each_running([&](std::uint32_t core, std::uint32_t task, std::uint32_t block) {
      if (thread != 0 && run_.black_box.note(core).thread.load(std::memory_order_relaxed) != thread) return;
      if (std::find(running.tasks.begin(), running.tasks.end(), task) == running.tasks.end())
        running.tasks.push_back(task);
      if (running.texts.size() < kNamed)
        running.texts.push_back(
            fmt::format("{} {} on core {}", block_in_words(run_.plan.graph, task, block), verb, core));
    });
    return running;
  }

  PlatformResult result_with(RunFault fault, const Running& running) const {
    fault.tasks = running.tasks;
    PlatformResult result{.fault = std::move(fault), .has_counts = false};
    const std::chrono::nanoseconds took = Steady::now() - beginning_;
    result.counts.makespan =
        platform_ == Platform::kVirtual
            ? device::Picoseconds{run_.black_box.run().picoseconds.load(std::memory_order_relaxed)}
            : device::Picoseconds{1000 * took.count()};
    return result;
  }

  RunOwned& run_;
  Platform platform_;
  const PlatformOptions& options_;
  ChildProcess& child_;
  const Steady::time_point beginning_ = Steady::now();
  Patience patience_{options_.no_progress_limit};
  std::optional<Steady::time_point> stopped_since_;
};

}  // namespace

base::Result<PlatformResult> run_in_process(const std::shared_ptr<RunOwned>& run, Platform platform,
                                            const PlatformOptions& options) {
  ACCELSCOPE_TRY(ChildProcess child,
                 ChildProcess::start([&](Channel& parent) { run_the_chip(run, platform, options, parent); }));
  ACCELSCOPE_CHECK(run->recording->start());
  return Watcher(*run, platform, options, child).watch();
}

}  // namespace accelscope::runtime
