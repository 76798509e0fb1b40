// Small helpers for tests that build traces by hand.
#pragma once

#include <string_view>

#include "support/trace_sketch.h"

namespace accelscope::trace {

// One track whose slices nest as their times say.
struct OneTrack : tests::OneTrackSketch {
  explicit OneTrack(Nesting nesting = Nesting::kByStart) : OneTrackSketch("main", nesting) {}

  SliceId slice(std::string_view name, std::int64_t start, std::int64_t end) { return add(name, start, end); }
};

inline std::uint32_t row_named(const Trace& trace, std::string_view name) {
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    if (trace.text(trace.slices().name[row]) == name) return row;
  ADD_FAILURE() << "no slice named " << name;
  return 0;
}

inline std::string_view parent_name(const Trace& trace, std::string_view name) {
  const SliceId parent = trace.slices().parent[row_named(trace, name)];
  return parent == SliceId::kNone ? std::string_view("none") : trace.text(trace.slices().name[index(parent)]);
}

}  // namespace accelscope::trace
