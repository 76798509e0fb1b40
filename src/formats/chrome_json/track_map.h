// From the file's pids, tids and async ids to tracks, made when first met.
//
// One thread uses one map; the builder must outlive it. A reference to a Lane is good until the next lane is
// made.
//
//   TrackMap tracks(builder);
//   Lane& lane = tracks.thread(event.process, event.thread);
//   lane.see(time);
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <vector>

#include "formats/chrome_json/event.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::chrome_json {

using base::Ticks;
using trace::SliceId;
using trace::TrackId;

struct OpenSlice {
  SliceId slice = SliceId::kNone;
  std::size_t offset = 0;  // of the event that began it
};

// What is known about a track of slices while it is filled.
struct Lane {
  TrackId track = TrackId::kNone;
  Ticks first = Ticks::max();
  Ticks last = Ticks::min();
  std::vector<OpenSlice> open;  // begun and not yet ended

  void see(Ticks time) {
    first = std::min(first, time);
    last = std::max(last, time);
  }
};

// Async events with equal keys share a track; flow events with equal keys are one flow.
struct SharedKey {
  StringId category = StringId::kEmpty;
  StringId name = StringId::kEmpty;
  StringId scope = StringId::kEmpty;
  std::uint32_t process = kEveryProcess;  // for ids that are local to one
  ExternalId id = {};

  static constexpr std::uint32_t kEveryProcess = 0xFFFFFFFF;
  bool operator==(const SharedKey&) const = default;
};

class TrackMap {
 public:
  explicit TrackMap(trace::TraceBuilder& builder);

  std::uint32_t process(const ExternalId& id);
  TrackId process_track(std::uint32_t process) const { return processes_[process].track; }
  Lane& thread(const ExternalId& process, const ExternalId& thread) {
    const CachedThread& cached = cache_[cache_place(process, thread)];
    if (cached.process == process && cached.thread == thread && cached.lane != kNoLane)
      return lanes_[cached.lane];
    return find_thread(process, thread);
  }
  // The track goes below `process` and gets the name, when it is new.
  Lane& async(const SharedKey& key, std::uint32_t process, StringId name);
  TrackId add_counter_track(std::uint32_t process, StringId name, const ExternalId& id);

  std::vector<Lane>& lanes() { return lanes_; }
  // Tracks that no metadata named get names from their ids.
  void name_nameless_tracks();

 private:
  static constexpr std::uint32_t kNoLane = 0xFFFFFFFF;
  static constexpr std::size_t kCacheSize = 64;

  struct Hash {
    std::size_t operator()(const ExternalId& id) const;
    std::size_t operator()(const SharedKey& key) const;
    std::size_t operator()(const std::pair<std::uint32_t, ExternalId>& key) const;
  };
  struct Named {
    TrackId track = TrackId::kNone;
    ExternalId id;
  };
  struct CachedThread {
    ExternalId process;
    ExternalId thread;
    std::uint32_t lane = kNoLane;
  };

  static std::size_t cache_place(const ExternalId& process, const ExternalId& thread) {
    return ((thread.bits + process.bits * 31U) * 0x9E3779B97F4A7C15U) >> 58U;
  }
  Lane& find_thread(const ExternalId& process, const ExternalId& thread);
  std::uint32_t add_lane(trace::Track track);
  void name_if_nameless(const Named& named, std::string_view kind);

  trace::TraceBuilder& builder_;
  trace::ClockId clock_;
  std::array<CachedThread, kCacheSize> cache_;
  std::vector<Named> processes_;
  std::vector<Named> threads_;
  std::vector<Lane> lanes_;
  tsl::robin_map<ExternalId, std::uint32_t, Hash> process_of_;
  tsl::robin_map<std::pair<std::uint32_t, ExternalId>, std::uint32_t, Hash> lane_of_thread_;
  tsl::robin_map<SharedKey, std::uint32_t, Hash> lane_of_key_;
};

}  // namespace accelscope::formats::chrome_json
