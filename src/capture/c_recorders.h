// The recorders behind accelscope/accelscope_recorder.h: the hooks of one core, scheduler thread or
// orchestrator, each with a writer for every kind of record that is on.
//
// Made by the thread that owns the recording, then used by one thread each.
//
//   const RecorderSource source{recording, clock, 0};
//   accelscope_core core(source, 3);
//   core.recorder.on_receive();
#pragma once

#include <cstdint>
#include <memory>
#include <thread>

#include "accelscope/accelscope_recorder.h"
#include "accelscope/recorder/counter_platform.h"
#include "accelscope/recorder/recorders.h"
#include "accelscope/recorder/tensor_dump.h"
#include "capture/file_recording.h"

namespace accelscope::capture {

// The caller's clock, or the processor's counter.
struct GivenClock {
  std::uint64_t (*read)(void*) = nullptr;
  void* context = nullptr;
  recorder::CounterPlatform counter = {};

  std::uint64_t now() { return read == nullptr ? counter.now() : read(context); }
  // Who waits, waits for the host's threads, which may need its processor.
  void relax() { std::this_thread::yield(); }
};

// What recorders are made of.
struct RecorderSource {
  const FileRecording& recording;
  GivenClock& clock;
  std::uint64_t tensor_bytes = 0;  // of one tensor at most; 0: all

  std::uint64_t flags() const { return recording.dfx_flags(); }
};

// The writer of one kind of record; null when it is not recorded.
template <class Record>
class OwnWriter {
 public:
  using Writer = recorder::RecordWriter<Record, GivenClock>;
  OwnWriter(const RecorderSource& source, std::uint32_t number) {
    if (const auto parts = source.recording.producer(Record::kKind, number))
      writer_ =
          std::make_unique<Writer>(*parts->lane, *parts->gate, parts->buffers, parts->config, source.clock);
  }

  Writer* get() const { return writer_.get(); }
  void flush() const {
    if (writer_) writer_->flush();
  }

 private:
  std::unique_ptr<Writer> writer_;
};

}  // namespace accelscope::capture

// NOLINTBEGIN(readability-identifier-naming): names as C has them
struct accelscope_core {
  template <class Record>
  using Writer = accelscope::capture::OwnWriter<Record>;

  accelscope_core(const accelscope::capture::RecorderSource& source, std::uint32_t number)
      : tasks(source, number), recorder(source.flags(), tasks.get(), source.clock) {}

  void flush() const { tasks.flush(); }

  Writer<accelscope::recorder::CoreTaskRecord> tasks;
  accelscope::recorder::CoreTaskRecorder<accelscope::capture::GivenClock> recorder;
};

struct accelscope_scheduler {
  using Clock = accelscope::capture::GivenClock;
  template <class Record>
  using Writer = accelscope::capture::OwnWriter<Record>;

  accelscope_scheduler(const accelscope::capture::RecorderSource& source, std::uint32_t number)
      : lifecycles(source, number),
        phases(source, number),
        controls(source, number),
        readings(source, number),
        queue_depths(source, number),
        tensors(source, number),
        blocks(source, number),
        lifecycle(source.flags(), lifecycles.get(), source.clock),
        phase(source.flags(), phases.get(), source.clock),
        control(source.flags(), controls.get(), source.clock),
        pmu(source.flags(), readings.get()),
        queue_depth(source.flags(), queue_depths.get()),
        dump(source.flags(), tensors.get(), blocks.get(), source.tensor_bytes) {}

  void flush() const {
    lifecycles.flush();
    phases.flush();
    controls.flush();
    readings.flush();
    queue_depths.flush();
    blocks.flush();
    tensors.flush();
  }

  Writer<accelscope::recorder::TaskLifecycleRecord> lifecycles;
  Writer<accelscope::recorder::SchedulerPhaseRecord> phases;
  Writer<accelscope::recorder::ControlTaskRecord> controls;
  Writer<accelscope::recorder::PmuRecord> readings;
  Writer<accelscope::recorder::QueueDepthRecord> queue_depths;
  Writer<accelscope::recorder::TensorRecord> tensors;
  Writer<accelscope::recorder::TensorBlockRecord> blocks;
  accelscope::recorder::LifecycleRecorder<Clock> lifecycle;
  accelscope::recorder::SchedulerPhaseRecorder<Clock> phase;
  accelscope::recorder::ControlTaskRecorder<Clock> control;
  accelscope::recorder::PmuRecorder<Clock> pmu;
  accelscope::recorder::QueueDepthRecorder<Clock> queue_depth;
  accelscope::recorder::TensorDumpRecorder<Clock> dump;
};

struct accelscope_orchestrator {
  using Clock = accelscope::capture::GivenClock;
  template <class Record>
  using Writer = accelscope::capture::OwnWriter<Record>;

  accelscope_orchestrator(const accelscope::capture::RecorderSource& source, std::uint32_t number)
      : phases(source, number),
        edges(source, number),
        descriptions(source, number),
        scopes(source, number),
        phase(source.flags(), phases.get(), source.clock),
        // Either of two bits asks for edges; the recorder tests one.
        edge(edges.get() != nullptr ? accelscope::kDfxTaskLifecycle : 0, edges.get()),
        description(source.flags(), descriptions.get()),
        scope(source.flags(), scopes.get()) {}

  void flush() const {
    phases.flush();
    edges.flush();
    descriptions.flush();
    scopes.flush();
  }

  Writer<accelscope::recorder::OrchestratorPhaseRecord> phases;
  Writer<accelscope::recorder::EdgeRecord> edges;
  Writer<accelscope::recorder::TaskDescriptionRecord> descriptions;
  Writer<accelscope::recorder::ScopeRecord> scopes;
  accelscope::recorder::OrchestratorPhaseRecorder<Clock> phase;
  accelscope::recorder::EdgeRecorder<accelscope::kDfxTaskLifecycle, Clock> edge;
  accelscope::recorder::TaskDescriptionRecorder<Clock> description;
  accelscope::recorder::ScopeRecorder<Clock> scope;
};
// NOLINTEND(readability-identifier-naming)
