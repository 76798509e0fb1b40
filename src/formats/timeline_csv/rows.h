// The rows of the profiling kit's two CSV files, and their writers: the documented columns in the documented
// order, CRLF line ends, numbers as Python prints them.
//
// Plain data and stateless functions; texts are views, which must outlive the row. Writing is one thread's
// work, as with every Output.
//
//   write_timeline_header(out);
//   write_timeline_row(out, {.model_id = "toy", .name = "Method::execute", .type = "Method::execute",
//                            .delegate_backend = "portable", .duration_ms = 1.5, .block = "Execute"});
#pragma once

#include <cstdint>
#include <string_view>

#include "base/output.h"

namespace accelscope::formats::timeline_csv {

struct TimelineRow {
  std::string_view model_id = {};
  std::string_view name = {};
  std::string_view type = {};
  std::string_view delegate_backend = {};
  double start_us = 0;
  double end_us = 0;
  double duration_ms = 0;
  double pct_total = 0;
  std::uint32_t node_id = 0;
  std::uint32_t run_index = 0;
  std::string_view block = {};
};

struct OpsStatsRow {
  std::string_view model_id = {};
  std::string_view name = {};
  std::string_view type = {};
  std::string_view delegate_backend = {};
  std::uint64_t count = 0;
  double total_ms = 0;
  double avg_ms = 0;
  double pct_total = 0;
};

// The kit's type of an event: its name without surrounding quotation marks and without its number (" #3").
std::string_view type_of_name(std::string_view name);

void write_timeline_header(base::Output& out);
void write_timeline_row(base::Output& out, const TimelineRow& row);
void write_ops_stats_header(base::Output& out);
void write_ops_stats_row(base::Output& out, const OpsStatsRow& row);

}  // namespace accelscope::formats::timeline_csv
