// Records of cores, schedulers and orchestrators as the rows that a swimlane file has of them.
//
// What a record cannot say (a clock that went backwards, a length beyond 32 bits, a time beyond 63) is
// counted and said once. One thread fills it, buffer by buffer, those of one producer in order.
//
//   RecordedRows rows(path);
//   rows.take(decoder, offset);
//   ACCELSCOPE_TRY(Capture capture, rows.settle(facts, quality));
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/capture/record_codec.h"
#include "formats/capture/recording.h"
#include "formats/chip_swimlane/capture.h"
#include "formats/chip_swimlane/draft.h"

namespace accelscope::formats::chip_run {

class RecordedRows {
 public:
  explicit RecordedRows(std::string path) : path_(std::move(path)) {}

  // Makes room for so many records of a core, and for what its scheduler recorded of them.
  void expect(std::uint32_t core, std::size_t records, bool with_lifecycles);
  // The records of one buffer, which lie in the chunk at `offset`.
  void add(std::span<const recorder::CoreTaskRecord> records, std::uint32_t core, std::uint64_t offset);
  void add(std::span<const recorder::TaskLifecycleRecord> records, std::uint32_t thread,
           std::uint64_t offset);
  void add(std::span<const recorder::SchedulerPhaseRecord> records, std::uint32_t thread,
           std::uint64_t offset);
  void add(std::span<const recorder::ControlTaskRecord> records, std::uint32_t thread, std::uint64_t offset);
  void add(std::span<const recorder::QueueDepthRecord> records, std::uint32_t thread, std::uint64_t offset);
  void add(std::span<const recorder::OrchestratorPhaseRecord> records, std::uint32_t orchestrator,
           std::uint64_t offset);
  void take_fanout(std::vector<chip_swimlane::FanoutEdge> edges) { draft_.capture.fanout = std::move(edges); }

  // What a reader of the same run's JSON would give, with what only records have.
  base::Result<chip_swimlane::Capture> settle(const capture::RecordingFacts& facts,
                                              trace::QualityTable& quality) &&;

 private:
  void note_length(std::uint32_t length, std::uint64_t offset);
  void append(std::span<const recorder::CoreTaskRecord> records, chip_swimlane::CoreRows& rows,
              std::uint64_t offset);
  void add_phase(std::uint32_t thread, std::uint64_t start, std::uint32_t duration,
                 chip_swimlane::PhaseRow row, std::uint64_t offset);
  // Nothing for a thread that cannot be, which is counted.
  template <class Row>
  std::vector<Row>* rows_of_thread(std::vector<std::vector<Row>>& threads, std::uint32_t thread,
                                   std::uint64_t offset) {
    std::vector<Row>* rows = chip_swimlane::rows_of_core(threads, thread);
    if (rows == nullptr) impossible_producers_.note(offset);
    return rows;
  }
  void state_facts(const capture::RecordingFacts& facts);
  void state_threads(const capture::RecordingFacts& facts);
  void order_control_tasks();
  void join_queue_depths();
  void name_phases(const capture::RecordingFacts& facts);
  void add_quality(trace::QualityTable& quality) const;

  std::string path_;
  chip_swimlane::Draft draft_;
  std::vector<std::int32_t> thread_of_core_;                           // kSeveral where it is not one
  std::vector<std::vector<recorder::QueueDepthRecord>> queue_depths_;  // by thread
  bool has_control_tasks_ = false;
  chip_swimlane::Oddity backwards_;
  chip_swimlane::Oddity too_long_;
  chip_swimlane::Oddity impossible_times_;
  chip_swimlane::Oddity impossible_producers_;
  chip_swimlane::Oddity unnamed_phases_;
};

}  // namespace accelscope::formats::chip_run
