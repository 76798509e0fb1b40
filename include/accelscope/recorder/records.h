// What a device records: fixed-size records, one type per kind, written once at the end of what they
// describe.
//
// Freestanding. Times are ticks of the device's counter. Lengths are 32-bit: the two largest values stand for
// what a length cannot say, so that no clock fault turns into a time that looks real.
//
//   record.duration = ticks_between(start, end);
//   if (!is_length(record.duration)) ...
#pragma once

#include <cstdint>

#include "accelscope/recorder/tensor_types.h"

namespace accelscope::recorder {

using std::int16_t;
using std::int32_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

inline constexpr uint32_t kTooLong = 0xFFFFFFFF;    // more ticks than 32 bits hold
inline constexpr uint32_t kBackwards = 0xFFFFFFFE;  // the clock went backwards in between

// One comparison in the usual case: backwards is beyond every length.
constexpr uint32_t ticks_between(uint64_t from, uint64_t to) {
  const uint64_t ticks = to - from;
  if (ticks < kBackwards) [[likely]]
    return static_cast<uint32_t>(ticks);
  return to < from ? kBackwards : kTooLong;
}
constexpr bool is_length(uint32_t ticks) {
  return ticks < kBackwards;
}

inline constexpr uint32_t kNoFunction = 0xFFFFFFFF;

enum class RecordKind : uint16_t {
  kNone = 0,
  kCoreTask = 1,
  kTaskLifecycle = 2,
  kEdge = 3,
  kSchedulerPhase = 4,
  kOrchestratorPhase = 5,
  kTaskDescription = 6,
  kTensor = 7,
  kPmu = 8,
  kControlTask = 9,
  kQueueDepth = 10,
  kScope = 11,
  kTensorBlock = 12,
  kPerfmonDrain = 13,
  kPerfmonBlock = 14,
};

// A core: one task that it carried out.
struct CoreTaskRecord {
  static constexpr RecordKind kKind = RecordKind::kCoreTask;
  uint64_t start;
  uint64_t task;
  uint32_t duration;
  uint32_t receive_to_start;
  uint32_t sequence;  // of the dispatch on this core: 1, 2, 3, ...
  uint32_t function;
};
static_assert(sizeof(CoreTaskRecord) == 32);

// A control CPU: when it handed a task to a core and when it saw it done. Joined by core and sequence.
struct TaskLifecycleRecord {
  static constexpr RecordKind kKind = RecordKind::kTaskLifecycle;
  uint64_t dispatch;
  uint64_t finish;
  uint32_t sequence;
  uint32_t core;
};
static_assert(sizeof(TaskLifecycleRecord) == 24);

enum class EdgeReason : uint32_t { kFanout = 0, kExplicit = 1, kCreator = 2, kTensorMap = 3 };

// One task waits for another.
struct EdgeRecord {
  static constexpr RecordKind kKind = RecordKind::kEdge;
  uint64_t producer;
  uint64_t consumer;
  EdgeReason reason;
  uint32_t argument;  // of the consumer, where the reason is one
};
static_assert(sizeof(EdgeRecord) == 24);

inline constexpr uint16_t kNotCounted = 0xFFFF;  // looks into queues that nobody counted
inline constexpr int16_t kNoDepth = -1;          // a queue that nobody looked at

// A stretch of a scheduler thread's loop.
struct SchedulerPhaseRecord {
  static constexpr RecordKind kKind = RecordKind::kSchedulerPhase;
  uint64_t start;
  uint32_t duration;
  uint32_t loop;
  uint32_t tasks_processed;
  uint16_t phase;     // the runtime's number; its name is in the capture's configuration
  int16_t ready[3];   // depth of the ready queues AIC, AIV, MIX at the end of the phase, or kNoDepth
  uint16_t pop_hits;  // looks into the ready queues that found a task, or kNotCounted
  uint16_t pop_misses;
};
static_assert(sizeof(SchedulerPhaseRecord) == 32);

// What a scheduler thread did with a task that no core sees: a dummy, a skipped one, a graph.
struct ControlTaskRecord {
  static constexpr RecordKind kKind = RecordKind::kControlTask;
  uint64_t start;
  uint64_t task;
  uint32_t duration;  // 0 for a mere marker
  uint32_t loop;
  uint32_t tasks_processed;
  uint16_t phase;  // as in SchedulerPhaseRecord
  uint16_t reserved;
};
static_assert(sizeof(ControlTaskRecord) == 32);

// How deep the ready queues AIC, AIV, MIX were when a phase of this scheduler thread began.
struct QueueDepthRecord {
  static constexpr RecordKind kKind = RecordKind::kQueueDepth;
  uint64_t start;  // of the phase
  int16_t ready[3];
  uint16_t reserved;
};
static_assert(sizeof(QueueDepthRecord) == 16);

// A call of the orchestrator.
struct OrchestratorPhaseRecord {
  static constexpr RecordKind kKind = RecordKind::kOrchestratorPhase;
  uint64_t start;
  uint64_t task;
  uint32_t duration;
  uint32_t submit_index;
  uint16_t phase;
  uint16_t reserved[3];
};
static_assert(sizeof(OrchestratorPhaseRecord) == 32);

// What a submitted task is made of.
struct TaskDescriptionRecord {
  static constexpr RecordKind kKind = RecordKind::kTaskDescription;
  static constexpr uint32_t kEarlyDispatch = 1;
  static constexpr uint32_t kManualScope = 2;
  uint64_t task;
  int32_t kernels[3];  // of the AIC and the two AIVs; -1: none
  uint32_t blocks;
  uint32_t flags;
  uint32_t reserved;
};
static_assert(sizeof(TaskDescriptionRecord) == 32);

// An argument of a task, and where its bytes are among those that the same producer dumped.
struct TensorRecord {
  static constexpr RecordKind kKind = RecordKind::kTensor;
  static constexpr uint32_t kScalar = 1;     // `value` holds it; nothing is dumped
  static constexpr uint32_t kStrided = 2;    // it has gaps, or another order, in memory
  static constexpr uint32_t kCut = 4;        // the dump has less than all of it
  static constexpr uint32_t kDescribed = 8;  // nobody asked for its bytes
  uint64_t task;
  uint64_t payload_offset;  // 64 times the number of its first TensorBlockRecord
  uint64_t payload_bytes;   // in blocks that follow each other, the last one filled up with zeros
  uint32_t argument;
  TensorRole role;
  TensorStage stage;
  DataType data_type;
  uint8_t dimensions;
  uint32_t shape[kMaxDimensions];
  uint32_t flags;
  uint64_t value;         // the bits of a scalar
  uint64_t start_offset;  // in elements, as are strides: how it lies in memory, not in the dump
  uint32_t strides[kMaxDimensions];
  uint32_t reserved;
};
static_assert(sizeof(TensorRecord) == 96);

// A piece of a tensor: its elements in order, without gaps, whatever it was in memory.
struct TensorBlockRecord {
  static constexpr RecordKind kKind = RecordKind::kTensorBlock;
  static constexpr uint32_t kBytes = 64;
  alignas(8) unsigned char bytes[kBytes];
};
static_assert(sizeof(TensorBlockRecord) == TensorBlockRecord::kBytes);

// The performance monitor's counters over one task.
struct PmuRecord {
  static constexpr RecordKind kKind = RecordKind::kPmu;
  static constexpr uint32_t kCounters = 10;
  uint64_t task;
  uint64_t total_cycles;
  uint32_t sequence;
  uint32_t core;
  uint32_t counters[kCounters];
};
static_assert(sizeof(PmuRecord) == 64);

// What else a drain found. Recordings of earlier versions have none of these.
enum PerfmonDrainNote : uint32_t {
  kDrainTornBytes = 0xFF,        // of a word that never became whole, behind the last
  kDrainIsStanding = 1U << 8U,   // the unit was off: nothing is written over while the bytes are copied
  kDrainIsLast = 1U << 9U,       // of the core
  kDrainNotSettled = 1U << 10U,  // words were still on their way when it was looked at last
  kDrainPointerOdd = 1U << 11U,  // the write pointer is not where the count says
  kDrainRestarted = 1U << 12U,   // begins where the unit was started anew, not where the drain before ends
};

// A control CPU, at the end of a task: how far a core's performance monitor has written its trace, and what
// has become of the bytes since the drain before. The words themselves are blocks, of the core.
struct PerfmonDrainRecord {
  static constexpr RecordKind kKind = RecordKind::kPerfmonDrain;
  static constexpr uint64_t kNoTask = 0xFFFFFFFFFFFFFFFF;  // behind the last one: what was in flight
  uint64_t time;                                           // when the counters were read
  uint64_t task;
  uint32_t core;
  uint32_t sequence;  // of the drain on this core: 1, 2, 3, ...
  uint32_t from;      // in the core's buffer, in bytes
  uint32_t to;
  uint32_t written;  // bytes since the drain before
  uint32_t copied;   // of them in blocks; 0 until the host has copied them
  uint32_t lost;     // written over before anybody saw them; with `copied` it is `written`
  uint32_t state;    // of the unit: perfmon::CoreState (perfmon/slice.h)
  uint32_t sampled;  // as read: samples made
  uint32_t counted;  // as read: samples written
  uint32_t pointer;  // as read: the write pointer
  uint32_t notes;    // PerfmonDrainNote

  // Of what was written, what the host is to copy.
  constexpr uint32_t to_copy() const { return written - (lost < written ? lost : written); }
};
static_assert(sizeof(PerfmonDrainRecord) == 64);

// A piece of a core's perfmon trace, as the hardware wrote it. The bytes of a drain begin with a new block;
// what is left of the last one is zero.
struct PerfmonBlockRecord {
  static constexpr RecordKind kKind = RecordKind::kPerfmonBlock;
  static constexpr uint32_t kBytes = 64;
  alignas(8) unsigned char bytes[kBytes];
};
static_assert(sizeof(PerfmonBlockRecord) == PerfmonBlockRecord::kBytes);

// How full the rings of the runtime were where a scope begins or ends. Positions only grow: what lies between
// start and end is in use.
struct ScopeRecord {
  static constexpr RecordKind kKind = RecordKind::kScope;
  uint32_t site;  // the runtime's number; its text is in the capture's configuration
  uint16_t depth;
  uint8_t ring;
  uint8_t begins;  // 1 at the beginning, 0 at the end
  uint64_t task_window_start;
  uint64_t task_window_end;
  uint64_t heap_start;
  uint64_t heap_end;
  uint64_t dep_pool_start;
  uint64_t dep_pool_end;
  uint64_t tensormap;
};
static_assert(sizeof(ScopeRecord) == 64);

}  // namespace accelscope::recorder
