// The rows of the profiling kit's CSV files, with the numbers that its two kinds of readers see: pandas, and
// Python's own float().
//
// Made from the rows that go into such a file, or from the file; the answers are the same. Only the columns
// that the kit computes with are kept. Plain data that owns its texts; the functions keep nothing and are
// safe from any thread.
//
//   const KitTimeline timeline = kit_timeline(timeline_rows(table, model));
//   ACCELSCOPE_TRY(const KitTimeline same, read_kit_timeline(file));
//   for (const KitEvent& event : timeline.events) use(timeline.names[event.name], event.duration_ms);
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "formats/timeline_csv/rows.h"

namespace accelscope::compat {

struct KitEvent {
  std::uint32_t name = 0;      // in KitTimeline::names
  bool run_is_integer = true;  // what Python's int() accepts
  double run_index = 0;        // NaN where the cell is empty
  double duration_ms = 0;      // as float() reads it; 0 for an empty cell
  double pandas_ms = 0;        // as pandas reads it; NaN for an empty cell
};

struct KitTimeline {
  std::vector<std::string> names;  // in the order in which they first appear
  std::vector<KitEvent> events;
  std::string model_id;  // of the first row
  bool has_run_index = true;

  std::string_view name_of(const KitEvent& event) const { return names[event.name]; }
};

struct KitOperatorTotal {
  std::string name;
  std::string type;
  double total_ms = 0;
};

KitTimeline kit_timeline(std::span<const formats::timeline_csv::TimelineRow> rows);
std::vector<KitOperatorTotal> kit_operator_totals(std::span<const formats::timeline_csv::OpsStatsRow> rows);

// Columns in any order, under the kit's own names; `name` and `duration_ms` (`total_ms`) must be there.
base::Result<KitTimeline> read_kit_timeline(const base::MappedFile& file);
base::Result<std::vector<KitOperatorTotal>> read_kit_operator_totals(const base::MappedFile& file);

// How many different run indices there are.
std::size_t count_run_indices(const KitTimeline& timeline);

// Whether a name is one of the five that the kit takes for framework, not for operators. The reports compare
// without regard to case.
bool is_kit_overhead(std::string_view name);
bool is_kit_overhead_in_reports(std::string_view name);

inline constexpr std::string_view kMethodExecute = "Method::execute";

}  // namespace accelscope::compat
