#include "compat/reference_picture.h"

#include <algorithm>
#include <numeric>

#include "compat/reference_labels.h"

namespace accelscope::compat {
namespace {

// Bars of one core that overlap are moved to further lanes: each takes the first one that is free again.
void assign_lanes(ReferencePicture& picture) {
  const ReferenceRun& run = picture.run;
  std::vector<std::uint32_t> order(run.rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (run.rows[a].core != run.rows[b].core) return run.rows[a].core < run.rows[b].core;
    return run.rows[a].dispatch < run.rows[b].dispatch;
  });
  picture.lanes.assign(run.rows.size(), 0);
  picture.lane_counts.assign(run.chip.cores.size(), 0);
  std::size_t core = 0;
  std::vector<Ticks> free_at;
  for (const std::uint32_t row : order) {
    while (run.chip.cores[core].number != run.rows[row].core) {
      ++core;
      free_at.clear();
    }
    const auto lane = std::find_if(free_at.begin(), free_at.end(),
                                   [&](Ticks time) { return time <= run.rows[row].dispatch; });
    picture.lanes[row] = static_cast<std::uint32_t>(lane - free_at.begin());
    if (lane == free_at.end())
      free_at.push_back(run.rows[row].finish);
    else
      *lane = run.rows[row].finish;
    picture.lane_counts[core] = static_cast<std::uint32_t>(free_at.size());
  }
}

void collect_completes(ReferencePicture& picture) {
  for (const ReferenceThread& thread : picture.run.threads) {
    const std::size_t first = picture.completes.size();
    for (const ReferencePhase& phase : thread.phases)
      if (phase.kind == "complete") picture.completes.push_back({thread.number, phase.start, phase.end});
    std::stable_sort(picture.completes.begin() + static_cast<std::ptrdiff_t>(first), picture.completes.end(),
                     [](const CompleteBar& a, const CompleteBar& b) { return a.start < b.start; });
  }
}

// The phase of the core's thread that a row's finish lies in, or else the next one.
std::uint32_t complete_for(const std::vector<CompleteBar>& completes, const ReferenceRow& row) {
  const auto on_thread =
      std::partition_point(completes.begin(), completes.end(), [&](const CompleteBar& bar) {
        return bar.thread < row.thread || (bar.thread == row.thread && bar.start <= row.finish);
      });
  if (on_thread != completes.begin()) {
    const auto before = on_thread - 1;
    if (before->thread == row.thread && before->end >= row.finish)
      return static_cast<std::uint32_t>(before - completes.begin());
  }
  if (on_thread == completes.end() || on_thread->thread != row.thread) return ReferencePicture::kNoComplete;
  return static_cast<std::uint32_t>(on_thread - completes.begin());
}

void attribute_finishes(ReferencePicture& picture) {
  picture.rows_of_complete.assign(picture.completes.size(), 0);
  picture.complete_of_row.assign(picture.run.rows.size(), ReferencePicture::kNoComplete);
  if (!picture.run.has_dispatch_times) return;
  for (std::size_t row = 0; row < picture.run.rows.size(); ++row) {
    if (picture.run.rows[row].thread < 0) continue;
    const std::uint32_t complete = complete_for(picture.completes, picture.run.rows[row]);
    picture.complete_of_row[row] = complete;
    if (complete != ReferencePicture::kNoComplete) ++picture.rows_of_complete[complete];
  }
}

}  // namespace

ReferencePicture::ReferencePicture(const ReferenceRun& the_run) : run(the_run) {
  control_bar_of_task.assign(run.tasks.size(), ReferenceRun::kNoTask);
  if (run.has_dispatch_times) assign_lanes(*this);
  collect_completes(*this);
  attribute_finishes(*this);
}

std::string ReferencePicture::label_of(const ReferenceRow& row) const {
  const ReferenceTask& task = run.tasks[row.task];
  return bar_name(
      {.name = run.trace->text(row.name), .function = row.function, .task_id = task.id, .spmd = task.spmd});
}

std::int64_t scheduler_lanes(const ReferenceRun& run) {
  // The file lists every thread that the chip can have; an empty list leaves no trace, but has a lane.
  const base::Frequency& frequency = run.clock.frequency;
  std::int64_t lanes = frequency == base::Frequency::mhz(50)         ? 4
                       : frequency == base::Frequency::nanoseconds() ? 5
                                                                     : 0;
  for (const ReferenceThread& thread : run.threads) lanes = std::max(lanes, thread.number + 1);
  return lanes;
}

std::int64_t control_cpus(const ReferenceRun& run) {
  std::int64_t schedulers = 0;
  for (const trace::ChipCore& core : run.chip.cores)
    if (core.scheduler != trace::TrackId::kNone)
      schedulers = std::max(schedulers, run.trace->track(core.scheduler).external_id + 1);
  return schedulers + (run.orchestrators.empty() ? 0 : 1);
}

}  // namespace accelscope::compat
