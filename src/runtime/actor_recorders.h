// The recorders of each actor, made from what a recording has for it.
//
// Each set belongs to its actor, which alone may call it; flush() is the last call. What is not recorded has
// no writer, and its hooks test a bit (docs/recorder.md).
//
//   SchedulerRecorders<Clock> recorders(recording, thread, clock);
//   const std::uint64_t begun = recorders.phases.on_begin();
//   ...
//   recorders.flush();
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "accelscope/recorder/perfmon_recorder.h"
#include "accelscope/recorder/recorders.h"
#include "accelscope/recorder/tensor_dump.h"
#include "capture/file_recording.h"

namespace accelscope::runtime {

// Numbers of phases, as records have them; kPhaseNames gives their names in this order.
enum class Phase : std::uint16_t {
  kComplete,
  kDispatch,
  kRelease,
  kDummy,
  kEarlyDispatch,
  kResolve,
  kDrain,
  kDrainPrepare,
  kDrainPublish,
  kDummyTask,
  kPredicatedSkip,
  kSubmit,
};
inline constexpr std::string_view kPhaseNames[] = {
    "complete", "dispatch",      "release",       "dummy",      "early_dispatch",  "resolve",
    "drain",    "drain_prepare", "drain_publish", "dummy_task", "predicated_skip", "submit"};

constexpr std::uint16_t number_of(Phase phase) {
  return static_cast<std::uint16_t>(phase);
}

// The writer of one kind of record, if the recording has one for this producer.
template <class Record, class Clock>
class LaneWriter {
 public:
  using Writer = recorder::RecordWriter<Record, Clock>;

  LaneWriter(const capture::FileRecording* recording, std::uint32_t producer, Clock& clock) {
    if (recording == nullptr) return;
    if (const std::optional<capture::ProducerParts> parts = recording->producer(Record::kKind, producer))
      writer_.emplace(*parts->lane, *parts->gate, parts->buffers, parts->config, clock);
  }
  Writer* get() { return writer_ ? &*writer_ : nullptr; }
  void flush() {
    if (writer_) writer_->flush();
  }

 private:
  std::optional<Writer> writer_;
};

inline std::uint64_t flags_of(const capture::FileRecording* recording) {
  return recording == nullptr ? 0 : recording->dfx_flags();
}

template <class Clock>
class CoreRecorders {
  LaneWriter<recorder::CoreTaskRecord, Clock> task_lane_;

 public:
  CoreRecorders(const capture::FileRecording* recording, std::uint32_t core, Clock& clock)
      : task_lane_(recording, core, clock), tasks(flags_of(recording), task_lane_.get(), clock) {}
  void flush() { task_lane_.flush(); }

  recorder::CoreTaskRecorder<Clock> tasks;
};

template <class Clock>
class SchedulerRecorders {
  LaneWriter<recorder::TaskLifecycleRecord, Clock> lifecycle_lane_;
  LaneWriter<recorder::SchedulerPhaseRecord, Clock> phase_lane_;
  LaneWriter<recorder::ControlTaskRecord, Clock> control_lane_;
  LaneWriter<recorder::QueueDepthRecord, Clock> depth_lane_;
  LaneWriter<recorder::PmuRecord, Clock> pmu_lane_;
  LaneWriter<recorder::TensorRecord, Clock> tensor_lane_;
  LaneWriter<recorder::TensorBlockRecord, Clock> tensor_block_lane_;
  LaneWriter<recorder::PerfmonDrainRecord, Clock> drain_lane_;

 public:
  SchedulerRecorders(const capture::FileRecording* recording, std::uint32_t thread, Clock& clock)
      : lifecycle_lane_(recording, thread, clock),
        phase_lane_(recording, thread, clock),
        control_lane_(recording, thread, clock),
        depth_lane_(recording, thread, clock),
        pmu_lane_(recording, thread, clock),
        tensor_lane_(recording, thread, clock),
        tensor_block_lane_(recording, thread, clock),
        drain_lane_(recording, thread, clock),
        flags(flags_of(recording)),
        lifecycles(flags, lifecycle_lane_.get(), clock),
        phases(flags, phase_lane_.get(), clock),
        control_tasks(flags, control_lane_.get(), clock),
        depths(flags, depth_lane_.get()),
        pmu(flags, pmu_lane_.get()),
        tensors(flags, tensor_lane_.get(), tensor_block_lane_.get()),
        drains(flags, drain_lane_.get()) {}
  void flush() {
    lifecycle_lane_.flush();
    phase_lane_.flush();
    control_lane_.flush();
    depth_lane_.flush();
    pmu_lane_.flush();
    tensor_lane_.flush();
    tensor_block_lane_.flush();
    drain_lane_.flush();
  }

  const std::uint64_t flags;
  recorder::LifecycleRecorder<Clock> lifecycles;
  recorder::SchedulerPhaseRecorder<Clock> phases;
  recorder::ControlTaskRecorder<Clock> control_tasks;
  recorder::QueueDepthRecorder<Clock> depths;
  recorder::PmuRecorder<Clock> pmu;
  recorder::TensorDumpRecorder<Clock> tensors;
  recorder::PerfmonDrainRecorder<Clock> drains;
};

template <class Clock>
class OrchestratorRecorders {
  LaneWriter<recorder::OrchestratorPhaseRecord, Clock> phase_lane_;
  LaneWriter<recorder::EdgeRecord, Clock> edge_lane_;
  LaneWriter<recorder::TaskDescriptionRecord, Clock> description_lane_;
  LaneWriter<recorder::ScopeRecord, Clock> scope_lane_;

 public:
  OrchestratorRecorders(const capture::FileRecording* recording, std::uint32_t number, Clock& clock)
      : phase_lane_(recording, number, clock),
        edge_lane_(recording, number, clock),
        description_lane_(recording, number, clock),
        scope_lane_(recording, number, clock),
        flags(flags_of(recording)),
        phases(flags, phase_lane_.get(), clock),
        fan_out(flags, edge_lane_.get()),
        edges(flags, edge_lane_.get()),
        descriptions(flags, description_lane_.get()),
        scopes(flags, scope_lane_.get()) {}
  void flush() {
    phase_lane_.flush();
    edge_lane_.flush();
    description_lane_.flush();
    scope_lane_.flush();
  }

  const std::uint64_t flags;
  recorder::OrchestratorPhaseRecorder<Clock> phases;
  recorder::EdgeRecorder<kDfxTaskLifecycle, Clock> fan_out;
  recorder::EdgeRecorder<kDfxDependencyCapture, Clock> edges;
  recorder::TaskDescriptionRecorder<Clock> descriptions;
  recorder::ScopeRecorder<Clock> scopes;
};

}  // namespace accelscope::runtime
