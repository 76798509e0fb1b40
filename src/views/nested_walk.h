// The slices of one track in the order a stack would see them: every begin, every end, parents around their
// children.
//
// What viewers replay (Perfetto, speedscope, Chrome) is such a walk, and a track that has none needs lanes
// first (lanes.h). Slice ids alone are not that order: of slices with one start a child may have been logged
// before its parent, and a slice of no length that touches its neighbour must come before it begins or after
// it has ended. Touching is not overlapping: an end and a start at the same tick are neighbours.
//
// Linear time, but for ties of starts that are not a chain of parent and child, which are sorted. Nothing is
// shared between calls; the trace must outlive the call.
//
//   const auto misfit = walk_nested(trace.slices(), trace.slices_of(track),
//       [&](std::uint32_t row, Ticks start, std::size_t depth) { open(row, start); },
//       [&](std::uint32_t row, Ticks end) { close(row, end); });
//   if (misfit) return fail(ErrorCode::kInternal, "'{}' does not nest", name_of(misfit->slice));
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/tables.h"

namespace accelscope::views {

// The first slice that no stack can hold, and the one that blocks it (kNone when its parent is not there).
struct Misfit {
  trace::SliceId slice = trace::SliceId::kNone;
  trace::SliceId blocked_by = trace::SliceId::kNone;
};

struct OpenSlice {
  std::uint32_t row;
  trace::Ticks end;
};

// Rows [first, last), which start together, in the order they must open in. `open` is the stack at that
// moment, without slices that ended before.
void order_equal_starts(const trace::SliceTable& slices, std::uint32_t first, std::uint32_t last,
                        const std::vector<OpenSlice>& open, std::vector<std::uint32_t>& order);

namespace detail {

// The columns of a walk, wherever their chunks are.
struct ScatteredRows {
  const trace::SliceTable& slices;

  trace::Ticks start(std::uint32_t row) const { return slices.start[row]; }
  trace::Ticks duration(std::uint32_t row) const { return slices.duration[row]; }
  trace::SliceId parent(std::uint32_t row) const { return slices.parent[row]; }
};

// The same where all rows are in one chunk, as those of a part of a picture mostly are.
struct ContiguousRows {
  std::uint32_t first;
  const trace::Ticks* starts;
  const trace::Ticks* durations;
  const trace::SliceId* parents;

  trace::Ticks start(std::uint32_t row) const { return starts[row - first]; }
  trace::Ticks duration(std::uint32_t row) const { return durations[row - first]; }
  trace::SliceId parent(std::uint32_t row) const { return parents[row - first]; }
};

// Equal starts in the usual order: each row is the parent of the next.
template <class Columns>
bool is_chain(const Columns& columns, std::uint32_t first, std::uint32_t last) {
  const trace::SliceId above = columns.parent(first);
  if (above != trace::SliceId::kNone && index(above) > first) return false;
  for (std::uint32_t row = first + 1; row < last; ++row)
    if (index(columns.parent(row)) != row - 1) return false;
  return true;
}

template <class Columns, class Begin, class End>
std::optional<Misfit> walk_columns(const trace::SliceTable& slices, const Columns& columns,
                                   trace::RowRange rows, Begin& begin, End& end) {
  std::vector<OpenSlice> open;
  std::vector<std::uint32_t> order;
  const auto close_top = [&] {
    const OpenSlice top = open.back();
    open.pop_back();
    end(top.row, top.end);
  };
  const auto visit = [&](std::uint32_t row, trace::Ticks start) -> std::optional<Misfit> {
    const trace::SliceId parent = columns.parent(row);
    const trace::Ticks finish = start + columns.duration(row);
    while (!open.empty() && open.back().row != index(parent)) {
      if (open.back().end > start) return Misfit{trace::SliceId{row}, trace::SliceId{open.back().row}};
      close_top();
    }
    if (open.empty()) {
      if (parent != trace::SliceId::kNone) return Misfit{trace::SliceId{row}, trace::SliceId::kNone};
    } else if (finish > open.back().end) {
      return Misfit{trace::SliceId{row}, trace::SliceId{open.back().row}};
    }
    begin(row, start, open.size());
    open.push_back({row, finish});
    return std::nullopt;
  };
  for (std::uint32_t first = rows.first; first < rows.end();) {
    const trace::Ticks start = columns.start(first);
    std::uint32_t last = first + 1;
    while (last < rows.end() && columns.start(last) == start) ++last;
    if (last - first == 1 || is_chain(columns, first, last)) {
      for (std::uint32_t row = first; row < last; ++row)
        if (const auto misfit = visit(row, start)) return misfit;
    } else {
      while (!open.empty() && open.back().end < start) close_top();
      order_equal_starts(slices, first, last, open, order);
      for (const std::uint32_t row : order)
        if (const auto misfit = visit(row, start)) return misfit;
    }
    first = last;
  }
  while (!open.empty()) close_top();
  return std::nullopt;
}

}  // namespace detail

// Calls begin(row, start, depth) and end(row, end_time); depth counts the slices open around this one. Stops
// at the first slice that does not fit and returns it; what was reported until then is a proper walk.
template <class Begin, class End>
std::optional<Misfit> walk_nested(const trace::SliceTable& slices, trace::RowRange rows, Begin&& begin,
                                  End&& end) {
  const trace::Ticks* starts = slices.start.contiguous(rows.first, rows.count);
  if (starts == nullptr) return detail::walk_columns(slices, detail::ScatteredRows{slices}, rows, begin, end);
  // All columns have the same chunks.
  const detail::ContiguousRows columns{rows.first, starts, slices.duration.contiguous(rows.first, rows.count),
                                       slices.parent.contiguous(rows.first, rows.count)};
  return detail::walk_columns(slices, columns, rows, begin, end);
}

}  // namespace accelscope::views
