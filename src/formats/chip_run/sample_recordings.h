// Recordings for tests, benchmarks and seed corpora: the rows of a capture as the records that a device would
// have made of them, through the writer that a collector uses.
//
// Each call is independent of others.
//
//   base::MemoryOutput out;
//   ACCELSCOPE_CHECK(record(capture, out));
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/output.h"
#include "base/result.h"
#include "formats/capture/recording_writer.h"
#include "formats/chip_swimlane/capture.h"

namespace accelscope::formats::chip_run {

struct SampleOptions {
  std::uint32_t records_per_buffer = 1024;
  capture::RecordingOptions writer = {};
};

// How a run of this capture is configured: level 4 is our level 3, a level 3 without submissions there is
// not.
capture::RecordingFacts recording_facts(const chip_swimlane::Capture& capture);

// The records of one producer.
template <class Record>
struct RecordedLane {
  std::uint32_t producer = 0;
  std::vector<Record> records = {};
};

struct RecordedRun {
  std::vector<RecordedLane<recorder::CoreTaskRecord>> cores = {};
  std::vector<RecordedLane<recorder::TaskLifecycleRecord>> lifecycles = {};
  std::vector<RecordedLane<recorder::SchedulerPhaseRecord>> phases = {};
  std::vector<RecordedLane<recorder::ControlTaskRecord>> control_tasks = {};
  std::vector<RecordedLane<recorder::QueueDepthRecord>> queue_depths = {};
  std::vector<RecordedLane<recorder::OrchestratorPhaseRecord>> submits = {};
};

// Arguments with and without gaps, a scalar, one that is cut, one of which a block is missing, one without
// bytes; and their blocks.
std::vector<recorder::TensorRecord> sample_tensors();
std::vector<recorder::TensorBlockRecord> sample_blocks();

RecordedRun records_of(const chip_swimlane::Capture& capture);

// Gives the lanes' buffers to the writer in turn, and counts them.
template <class Record>
base::Status take_lanes(const std::vector<RecordedLane<Record>>& lanes, std::uint32_t records_per_buffer,
                        capture::RecordingWriter& writer, std::vector<capture::LaneTotals>& totals) {
  bool left = true;
  for (std::uint64_t first = 0; left; first += records_per_buffer) {
    left = false;
    for (const RecordedLane<Record>& lane : lanes) {
      if (first >= lane.records.size()) continue;
      left = true;
      const auto rest = std::span(lane.records).subspan(first);
      const auto buffer = rest.first(std::min<std::size_t>(rest.size(), records_per_buffer));
      ACCELSCOPE_CHECK(writer.take({.magic = recorder::kBufferMagic,
                                    .kind = Record::kKind,
                                    .record_bytes = sizeof(Record),
                                    .producer = lane.producer,
                                    .buffer_number = static_cast<std::uint32_t>(first / records_per_buffer),
                                    .generation = 1,
                                    .first_record = first,
                                    .count = static_cast<std::uint32_t>(buffer.size()),
                                    .dropped_before = 0,
                                    .paused_from = 0,
                                    .paused_to = 0},
                                   std::as_bytes(buffer)));
    }
  }
  for (const RecordedLane<Record>& lane : lanes)
    totals.push_back({.kind = Record::kKind,
                      .producer = lane.producer,
                      .produced = lane.records.size(),
                      .collected = lane.records.size(),
                      .flushed = true});
  return {};
}

// The whole file.
base::Status record(const chip_swimlane::Capture& capture, base::Output& out,
                    const SampleOptions& options = {});

// A small file with records of every kind, drops, pauses and clock faults.
base::Status record_everything(base::Output& out);

}  // namespace accelscope::formats::chip_run
