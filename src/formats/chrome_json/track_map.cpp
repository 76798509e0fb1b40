#include "formats/chrome_json/track_map.h"

#include <fmt/core.h>

#include "base/hash.h"

namespace accelscope::formats::chrome_json {

using trace::Track;
using trace::TrackKind;
using trace::TrackLevel;

std::size_t TrackMap::Hash::operator()(const ExternalId& id) const {
  return base::hash_of(id.bits, id.kind);
}
std::size_t TrackMap::Hash::operator()(const std::pair<std::uint32_t, ExternalId>& key) const {
  return base::hash_of(key.first, key.second.bits, key.second.kind);
}
std::size_t TrackMap::Hash::operator()(const SharedKey& key) const {
  return base::hash_of(key.id.bits, key.id.kind, key.category, key.name, key.scope, key.process);
}

TrackMap::TrackMap(trace::TraceBuilder& builder)
    : builder_(builder),
      clock_(builder.add_clock({builder.intern("chrome"), base::Frequency::nanoseconds()})) {
  // Files with an id per request make a track per request: half-empty tables would then outgrow the file.
  constexpr float kDense = 0.8F;
  process_of_.max_load_factor(kDense);
  lane_of_thread_.max_load_factor(kDense);
  lane_of_key_.max_load_factor(kDense);
}

std::uint32_t TrackMap::process(const ExternalId& id) {
  const auto next = static_cast<std::uint32_t>(processes_.size());
  const auto [found, added] = process_of_.try_emplace(id, next);
  if (!added) return found->second;
  const TrackId track = builder_.add_track({.level = TrackLevel::kProcess,
                                            .kind = TrackKind::kGroup,
                                            .clock = clock_,
                                            .external_id = id.as_number()});
  processes_.push_back({track, id});
  return next;
}

std::uint32_t TrackMap::add_lane(Track track) {
  Lane& lane = lanes_.emplace_back();
  lane.track = builder_.add_track(track, trace::Nesting::kByStart);
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

Lane& TrackMap::find_thread(const ExternalId& process_id, const ExternalId& thread_id) {
  const std::uint32_t owner = process(process_id);
  const auto next = static_cast<std::uint32_t>(lanes_.size());
  const auto [found, added] = lane_of_thread_.try_emplace(std::pair(owner, thread_id), next);
  const std::uint32_t lane = found->second;
  if (added) {
    add_lane({.parent = process_track(owner), .clock = clock_, .external_id = thread_id.as_number()});
    threads_.push_back({lanes_[lane].track, thread_id});
  }
  cache_[cache_place(process_id, thread_id)] = {process_id, thread_id, lane};
  return lanes_[lane];
}

Lane& TrackMap::async(const SharedKey& key, std::uint32_t process, StringId name) {
  const auto next = static_cast<std::uint32_t>(lanes_.size());
  const auto [found, added] = lane_of_key_.try_emplace(key, next);
  const std::uint32_t lane = found->second;
  if (added)
    add_lane({.name = name,
              .parent = process_track(process),
              .level = TrackLevel::kLane,
              .clock = clock_,
              .external_id = key.id.as_number()});
  return lanes_[lane];
}

TrackId TrackMap::add_counter_track(std::uint32_t process, StringId name, const ExternalId& id) {
  return builder_.add_track({.name = name,
                             .parent = process_track(process),
                             .level = TrackLevel::kLane,
                             .kind = TrackKind::kCounter,
                             .clock = clock_,
                             .external_id = id.as_number()});
}

void TrackMap::name_if_nameless(const Named& named, std::string_view kind) {
  if (builder_.track(named.track).name != StringId::kEmpty) return;
  StringId name = static_cast<StringId>(named.id.bits);
  if (named.id.kind == ExternalId::Kind::kInt)
    name = builder_.intern(fmt::format("{} {}", kind, static_cast<std::int64_t>(named.id.bits)));
  else if (named.id.kind == ExternalId::Kind::kUint)
    name = builder_.intern(fmt::format("{} {}", kind, named.id.bits));
  builder_.track(named.track).name = name;
}

void TrackMap::name_nameless_tracks() {
  for (const Named& process : processes_) name_if_nameless(process, "process");
  for (const Named& thread : threads_) name_if_nameless(thread, "thread");
}

}  // namespace accelscope::formats::chrome_json
