// Reads the profiling kit's CSV files into a Trace.
//
// Timelines (`*_all_runs_timeline.csv`, `*_run<k>_timeline.csv`, older names; the columns in any order, and
// the aliases of the kit's documentation: timestamp_ms, parent_id, op_type, backend):
// - A process per model_id with a track "host"; backend events whose times are not inside their DELEGATE_CALL
// go
//   to a track of their own and name the call as owner.
// - One run per Method::execute, one per loading phase, one per stretch of rows that no execution holds
//   (aborted). Runs with the same events are of one method: "method 1", "method 2", ...
// - Arguments: record (order of completion), node id, the backend where the file names one, columns that are
//   not the kit's.
// Operator statistics (`*_ops_stats.csv`) have no time axis: one synthetic slice per row, laid end to end.
// Whatever is lost, odd or assumed is a row of the trace's Quality table.
//
// Nothing is kept between calls: several threads may read several files. The Trace owns all it shows; the
// file may be closed afterwards.
//
//   ACCELSCOPE_TRY(const MappedFile file, MappedFile::open("toy_exec_all_runs_timeline.csv"));
//   ACCELSCOPE_TRY(const Trace trace, timeline_csv::read_timeline(file));
#pragma once

#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::formats::timeline_csv {

namespace arg {
// The kit's number for an event: the same in all runs of one method.
inline constexpr std::string_view kNodeId = "node id";
inline constexpr std::string_view kType = "type";  // where it is not what the name implies
inline constexpr std::string_view kCount = "count";
inline constexpr std::string_view kAverageMs = "average (ms)";
inline constexpr std::string_view kPercent = "percent of all rows";
}  // namespace arg

base::Result<trace::Trace> read_timeline(const base::MappedFile& file);
base::Result<trace::Trace> read_ops_stats(const base::MappedFile& file);

}  // namespace accelscope::formats::timeline_csv
