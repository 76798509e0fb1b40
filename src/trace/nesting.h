// Who encloses whom, from times alone.
//
// Two rules, because sources log in two orders:
// - Completion order (a record is written when its scope ends, so a parent follows its children):
// CompletionNester. Equal bounds
//   are decided by the log: the later record is the parent.
// - Any order, with starts that can be sorted: nest_by_start. Equal bounds are decided the other way: the
// first logged encloses. Slices that overlap without one containing the other are siblings; nothing is
// clipped or dropped.
//
// Both take linear time and keep only the open slices. No shared state: use one nester per thread.
//
//   CompletionNester nester;
//   nester.add(child, {t1, t2}, adopt);  nester.add(parent, {t0, t3}, adopt);   // calls adopt(child, parent)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/ids.h"
#include "trace/tables.h"

namespace accelscope::trace {

struct Interval {
  Ticks start;
  Ticks end;

  constexpr bool contains(const Interval& other) const { return start <= other.start && other.end <= end; }
};

class CompletionNester {
 public:
  // Adds the next slice of the log. Those on top of the stack that it contains become its children:
  // adopt(child, parent). Children are reported last logged first.
  template <class Adopt>
  void add(SliceId slice, Interval interval, Adopt&& adopt) {
    add(slice, interval, adopt, [](SliceId) { return false; });
  }

  // The same with pending slices in play: claim(pending) says whether the new slice takes a pending one,
  // whatever its times.
  template <class Adopt, class Claim>
  void add(SliceId slice, Interval interval, Adopt&& adopt, Claim&& claim) {
    while (!stack_.empty()) {
      const Entry& top = stack_.back();
      if (!(top.pending ? claim(top.slice) : interval.contains(top.interval))) break;
      adopt(top.slice, slice);
      stack_.pop_back();
    }
    stack_.push_back({slice, interval, false});
  }

  // Adds a slice that only an explicit claim can place: its times may be of another clock.
  void add_pending(SliceId slice) { stack_.push_back({slice, {}, true}); }

  // Calls visit(slice, pending) for every slice that found no parent, in the order of the log.
  template <class Visit>
  void for_each_root(Visit&& visit) const {
    for (const Entry& entry : stack_) visit(entry.slice, entry.pending);
  }

  void clear() { stack_.clear(); }

 private:
  struct Entry {
    SliceId slice;
    Interval interval;
    bool pending;
  };
  std::vector<Entry> stack_;
};

// Sets `parent` for the rows [rows.first, rows.end()), which are ordered by start and then as logged. A
// parent that is set already is left alone.
void nest_by_start(SliceTable& slices, RowRange rows);

}  // namespace accelscope::trace
