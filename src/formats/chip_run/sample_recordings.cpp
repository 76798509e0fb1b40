#include "formats/chip_run/sample_recordings.h"

#include <algorithm>

#include "accelscope/dfx_flags.h"
#include "formats/chip_run/sample_pipes.h"

namespace accelscope::formats::chip_run {
namespace {

using capture::RecordingFacts;
using chip_swimlane::Capture;
using chip_swimlane::CoreRows;
using chip_swimlane::kNoTime;
using chip_swimlane::PhaseRow;
using recorder::CoreTaskRecord;
using recorder::TaskLifecycleRecord;

std::uint64_t ticks(std::int64_t time) {
  return time == kNoTime ? 0 : static_cast<std::uint64_t>(time);
}

std::uint32_t length(std::int64_t from, std::int64_t to) {
  return recorder::ticks_between(ticks(from), ticks(to));
}

CoreTaskRecord core_task(const CoreRows& rows, std::size_t row) {
  const bool received = !rows.receive.empty() && rows.receive[row] != kNoTime;
  return {.start = ticks(rows.start[row]),
          .task = rows.task[row],
          .duration = length(rows.start[row], rows.end[row]),
          .receive_to_start = received ? length(rows.receive[row], rows.start[row]) : recorder::kTooLong,
          .sequence = rows.sequence[row],
          .function =
              rows.function.empty() ? recorder::kNoFunction : static_cast<std::uint32_t>(rows.function[row])};
}

recorder::SchedulerPhaseRecord phase_record(const PhaseRow& row) {
  const auto depth = [](std::int64_t value) { return static_cast<std::int16_t>(value); };
  const auto looks = [](const std::optional<std::uint64_t>& count) {
    return count ? static_cast<std::uint16_t>(*count) : recorder::kNotCounted;
  };
  recorder::SchedulerPhaseRecord record{.start = ticks(row.start),
                                        .duration = length(row.start, row.end),
                                        .loop = static_cast<std::uint32_t>(row.loop),
                                        .tasks_processed = static_cast<std::uint32_t>(row.tasks_processed),
                                        .phase = static_cast<std::uint16_t>(row.kind),
                                        .ready = {recorder::kNoDepth, recorder::kNoDepth, recorder::kNoDepth},
                                        .pop_hits = looks(row.pop_hits),
                                        .pop_misses = looks(row.pop_misses)};
  if (row.queues_at_end)
    for (std::size_t i = 0; i < 3; ++i) record.ready[i] = depth((*row.queues_at_end)[i]);
  return record;
}

void add_thread(const std::vector<PhaseRow>& rows, std::uint32_t thread, RecordedRun& run) {
  RecordedLane<recorder::SchedulerPhaseRecord> phases{thread};
  RecordedLane<recorder::ControlTaskRecord> control_tasks{thread};
  RecordedLane<recorder::QueueDepthRecord> depths{thread};
  for (const PhaseRow& row : rows) {
    if (row.task)
      control_tasks.records.push_back({.start = ticks(row.start),
                                       .task = *row.task,
                                       .duration = length(row.start, row.end),
                                       .loop = static_cast<std::uint32_t>(row.loop),
                                       .tasks_processed = static_cast<std::uint32_t>(row.tasks_processed),
                                       .phase = static_cast<std::uint16_t>(row.kind),
                                       .reserved = 0});
    else
      phases.records.push_back(phase_record(row));
    if (row.queues_at_start && !row.task)
      depths.records.push_back({.start = ticks(row.start),
                                .ready = {static_cast<std::int16_t>((*row.queues_at_start)[0]),
                                          static_cast<std::int16_t>((*row.queues_at_start)[1]),
                                          static_cast<std::int16_t>((*row.queues_at_start)[2])},
                                .reserved = 0});
  }
  run.phases.push_back(std::move(phases));
  run.control_tasks.push_back(std::move(control_tasks));
  run.queue_depths.push_back(std::move(depths));
}

// Threads see their tasks done in the order of time.
void add_lifecycles(const Capture& capture, RecordedRun& run) {
  for (std::size_t core = 0; core < capture.cores.size(); ++core) {
    const CoreRows& rows = capture.cores[core];
    const std::int32_t known = core < capture.core_to_thread.size() ? capture.core_to_thread[core] : 0;
    const auto thread = static_cast<std::uint32_t>(std::max(known, 0));
    while (run.lifecycles.size() <= thread)
      run.lifecycles.push_back({static_cast<std::uint32_t>(run.lifecycles.size())});
    for (std::size_t row = 0; row < rows.dispatch.size(); ++row)
      if (rows.dispatch[row] != kNoTime || rows.finish[row] != kNoTime)
        run.lifecycles[thread].records.push_back({.dispatch = ticks(rows.dispatch[row]),
                                                  .finish = ticks(rows.finish[row]),
                                                  .sequence = rows.sequence[row],
                                                  .core = static_cast<std::uint32_t>(core)});
  }
  for (RecordedLane<TaskLifecycleRecord>& lane : run.lifecycles)
    std::stable_sort(
        lane.records.begin(), lane.records.end(),
        [](const TaskLifecycleRecord& a, const TaskLifecycleRecord& b) { return a.finish < b.finish; });
}

}  // namespace

std::vector<recorder::TensorRecord> sample_tensors() {
  using namespace recorder;
  return {
      {1, 0, 64, 0, TensorRole::kIn, TensorStage::kBefore, DataType::kFloat32, 2, {4, 4}, 0, 0, 0, {4, 1}, 0},
      {1,
       64,
       30,
       1,
       TensorRole::kInOut,
       TensorStage::kBefore,
       DataType::kInt16,
       2,
       {3, 5},
       TensorRecord::kStrided,
       0,
       7,
       {1, 3},
       0},
      {1,
       0,
       0,
       2,
       TensorRole::kIn,
       TensorStage::kBefore,
       DataType::kBfloat16,
       0,
       {},
       TensorRecord::kScalar,
       0x3FC0,
       0,
       {},
       0},
      {1,
       128,
       96,
       1,
       TensorRole::kOut,
       TensorStage::kAfter,
       DataType::kUint8,
       1,
       {100},
       TensorRecord::kCut,
       0,
       0,
       {1},
       0},
      {2, 256, 128, 0, TensorRole::kIn, TensorStage::kBefore, DataType::kFloat64, 1, {16}, 0, 0, 0, {1}, 0},
      {2,
       384,
       0,
       1,
       TensorRole::kIn,
       TensorStage::kBefore,
       DataType::kInt32,
       1,
       {1000},
       TensorRecord::kDescribed,
       0,
       0,
       {1},
       0}};
}

// Of the last tensor that has bytes, the last block is missing.
std::vector<recorder::TensorBlockRecord> sample_blocks() {
  std::vector<recorder::TensorBlockRecord> blocks(5);
  unsigned char next = 0;
  for (recorder::TensorBlockRecord& block : blocks)
    for (unsigned char& byte : block.bytes) byte = next++;
  return blocks;
}

RecordingFacts recording_facts(const Capture& capture) {
  RecordingFacts facts;
  facts.dfx_flags = dfx_flags_of_level(std::min(capture.level, kMaxChipSwimlaneLevel));
  facts.clock = capture.frequency;
  facts.generation = 1;
  for (const CoreRows& core : capture.cores)
    facts.cores.push_back(core.type == chip_swimlane::CoreType::kCube     ? capture::CoreType::kCube
                          : core.type == chip_swimlane::CoreType::kVector ? capture::CoreType::kVector
                                                                          : capture::CoreType::kUnknown);
  facts.scheduler_threads = static_cast<std::uint32_t>(capture.scheduler_threads.size());
  facts.orchestrators = static_cast<std::uint32_t>(capture.orchestrators.size());
  facts.phases = capture.phase_kinds;
  facts.policy = "block";
  return facts;
}

RecordedRun records_of(const Capture& capture) {
  RecordedRun run;
  for (std::size_t core = 0; core < capture.cores.size(); ++core) {
    RecordedLane<CoreTaskRecord> lane{static_cast<std::uint32_t>(core)};
    lane.records.reserve(capture.cores[core].task.size());
    for (std::size_t row = 0; row < capture.cores[core].task.size(); ++row)
      lane.records.push_back(core_task(capture.cores[core], row));
    run.cores.push_back(std::move(lane));
  }
  if (capture.level >= 2) add_lifecycles(capture, run);
  for (std::size_t thread = 0; thread < capture.scheduler_threads.size(); ++thread)
    add_thread(capture.scheduler_threads[thread], static_cast<std::uint32_t>(thread), run);
  for (std::size_t number = 0; number < capture.orchestrators.size(); ++number) {
    RecordedLane<recorder::OrchestratorPhaseRecord> lane{static_cast<std::uint32_t>(number)};
    for (const chip_swimlane::SubmitRow& row : capture.orchestrators[number])
      lane.records.push_back({.start = ticks(row.start),
                              .task = row.task,
                              .duration = length(row.start, row.end),
                              .submit_index = static_cast<std::uint32_t>(row.submit_index),
                              .phase = static_cast<std::uint16_t>(row.phase),
                              .reserved = {}});
    run.submits.push_back(std::move(lane));
  }
  return run;
}

base::Status record(const Capture& capture, base::Output& out, const SampleOptions& options) {
  const RecordedRun run = records_of(capture);
  capture::RecordingWriter writer(out, recording_facts(capture), options.writer);
  std::vector<capture::LaneTotals> totals;
  const auto take = [&](const auto& lanes) {
    return take_lanes(lanes, options.records_per_buffer, writer, totals);
  };
  ACCELSCOPE_CHECK(take(run.cores));
  ACCELSCOPE_CHECK(take(run.lifecycles));
  ACCELSCOPE_CHECK(take(run.phases));
  ACCELSCOPE_CHECK(take(run.control_tasks));
  ACCELSCOPE_CHECK(take(run.queue_depths));
  ACCELSCOPE_CHECK(take(run.submits));
  return writer.finish(totals);
}

// A core that was drained twice, the second time too late, and one whose unit wrote nothing.
base::Status take_sample_pipes(capture::RecordingWriter& writer, std::vector<capture::LaneTotals>& totals) {
  using perfmon::Pipe;
  SamplePipes run{.cores = {capture::CoreType::kCube, capture::CoreType::kVector}};
  run.drains = {
      {.time = 1400,
       .task = 1,
       .bytes = words_of({{1110, 1200, Pipe::kMte2}, {1180, 1390, Pipe::kCube}}, {{1150, Pipe::kMte2, 7}})},
      {.core = 1, .time = 1480, .task = 2},
      {.time = 1990, .task = 3, .bytes = words_of({{1700, 1800, Pipe::kFixp}}), .lost = 256, .state = 5}};
  return take_pipes(run, writer, totals);
}

base::Status record_everything(base::Output& out) {
  using recorder::EdgeReason;
  RecordingFacts facts{.dfx_flags = with_implied_dfx(known_dfx_bits()),
                       .clock = base::Frequency::mhz(50),
                       .generation = 1,
                       .cores = {capture::CoreType::kCube, capture::CoreType::kVector},
                       .scheduler_threads = 1,
                       .orchestrators = 1,
                       .functions = {{0, "matmul"}, {1, "add"}},
                       .phases = {"dispatch", "complete", "dummy_task", "submit"},
                       .policy = "drop",
                       .more = {{"host", "sample"}},
                       .pmu_counters = {"vec_busy_cycles", "icache_misses"},
                       .pmu_event_type = 2,
                       .scope_sites = {"model.cpp:7"},
                       .rings = {{8, 0, 0, 0}, {4096, 0, 0, 0}, {16, 0, 0, 0}, 32}};
  capture::RecordingWriter writer(out, facts, {.records_per_chunk = 64});
  std::vector<capture::LaneTotals> lanes;
  const auto take = [&]<class Record>(std::uint32_t producer, const std::vector<Record>& records) {
    return take_lanes(std::vector<RecordedLane<Record>>{{producer, records}}, 1024, writer, lanes);
  };
  const std::vector<CoreTaskRecord> cube = {{1100, 1, 300, 20, 1, 0}, {1500, 3, recorder::kTooLong, 5, 2, 0}};
  ACCELSCOPE_CHECK(take(0, cube));
  ACCELSCOPE_CHECK(take(1, std::vector<CoreTaskRecord>{{1450, 2, recorder::kBackwards, 9, 1, 1}}));
  ACCELSCOPE_CHECK(writer.take({.magic = recorder::kBufferMagic,
                                .kind = CoreTaskRecord::kKind,
                                .record_bytes = sizeof(CoreTaskRecord),
                                .producer = 0,
                                .buffer_number = 1,
                                .generation = 1,
                                .first_record = 5,
                                .count = 2,
                                .dropped_before = 3,
                                .paused_from = 1600,
                                .paused_to = 1700},
                               std::as_bytes(std::span(cube))));
  lanes.front() = {CoreTaskRecord::kKind, 0, 8, 4, {3, 1, 0}, 1, 0, 100, false};
  ACCELSCOPE_CHECK(
      take(0, std::vector<TaskLifecycleRecord>{{1050, 1420, 1, 0}, {1400, 1480, 1, 1}, {0, 1990, 2, 0}}));
  ACCELSCOPE_CHECK(take(0, std::vector<recorder::EdgeRecord>{{1, 2, EdgeReason::kExplicit, 0},
                                                             {1, 2, EdgeReason::kCreator, 1},
                                                             {2, 3, EdgeReason::kFanout, 0}}));
  ACCELSCOPE_CHECK(
      take(0, std::vector<recorder::TaskDescriptionRecord>{
                  {1, {0, -1, -1}, 1, 1, 0}, {2, {-1, 1, -1}, 2, 2, 0}, {3, {0, -1, -1}, 1, 0, 0}}));
  ACCELSCOPE_CHECK(
      take(0, std::vector<recorder::SchedulerPhaseRecord>{
                  {1000, 60, 1, 1, 0, {1, 0, 0}, 1, 4},
                  {1400, 30, 2, 1, 1, {0, 2, -1}, recorder::kNotCounted, recorder::kNotCounted}}));
  ACCELSCOPE_CHECK(take(0, std::vector<recorder::ControlTaskRecord>{{1440, 4, 0, 2, 1, 2, 0}}));
  ACCELSCOPE_CHECK(take(0, std::vector<recorder::QueueDepthRecord>{{1000, {2, 1, 0}, 0}}));
  ACCELSCOPE_CHECK(take(0, std::vector<recorder::OrchestratorPhaseRecord>{
                               {900, 1, 20, 0, 3, {}}, {930, 2, 20, 1, 3, {}}, {960, 3, 20, 2, 3, {}}}));
  ACCELSCOPE_CHECK(take(0, sample_tensors()));
  ACCELSCOPE_CHECK(take(0, sample_blocks()));
  ACCELSCOPE_CHECK(take(0, std::vector<recorder::PmuRecord>{{1, 300, 1, 0, {150, 7}}}));
  ACCELSCOPE_CHECK(take_sample_pipes(writer, lanes));
  ACCELSCOPE_CHECK(take(0, std::vector<recorder::ScopeRecord>{{0, 1, 0, 1, 0, 1, 0, 512, 0, 2, 3},
                                                              {0, 1, 0, 0, 1, 3, 0, 1024, 1, 4, 5}}));
  return writer.finish(lanes);
}

}  // namespace accelscope::formats::chip_run
