// One part of the picture while it is made: rows of the recording, drawn on the picture's tracks.
//
// Everything is drawn from what was recorded, which every part only reads, so parts can be made in any order
// and at the same time. One thread uses one PartMaker; what it is made from must outlive it.
//
//   PartMaker part(scene, std::move(builder));
//   part.draw_dispatches(cores);
//   return std::move(part).finish();
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/chip_run.h"
#include "trace/trace_builder.h"
#include "views/swimlane/arrows.h"
#include "views/swimlane/layout.h"
#include "views/swimlane/survey.h"

namespace accelscope::views::swimlane {

// All that is known of the picture before its rows are drawn.
struct Scene {
  const trace::Trace& trace;
  trace::ChipRun chip;
  Survey survey;
  Timeline timeline;  // not stretched
  Arrows arrows;
  Layout layout;
};

// Some consecutive slices of one core.
struct CoreRows {
  std::size_t core = 0;  // position in ChipRun
  trace::RowRange rows = {};
};

// Texts of the recording that occur again and again, in the part's own table of texts.
class TextCache {
 public:
  trace::StringId of(const trace::Trace& from, trace::StringId text, trace::TraceBuilder& builder) {
    Entry& entry = entries_[index(text) % entries_.size()];
    if (!entry.known || entry.from != text) entry = {true, text, builder.intern(from.text(text))};
    return entry.to;
  }

 private:
  struct Entry {
    bool known = false;
    trace::StringId from = trace::StringId::kEmpty;
    trace::StringId to = trace::StringId::kEmpty;
  };
  std::array<Entry, 256> entries_ = {};
};

class PartMaker {
 public:
  // The builder has the clocks and tracks of the picture.
  PartMaker(const Scene& scene, trace::TraceBuilder builder);

  // Bars in both views.
  void draw_dispatches(std::span<const CoreRows> cores);
  // The slices of a scheduler thread, an orchestrator, or anything else but a core.
  void draw_slices(TrackId track);
  // States, counters and instants of any track.
  void draw_side_rows(TrackId track);
  void draw_envelopes();

  trace::TraceBuilder& builder() { return builder_; }
  base::Result<trace::Trace> finish() && { return std::move(builder_).finish(); }

 private:
  trace::StringId text(trace::StringId id) { return texts_.of(scene_.trace, id, builder_); }
  trace::Value value(trace::Value value);
  struct Batch {
    CoreRows where;
    std::vector<trace::Dispatch> dispatches;
  };
  void draw_scheduler_bars(const Batch& batch);
  void draw_worker_bars(const Batch& batch);
  void draw_worker_bar(std::uint32_t first_of_core, TrackId track, const trace::Dispatch& dispatch,
                       ArrowCursor& ends);
  trace::StringId setup_name(const trace::Dispatch& dispatch) const;
  bool draws_local_arrow(const trace::Dispatch& dispatch, std::span<const ArrowEnd> ends) const;
  trace::StringId slice_name(std::uint32_t row);
  void add_identity(trace::SliceId slice, std::uint32_t first_of_core, const trace::Dispatch& dispatch);
  void add_details(trace::SliceId slice, const trace::Dispatch& dispatch);
  void add_task(trace::SliceId slice, trace::TaskId task);
  void add_args(trace::SliceId slice, trace::ArgId first);
  void add_ends(trace::SliceId slice, std::span<const ArrowEnd> ends, Anchor anchor);
  void add_violations(trace::SliceId slice, std::uint32_t row);

  const Scene& scene_;
  trace::TraceBuilder builder_;
  TextCache texts_;
  struct Words {
    trace::StringId task, task_id, sequence, blocks, nodes, setup, doorbell, kernel, violation;
    trace::CategoryId execution;
    std::array<trace::StringId, kArrowKinds> arrows = {};
  } words_;
  trace::StringId sequence_of_trace_;  // the recording's word
};

}  // namespace accelscope::views::swimlane
