#include "formats/chip_swimlane/stream_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using base::JsonCursor;

// Rows come grouped by core. A group is collected here and then copied into columns of exactly its length:
// columns that grow row by row would be copied as often, and be up to twice as long as needed.
constexpr std::size_t kGroupRows = std::size_t{1} << 20U;

struct CoreRow {
  std::uint64_t task = 0;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::int64_t receive = kNoTime;
  std::uint32_t sequence = 0;
};

struct SchedulerRow {
  std::int64_t dispatch = 0;
  std::int64_t finish = 0;
  std::uint32_t sequence = 0;
};

// Appends one attribute of all rows to its column.
template <class Row, class Value, class T>
void append_column(const std::vector<Row>& rows, Value Row::*attribute, std::vector<T>& column) {
  const std::size_t before = column.size();
  // Twice the room where a core's rows come in many groups, so that they are not copied once per group.
  if (before > 0 && column.capacity() < before + rows.size())
    column.reserve(std::max(before * 2, before + rows.size()));
  column.resize(before + rows.size());
  T* place = column.data() + before;
  for (const Row& row : rows) *place++ = row.*attribute;
}

// Of the rows from `first` on.
void settle_ends(CoreRows& rows, std::size_t first) {
  for (std::size_t row = first; row < rows.end.size(); ++row) {
    if (rows.end[row] >= rows.start[row]) continue;
    rows.end[row] = rows.start[row];
    rows.end_unknown.resize(row, 0);
    rows.end_unknown.push_back(1);
  }
  if (!rows.end_unknown.empty()) rows.end_unknown.resize(rows.end.size(), 0);
}

void append_rows(const std::vector<CoreRow>& group, CoreRows& rows) {
  const std::size_t before = rows.sequence.size();
  append_column(group, &CoreRow::task, rows.task);
  append_column(group, &CoreRow::sequence, rows.sequence);
  append_column(group, &CoreRow::start, rows.start);
  append_column(group, &CoreRow::end, rows.end);
  settle_ends(rows, before);
  const bool receives =
      std::any_of(group.begin(), group.end(), [](const CoreRow& row) { return row.receive != kNoTime; });
  if (rows.receive.empty() && !receives) return;
  rows.receive.resize(before, kNoTime);
  append_column(group, &CoreRow::receive, rows.receive);
}

void append_rows(const std::vector<SchedulerRow>& group, SchedulerRows& rows) {
  append_column(group, &SchedulerRow::sequence, rows.sequence);
  append_column(group, &SchedulerRow::dispatch, rows.dispatch);
  append_column(group, &SchedulerRow::finish, rows.finish);
}

// The rows of one core that stand together.
template <class Row, class Rows>
class Group {
 public:
  explicit Group(std::vector<Rows>& cores) : cores_(cores) {}

  // False for a core that cannot be.
  bool add(std::uint64_t core, const Row& row) {
    if (core != core_ || rows_.size() == kGroupRows) {
      flush();
      if (core >= kMaxCores) return false;
      core_ = core;
    }
    rows_.push_back(row);
    return true;
  }
  void flush() {
    if (rows_.empty()) return;
    append_rows(rows_, *rows_of_core(cores_, core_));
    rows_.clear();
  }

 private:
  std::vector<Rows>& cores_;
  std::vector<Row> rows_;
  std::uint64_t core_ = kMaxCores;
};

constexpr std::uint64_t kMaxSequence = std::numeric_limits<std::uint32_t>::max();

bool fits_ticks(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::int64_t>(a | b) >= 0;
}

// The row of a core that these numbers are.
CoreRow core_row_of(const std::array<std::uint64_t, 6>& values, std::size_t columns, std::uint64_t offset,
                    Draft& draft) {
  CoreRow row{values[1], static_cast<std::int64_t>(values[3]), static_cast<std::int64_t>(values[4]), kNoTime,
              static_cast<std::uint32_t>(values[2])};
  if (row.end < row.start) draft.end_before_start.note(offset);
  if (columns < 6) return row;
  if (values[5] <= values[3])
    row.receive = row.start - static_cast<std::int64_t>(values[5]);
  else
    draft.receive_too_early.note(offset);
  return row;
}

// 0 is what the recorder has where no time was taken.
std::int64_t time_or_nothing(std::uint64_t ticks, std::uint64_t offset, SchedulerStream& stream) {
  if (ticks != 0) return static_cast<std::int64_t>(ticks);
  stream.zero_times.note(offset);
  return kNoTime;
}

}  // namespace

void read_core_rows(JsonCursor& json, Draft& draft) {
  draft.has_core_rows = true;
  Group<CoreRow, CoreRows> group(draft.capture.cores);
  std::array<std::uint64_t, 6> values{};
  std::uint64_t rows = 0;
  json.begin_array();
  while (json.next_element()) {
    const std::size_t columns = json.unsigned_row(values);
    if (columns < 5)
      return json.fail_here(ErrorCode::kMalformed,
                            fmt::format("a row of a core has 5 or 6 columns, this one {}", columns));
    if (values[2] > kMaxSequence || !fits_ticks(values[3], values[4]))
      return json.fail_here(ErrorCode::kMalformed,
                            "a sequence number beyond 32 bits, or a time beyond 63 bits, in this row");
    ++rows;
    if (values[3] == 0 && values[4] == 0) {
      draft.empty_slots.note(json.value_offset());
      continue;
    }
    if (!group.add(values[0], core_row_of(values, columns, json.value_offset(), draft)))
      draft.impossible_cores.note(json.value_offset());
  }
  group.flush();
  draft.capture.counts.core_rows += rows;
}

void read_scheduler_rows(JsonCursor& json, SchedulerStream& stream) {
  stream.is_there = true;
  Group<SchedulerRow, SchedulerRows> group(stream.cores);
  std::array<std::uint64_t, 4> values{};
  json.begin_array();
  while (json.next_element()) {
    const std::size_t columns = json.unsigned_row(values);
    if (columns != 4)
      return json.fail_here(ErrorCode::kMalformed,
                            fmt::format("a row of a scheduler has 4 columns, this one {}", columns));
    if (values[1] > kMaxSequence || !fits_ticks(values[2], values[3]))
      return json.fail_here(ErrorCode::kMalformed,
                            "a sequence number beyond 32 bits, or a time beyond 63 bits, in this row");
    ++stream.rows;
    const SchedulerRow row{time_or_nothing(values[2], json.value_offset(), stream),
                           time_or_nothing(values[3], json.value_offset(), stream),
                           static_cast<std::uint32_t>(values[1])};
    if (!group.add(values[0], row)) stream.impossible_cores.note(json.value_offset());
  }
  group.flush();
}

}  // namespace accelscope::formats::chip_swimlane
