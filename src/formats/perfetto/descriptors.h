// The tree of tracks, as Perfetto's track descriptors.
//
// A root track of level kProcess that holds threads (or nothing) is a process, and the threads right below it
// are threads; everything else is a plain track below its parent, in the trace's own order. Perfetto tells
// processes and threads apart by pid and tid, so a number that is missing, negative or taken gets a free one.
// Tracks never merge, whatever their names. Plain data, made once; the trace must outlive it.
//
//   const DescriptorPlan plan = plan_descriptors(trace);
//   write_descriptors(trace, plan, out);
//   std::uint64_t uuid = uuid_of(track);
#pragma once

#include <cstdint>
#include <vector>

#include "base/output.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

inline constexpr std::uint32_t kDescriptorSequence = 1;

// 0 is the root of all tracks, so ours begin at 1.
inline std::uint64_t uuid_of(trace::TrackId track) {
  return std::uint64_t{index(track)} + 1;
}
inline std::uint32_t sequence_of(trace::TrackId track) {
  return index(track) + kDescriptorSequence + 1;
}

enum class TrackRole : std::uint8_t { kPlain, kProcess, kThread };

struct TrackPlan {
  TrackRole role = TrackRole::kPlain;
  std::int32_t pid = 0;
  std::int32_t tid = 0;
  std::int32_t rank = 0;  // among its siblings
};

struct DescriptorPlan {
  std::vector<TrackPlan> tracks;
  std::uint32_t made_up_numbers = 0;  // pids and tids that are not the source's
};

DescriptorPlan plan_descriptors(const trace::Trace& trace);

// Descriptors of all tracks, and of one more plain track in front of them that is ours.
void write_descriptors(const trace::Trace& trace, const DescriptorPlan& plan, std::uint64_t own_uuid,
                       std::string_view own_name, base::Output& out);

}  // namespace accelscope::formats::perfetto
