// What the host knows of each kind of record: its name, the flags that ask for it, who produces it and how
// large its buffers are. One table; the collector itself knows no kinds.
//
// A new kind is a specialisation of RecordTraits and a line in record_traits.cpp. Constants and pure
// functions, safe from any thread.
//
//   template <>
//   struct RecordTraits<MyRecord> {
//     static constexpr const char* kName = "my thing";
//     static constexpr std::uint64_t kFlags = kDfxMine;                 // any of these asks for it
//     static constexpr ProducedBy kProducedBy = ProducedBy::kCore;
//     static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 4};
//     static WrittenAt written_at(const MyRecord& record);              // left out by records without times
//   };
//   for (const RecordKindFacts& kind : record_kinds()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "accelscope/dfx_flags.h"
#include "accelscope/recorder/records.h"

namespace accelscope::capture {

// kHost: nothing on the device writes such records, so they need no buffers there; the host makes them of
// what it copies out of the device's memory, in lanes that are numbered like cores.
enum class ProducedBy : std::uint8_t { kCore, kSchedulerThread, kOrchestrator, kHost };

struct BufferSize {
  std::uint32_t records = 1024;
  std::uint32_t per_lane = 4;  // 1 to recorder::kLaneBuffers
};

// When a record was written, which is when that ended which it describes. A lane's records are in that order.
struct WrittenAt {
  std::uint64_t ticks = 0;
  bool backwards = false;  // the record itself says that the clock went backwards
};

constexpr WrittenAt written_at_end(std::uint64_t start, std::uint32_t duration) {
  const bool backwards = duration == recorder::kBackwards;
  return {start + (backwards ? 0 : duration), backwards};
}

// The clock of a lane, as its records show it.
struct LaneClock {
  std::uint64_t last = 0;
  std::uint64_t backwards = 0;  // how often it went backwards
};

struct RecordKindFacts {
  recorder::RecordKind kind = recorder::RecordKind::kNone;
  std::uint32_t record_bytes = 0;
  const char* name = "";
  std::uint64_t flags = 0;
  ProducedBy produced_by = ProducedBy::kCore;
  BufferSize buffers = {};
  // Lets the clock go through these records; null for records without times.
  void (*follow)(std::span<const std::byte> records, LaneClock& clock) = nullptr;
};

template <class Record>
struct RecordTraits;

// In the order of their numbers.
std::span<const RecordKindFacts> record_kinds();
// Null for a kind that is not in the table.
const RecordKindFacts* facts_of(recorder::RecordKind kind);
// As people say it: "core task".
const char* name_of(recorder::RecordKind kind);

template <class Record>
void follow_clock(std::span<const std::byte> records, LaneClock& clock) {
  for (std::size_t at = 0; at + sizeof(Record) <= records.size(); at += sizeof(Record)) {
    Record record;
    std::memcpy(&record, records.data() + at, sizeof record);
    const WrittenAt written = RecordTraits<Record>::written_at(record);
    if (written.backwards || written.ticks < clock.last) ++clock.backwards;
    clock.last = written.ticks;
  }
}

template <class Record>
constexpr RecordKindFacts facts_of() {
  using Traits = RecordTraits<Record>;
  RecordKindFacts facts = {.kind = Record::kKind,
                           .record_bytes = sizeof(Record),
                           .name = Traits::kName,
                           .flags = Traits::kFlags,
                           .produced_by = Traits::kProducedBy,
                           .buffers = Traits::kBuffers};
  if constexpr (requires(const Record& record) { Traits::written_at(record); })
    facts.follow = &follow_clock<Record>;
  return facts;
}

template <>
struct RecordTraits<recorder::CoreTaskRecord> {
  static constexpr const char* kName = "core task";
  static constexpr std::uint64_t kFlags = kDfxCoreTiming;
  static constexpr ProducedBy kProducedBy = ProducedBy::kCore;
  static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 4};
  static WrittenAt written_at(const recorder::CoreTaskRecord& record) {
    WrittenAt written = written_at_end(record.start, record.duration);
    written.backwards |= record.receive_to_start == recorder::kBackwards;
    return written;
  }
};

template <>
struct RecordTraits<recorder::TaskLifecycleRecord> {
  static constexpr const char* kName = "task lifecycle";
  static constexpr std::uint64_t kFlags = kDfxTaskLifecycle;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 4096, .per_lane = 4};
  static WrittenAt written_at(const recorder::TaskLifecycleRecord& record) {
    return {record.finish, record.finish < record.dispatch};
  }
};

template <>
struct RecordTraits<recorder::EdgeRecord> {
  static constexpr const char* kName = "edge";
  static constexpr std::uint64_t kFlags = kDfxTaskLifecycle | kDfxDependencyCapture;
  static constexpr ProducedBy kProducedBy = ProducedBy::kOrchestrator;
  static constexpr BufferSize kBuffers = {.records = 4096, .per_lane = 4};
};

template <>
struct RecordTraits<recorder::SchedulerPhaseRecord> {
  static constexpr const char* kName = "scheduler phase";
  static constexpr std::uint64_t kFlags = kDfxPhaseBuffers;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 4096, .per_lane = 4};
  static WrittenAt written_at(const recorder::SchedulerPhaseRecord& record) {
    return written_at_end(record.start, record.duration);
  }
};

template <>
struct RecordTraits<recorder::OrchestratorPhaseRecord> {
  static constexpr const char* kName = "orchestrator phase";
  static constexpr std::uint64_t kFlags = kDfxPhaseBuffers;
  static constexpr ProducedBy kProducedBy = ProducedBy::kOrchestrator;
  static constexpr BufferSize kBuffers = {.records = 4096, .per_lane = 4};
  static WrittenAt written_at(const recorder::OrchestratorPhaseRecord& record) {
    return written_at_end(record.start, record.duration);
  }
};

template <>
struct RecordTraits<recorder::TaskDescriptionRecord> {
  static constexpr const char* kName = "task description";
  static constexpr std::uint64_t kFlags = kDfxDependencyCapture;
  static constexpr ProducedBy kProducedBy = ProducedBy::kOrchestrator;
  static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 4};
};

template <>
struct RecordTraits<recorder::TensorRecord> {
  static constexpr const char* kName = "tensor";
  static constexpr std::uint64_t kFlags = kDfxDumpTensor;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 256, .per_lane = 8};
};

template <>
struct RecordTraits<recorder::PmuRecord> {
  static constexpr const char* kName = "PMU reading";
  static constexpr std::uint64_t kFlags = kDfxPmu;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 4};
};

template <>
struct RecordTraits<recorder::ControlTaskRecord> {
  static constexpr const char* kName = "control task";
  static constexpr std::uint64_t kFlags = kDfxPhaseBuffers;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 4};
  static WrittenAt written_at(const recorder::ControlTaskRecord& record) {
    return written_at_end(record.start, record.duration);
  }
};

template <>
struct RecordTraits<recorder::QueueDepthRecord> {
  static constexpr const char* kName = "queue depth";
  static constexpr std::uint64_t kFlags = kDfxPhaseBuffers;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 4096, .per_lane = 4};
  static WrittenAt written_at(const recorder::QueueDepthRecord& record) { return {record.start, false}; }
};

template <>
struct RecordTraits<recorder::ScopeRecord> {
  static constexpr const char* kName = "scope";
  static constexpr std::uint64_t kFlags = kDfxScopeStats;
  static constexpr ProducedBy kProducedBy = ProducedBy::kOrchestrator;
  static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 4};
};

// Large buffers: bytes come by the megabyte, and a change of buffers is for all of one.
template <>
struct RecordTraits<recorder::TensorBlockRecord> {
  static constexpr const char* kName = "block of a tensor";
  static constexpr std::uint64_t kFlags = kDfxDumpTensor;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 4096, .per_lane = 8};
};

// Handed over before they are full: the hardware's own buffer goes round under a drain that nobody has taken.
template <>
struct RecordTraits<recorder::PerfmonDrainRecord> {
  static constexpr const char* kName = "perfmon drain";
  static constexpr std::uint64_t kFlags = kDfxCoreSwimlane;
  static constexpr ProducedBy kProducedBy = ProducedBy::kSchedulerThread;
  static constexpr BufferSize kBuffers = {.records = 64, .per_lane = 8};
  static WrittenAt written_at(const recorder::PerfmonDrainRecord& record) { return {record.time, false}; }
};

template <>
struct RecordTraits<recorder::PerfmonBlockRecord> {
  static constexpr const char* kName = "block of a perfmon trace";
  static constexpr std::uint64_t kFlags = kDfxCoreSwimlane;
  static constexpr ProducedBy kProducedBy = ProducedBy::kHost;
  static constexpr BufferSize kBuffers = {.records = 1024, .per_lane = 1};
};

}  // namespace accelscope::capture
