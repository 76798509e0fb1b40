// From rows in the order of logging to a finished Trace: nesting, sorting, references.
#include <algorithm>
#include <numeric>

#include "trace/nesting.h"
#include "trace/trace_builder.h"

namespace accelscope::trace {
namespace {

template <class T>
bool all_alike(const Column<T>& column) {
  const T first = column.empty() ? T{} : column[0];
  for (std::uint32_t row = 0; row < column.size();) {
    const std::span<const T> values = column.chunk_from(row);
    if (std::any_of(values.begin(), values.end(), [&](const T& value) { return value != first; }))
      return false;
    row += static_cast<std::uint32_t>(values.size());
  }
  return true;
}

template <class Table>
void reorder(Table& table, std::span<const std::uint32_t> order) {
  // Column by column, so that the peak is the table plus one column. Many sources leave whole columns (owner,
  // task, run) empty: looking is cheaper than moving.
  for_each_column(table, [&](const ColumnInfo&, auto& values) {
    if (!all_alike(values)) values = values.gather(order);
  });
}

template <class T>
bool is_sorted(const Column<T>& column) {
  for (std::uint32_t row = 0; row < column.size();) {
    const std::span<const T> values = column.chunk_from(row);
    if (row > 0 && values.front() < column[row - 1]) return false;
    if (!std::is_sorted(values.begin(), values.end())) return false;
    row += static_cast<std::uint32_t>(values.size());
  }
  return true;
}

bool sorted_by_track_and_time(const Column<TrackId>& tracks, const Column<Ticks>& times) {
  for (std::uint32_t row = 1; row < tracks.size(); ++row) {
    if (tracks[row - 1] > tracks[row]) return false;
    if (tracks[row - 1] == tracks[row] && times[row - 1] > times[row]) return false;
  }
  return true;
}

// Positions where each track's rows begin when rows are grouped by track; one more entry at the end.
std::vector<std::uint32_t> track_starts(const Column<TrackId>& tracks, std::size_t track_count) {
  std::vector<std::uint32_t> starts(track_count + 1, 0);
  for (std::uint32_t row = 0; row < tracks.size();) {
    const std::span<const TrackId> values = tracks.chunk_from(row);
    for (const TrackId track : values) ++starts[index(track) + 1];
    row += static_cast<std::uint32_t>(values.size());
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  return starts;
}

std::vector<std::uint32_t> order_by_track(const Column<TrackId>& tracks, std::vector<std::uint32_t> next) {
  std::vector<std::uint32_t> order(tracks.size());
  for (std::uint32_t row = 0; row < tracks.size(); ++row) order[next[index(tracks[row])]++] = row;
  return order;
}

// Sorts one track's rows by time, keeping the logged order of equal times.
void sort_by_time(std::span<std::uint32_t> rows, const Column<Ticks>& times) {
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return times[a] < times[b]; };
  if (std::is_sorted(rows.begin(), rows.end(), earlier)) return;
  struct Keyed {
    Ticks time;
    std::uint32_t row;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(rows.size());
  for (const std::uint32_t row : rows) keyed.push_back({times[row], row});
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const Keyed& a, const Keyed& b) { return a.time < b.time; });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keyed[i].row;
}

std::vector<std::uint32_t> order_by_track_and_time(const Column<TrackId>& tracks, const Column<Ticks>& times,
                                                   std::size_t track_count) {
  const std::vector<std::uint32_t> starts = track_starts(tracks, track_count);
  std::vector<std::uint32_t> order = order_by_track(tracks, starts);
  for (std::size_t track = 0; track < track_count; ++track)
    sort_by_time(std::span(order).subspan(starts[track], starts[track + 1] - starts[track]), times);
  return order;
}

template <class Table>
void sort_table(Table& table, Column<Ticks> Table::*time, std::size_t track_count) {
  if (sorted_by_track_and_time(table.track, table.*time)) return;
  const std::vector<std::uint32_t> order = order_by_track_and_time(table.track, table.*time, track_count);
  reorder(table, order);
}

template <class Table>
void sort_by_slice(Table& table) {
  if (is_sorted(table.slice)) return;
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return table.slice[a] < table.slice[b]; });
  reorder(table, order);
}

template <class Rows>
void index_rows(const Column<TrackId>& tracks, std::size_t track_count, Rows&& set_range) {
  const std::vector<std::uint32_t> starts = track_starts(tracks, track_count);
  for (std::size_t track = 0; track < track_count; ++track)
    set_range(track, RowRange{starts[track], starts[track + 1] - starts[track]});
}

// The usual case, which needs no memory to prove.
bool parents_precede_children(const SliceTable& slices) {
  for (std::uint32_t first = 0; first < slices.size();) {
    const std::span<const SliceId> parents = slices.parent.chunk_from(first);
    for (std::size_t i = 0; i < parents.size(); ++i)
      if (parents[i] != SliceId::kNone && index(parents[i]) >= first + i) return false;
    first += static_cast<std::uint32_t>(parents.size());
  }
  return true;
}

// True when following parents from any slice ends at a root.
bool parents_end(const SliceTable& slices) {
  if (parents_precede_children(slices)) return true;
  // A slice is proven once its chain of parents reached a root or another proven slice.
  std::vector<std::uint8_t> proven(slices.size(), 0);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t row = 0; row < slices.size(); ++row) {
    chain.clear();
    std::uint32_t current = row;
    while (proven[current] == 0) {
      proven[current] = 2;  // on the chain that is being followed
      chain.push_back(current);
      const SliceId parent = slices.parent[current];
      if (parent == SliceId::kNone) break;
      current = index(parent);
      if (proven[current] == 2) return false;
    }
    for (const std::uint32_t member : chain) proven[member] = 1;
  }
  return true;
}

}  // namespace

base::Result<Trace> TraceBuilder::finish() && {
  if (too_many_rows_)
    return base::fail(base::ErrorCode::kTooLarge, "more than 4 294 901 760 rows in one table of the trace");
  ACCELSCOPE_CHECK(check());
  nest_by_completion();
  if (!slices_sorted_) sort_slices();
  sort_side_tables();
  index_tracks();
  ACCELSCOPE_CHECK(check_clocks_of_rows());
  for (std::size_t track = 0; track < nesting_.size(); ++track)
    if (nesting_[track] == Nesting::kByStart)
      nest_by_start(trace_.slices_, trace_.rows_of_track_[track].slices);
  if (!parents_end(trace_.slices_))
    return base::fail(base::ErrorCode::kInternal, "a slice is its own ancestor");
  return std::move(trace_);
}

void TraceBuilder::nest_by_completion() {
  if (std::find(nesting_.begin(), nesting_.end(), Nesting::kByCompletion) == nesting_.end()) return;
  SliceTable& slices = trace_.slices_;
  std::vector<CompletionNester> nesters(nesting_.size());
  const auto adopt = [&](SliceId child, SliceId parent) {
    if (slices.parent[index(child)] == SliceId::kNone) slices.parent[index(child)] = parent;
  };
  for (std::uint32_t row = 0; row < slices.size(); ++row) {
    const std::uint32_t track = index(slices.track[row]);
    if (nesting_[track] != Nesting::kByCompletion) continue;
    nesters[track].add(SliceId{row}, {slices.start[row], slices.start[row] + slices.duration[row]}, adopt);
  }
}

void TraceBuilder::sort_slices() {
  SliceTable& slices = trace_.slices_;
  if (sorted_by_track_and_time(slices.track, slices.start)) return;
  std::vector<std::uint32_t> order =
      order_by_track_and_time(slices.track, slices.start, trace_.tracks_.size());
  reorder(slices, order);
  std::vector<std::uint32_t> new_position(order.size());
  for (std::uint32_t row = 0; row < order.size(); ++row) new_position[order[row]] = row;
  order = {};
  rewrite_slice_references(new_position);
}

void TraceBuilder::rewrite_slice_references(std::span<const std::uint32_t> new_position) {
  const auto rewrite = [&](SliceId& id) {
    if (id != SliceId::kNone) id = SliceId{new_position[index(id)]};
  };
  const auto rewrite_column = [&](Column<SliceId>& column) {
    for (std::uint32_t row = 0; row < column.size(); ++row) rewrite(column[row]);
  };
  rewrite_column(trace_.slices_.parent);
  rewrite_column(trace_.slices_.owner);
  rewrite_column(trace_.flows_.from);
  rewrite_column(trace_.flows_.to);
  rewrite_column(trace_.flow_ends_.slice);
  rewrite_column(trace_.stages_.slice);
  for (Run& run : trace_.runs_) rewrite(run.root);
}

void TraceBuilder::sort_side_tables() {
  const std::size_t track_count = trace_.tracks_.size();
  sort_table(trace_.counters_, &CounterTable::time, track_count);
  sort_table(trace_.instants_, &InstantTable::time, track_count);
  sort_table(trace_.states_, &StateTable::start, track_count);
  sort_by_slice(trace_.stages_);
  sort_by_slice(trace_.flow_ends_);
}

void TraceBuilder::index_tracks() {
  const std::size_t track_count = trace_.tracks_.size();
  auto& rows = trace_.rows_of_track_;
  rows.resize(track_count);
  index_rows(trace_.slices_.track, track_count,
             [&](std::size_t track, RowRange range) { rows[track].slices = range; });
  index_rows(trace_.states_.track, track_count,
             [&](std::size_t track, RowRange range) { rows[track].states = range; });
  index_rows(trace_.counters_.track, track_count,
             [&](std::size_t track, RowRange range) { rows[track].counters = range; });
  index_rows(trace_.instants_.track, track_count,
             [&](std::size_t track, RowRange range) { rows[track].instants = range; });
}

}  // namespace accelscope::trace
