// The rows of a timeline CSV as plain numbers, before they become slices: parsed once, in the order of the
// file.
//
// Internal to this folder. Texts are interned in the builder of the trace to be. One thread's work.
//
//   ACCELSCOPE_TRY(TimelineTable table, parse_timeline_table(file, builder));
//   Ticks start = table.ticks_of(table.rows[0].start);
#pragma once

#include "base/mapped_file.h"
#include "formats/timeline_csv/columns.h"
#include "formats/timeline_csv/event_names.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::timeline_csv {

struct ExactTime {
  std::int64_t nanoseconds = 0;
  std::int16_t picoseconds = 0;  // 0 to 999
};

struct TimelineRecord {
  ExactTime start;
  ExactTime duration;
  std::uint64_t offset = 0;  // where the row begins in the file
  std::uint64_t line = 0;
  trace::StringId model = trace::StringId::kEmpty;
  trace::StringId name = trace::StringId::kEmpty;
  trace::StringId type = trace::StringId::kEmpty;  // only where it is not what the name implies
  trace::StringId backend = trace::StringId::kEmpty;
  trace::StringId block = trace::StringId::kEmpty;
  std::int32_t node_id = 0;
  std::int32_t parent_id = kNoParent;
  std::int32_t run_index = 0;
  trace::EventRole role = trace::EventRole::kOperator;
  bool duration_unknown = false;

  static constexpr std::int32_t kNoParent = -1;
};

struct TimelineTable {
  Header header;
  trace::Column<TimelineRecord> rows;
  base::Frequency resolution = base::Frequency::nanoseconds();
  // Times count from the start of each run (timestamp_ms), not from one common moment.
  bool starts_relative_to_run = false;

  trace::Ticks ticks_of(const ExactTime& time) const {
    if (resolution.is_nanoseconds()) return {time.nanoseconds + (time.picoseconds >= 500 ? 1 : 0)};
    return {time.nanoseconds * 1000 + time.picoseconds};
  }
};

base::Result<TimelineTable> parse_timeline_table(const base::MappedFile& file, trace::TraceBuilder& builder);

}  // namespace accelscope::formats::timeline_csv
