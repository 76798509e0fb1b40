// From rows of a timeline CSV to executions: which rows belong together, in the order in which they
// completed.
//
// The kit counts run_index anew for every group of runs with the same events, so one run_index may hold
// several executions; they are told apart by their times. Internal to this folder; one thread's work.
//
//   RunList runs = find_runs(table, builder.quality(), file.path());
//   for (const RunRows& run : runs.runs) for (std::uint32_t row : runs.rows_of(run)) ...
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/timeline_csv/timeline_table.h"

namespace accelscope::formats::timeline_csv {

struct RunRows {
  trace::StringId model = trace::StringId::kEmpty;
  trace::StringId block = trace::StringId::kEmpty;
  std::int32_t run_index = 0;
  trace::RunKind kind = trace::RunKind::kExecution;
  trace::RunStatus status = trace::RunStatus::kComplete;
  trace::RowRange rows;  // of RunList::order
  trace::Ticks first_start = {};
};

struct RunList {
  std::vector<std::uint32_t> order;  // row numbers of the table, run by run, in order of completion
  std::vector<RunRows> runs;         // by model, then in the order in which they began

  std::span<const std::uint32_t> rows_of(const RunRows& run) const {
    return std::span(order).subspan(run.rows.first, run.rows.count);
  }
};

RunList find_runs(const TimelineTable& table, trace::QualityTable& quality, const std::string& file);

}  // namespace accelscope::formats::timeline_csv
