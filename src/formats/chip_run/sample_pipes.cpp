#include "formats/chip_run/sample_pipes.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "accelscope/dfx_flags.h"
#include "formats/chip_run/sample_recordings.h"
#include "formats/perfmon/encoder.h"

namespace accelscope::formats::chip_run {
namespace {

using recorder::CoreTaskRecord;
using recorder::PerfmonBlockRecord;
using recorder::PerfmonDrainRecord;

void append_blocks(const std::vector<std::byte>& bytes, std::vector<PerfmonBlockRecord>& blocks) {
  for (std::size_t at = 0; at < bytes.size(); at += PerfmonBlockRecord::kBytes) {
    PerfmonBlockRecord block = {};
    std::memcpy(block.bytes, bytes.data() + at,
                std::min<std::size_t>(bytes.size() - at, PerfmonBlockRecord::kBytes));
    blocks.push_back(block);
  }
}

struct PipeLanes {
  RecordedLane<PerfmonDrainRecord> drains = {};
  std::vector<RecordedLane<PerfmonBlockRecord>> blocks = {};  // by core
};

PipeLanes lanes_of(const SamplePipes& run) {
  PipeLanes lanes;
  for (std::uint32_t core = 0; core < run.cores.size(); ++core) lanes.blocks.push_back({core});
  std::vector<std::uint32_t> sequences(run.cores.size());
  std::vector<std::uint32_t> positions(run.cores.size());
  for (std::size_t i = 0; i < run.drains.size(); ++i) {
    const SampleDrain& drain = run.drains[i];
    append_blocks(drain.bytes, lanes.blocks[drain.core].records);
    const auto copied = static_cast<std::uint32_t>(drain.bytes.size());
    if (drain.started_anew) positions[drain.core] = 0;
    const std::uint32_t from = positions[drain.core] + drain.lost;
    positions[drain.core] = from + copied;
    const PerfmonDrainRecord record{.time = drain.time,
                                    .task = drain.task,
                                    .core = drain.core,
                                    .sequence = ++sequences[drain.core],
                                    .from = from,
                                    .to = positions[drain.core],
                                    .written = copied + drain.lost,
                                    .copied = copied,
                                    .lost = drain.lost,
                                    .state = drain.state,
                                    .sampled = 0,
                                    .counted = 0,
                                    .pointer = 0,
                                    .notes = 0};
    if (std::find(run.left_out.begin(), run.left_out.end(), i) == run.left_out.end())
      lanes.drains.records.push_back(record);
  }
  for (RecordedLane<PerfmonBlockRecord>& lane : lanes.blocks)
    lane.records.resize(lane.records.size() - std::min<std::size_t>(lane.records.size(), run.blocks_dropped));
  return lanes;
}

std::vector<RecordedLane<CoreTaskRecord>> tasks_of(const SamplePipes& run) {
  std::vector<RecordedLane<CoreTaskRecord>> lanes;
  for (std::uint32_t core = 0; core < run.cores.size(); ++core) lanes.push_back({core});
  for (const SampleTask& task : run.tasks) {
    std::vector<CoreTaskRecord>& records = lanes[task.core].records;
    records.push_back({.start = task.start,
                       .task = task.task,
                       .duration = recorder::ticks_between(task.start, task.end),
                       .receive_to_start = 0,
                       .sequence = static_cast<std::uint32_t>(records.size() + 1),
                       .function = task.function});
  }
  return lanes;
}

}  // namespace

std::vector<std::byte> words_of(const std::vector<PipeSpan>& spans, const std::vector<PipeMark>& marks) {
  std::map<std::int64_t, perfmon::PipeMask> changes;  // pipes that begin or end then
  for (const PipeSpan& span : spans) {
    changes[span.from] ^= perfmon::bit_of(span.pipe);
    changes[span.to] ^= perfmon::bit_of(span.pipe);
  }
  std::vector<PipeMark> ordered = marks;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const PipeMark& a, const PipeMark& b) { return a.time < b.time; });
  std::vector<std::byte> bytes;
  perfmon::Encoder encoder;
  perfmon::PipeMask busy = 0;
  auto mark = ordered.begin();
  const auto put_marks = [&](std::int64_t before) {
    for (; mark != ordered.end() && mark->time < before; ++mark)
      (void)encoder.mark(base::Cycles{mark->time}, mark->pipe, mark->id, perfmon::appends_to(bytes));
  };
  for (const auto& [time, pipes] : changes) {
    put_marks(time);
    busy ^= pipes;
    (void)encoder.state(base::Cycles{time}, busy, perfmon::appends_to(bytes));
  }
  put_marks(INT64_MAX);
  return bytes;
}

base::Status take_pipes(const SamplePipes& run, capture::RecordingWriter& writer,
                        std::vector<capture::LaneTotals>& totals) {
  const PipeLanes lanes = lanes_of(run);
  ACCELSCOPE_CHECK(take_lanes(std::vector{lanes.drains}, 8, writer, totals));
  return take_lanes(lanes.blocks, 16, writer, totals);
}

base::Status record_pipes(const SamplePipes& run, base::Output& out) {
  capture::RecordingFacts facts;
  facts.dfx_flags = with_implied_dfx(kDfxCoreSwimlane | (run.pmu.empty() ? 0 : kDfxPmu));
  facts.clock = base::Frequency::mhz(1000);
  facts.generation = 1;
  facts.cores = run.cores;
  facts.scheduler_threads = 1;
  for (std::uint32_t i = 0; i < run.functions.size(); ++i) facts.functions.emplace_back(i, run.functions[i]);
  facts.policy = "block";
  facts.pmu_counters = run.pmu_counters;
  facts.perfmon_layout = run.layout;
  facts.perfmon_ticks = run.perfmon_ticks;
  facts.perfmon_cycles = run.perfmon_cycles;
  capture::RecordingWriter writer(out, facts);
  std::vector<capture::LaneTotals> totals;
  ACCELSCOPE_CHECK(take_lanes(tasks_of(run), 1024, writer, totals));
  ACCELSCOPE_CHECK(take_pipes(run, writer, totals));
  if (!run.pmu.empty())
    ACCELSCOPE_CHECK(
        take_lanes(std::vector<RecordedLane<recorder::PmuRecord>>{{0, run.pmu}}, 1024, writer, totals));
  return writer.finish(totals);
}

}  // namespace accelscope::formats::chip_run
