// Who encloses whom within one run of a timeline CSV.
//
// Slices are given in order of completion. Backend events wait for the DELEGATE_CALL that follows them: those
// inside it become its children, the others belong to it from another clock. Internal to this folder; one
// thread's work.
//
//   RunNester nester(builder, first_slice, roles);
//   nester.nest();
//   for (SliceId slice : nester.foreign()) ...   // owner is set; the caller moves them to another track
#pragma once

#include <span>
#include <vector>

#include "formats/timeline_csv/event_names.h"
#include "trace/nesting.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::timeline_csv {

class RunNester {
 public:
  // The run's slices are `first` and as many behind it as there are roles.
  RunNester(trace::TraceBuilder& builder, trace::SliceId first, std::span<const trace::EventRole> roles)
      : builder_(builder), first_(first), roles_(roles) {}

  void nest();

  // Backend events on another clock.
  const std::vector<trace::SliceId>& foreign() const { return foreign_; }
  // DELEGATE_CALLs all of whose events are numbered as XNNPACK numbers its own.
  const std::vector<trace::SliceId>& xnnpack_calls() const { return xnnpack_calls_; }
  // Backend events that no DELEGATE_CALL follows.
  std::uint64_t orphans() const { return orphans_; }

 private:
  trace::EventRole role(trace::SliceId slice) const { return roles_[index(slice) - index(first_)]; }
  trace::Interval interval(trace::SliceId slice) const;
  void adopt_events(trace::SliceId call);
  void nest_in_event(trace::SliceId event);
  void place_orphan(trace::SliceId slice, trace::SliceId root);

  trace::TraceBuilder& builder_;
  trace::SliceId first_;
  std::span<const trace::EventRole> roles_;
  std::vector<trace::SliceId> claimed_;  // of the current call, last logged first
  std::vector<trace::SliceId> open_;     // events of the current call that a later one may enclose
  std::vector<trace::SliceId> foreign_;
  std::vector<trace::SliceId> xnnpack_calls_;
  std::uint64_t orphans_ = 0;
};

// Sets parents from parent_id; returns how many named no row of the run, themselves or a descendant.
std::uint64_t nest_by_parent_id(trace::TraceBuilder& builder, trace::SliceId first,
                                std::span<const std::int32_t> node_ids,
                                std::span<const std::int32_t> parent_ids);

}  // namespace accelscope::formats::timeline_csv
