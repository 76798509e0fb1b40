#include "formats/chip_run/sample_recordings.h"

#include <algorithm>

#include "accelscope/dfx_flags.h"

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

}  // namespace accelscope::formats::chip_run
