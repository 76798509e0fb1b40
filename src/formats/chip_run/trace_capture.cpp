#include "formats/chip_run/trace_capture.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>

#include "formats/chip_run/captured_control.h"
#include "formats/chip_run/captured_cores.h"
#include "formats/chip_run/captured_host.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using base::ErrorCode;
using base::fail;
using chip_swimlane::Capture;
using chip_swimlane::CoreRows;
using trace::ChipRun;
using trace::Severity;
using trace::Trace;
using trace::TrackId;

constexpr auto kMaxNumber = static_cast<std::int64_t>(chip_swimlane::kMaxCores) - 1;

base::Status check_numbers(const Trace& trace, std::span<const TrackId> tracks, std::string_view what) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(tracks.size());
  for (const TrackId track : tracks) numbers.push_back(trace.track(track).external_id);
  std::sort(numbers.begin(), numbers.end());
  if (!numbers.empty() && (numbers.front() < 0 || numbers.back() > kMaxNumber))
    return fail(ErrorCode::kUsage, "a swimlane file has {} with numbers from 0 to {}; this trace has others",
                what, kMaxNumber);
  if (const auto twice = std::adjacent_find(numbers.begin(), numbers.end()); twice != numbers.end())
    return fail(ErrorCode::kUsage,
                "a swimlane file is of one chip's run; this trace has {} with the number {} twice", what,
                *twice);
  return {};
}

template <class Row>
bool has_rows(const std::vector<std::vector<Row>>& streams) {
  return std::any_of(streams.begin(), streams.end(), [](const auto& stream) { return !stream.empty(); });
}

// What the trace says, but not less than what is there.
int level_of(const ChipRun& chip, const Capture& capture) {
  const int level = std::clamp(chip.level, 1, 4);
  if (has_rows(capture.orchestrators) || has_rows(capture.host_orchestrators)) return 4;
  if (has_rows(capture.scheduler_threads)) return std::max(level, 3);
  if (std::any_of(capture.cores.begin(), capture.cores.end(),
                  [](const CoreRows& core) { return !core.dispatch.empty(); }))
    return std::max(level, 2);
  return level;
}

constexpr std::string_view kTotalSubmits = "orchestrator submits";
constexpr std::string_view kTotalPrefix = "orchestrator phase ";
constexpr std::string_view kTotalSuffix = " (ns)";

// The totals that old files have. Their begin and end are in no trace.
void add_totals(const Trace& trace, Capture& capture) {
  chip_swimlane::OrchestratorTotals totals;
  bool found = false;
  for (const trace::Fact& fact : trace.facts()) {
    std::string_view key = trace.text(fact.key);
    if (key == kTotalSubmits) {
      totals.submits = fact.value.as_uint();
      found = true;
    } else if (key.starts_with(kTotalPrefix) && key.ends_with(kTotalSuffix)) {
      key.remove_prefix(kTotalPrefix.size());
      key.remove_suffix(std::min(kTotalSuffix.size(), key.size()));
      totals.phases.emplace_back(key, fact.value.as_int());
      found = true;
    }
  }
  if (found) capture.orchestrator_totals = std::move(totals);
}

void add_fanout(const Trace& trace, Capture& capture) {
  const trace::TaskEdgeTable& edges = trace.task_edges();
  const auto id_of = [&](trace::TaskId task) { return trace.tasks().external_id[trace::index(task)]; };
  capture.fanout.reserve(edges.size());
  for (std::uint32_t edge = 0; edge < edges.size(); ++edge)
    capture.fanout.push_back({id_of(edges.from[edge]), id_of(edges.to[edge])});
}

void count_rows(Capture& capture) {
  for (const CoreRows& core : capture.cores) {
    capture.counts.core_rows += core.task.size();
    for (std::size_t row = 0; row < core.dispatch.size(); ++row)
      if (core.dispatch[row] != chip_swimlane::kNoTime || core.finish[row] != chip_swimlane::kNoTime)
        ++capture.counts.scheduler_rows;
  }
  for (const auto& thread : capture.scheduler_threads) capture.counts.phases += thread.size();
  for (const auto* streams : {&capture.orchestrators, &capture.host_orchestrators})
    for (const auto& stream : *streams) capture.counts.submits += stream.size();
}

class Remarks {
 public:
  explicit Remarks(Capture& capture) : quality_(capture.quality) {}

  void not_written(std::uint64_t count, Severity severity, std::string sentence) {
    if (count > 0)
      quality_.add({.id = "chip_run.not_written",
                    .severity = severity,
                    .sentence = std::move(sentence),
                    .count = count});
  }

 private:
  trace::QualityTable& quality_;
};

std::uint64_t counters_left_out(const Trace& trace, const ChipRun& chip) {
  std::uint64_t kept = 0;
  for (const TrackId queue : chip.ready_queues)
    if (queue != TrackId::kNone) kept += trace.counters_of(queue).count;
  return trace.counters().size() - kept;
}

void add_remarks(const Trace& trace, const ChipRun& chip, const LeftOut& left_out, Capture& capture) {
  Remarks remarks(capture);
  remarks.not_written(
      left_out.rows_without_task, Severity::kWarning,
      "Dispatches and submissions without a task, which every row of a swimlane has: left out.");
  remarks.not_written(
      left_out.absent_cores, Severity::kInfo,
      "Numbers between those of the cores that are no cores: a swimlane lists them as idle cores.");
  remarks.not_written(
      trace.slices().size() - left_out.slices_written, Severity::kInfo,
      "Slices that are no dispatches, phases, submissions or uploads, such as host phases and "
      "spans: a swimlane has no place for them.");
  remarks.not_written(
      left_out.dispatches_with_arguments, Severity::kInfo,
      "Arguments of dispatches, such as counters of the performance monitor: a swimlane has no "
      "place for them.");
  remarks.not_written(counters_left_out(trace, chip), Severity::kInfo,
                      "Samples of counters other than the ready queues: a swimlane has no place for them.");
  remarks.not_written(std::uint64_t{trace.states().size()} + trace.instants().size() + trace.flows().size(),
                      Severity::kInfo, "States, instants and arrows: a swimlane has no place for them.");
  std::uint64_t lost = 0;
  for (const trace::Accounting& row : trace.accounting())
    if (trace.text(row.producer) != "host orchestrator" || !capture.host_capture)
      lost += row.produced > row.collected ? row.produced - row.collected : 0;
  remarks.not_written(lost, Severity::kWarning,
                      "Records that were lost or rejected: a swimlane does not say that they are missing.");
}

}  // namespace

base::Status check_one_chip(const Trace& trace) {
  if (!trace::is_chip_run(trace))
    return fail(ErrorCode::kUsage, "a swimlane file is of a chip's run; this trace has no cores of a chip");
  const ChipRun chip = trace::chip_run(trace);
  std::vector<TrackId> cores;
  for (const trace::ChipCore& core : chip.cores) {
    cores.push_back(core.track);
    if (trace.track(core.track).clock != chip.clock)
      return fail(ErrorCode::kUsage,
                  "a swimlane file is of one chip's run; this trace has cores of several, with a clock each");
  }
  ACCELSCOPE_CHECK(check_numbers(trace, cores, "cores"));
  ACCELSCOPE_CHECK(check_numbers(trace, chip.schedulers, "scheduler threads"));
  std::vector<TrackId> orchestrators = chip.orchestrators;
  const auto device = std::stable_partition(orchestrators.begin(), orchestrators.end(), [&](TrackId track) {
    return trace.track(track).clock != chip.clock;
  });
  ACCELSCOPE_CHECK(check_numbers(trace, {device, orchestrators.end()}, "orchestrators"));
  return check_numbers(trace, {orchestrators.begin(), device}, "orchestrators on the host");
}

base::Result<Capture> capture_of(const Trace& trace) {
  ACCELSCOPE_CHECK(check_one_chip(trace));
  const ChipRun chip = trace::chip_run(trace);
  Capture capture;
  capture.frequency = trace.clock(chip.clock).frequency;
  LeftOut left_out;
  add_core_rows(trace, chip, capture, left_out);
  add_phase_rows(trace, chip, capture, left_out);
  add_submit_rows(trace, chip, capture, left_out);
  add_upload_rows(trace, capture, left_out);
  add_host_facts(trace, chip, capture);
  add_totals(trace, capture);
  add_fanout(trace, capture);
  capture.level = level_of(chip, capture);
  capture.stated_level = capture.level;
  if (capture.level < 3) capture.core_to_thread.clear();
  count_rows(capture);
  add_remarks(trace, chip, left_out, capture);
  return capture;
}

}  // namespace accelscope::formats::chip_run
