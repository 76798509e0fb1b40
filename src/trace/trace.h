// A Trace: everything that was recorded, from whatever source, in one shape.
//
// Tracks in a tree, slices on tracks, tasks and their dependencies, stages, states, flows, counters,
// instants, runs, clocks with their raw samples, facts, accounting, and the Quality table of what is lost or
// assumed. See docs/trace-model.md.
//
// Made by TraceBuilder; from then on read-only, and safe to read from many threads at once. Every id in it
// names a row of it, or is kNone where the column allows that. The Trace owns all of it: ids and string_views
// taken from it are good as long as it lives (moving it does not disturb them).
//
//   for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
//     const RowRange rows = trace.slices_of(TrackId{id});   // in time order
//     for (std::uint32_t row = rows.first; row < rows.end(); ++row)
//       use(trace.text(trace.slices().name[row]), trace.slices().duration[row]);
//   }
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/string_interner.h"
#include "trace/clock.h"
#include "trace/entities.h"
#include "trace/quality.h"
#include "trace/tables.h"

namespace accelscope::trace {

class Trace {
 public:
  Trace(Trace&&) noexcept = default;
  Trace& operator=(Trace&&) noexcept = default;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() = default;

  // Text.
  std::string_view text(StringId id) const { return strings_.text(id); }
  const base::StringInterner& strings() const { return strings_; }
  // The text of a category; "" for none. Rows of this table are what CategoryId counts.
  std::string_view category_name(CategoryId id) const { return text(categories_[index(id)]); }
  std::span<const StringId> categories() const { return categories_; }
  // The category of this name, or kNone when no row has it.
  CategoryId find_category(std::string_view name) const;

  // Tables with many rows.
  const SliceTable& slices() const { return slices_; }
  const ArgTable& args() const { return args_; }
  const FlowTable& flows() const { return flows_; }
  const FlowEndTable& flow_ends() const { return flow_ends_; }
  const CounterTable& counters() const { return counters_; }
  const InstantTable& instants() const { return instants_; }
  const StateTable& states() const { return states_; }
  const StageTable& stages() const { return stages_; }
  const TaskTable& tasks() const { return tasks_; }
  const TaskEdgeTable& task_edges() const { return task_edges_; }

  // Small tables.
  std::span<const Track> tracks() const { return tracks_; }
  const Track& track(TrackId id) const { return tracks_[index(id)]; }
  std::span<const Resource> resources() const { return resources_; }
  std::span<const ClockDomain> clocks() const { return clocks_; }
  const ClockDomain& clock(ClockId id) const { return clocks_[index(id)]; }
  const ClockDomain& clock_of(TrackId id) const { return clock(track(id).clock); }
  std::span<const ClockRelation> clock_relations() const { return clock_relations_; }
  std::span<const Run> runs() const { return runs_; }
  const Run& run(RunId id) const { return runs_[index(id)]; }
  std::span<const Fact> facts() const { return facts_; }
  std::span<const Accounting> accounting() const { return accounting_; }
  std::span<const SourceFile> sources() const { return sources_; }
  const QualityTable& quality() const { return quality_; }

  // Rows of one track, in time order.
  RowRange slices_of(TrackId track) const { return rows_of_track_[index(track)].slices; }
  RowRange states_of(TrackId track) const { return rows_of_track_[index(track)].states; }
  RowRange counters_of(TrackId track) const { return rows_of_track_[index(track)].counters; }
  RowRange instants_of(TrackId track) const { return rows_of_track_[index(track)].instants; }

  // The stages of one slice, by binary search.
  RowRange stages_of(SliceId slice) const;

  Ticks end_of(SliceId slice) const { return slices_.start[index(slice)] + slices_.duration[index(slice)]; }
  // The first argument of this name in a list, or a null value.
  Value find_arg(ArgId first, std::string_view name) const;

  std::size_t memory_bytes() const;

 private:
  friend class TraceBuilder;
  friend Trace with_quality(Trace trace, QualityRow row);
  Trace();

  struct RowsOfTrack {
    RowRange slices;
    RowRange states;
    RowRange counters;
    RowRange instants;
  };

  base::StringInterner strings_;
  std::vector<StringId> categories_;
  SliceTable slices_;
  ArgTable args_;
  FlowTable flows_;
  FlowEndTable flow_ends_;
  CounterTable counters_;
  InstantTable instants_;
  StateTable states_;
  StageTable stages_;
  TaskTable tasks_;
  TaskEdgeTable task_edges_;
  std::vector<Track> tracks_;
  std::vector<Resource> resources_;
  std::vector<ClockDomain> clocks_;
  std::vector<ClockRelation> clock_relations_;
  std::vector<Run> runs_;
  std::vector<Fact> facts_;
  std::vector<Accounting> accounting_;
  std::vector<SourceFile> sources_;
  QualityTable quality_;
  std::vector<RowsOfTrack> rows_of_track_;
};

// The same trace with one more row of Quality. Only the handle moves, not the rows.
Trace with_quality(Trace trace, QualityRow row);

}  // namespace accelscope::trace
