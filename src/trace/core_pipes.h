// The pipes of a chip's cores in a trace: which tracks they are, when they were not recorded, and how much of
// a task that leaves (docs/trace-model.md, "A run of a chip").
//
// Pure functions of a read-only trace.
//
//   const std::vector<PipeTracks> cores = pipe_tracks(trace, chip);
//   const std::vector<PipeGap> gaps = pipe_gaps(trace, cores[0]);
//   if (core_data_in(gaps, dispatch.start, dispatch.end).known == CoreData::Known::kAll) ...
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "trace/chip_run.h"

namespace accelscope::trace {

// In the order in which they are drawn, and in which masks of pipes have their bits. The scalar unit, which
// hands out the work of all others, comes first.
inline constexpr std::size_t kPipes = 7;
inline constexpr std::array<std::string_view, kPipes> kPipeNames{"SU",   "VEC",  "CUBE", "MTE1",
                                                                 "MTE2", "MTE3", "FIXP"};
inline constexpr std::size_t kScalarPipe = 0;

struct PipeTracks {
  std::array<TrackId, kPipes> pipes = {TrackId::kNone, TrackId::kNone, TrackId::kNone, TrackId::kNone,
                                       TrackId::kNone, TrackId::kNone, TrackId::kNone};  // none: never busy
  TrackId gaps = TrackId::kNone;  // none: what its pipes did was not asked for

  bool recorded() const { return gaps != TrackId::kNone; }
};

// Of every core, as in ChipRun.
std::vector<PipeTracks> pipe_tracks(const Trace& trace, const ChipRun& chip);

// A stretch in which it is not known what the pipes of a core did.
struct PipeGap {
  Ticks from = {};
  Ticks to = {};
  StringId cause = StringId::kEmpty;
};

// In order of time.
std::vector<PipeGap> pipe_gaps(const Trace& trace, const PipeTracks& core);

// How much is known of what the pipes did in a stretch of time.
struct CoreData {
  enum class Known : std::uint8_t { kAll, kSome, kNothing };
  Known known = Known::kAll;
  Ticks unknown = {};                 // length of what is not known
  StringId cause = StringId::kEmpty;  // of the longest part of it
};

// Gaps are in order and apart. A moment in a gap is a stretch of which nothing is known.
CoreData core_data_in(std::span<const PipeGap> gaps, Ticks from, Ticks to);

}  // namespace accelscope::trace
