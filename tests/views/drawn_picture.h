// A picture as lines of text: its tracks, its slices and its arrows, put together from all parts.
//
//   const DrawnPicture drawn = drawn_picture(picture);
//   EXPECT_EQ(drawn.slices_below("Worker View"), (Lines{"AIV 1: ADD 4-9", ...}));
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/chip_run.h"
#include "views/lanes.h"
#include "views/picture.h"

namespace accelscope::tests {

using Lines = std::vector<std::string>;

struct DrawnPicture {
  Lines tracks;  // "Worker View / AIV 1", in the order of the table
  Lines slices;  // "Worker View / AIV 1: ADD 4-9", by track, then time; children indented
  Lines arrows;  // "dependency: AIC 0: kernel 5-9 -> AIV 1: kernel 12-20", sorted
  std::map<std::string, Lines> args;  // of each slice, "task=r1t5"

  Lines slices_below(std::string_view process) const {
    Lines found;
    const std::string prefix = fmt::format("{} / ", process);
    for (const std::string& slice : slices)
      if (slice.starts_with(prefix)) found.push_back(slice.substr(prefix.size()));
    return found;
  }
  Lines arrows_of(std::string_view type) const {
    Lines found;
    const std::string prefix = fmt::format("{}: ", type);
    for (const std::string& arrow : arrows)
      if (arrow.starts_with(prefix)) found.push_back(arrow.substr(prefix.size()));
    return found;
  }
};

inline std::string path_of(const trace::Trace& part, trace::TrackId track) {
  const trace::Track& row = part.track(track);
  const std::string name(part.text(row.name));
  return row.parent == trace::TrackId::kNone ? name : path_of(part, row.parent) + " / " + name;
}

inline std::string value_text(const trace::Trace& part, trace::Value value) {
  switch (value.type) {
    case trace::ValueType::kInt:
      return fmt::format("{}", value.as_int());
    case trace::ValueType::kUint:
      return fmt::format("{}", value.as_uint());
    case trace::ValueType::kTask:
      return trace::task_label(value.as_uint());
    default:
      return value.holds_text() ? std::string(part.text(value.as_text())) : "?";
  }
}

inline DrawnPicture drawn_picture(const views::Picture& picture) {
  struct Arrow {
    std::string type, from, to;
    trace::Ticks leaves = trace::Ticks::max(), arrives = trace::Ticks::min();
  };
  DrawnPicture drawn;
  std::map<std::uint64_t, Arrow> arrows;
  std::map<std::pair<std::uint32_t, std::int64_t>, Lines> slices;
  const auto draw_part = [&](const trace::Trace& part, std::uint32_t number) -> base::Status {
    EXPECT_FALSE(views::needs_lanes(part)) << "part " << number;
    Lines tracks;
    for (std::uint32_t id = 0; id < part.tracks().size(); ++id)
      tracks.push_back(path_of(part, trace::TrackId{id}));
    if (number == 0) drawn.tracks = tracks;
    EXPECT_EQ(tracks, drawn.tracks);
    const auto label = [&](std::uint32_t row) {
      return fmt::format("{}: {} {}-{}", tracks[index(part.slices().track[row])],
                         part.text(part.slices().name[row]), part.slices().start[row].value,
                         part.end_of(trace::SliceId{row}).value);
    };
    for (std::uint32_t row = 0; row < part.slices().size(); ++row) {
      std::string line = label(row);
      Lines args;
      for (trace::ArgId arg = part.slices().first_arg[row]; arg != trace::ArgId::kNone;
           arg = part.args().next[index(arg)])
        args.push_back(fmt::format("{}={}", part.text(part.args().name[index(arg)]),
                                   value_text(part, part.args().value(arg))));
      drawn.args[line] = std::move(args);
      if (part.slices().parent[row] != trace::SliceId::kNone) line += " (inner)";
      slices[{index(part.slices().track[row]), part.slices().start[row].value}].push_back(std::move(line));
    }
    const trace::FlowEndTable& ends = part.flow_ends();
    for (std::uint32_t end = 0; end < ends.size(); ++end) {
      EXPECT_GE(ends.flow[end], std::uint64_t{1} << 32U);
      Arrow& arrow = arrows[ends.flow[end]];
      arrow.type = part.text(ends.type[end]);
      const std::uint32_t row = index(ends.slice[end]);
      EXPECT_TRUE((ends.leaves[end] ? arrow.from : arrow.to).empty()) << "a second end: " << label(row);
      (ends.leaves[end] ? arrow.from : arrow.to) = label(row);
      (ends.leaves[end] ? arrow.leaves : arrow.arrives) = part.slices().start[row];
    }
    return {};
  };
  EXPECT_TRUE(views::for_each_part(picture, draw_part));
  for (const auto& [place, lines] : slices)
    drawn.slices.insert(drawn.slices.end(), lines.begin(), lines.end());
  for (const auto& [number, arrow] : arrows) {
    EXPECT_FALSE(arrow.from.empty()) << "an arrow from nowhere to " << arrow.to;
    EXPECT_FALSE(arrow.to.empty()) << "an arrow to nowhere from " << arrow.from;
    drawn.arrows.push_back(fmt::format("{}: {} -> {}", arrow.type, arrow.from, arrow.to));
  }
  std::sort(drawn.arrows.begin(), drawn.arrows.end());
  return drawn;
}

}  // namespace accelscope::tests
