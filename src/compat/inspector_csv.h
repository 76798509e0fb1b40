// The profiling kit's CSV files, made from any Trace: the same rows, order, numbering and percentages, right
// or wrong.
//
// Known wrongs that are kept: percentages are of the sum of all rows of one run_index, callers and callees
// alike, with the loading phase in run 0; end_us is computed, not recorded; run_index restarts for every
// group of runs; the statistics count rows, not calls. Rows hold views into the Trace and into the table,
// which must outlive them. Pure; safe from any thread.
//
//   const InspectorTable table = inspector_table(trace);
//   const std::string model = kit_model_id("out/toy.etdump");         // "toy"
//   write_timeline_csv(all, timeline_rows(table, model));             // ..._all_runs_timeline.csv
//   write_timeline_csv(one, timeline_rows_of_run(table, model, 0));   // ..._run0_timeline.csv
//   write_ops_stats_csv(ops, ops_stats_rows(table, model));           // ..._ops_stats.csv
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output.h"
#include "compat/inspector_table.h"
#include "formats/timeline_csv/rows.h"

namespace accelscope::compat {

std::vector<formats::timeline_csv::TimelineRow> timeline_rows(const InspectorTable& table,
                                                              std::string_view model_id);
std::vector<formats::timeline_csv::TimelineRow> timeline_rows_of_run(const InspectorTable& table,
                                                                     std::string_view model_id,
                                                                     std::uint32_t run_index);
// Sorted by total time, largest first.
std::vector<formats::timeline_csv::OpsStatsRow> ops_stats_rows(const InspectorTable& table,
                                                               std::string_view model_id);

void write_timeline_csv(base::Output& out, std::span<const formats::timeline_csv::TimelineRow> rows);
void write_ops_stats_csv(base::Output& out, std::span<const formats::timeline_csv::OpsStatsRow> rows);

// What the kit calls a model when it is not told: the file's name without its last ending.
std::string kit_model_id(std::string_view etdump_path);
// What the names of its CSV files begin with: "toy.etdump" gives "toy_exec", "toy_xtrace.etdump" gives
// "toy_xtrace"; any other ending than ".etdump" stays part of the name.
std::string kit_csv_prefix(std::string_view etdump_path);

}  // namespace accelscope::compat
