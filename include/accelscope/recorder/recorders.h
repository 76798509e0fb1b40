// The hooks that a runtime calls: one recorder per kind of record and producer.
//
// Each hook tests one bit of the flag word and nothing else: what entry has checked is not checked again. A
// feature that is off costs that test, reads no clock and has no buffers; its recorder is made without a
// writer. A record is written once, at the end of what it describes; moments that must survive until then are
// handed to the caller, who keeps them beside the task. One thread or core owns a recorder. Freestanding but
// for <atomic>.
//
//   CoreTaskRecorder recorder(flags, &writer, platform);
//   recorder.on_receive();  ...  recorder.on_start();  kernel();  recorder.on_end(task, sequence, function);
#pragma once

#include "accelscope/dfx_flags.h"
#include "accelscope/recorder/record_writer.h"

namespace accelscope::recorder {

// A core's own tasks.
template <class Platform>
class CoreTaskRecorder {
 public:
  using Writer = RecordWriter<CoreTaskRecord, Platform>;
  CoreTaskRecorder(uint64_t flags, Writer* writer, Platform& platform)
      : flags_(flags), writer_(writer), platform_(platform) {}

  void on_receive() {
    if ((flags_ & kDfxCoreTiming) != 0) receive_ = platform_.now();
  }
  void on_start() {
    if ((flags_ & kDfxCoreTiming) != 0) start_ = platform_.now();
  }
  // When the last task began and ended, as it was recorded; 0 when nothing is.
  uint64_t started() const { return start_; }
  uint64_t ended() const { return end_; }
  void on_end(uint64_t task, uint32_t sequence, uint32_t function) {
    if ((flags_ & kDfxCoreTiming) == 0) return;
    end_ = platform_.now();
    writer_->put({.start = start_,
                  .task = task,
                  .duration = ticks_between(start_, end_),
                  .receive_to_start = ticks_between(receive_, start_),
                  .sequence = sequence,
                  .function = function});
  }

 private:
  uint64_t flags_;
  Writer* writer_;
  Platform& platform_;
  uint64_t receive_ = 0;
  uint64_t start_ = 0;
  uint64_t end_ = 0;
};

// A control CPU's view of the tasks it hands out.
template <class Platform>
class LifecycleRecorder {
 public:
  using Writer = RecordWriter<TaskLifecycleRecord, Platform>;
  LifecycleRecorder(uint64_t flags, Writer* writer, Platform& platform)
      : flags_(flags), writer_(writer), platform_(platform) {}

  // The moment, to be given back to on_finish(); 0 when nothing is recorded.
  [[nodiscard]] uint64_t on_dispatch() { return (flags_ & kDfxTaskLifecycle) != 0 ? platform_.now() : 0; }
  void on_finish(uint32_t core, uint32_t sequence, uint64_t dispatched) {
    if ((flags_ & kDfxTaskLifecycle) == 0) return;
    writer_->put({.dispatch = dispatched, .finish = platform_.now(), .sequence = sequence, .core = core});
  }

 private:
  uint64_t flags_;
  Writer* writer_;
  Platform& platform_;
};

// Who waits for whom. The bit says which edges: those of fan-out lists (kDfxTaskLifecycle) or all of them
// with their reasons (kDfxDependencyCapture).
template <uint64_t kBit, class Platform>
class EdgeRecorder {
 public:
  using Writer = RecordWriter<EdgeRecord, Platform>;
  EdgeRecorder(uint64_t flags, Writer* writer) : flags_(flags), writer_(writer) {}

  void on_edge(uint64_t producer, uint64_t consumer, EdgeReason reason, uint32_t argument) {
    if ((flags_ & kBit) == 0) return;
    writer_->put({.producer = producer, .consumer = consumer, .reason = reason, .argument = argument});
  }

 private:
  uint64_t flags_;
  Writer* writer_;
};

// The loop of a scheduler thread.
template <class Platform>
class SchedulerPhaseRecorder {
 public:
  using Writer = RecordWriter<SchedulerPhaseRecord, Platform>;
  struct Counts {
    uint32_t loop = 0;
    uint32_t tasks_processed = 0;
    uint16_t pop_hits = 0;
    uint16_t pop_misses = 0;
    int16_t ready[3] = {};
  };
  SchedulerPhaseRecorder(uint64_t flags, Writer* writer, Platform& platform)
      : flags_(flags), writer_(writer), platform_(platform) {}

  [[nodiscard]] uint64_t on_begin() { return (flags_ & kDfxPhaseBuffers) != 0 ? platform_.now() : 0; }
  void on_end(uint16_t phase, uint64_t begun, const Counts& counts) {
    if ((flags_ & kDfxPhaseBuffers) == 0) return;
    writer_->put({.start = begun,
                  .duration = ticks_between(begun, platform_.now()),
                  .loop = counts.loop,
                  .tasks_processed = counts.tasks_processed,
                  .phase = phase,
                  .ready = {counts.ready[0], counts.ready[1], counts.ready[2]},
                  .pop_hits = counts.pop_hits,
                  .pop_misses = counts.pop_misses});
  }

 private:
  uint64_t flags_;
  Writer* writer_;
  Platform& platform_;
};

// Tasks that a scheduler thread settles by itself. A marker begins and ends at once.
template <class Platform>
class ControlTaskRecorder {
 public:
  using Writer = RecordWriter<ControlTaskRecord, Platform>;
  ControlTaskRecorder(uint64_t flags, Writer* writer, Platform& platform)
      : flags_(flags), writer_(writer), platform_(platform) {}

  [[nodiscard]] uint64_t on_begin() { return (flags_ & kDfxPhaseBuffers) != 0 ? platform_.now() : 0; }
  void on_end(uint16_t phase, uint64_t begun, uint64_t task, uint32_t loop, uint32_t tasks_processed) {
    if ((flags_ & kDfxPhaseBuffers) == 0) return;
    writer_->put({.start = begun,
                  .task = task,
                  .duration = ticks_between(begun, platform_.now()),
                  .loop = loop,
                  .tasks_processed = tasks_processed,
                  .phase = phase,
                  .reserved = 0});
  }

 private:
  uint64_t flags_;
  Writer* writer_;
  Platform& platform_;
};

// The calls of an orchestrator.
template <class Platform>
class OrchestratorPhaseRecorder {
 public:
  using Writer = RecordWriter<OrchestratorPhaseRecord, Platform>;
  OrchestratorPhaseRecorder(uint64_t flags, Writer* writer, Platform& platform)
      : flags_(flags), writer_(writer), platform_(platform) {}

  [[nodiscard]] uint64_t on_begin() { return (flags_ & kDfxPhaseBuffers) != 0 ? platform_.now() : 0; }
  void on_end(uint16_t phase, uint64_t begun, uint64_t task, uint32_t submit_index) {
    if ((flags_ & kDfxPhaseBuffers) == 0) return;
    writer_->put({.start = begun,
                  .task = task,
                  .duration = ticks_between(begun, platform_.now()),
                  .submit_index = submit_index,
                  .phase = phase,
                  .reserved = {}});
  }

 private:
  uint64_t flags_;
  Writer* writer_;
  Platform& platform_;
};

// Records without a clock of their own: what a task is made of, its counters, how full things are. Arguments
// have bytes, too: tensor_dump.h.
template <class Record, uint64_t kBit, class Platform>
class FactRecorder {
 public:
  using Writer = RecordWriter<Record, Platform>;
  FactRecorder(uint64_t flags, Writer* writer) : flags_(flags), writer_(writer) {}

  void on_fact(const Record& record) {
    if ((flags_ & kBit) != 0) writer_->put(record);
  }

 private:
  uint64_t flags_;
  Writer* writer_;
};

template <class Platform>
using TaskDescriptionRecorder = FactRecorder<TaskDescriptionRecord, kDfxDependencyCapture, Platform>;
template <class Platform>
using PmuRecorder = FactRecorder<PmuRecord, kDfxPmu, Platform>;
template <class Platform>
using QueueDepthRecorder = FactRecorder<QueueDepthRecord, kDfxPhaseBuffers, Platform>;
template <class Platform>
using ScopeRecorder = FactRecorder<ScopeRecord, kDfxScopeStats, Platform>;

}  // namespace accelscope::recorder
