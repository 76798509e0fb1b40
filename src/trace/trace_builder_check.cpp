// What finish() verifies before it trusts the rows: every id names a row. One linear pass per column, so that
// whoever reads a finished Trace need not look again.
#include <algorithm>
#include <span>

#include "trace/trace_builder.h"

namespace accelscope::trace {
namespace {

using base::ErrorCode;
using base::fail;

// The largest of key(id), or 0: one comparison per row that the compiler does for many rows at once.
template <class Id, class Key>
std::uint32_t largest(const Column<Id>& ids, Key&& key) {
  std::uint32_t result = 0;
  for (std::uint32_t row = 0; row < ids.size();) {
    const std::span<const Id> values = ids.chunk_from(row);
    for (const Id id : values) result = std::max(result, key(id));
    row += static_cast<std::uint32_t>(values.size());
  }
  return result;
}

// kNone, the largest of ids, is beyond every row.
template <class Id>
bool all_exist(const Column<Id>& ids, std::size_t count) {
  return ids.empty() || largest(ids, [](Id id) { return std::uint32_t{index(id)}; }) < count;
}

template <class Id>
bool exists_or_none(Id id, std::size_t count) {
  return id == Id::kNone || index(id) < count;
}

// One more than an id is 0 for kNone.
template <class Id>
bool all_exist_or_none(const Column<Id>& ids, std::size_t count) {
  static_assert(std::uint32_t{index(Id::kNone)} + 1 == 0);
  return largest(ids, [](Id id) { return std::uint32_t{index(id)} + 1; }) <= count;
}

bool increases(const std::vector<ClockKnot>& knots) {
  for (std::size_t i = 1; i < knots.size(); ++i)
    if (knots[i].from <= knots[i - 1].from || knots[i].to <= knots[i - 1].to) return false;
  return true;
}

}  // namespace

base::Status TraceBuilder::check() const {
  ACCELSCOPE_CHECK(check_small_tables());
  ACCELSCOPE_CHECK(check_columns());
  return check_parents();
}

base::Status TraceBuilder::check_parents() const {
  const SliceTable& slices = trace_.slices_;
  for (std::uint32_t first = 0; first < slices.size();) {
    const std::span<const SliceId> parents = slices.parent.chunk_from(first);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (parents[i] == SliceId::kNone) continue;
      const std::uint32_t row = first + static_cast<std::uint32_t>(i);
      const std::uint32_t parent = index(parents[i]);
      if (parent >= slices.size() || slices.track[parent] != slices.track[row])
        return fail(ErrorCode::kInternal, "slice '{}' has a parent on another track", text(slices.name[row]));
    }
    first += static_cast<std::uint32_t>(parents.size());
  }
  return {};
}

base::Status TraceBuilder::check_small_tables() const {
  const std::size_t clock_count = trace_.clocks_.size();
  for (std::size_t track = 0; track < trace_.tracks_.size(); ++track) {
    const Track& row = trace_.tracks_[track];
    if (row.parent != TrackId::kNone && index(row.parent) >= track)
      return fail(ErrorCode::kInternal, "track '{}' was added before its parent", text(row.name));
    const bool clock_needed = row.kind != TrackKind::kGroup;
    if (clock_needed ? index(row.clock) >= clock_count : !exists_or_none(row.clock, clock_count))
      return fail(ErrorCode::kInternal, "track '{}' has no clock", text(row.name));
    if (!exists_or_none(row.controller, trace_.tracks_.size()))
      return fail(ErrorCode::kInternal, "track '{}' has a controller that was never added", text(row.name));
    if (!exists_or_none(row.resource, trace_.resources_.size()))
      return fail(ErrorCode::kInternal, "track '{}' names a resource that was never added", text(row.name));
  }
  for (const ClockRelation& relation : trace_.clock_relations_) {
    if (index(relation.from) >= clock_count || index(relation.to) >= clock_count)
      return fail(ErrorCode::kInternal, "a clock relation names a clock that was never added");
    if (!increases(relation.knots))
      return fail(ErrorCode::kInternal, "the relation of clocks '{}' and '{}' runs backwards",
                  text(trace_.clock(relation.from).name), text(trace_.clock(relation.to).name));
  }
  for (const Run& run : trace_.runs_)
    if (!exists_or_none(run.root, trace_.slices_.size()))
      return fail(ErrorCode::kInternal, "run '{}' has a root that was never added", text(run.name));
  return {};
}

base::Status TraceBuilder::check_columns() const {
  const std::size_t tracks = trace_.tracks_.size();
  const bool tracks_exist =
      all_exist(trace_.slices_.track, tracks) && all_exist(trace_.counters_.track, tracks) &&
      all_exist(trace_.instants_.track, tracks) && all_exist(trace_.states_.track, tracks);
  if (!tracks_exist) return fail(ErrorCode::kInternal, "a row names a track that was never added");
  const std::size_t slices = trace_.slices_.size();
  if (!all_exist_or_none(trace_.slices_.owner, slices))
    return fail(ErrorCode::kInternal, "a slice has an owner that was never added");
  if (!all_exist(trace_.flows_.from, slices) || !all_exist(trace_.flows_.to, slices))
    return fail(ErrorCode::kInternal, "a flow names a slice that was never added");
  if (!all_exist(trace_.flow_ends_.slice, slices))
    return fail(ErrorCode::kInternal, "a flow's end names a slice that was never added");
  if (!all_exist(trace_.stages_.slice, slices))
    return fail(ErrorCode::kInternal, "a stage names a slice that was never added");
  const std::size_t tasks = trace_.tasks_.size();
  if (!all_exist_or_none(trace_.slices_.task, tasks))
    return fail(ErrorCode::kInternal, "a slice names a task that was never added");
  if (!all_exist_or_none(trace_.tasks_.parent, tasks))
    return fail(ErrorCode::kInternal, "a task has a parent that was never added");
  if (!all_exist(trace_.task_edges_.from, tasks) || !all_exist(trace_.task_edges_.to, tasks))
    return fail(ErrorCode::kInternal, "a dependency names a task that was never added");
  const std::size_t runs = trace_.runs_.size();
  if (!all_exist_or_none(trace_.slices_.run, runs) || !all_exist_or_none(trace_.instants_.run, runs))
    return fail(ErrorCode::kInternal, "a row names a run that was never added");
  return {};
}

base::Status TraceBuilder::check_clocks_of_rows() const {
  for (std::size_t track = 0; track < trace_.tracks_.size(); ++track) {
    if (trace_.tracks_[track].clock != ClockId::kNone) continue;
    const Trace::RowsOfTrack& rows = trace_.rows_of_track_[track];
    if (!rows.slices.empty() || !rows.states.empty() || !rows.counters.empty() || !rows.instants.empty())
      return fail(ErrorCode::kInternal, "track '{}' has rows but no clock", text(trace_.tracks_[track].name));
  }
  return {};
}

}  // namespace accelscope::trace
