#include "formats/chip_swimlane/object_limits.h"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>

namespace accelscope::formats::chip_swimlane {
namespace {

using trace::Severity;

template <class Rows>
bool has_rows(const std::vector<Rows>& threads) {
  return std::any_of(threads.begin(), threads.end(), [](const Rows& rows) { return !rows.empty(); });
}

template <class Rows>
std::uint64_t count_rows(const std::vector<Rows>& threads) {
  std::uint64_t count = 0;
  for (const Rows& rows : threads) count += rows.size();
  return count;
}

// Ids of tasks that the file names, in order.
std::vector<std::uint64_t> named_tasks(const Capture& capture, int version) {
  std::vector<std::uint64_t> ids;
  for (const CoreRows& core : capture.cores) ids.insert(ids.end(), core.task.begin(), core.task.end());
  if (version >= 2) {
    for (const auto& thread : capture.scheduler_threads)
      for (const PhaseRow& row : thread)
        if (row.task) ids.push_back(*row.task);
    for (const auto& stream : capture.orchestrators)
      for (const SubmitRow& row : stream) ids.push_back(row.task);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Rows whose number is not their place among the rows of their core by start, end and task, which is the
// number that a reader gives them.
std::uint64_t odd_numbers(const CoreRows& core) {
  std::uint64_t odd = 0;
  for (std::size_t row = 0; row < core.task.size(); ++row) {
    const auto key = [&](std::size_t i) { return std::tuple(core.start[i], core.end[i], core.task[i]); };
    if (core.sequence[row] != row + 1 || (row > 0 && key(row) < key(row - 1))) ++odd;
  }
  return odd;
}

std::uint64_t received(const CoreRows& core) {
  return static_cast<std::uint64_t>(std::count_if(core.receive.begin(), core.receive.end(),
                                                  [](std::int64_t time) { return time != kNoTime; }));
}

}  // namespace

int object_version(const Capture& capture, trace::QualityTable& remarks) {
  if (capture.level < 3) return capture.level - 1;
  if (has_rows(capture.scheduler_threads) || has_rows(capture.orchestrators)) return 2;
  remarks.add({.id = "chip_swimlane.without_phases",
               .severity = Severity::kWarning,
               .sentence = "The run was recorded with phases, but has none: it is written as version 1."});
  return 1;
}

bool has_device_submits(const Capture& capture) {
  return capture.level >= 4 && (has_rows(capture.orchestrators) || !has_rows(capture.host_orchestrators));
}

std::int64_t first_time(const Capture& capture, int version) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t first_finish = first;
  const auto see = [&](std::int64_t time) {
    if (time != kNoTime) first = std::min(first, time);
  };
  for (const CoreRows& core : capture.cores) {
    for (const std::int64_t time : core.start) see(time);
    if (version < 1) continue;
    for (const std::int64_t time : core.dispatch) see(time);
    for (const std::int64_t time : core.finish)
      if (time != kNoTime) first_finish = std::min(first_finish, time);
  }
  if (version >= 2) {
    for (const auto& thread : capture.scheduler_threads)
      for (const PhaseRow& row : thread) see(row.start);
    for (const auto& stream : capture.orchestrators)
      for (const SubmitRow& row : stream) see(row.start);
  }
  if (first == std::numeric_limits<std::int64_t>::max()) return 0;
  // Only damaged recordings have a finish before all else.
  return first_finish <= first ? first_finish - 1 : first;
}

std::vector<FanoutEdge> listed_edges(const Capture& capture, int version) {
  std::vector<FanoutEdge> edges = capture.fanout;
  std::stable_sort(edges.begin(), edges.end(),
                   [](const FanoutEdge& a, const FanoutEdge& b) { return a.from < b.from; });
  const std::vector<std::uint64_t> named = named_tasks(capture, version);
  const std::vector<std::uint64_t> ran = named_tasks(capture, 0);
  std::erase_if(edges, [&](const FanoutEdge& edge) {
    return !std::binary_search(ran.begin(), ran.end(), edge.from) ||
           !std::binary_search(named.begin(), named.end(), edge.to);
  });
  return edges;
}

OrchestratorTotals totals_of(const Capture& capture, std::int64_t zero) {
  OrchestratorTotals totals = capture.orchestrator_totals.value_or(OrchestratorTotals{});
  totals.start = zero;
  totals.end = zero;
  bool first = true;
  for (const auto& stream : capture.orchestrators)
    for (const SubmitRow& row : stream) {
      totals.start = first ? row.start : std::min(totals.start, row.start);
      totals.end = first ? row.end : std::max(totals.end, row.end);
      first = false;
      if (!capture.orchestrator_totals && capture.phase_kinds[row.phase] == "submit") ++totals.submits;
    }
  return totals;
}

void add_object_remarks(const Capture& capture, int version, trace::QualityTable& remarks) {
  const auto not_written = [&](std::uint64_t count, Severity severity, std::string sentence) {
    if (count > 0)
      remarks.add({.id = "chip_swimlane.not_written",
                   .severity = severity,
                   .sentence = std::move(sentence),
                   .count = count});
  };
  std::uint64_t receives = 0;
  std::uint64_t odd = 0;
  for (const CoreRows& core : capture.cores) {
    receives += received(core);
    odd += odd_numbers(core);
  }
  not_written(receives, Severity::kInfo,
              "Files of task objects do not say when a core received a task: left out.");
  not_written(odd, Severity::kWarning,
              "Files of task objects have no numbers of dispatches: readers number these by their times, and "
              "gaps of lost rows do not show.");
  not_written(count_rows(capture.host_orchestrators) + capture.uploads.size(), Severity::kInfo,
              "Files of task objects have no times of the host: its submissions and uploads are left out.");
  const std::uint64_t listed = version >= 1 ? listed_edges(capture, version).size() : 0;
  not_written(
      capture.fanout.size() - listed, Severity::kInfo,
      "Dependencies that no dispatch of the file can list with the tasks that wait for it: left out.");
  const base::Int128 second = base::Int128{1'000'000'000} * capture.frequency.seconds;
  not_written(second % capture.frequency.ticks == 0 ? 0 : 1, Severity::kInfo,
              "A tick is no whole number of nanoseconds: times are rounded down to nanoseconds.");
}

}  // namespace accelscope::formats::chip_swimlane
