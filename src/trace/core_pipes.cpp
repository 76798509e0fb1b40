#include "trace/core_pipes.h"

#include <algorithm>

#include "trace/vocabulary.h"

namespace accelscope::trace {
namespace {

// Which pipe a track is the timeline of; kPipes for none.
std::size_t pipe_of(const Trace& trace, const Track& track) {
  if (track.kind != TrackKind::kSlices || track.resource == ResourceId::kNone) return kPipes;
  if (trace.text(trace.resources()[index(track.resource)].engine) != engine::kPipe) return kPipes;
  const auto name = std::find(kPipeNames.begin(), kPipeNames.end(), trace.text(track.name));
  return static_cast<std::size_t>(name - kPipeNames.begin());
}

}  // namespace

std::vector<PipeTracks> pipe_tracks(const Trace& trace, const ChipRun& chip) {
  constexpr std::size_t kNoCore = ~std::size_t{0};
  std::vector<std::size_t> core_of(trace.tracks().size(), kNoCore);
  for (std::size_t core = 0; core < chip.cores.size(); ++core) core_of[index(chip.cores[core].track)] = core;
  std::vector<PipeTracks> result(chip.cores.size());
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const Track& track = trace.tracks()[id];
    if (track.parent == TrackId::kNone || core_of[index(track.parent)] == kNoCore) continue;
    PipeTracks& core = result[core_of[index(track.parent)]];
    if (const std::size_t pipe = pipe_of(trace, track); pipe < kPipes)
      core.pipes[pipe] = TrackId{id};
    else if (track.kind == TrackKind::kStates && trace.text(track.name) == track_name::kPipeGaps)
      core.gaps = TrackId{id};
  }
  return result;
}

std::vector<PipeGap> pipe_gaps(const Trace& trace, const PipeTracks& core) {
  std::vector<PipeGap> gaps;
  if (!core.recorded()) return gaps;
  const StateTable& states = trace.states();
  const RowRange rows = trace.states_of(core.gaps);
  gaps.reserve(rows.count);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    gaps.push_back({states.start[row], states.start[row] + states.duration[row], states.cause[row]});
  return gaps;
}

CoreData core_data_in(std::span<const PipeGap> gaps, Ticks from, Ticks to) {
  CoreData data;
  Ticks longest = Ticks{-1};
  auto gap = std::partition_point(gaps.begin(), gaps.end(), [&](const PipeGap& item) {
    return item.to < from || (item.to == from && to > from);
  });
  for (; gap != gaps.end() && (gap->from < to || (from == to && gap->from == to)); ++gap) {
    const Ticks length = std::min(gap->to, to) - std::max(gap->from, from);
    data.known = CoreData::Known::kSome;
    data.unknown += length;
    if (length <= longest) continue;
    longest = length;
    data.cause = gap->cause;
  }
  if (data.known == CoreData::Known::kSome && data.unknown >= to - from)
    data.known = CoreData::Known::kNothing;
  return data;
}

}  // namespace accelscope::trace
