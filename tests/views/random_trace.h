// Small random traces for property tests: ties, slices without length, deep nesting, and, when asked for,
// overlaps of every sort. The same seed gives the same trace.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "trace/trace_builder.h"

namespace accelscope::test {

class RandomTrace {
 public:
  explicit RandomTrace(std::uint32_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
  }

  // Slices inside [start, end] that nest properly; the logged order is shuffled among equals.
  void add_nested(trace::TraceBuilder& builder, trace::TrackId track, std::int64_t start, std::int64_t end,
                  int depth) {
    std::vector<Planned> planned;
    plan(planned, start, end, -1, depth);
    std::vector<std::size_t> order(planned.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<trace::SliceId> ids(planned.size());
    for (const std::size_t i : order)
      ids[i] = builder.add_slice({.track = track,
                                  .start = trace::Ticks{planned[i].start},
                                  .duration = trace::Ticks{planned[i].end - planned[i].start},
                                  .name = name(builder)});
    for (std::size_t i = 0; i < planned.size(); ++i)
      if (planned[i].parent >= 0)
        builder.set_parent(ids[i], ids[static_cast<std::size_t>(planned[i].parent)]);
  }

  // Any slices at all, with parents that may or may not contain them.
  void add_wild(trace::TraceBuilder& builder, trace::TrackId track, int count, std::int64_t span) {
    std::vector<trace::SliceId> ids;
    for (int i = 0; i < count; ++i) {
      ids.push_back(builder.add_slice({.track = track,
                                       .start = trace::Ticks{below(span)},
                                       .duration = trace::Ticks{below(4) == 0 ? 0 : below(span / 3)},
                                       .name = name(builder)}));
      if (i > 0 && below(3) != 0)
        builder.set_parent(ids.back(), ids[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
    }
  }

  trace::StringId name(trace::TraceBuilder& builder) {
    return builder.intern("op " + std::to_string(below(12)));
  }

 private:
  struct Planned {
    std::int64_t start, end, parent;
  };

  void plan(std::vector<Planned>& planned, std::int64_t start, std::int64_t end, std::int64_t parent,
            int depth) {
    std::int64_t now = start;
    for (std::int64_t left = below(5); left > 0 && depth > 0; --left) {
      const std::int64_t child_start = now + below(std::min<std::int64_t>(end - now, 3) + 1);
      const std::int64_t child_end = child_start + (below(3) == 0 ? 0 : below(end - child_start + 1));
      planned.push_back({child_start, child_end, parent});
      plan(planned, child_start, child_end, static_cast<std::int64_t>(planned.size()) - 1, depth - 1);
      now = child_end;
    }
  }

  std::mt19937 random_;
};

}  // namespace accelscope::test
