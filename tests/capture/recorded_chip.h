// A chip that calls every hook of a run, whatever is on, and what a file holds of it afterwards.
//
//   run_chip(**recording, 100);
//   EXPECT_EQ(contents_of(path).records, expected);
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "accelscope/recorder/recorders.h"
#include "capture/chip_swimlane_collector.h"
#include "capture/producers.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/record_codec.h"
#include "formats/capture/recording.h"
#include "formats/chip_run/recording_reader.h"

namespace accelscope::capture::tests {

// A writer for a producer of a ChipSwimlaneCollector or FileRecording, or none when it is not recorded.
template <class Record, class Platform, class Source>
std::unique_ptr<recorder::RecordWriter<Record, Platform>> writer_of(const Source& source,
                                                                    std::uint32_t number,
                                                                    Platform& platform) {
  const std::optional<ProducerParts> parts = source.producer(Record::kKind, number);
  if (!parts) return nullptr;
  return std::make_unique<recorder::RecordWriter<Record, Platform>>(*parts->lane, *parts->gate,
                                                                    parts->buffers, parts->config, platform);
}

// Core 1, scheduler thread 0 and orchestrator 0 do all the work.
template <class Source>
void run_chip(const Source& source, std::uint32_t tasks,
              std::chrono::microseconds rest = std::chrono::microseconds(0)) {
  CountingPlatform platform;
  const std::uint64_t flags = source.dfx_flags();
  const auto core_writer = writer_of<recorder::CoreTaskRecord>(source, 1, platform);
  const auto life_writer = writer_of<recorder::TaskLifecycleRecord>(source, 0, platform);
  const auto edge_writer = writer_of<recorder::EdgeRecord>(source, 0, platform);
  const auto phase_writer = writer_of<recorder::SchedulerPhaseRecord>(source, 0, platform);
  const auto call_writer = writer_of<recorder::OrchestratorPhaseRecord>(source, 0, platform);
  recorder::CoreTaskRecorder core(flags, core_writer.get(), platform);
  recorder::LifecycleRecorder life(flags, life_writer.get(), platform);
  recorder::EdgeRecorder<kDfxTaskLifecycle, CountingPlatform> edge(flags, edge_writer.get());
  recorder::SchedulerPhaseRecorder phase(flags, phase_writer.get(), platform);
  recorder::OrchestratorPhaseRecorder call(flags, call_writer.get(), platform);
  for (std::uint32_t task = 0; task < tasks; ++task) {
    const std::uint64_t called = call.on_begin();
    call.on_end(0, called, task, task);
    if (task > 0) edge.on_edge(task - 1, task, recorder::EdgeReason::kFanout, 0);
    const std::uint64_t begun = phase.on_begin();
    const std::uint64_t dispatched = life.on_dispatch();
    core.on_receive();
    core.on_start();
    core.on_end(task, task + 1, 0);
    life.on_finish(1, task + 1, dispatched);
    phase.on_end(1, begun, {});
    if (rest.count() > 0 && task % 100 == 0) std::this_thread::sleep_for(rest);
  }
  const auto flush = [](const auto& writer) {
    if (writer != nullptr) writer->flush();
  };
  flush(core_writer), flush(life_writer), flush(edge_writer), flush(phase_writer), flush(call_writer);
}

using KindCounts = std::map<recorder::RecordKind, std::uint64_t>;

// What `tasks` of these are in a recording of a level.
inline KindCounts records_of_level(int level, std::uint64_t tasks) {
  using recorder::RecordKind;
  KindCounts counts;
  if (level >= 1) counts[RecordKind::kCoreTask] = tasks;
  if (level >= 2) counts[RecordKind::kTaskLifecycle] = tasks, counts[RecordKind::kEdge] = tasks - 1;
  if (level >= 3) counts[RecordKind::kSchedulerPhase] = counts[RecordKind::kOrchestratorPhase] = tasks;
  return counts;
}

using LaneKey = std::pair<recorder::RecordKind, std::uint32_t>;

// A recording, chunk by chunk.
struct Contents {
  formats::capture::RecordingFacts facts;
  KindCounts records;
  std::map<LaneKey, std::uint64_t> of_lane;
  std::vector<recorder::CoreTaskRecord> core_tasks;  // in the order of the file
  std::vector<formats::capture::LaneTotals> lanes;
  trace::QualityTable quality;
  bool complete = false;

  // Every account explains all that its producer made, and names as many records as are there.
  bool adds_up() const {
    for (const formats::capture::LaneTotals& lane : lanes) {
      const auto found = of_lane.find({lane.kind, lane.producer});
      const std::uint64_t there = found == of_lane.end() ? 0 : found->second;
      if (lane.produced != lane.collected + lane.all_dropped() || lane.collected != there) return false;
    }
    return !lanes.empty();
  }
};

inline Contents contents_of(const base::MappedFile& file) {
  Contents contents;
  auto reader = formats::capture::ContainerReader::open(file);
  if (!reader) {
    ADD_FAILURE() << reader.error().to_string();
    return contents;
  }
  formats::capture::RecordingTables tables;
  formats::capture::RecordsDecoder decoder;
  while (const auto chunk = reader->next()) {
    if (chunk->header.kind != formats::capture::ChunkKind::kRecords) {
      EXPECT_TRUE(tables.take(chunk->payload));
      continue;
    }
    EXPECT_TRUE(decoder.parse(chunk->payload));
    contents.records[decoder.kind()] += decoder.records();
    for (const formats::capture::BufferFacts& buffer : decoder.buffers())
      contents.of_lane[{decoder.kind(), buffer.producer}] += buffer.count;
    if (decoder.kind() != recorder::RecordKind::kCoreTask) continue;
    const auto tasks = decoder.decode_as<recorder::CoreTaskRecord>();
    contents.core_tasks.insert(contents.core_tasks.end(), tasks.begin(), tasks.end());
  }
  contents.facts = tables.facts();
  contents.lanes = tables.lanes();
  contents.complete = reader->ending() == formats::capture::Ending::kComplete;
  const auto rows = formats::chip_run::read_recorded_rows(file);
  EXPECT_TRUE(rows) << rows.error().to_string();
  if (rows) contents.quality = rows->capture.quality;
  return contents;
}

inline Contents contents_of(const std::string& path) {
  const auto file = base::MappedFile::open(path);
  if (file) return contents_of(*file);
  ADD_FAILURE() << file.error().to_string();
  return {};
}

}  // namespace accelscope::capture::tests
