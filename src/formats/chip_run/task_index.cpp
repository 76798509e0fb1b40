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

template <class Visit>
void TaskIndex::for_each_ring(std::span<const std::uint64_t> ids, Visit&& visit) const {
  for (std::size_t first = 0; first < ids.size();) {
    std::size_t last = first + 1;
    while (last < ids.size() && (ids[last] ^ ids[first]) >> 32U == 0) ++last;
    visit(ring_of(ids[first]), ids.subspan(first, last - first));
    first = last;
  }
}

void TaskIndex::see(std::span<const std::uint64_t> ids) {
  for_each_ring(ids, [&](const Ring* known, std::span<const std::uint64_t> of_ring) {
    Ring* ring = known != nullptr ? ring_of(of_ring[0]) : add_ring(of_ring[0]);
    if (ring == nullptr) return;
    ring->seen += of_ring.size();
    for (const std::uint64_t id : of_ring) {
      ring->lowest = std::min(ring->lowest, position_of(id));
      ring->highest = std::max(ring->highest, position_of(id));
    }
  });
}

void TaskIndex::mark(std::span<const std::uint64_t> ids, std::uint32_t marks) {
  for_each_ring(ids, [&](const Ring* ring, std::span<const std::uint64_t> of_ring) {
    if (ring == nullptr || ring->slots.empty()) {
      for (const std::uint64_t id : of_ring) mark(id, marks);
      return;
    }
    std::uint32_t* const slots = ring_of(of_ring[0])->slots.data();
    for (const std::uint64_t id : of_ring) slots[position_of(id) - ring->lowest] |= marks | kPresent;
  });
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

trace::TaskId TaskIndex::find_sparse(std::uint64_t id) const {
  const auto found = sparse_.find(id);
  return found == sparse_.end() ? trace::TaskId::kNone : trace::TaskId{found->second};
}

trace::TaskId TaskIndex::find(std::uint64_t id) const {
  const Ring* ring = ring_of(id);
  return ring != nullptr && !ring->slots.empty() ? ring->at(position_of(id)) : find_sparse(id);
}

void TaskIndex::find(std::span<const std::uint64_t> ids, std::vector<trace::TaskId>& found) const {
  found.resize(ids.size());
  auto to = found.begin();
  for_each_ring(ids, [&](const Ring* ring, std::span<const std::uint64_t> of_ring) {
    const bool is_array = ring != nullptr && !ring->slots.empty();
    for (const std::uint64_t id : of_ring) *to++ = is_array ? ring->at(position_of(id)) : find_sparse(id);
  });
}

}  // namespace accelscope::formats::chip_run
