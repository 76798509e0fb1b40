// A task that does nothing but being recorded: one producer thread plays core, scheduler and orchestrator,
// and calls the hooks that a runtime calls for one task, in its order. At each level one more kind of record
// comes of it; hooks whose feature is off are called as well, as in a runtime.
//
// One thread makes and runs it. The recording and the platform must outlive it; it flushes when it is
// destroyed.
//
//   TaskClock clock;
//   SyntheticTasks tasks(recording.get(), recording->dfx_flags(), clock);
//   tasks.run(1000);
#pragma once

#include <cstdint>
#include <optional>
#include <thread>

#include "accelscope/recorder/counter_platform.h"
#include "accelscope/recorder/recorders.h"
#include "capture/file_recording.h"

namespace accelscope::experiments {

// What one task leaves at a level.
struct TaskShape {
  std::uint32_t records = 0;
  std::uint32_t reads = 0;  // of the counter
};
constexpr TaskShape shape_of_task(int chip_swimlane_level) {
  constexpr TaskShape kShapes[] = {{0, 0}, {1, 3}, {3, 5}, {5, 9}};
  return kShapes[chip_swimlane_level];
}
inline constexpr std::uint32_t kHooksOfTask = 10;

// The processor's counter; the task itself takes no time. A device that waits does not take a processor of
// the host for it.
struct TaskClock : recorder::CounterPlatform {
  static void relax() { std::this_thread::yield(); }
  static void work() {}
};

// Nanoseconds that are made up: tasks whose lengths vary by a quarter around one length, and reads that are
// irregularly apart. The same every time.
class MadeUpClock {
 public:
  explicit MadeUpClock(std::uint64_t task_length) : task_length_(task_length) {}
  std::uint64_t now() { return time_ += 20 + random() % 100; }
  static void relax() { std::this_thread::yield(); }
  void work() { time_ += task_length_ - task_length_ / 4 + random() % (task_length_ / 2 + 1); }

 private:
  std::uint64_t random() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return state_;
  }

  std::uint64_t task_length_;
  std::uint64_t time_ = 0;
  std::uint64_t state_ = 0x9E3779B97F4A7C15;
};

template <class Platform>
class SyntheticTasks {
 public:
  // Without a recording, or with flags that ask for nothing, hooks are called and nothing is recorded.
  SyntheticTasks(const capture::FileRecording* recording, std::uint64_t dfx_flags, Platform& platform)
      : recording_(recording),
        platform_(platform),
        hooks_{.core = {dfx_flags, writer_for(core_), platform},
               .lifecycle = {dfx_flags, writer_for(lifecycle_), platform},
               .edge = {dfx_flags, writer_for(edge_)},
               .scheduler = {dfx_flags, writer_for(scheduler_), platform},
               .orchestrator = {dfx_flags, writer_for(orchestrator_), platform}} {}
  ~SyntheticTasks() {
    flush(core_);
    flush(lifecycle_);
    flush(edge_);
    flush(scheduler_);
    flush(orchestrator_);
  }
  SyntheticTasks(const SyntheticTasks&) = delete;
  SyntheticTasks& operator=(const SyntheticTasks&) = delete;

  void run(std::uint32_t tasks) {
    constexpr std::uint16_t kSubmit = 0;
    constexpr std::uint16_t kComplete = 1;
    constexpr std::uint32_t kFunctions = 16;
    for (const std::uint32_t end = next_ + tasks; next_ != end; ++next_) {
      // What the compiler knows of the flags, a runtime does not.
      asm volatile("" : "+m"(hooks_));
      const std::uint64_t submitted = hooks_.orchestrator.on_begin();
      hooks_.edge.on_edge(next_, next_ + 1, recorder::EdgeReason::kFanout, 0);
      hooks_.orchestrator.on_end(kSubmit, submitted, next_, next_);
      const std::uint64_t loop_began = hooks_.scheduler.on_begin();
      const std::uint64_t dispatched = hooks_.lifecycle.on_dispatch();
      hooks_.core.on_receive();
      hooks_.core.on_start();
      platform_.work();
      hooks_.core.on_end(next_, next_ + 1, next_ % kFunctions);
      hooks_.lifecycle.on_finish(0, next_ + 1, dispatched);
      hooks_.scheduler.on_end(kComplete, loop_began, {.loop = next_, .tasks_processed = 1});
    }
  }

  // Whether the core has so many empty buffers in store, beside the one that it fills.
  bool has_buffers(std::uint32_t count) const {
    return core_.lane == nullptr || core_.lane->free.size() >= count;
  }

 private:
  using Core = recorder::CoreTaskRecorder<Platform>;
  using Lifecycle = recorder::LifecycleRecorder<Platform>;
  using Edge = recorder::EdgeRecorder<kDfxTaskLifecycle, Platform>;
  using Scheduler = recorder::SchedulerPhaseRecorder<Platform>;
  using Orchestrator = recorder::OrchestratorPhaseRecorder<Platform>;

  template <class Record>
  struct Place {
    recorder::Lane<>* lane = nullptr;
    std::optional<recorder::RecordWriter<Record, Platform>> writer = {};
  };
  struct Hooks {
    Core core;
    Lifecycle lifecycle;
    Edge edge;
    Scheduler scheduler;
    Orchestrator orchestrator;
  };

  // Null when its kind is not recorded.
  template <class Record>
  recorder::RecordWriter<Record, Platform>* writer_for(Place<Record>& place) {
    if (recording_ == nullptr) return nullptr;
    const std::optional<capture::ProducerParts> parts = recording_->producer(Record::kKind, 0);
    if (!parts) return nullptr;
    place.lane = parts->lane;
    place.writer.emplace(*parts->lane, *parts->gate, parts->buffers, parts->config, platform_);
    return &*place.writer;
  }
  template <class Record>
  static void flush(Place<Record>& place) {
    if (place.writer) place.writer->flush();
  }

  const capture::FileRecording* recording_;
  Platform& platform_;
  Place<recorder::CoreTaskRecord> core_;
  Place<recorder::TaskLifecycleRecord> lifecycle_;
  Place<recorder::EdgeRecord> edge_;
  Place<recorder::SchedulerPhaseRecord> scheduler_;
  Place<recorder::OrchestratorPhaseRecord> orchestrator_;
  Hooks hooks_;  // behind the writers, which they point to
  std::uint32_t next_ = 0;
};

}  // namespace accelscope::experiments
