#include "formats/chrome_json/writer_layout.h"

#include <fmt/core.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "base/hash.h"

namespace accelscope::formats::chrome_json {
namespace {

using trace::Trace;
using trace::Track;
using trace::TrackId;
using trace::TrackKind;

bool holds_rows(const Trace& trace, TrackId id) {
  const Track& track = trace.track(id);
  if (track.kind == TrackKind::kSlices || track.kind == TrackKind::kStates) return true;
  return !trace.slices_of(id).empty() || !trace.states_of(id).empty() || !trace.instants_of(id).empty();
}

// Depth first, siblings by their order and then by id.
std::vector<TrackId> drawing_order(const Trace& trace) {
  const std::span<const Track> tracks = trace.tracks();
  // Roots sort first: their parent, kNone, plus one is 0.
  const auto group = [&](std::uint32_t track) { return index(tracks[track].parent) + 1U; };
  std::vector<std::uint32_t> siblings(tracks.size());
  std::iota(siblings.begin(), siblings.end(), 0U);
  std::sort(siblings.begin(), siblings.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(group(a), tracks[a].order, a) < std::tuple(group(b), tracks[b].order, b);
  });
  std::vector<std::uint32_t> first_child(tracks.size() + 2, 0);
  for (std::uint32_t track = 0; track < tracks.size(); ++track) ++first_child[group(track) + 1];
  std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());

  std::vector<TrackId> order;
  std::vector<std::uint32_t> pending;
  const auto push_children = [&](std::uint32_t family) {
    for (std::uint32_t i = first_child[family + 1]; i-- > first_child[family];)
      pending.push_back(siblings[i]);
  };
  push_children(0);
  while (!pending.empty()) {
    const std::uint32_t track = pending.back();
    pending.pop_back();
    order.push_back(TrackId{track});
    push_children(track + 1);
  }
  return order;
}

// Ids that occur once are kept; the others become the smallest positive numbers that are free.
void make_unique(std::span<std::int64_t*> ids) {
  tsl::robin_map<std::int64_t, std::uint32_t, base::IntegerHash> claims;
  for (const std::int64_t* id : ids) ++claims[*id];
  std::int64_t next = 1;
  for (std::int64_t* id : ids) {
    if (claims.at(*id) == 1) continue;
    while (claims.contains(next)) ++next;
    *id = next++;
  }
}

void number_processes(const Trace& trace, Layout& layout) {
  std::vector<std::int64_t*> ids;
  for (const TrackId track : layout.order) {
    Place& place = layout.places[index(track)];
    if (trace.track(track).parent != TrackId::kNone) continue;
    place.is_process = true;
    place.process = trace.track(track).external_id;
    place.sort_index = static_cast<std::uint32_t>(ids.size());
    ids.push_back(&place.process);
  }
  make_unique(ids);
}

void number_threads(const Trace& trace, Layout& layout) {
  std::vector<std::int64_t*> ids;
  std::int64_t process = 0;
  for (const TrackId track : layout.order) {
    Place& place = layout.places[index(track)];
    if (place.is_process) {
      make_unique(ids);
      ids.clear();
      process = place.process;
    }
    place.process = process;
    if (!holds_rows(trace, track)) continue;
    place.is_thread = true;
    place.thread = trace.track(track).external_id;
    if (!place.is_process) place.sort_index = static_cast<std::uint32_t>(ids.size());
    ids.push_back(&place.thread);
  }
  make_unique(ids);
}

void number_counters(const Trace& trace, Layout& layout) {
  struct Hash {
    std::size_t operator()(const std::pair<std::int64_t, trace::StringId>& key) const {
      return base::hash_of(key.first, key.second);
    }
  };
  tsl::robin_map<std::pair<std::int64_t, trace::StringId>, std::uint64_t, Hash> seen;
  for (const TrackId track : layout.order) {
    if (trace.track(track).kind != TrackKind::kCounter) continue;
    Place& place = layout.places[index(track)];
    place.counter = seen[std::pair(place.process, trace.track(track).name)]++;
  }
}

}  // namespace

Layout lay_out(const Trace& trace) {
  Layout layout;
  layout.places.resize(trace.tracks().size());
  layout.order = drawing_order(trace);
  number_processes(trace, layout);
  number_threads(trace, layout);
  number_counters(trace, layout);
  return layout;
}

std::string thread_name(const Trace& trace, TrackId track) {
  std::string name(trace.text(trace.track(track).name));
  TrackId group = trace.track(track).parent;
  if (group == TrackId::kNone) return name;
  for (TrackId above = trace.track(group).parent; above != TrackId::kNone;
       above = trace.track(group).parent) {
    name = fmt::format("{} / {}", trace.text(trace.track(group).name), name);
    group = above;
  }
  return name;
}

}  // namespace accelscope::formats::chrome_json
