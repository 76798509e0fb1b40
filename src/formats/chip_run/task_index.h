// From the 64-bit ids of a run's tasks to their rows.
//
// Ids are a ring and a position in it, and positions are mostly dense: then a ring is an array of four bytes
// per position, and ten million tasks cost 40 MB. Rings with few tasks over a wide range share a hash table.
// All ids are announced first (see), then marked with what is known of them, then numbered.
//
// One thread fills it; finding is read-only.
//
//   TaskIndex tasks;
//   for (id : ids) tasks.see(id);
//   tasks.settle();
//   for (id : ids) tasks.mark(id, kRanOnCube);
//   tasks.number([&](std::uint64_t id, std::uint32_t marks) { return builder.add_task({.external_id = id});
//   }); TaskId task = tasks.find(7);
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "trace/ids.h"

namespace accelscope::formats::chip_run {

class TaskIndex {
 public:
  void see(std::uint64_t id) { see(std::span(&id, 1)); }
  void see(std::span<const std::uint64_t> ids);
  // Chooses an array or the hash table for every ring. Nothing is seen after it.
  void settle();

  // Marks are bits below 2^31; a mark of 0 only says that the task is there.
  void mark(std::uint64_t id, std::uint32_t marks) { slot(id) |= marks | kPresent; }
  void mark(std::span<const std::uint64_t> ids, std::uint32_t marks);

  // Calls add(id, marks) -> TaskId for every marked id, by ring and position.
  template <class Add>
  void number(Add&& add) {
    std::vector<std::uint64_t> sparse = sparse_ids();
    auto next = sparse.cbegin();
    const auto add_sparse_before = [&](std::uint64_t limit) {
      for (; next != sparse.cend() && *next < limit; ++next) {
        std::uint32_t& value = sparse_[*next];
        value = trace::index(add(*next, value & ~kPresent));
      }
    };
    for (Ring& ring : rings_) {
      const std::uint64_t first = (std::uint64_t{ring.number} << 32U) | ring.lowest;
      if (!ring.slots.empty()) add_sparse_before(first);
      for (std::size_t i = 0; i < ring.slots.size(); ++i)
        ring.slots[i] = ring.slots[i] == kAbsent ? trace::index(trace::TaskId::kNone)
                                                 : trace::index(add(first + i, ring.slots[i] & ~kPresent));
    }
    for (; next != sparse.cend(); ++next) {
      std::uint32_t& value = sparse_[*next];
      value = trace::index(add(*next, value & ~kPresent));
    }
  }

  // After number(): kNone for an id that is not there.
  trace::TaskId find(std::uint64_t id) const;
  // The same for many: found[i] is what ids[i] is.
  void find(std::span<const std::uint64_t> ids, std::vector<trace::TaskId>& found) const;
  // After number(): one more task, whose id was seen.
  void add(std::uint64_t id, trace::TaskId task) { slot(id) = trace::index(task); }

 private:
  static constexpr std::uint32_t kAbsent = 0;
  static constexpr std::uint32_t kPresent = std::uint32_t{1} << 31U;

  struct Ring {
    std::uint32_t number = 0;
    std::uint32_t lowest = 0xFFFFFFFF;
    std::uint32_t highest = 0;
    std::uint64_t seen = 0;
    std::vector<std::uint32_t> slots = {};  // of the positions from `lowest` on; empty: in the hash table

    trace::TaskId at(std::uint32_t position) const {
      if (position < lowest || position > highest) return trace::TaskId::kNone;
      return trace::TaskId{slots[position - lowest]};
    }
  };

  static std::uint32_t position_of(std::uint64_t id) { return static_cast<std::uint32_t>(id); }
  Ring* ring_of(std::uint64_t id) { return const_cast<Ring*>(std::as_const(*this).ring_of(id)); }
  const Ring* ring_of(std::uint64_t id) const {
    for (const Ring& ring : rings_)
      if (ring.number == id >> 32U) return &ring;
    return nullptr;
  }
  Ring* add_ring(std::uint64_t id);
  // Calls visit(ring, ids) for neighbours of one ring together; the ring is nullptr where there is none.
  template <class Visit>
  void for_each_ring(std::span<const std::uint64_t> ids, Visit&& visit) const;
  std::uint32_t& slot(std::uint64_t id) {
    Ring* ring = ring_of(id);
    if (ring == nullptr || ring->slots.empty()) return sparse_[id];
    return ring->slots[position_of(id) - ring->lowest];
  }
  trace::TaskId find_sparse(std::uint64_t id) const;
  std::vector<std::uint64_t> sparse_ids() const;

  std::vector<Ring> rings_;  // by number, once settled
  tsl::robin_map<std::uint64_t, std::uint32_t, base::IntegerHash> sparse_;
};

}  // namespace accelscope::formats::chip_run
