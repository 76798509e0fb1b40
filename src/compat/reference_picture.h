// The bars of the reference's picture, with what arrows need to know about them: their ids, and the lanes
// that overlapping bars were moved to.
//
// Filled while the bars are written, then read by whoever draws arrows. Points into the run.
//
//   ReferencePicture picture{run};
//   write_bars(picture, events);
//   write_flows(picture, events);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compat/reference_events.h"
#include "compat/reference_run.h"

namespace accelscope::compat {

// A task that a control CPU retired: a dummy, a skipped task, an allocation.
struct ControlBar {
  std::uint32_t task = 0;
  std::int64_t thread = 0;  // tid
  double start = 0;
  Ticks end_time = {};
  Ticks start_time = {};
  std::uint64_t id = 0;
};

// A `complete` phase, which sees that rows have finished.
struct CompleteBar {
  std::int64_t thread = 0;  // number
  Ticks start = {};
  Ticks end = {};
};

struct ReferencePicture {
  static constexpr std::uint32_t kNoComplete = 0xFFFFFFFF;

  explicit ReferencePicture(const ReferenceRun& the_run);

  const ReferenceRun& run;
  std::vector<std::uint32_t> lanes = {};            // of rows, in the scheduler view
  std::vector<std::uint32_t> lane_counts = {};      // of chip.cores
  std::vector<CompleteBar> completes = {};          // by thread, then time
  std::vector<std::uint32_t> complete_of_row = {};  // the phase that saw the row finish
  std::vector<std::uint32_t> rows_of_complete = {};
  std::vector<ControlBar> control_bars = {};            // in the order drawn
  std::vector<std::uint32_t> control_bar_of_task = {};  // kNoTask where there is none

  std::uint64_t worker_bar(std::uint32_t row) const { return row; }
  std::uint64_t scheduler_bar(std::uint32_t row) const { return run.rows.size() + row; }
  std::string label_of(const ReferenceRow& row) const;
};

// How many scheduler threads have a lane: those of the chip, also where they recorded nothing.
std::int64_t scheduler_lanes(const ReferenceRun& run);
// How many control CPUs there are: schedulers that feed cores, and one more that orchestrates.
std::int64_t control_cpus(const ReferenceRun& run);

// Everything but arrows and counters of overhead.
void write_bars(ReferencePicture& picture, ReferenceEvents& events);
// The scheduler's part of write_bars().
void write_scheduler(ReferencePicture& picture, ReferenceEvents& events);
void write_orchestrators(const ReferencePicture& picture, ReferenceEvents& events);
// Graphs that were submitted as one task, and tasks that only allocate.
void write_graphs(const ReferencePicture& picture, ReferenceEvents& events);
void write_allocations(ReferencePicture& picture, ReferenceEvents& events);

}  // namespace accelscope::compat
