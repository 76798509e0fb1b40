#include "formats/chip_run/task_index.h"

namespace accelscope::formats::chip_run {
namespace {

// Real runs have four rings. A file that names more is odd, and looking through them must stay cheap.
constexpr std::size_t kMaxRings = 16;
// An array may have this many places for every time that a task of its ring is named, and some to begin with.
constexpr std::uint64_t kPlacesPerMention = 4;
constexpr std::uint64_t kFreePlaces = 4096;

}  // namespace

TaskIndex::Ring* TaskIndex::add_ring(std::uint64_t id) {
  if (rings_.size() == kMaxRings) return nullptr;
  rings_.push_back({.number = static_cast<std::uint32_t>(id >> 32U)});
  return &rings_.back();
}

void TaskIndex::settle() {
  std::sort(rings_.begin(), rings_.end(), [](const Ring& a, const Ring& b) { return a.number < b.number; });
  for (Ring& ring : rings_) {
    const std::uint64_t places = std::uint64_t{ring.highest} - ring.lowest + 1;
    if (places <= ring.seen * kPlacesPerMention + kFreePlaces) ring.slots.assign(places, kAbsent);
  }
}

std::vector<std::uint64_t> TaskIndex::sparse_ids() const {
  std::vector<std::uint64_t> ids;
  ids.reserve(sparse_.size());
  for (const auto& [id, value] : sparse_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

trace::TaskId TaskIndex::find(std::uint64_t id) const {
  const Ring* ring = ring_of(id);
  if (ring != nullptr && !ring->slots.empty()) {
    const std::uint32_t position = position_of(id);
    if (position < ring->lowest || position > ring->highest) return trace::TaskId::kNone;
    return trace::TaskId{ring->slots[position - ring->lowest]};
  }
  const auto found = sparse_.find(id);
  return found == sparse_.end() ? trace::TaskId::kNone : trace::TaskId{found->second};
}

}  // namespace accelscope::formats::chip_run
