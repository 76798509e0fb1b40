// What earlier tasks read and wrote, so that a task that is submitted finds those it must wait for.
//
// Found are all three kinds of conflict: a read after a write, a write after a write, a write after a read.
// A run in which every task waits for what it found is then equal to one in which tasks run one by one in the
// order of their submission. Who looks up all arguments of a task first and inserts all of them afterwards
// never finds the task itself.
//
// A write drops the entries that it covers alone: whoever comes later finds the writer, and the writer waits
// for them. That holds only if it does wait: a task of a manual scope, which waits for what it is told to,
// drops nothing (Drop::kNothing). Entries that several later writes cover together stay until their task is
// forgotten. Entries of tasks that are done are found until they are forgotten; whoever asks knows which are.
//
// Entries lie in a pool of fixed size, by buffer in a tree over the ranges they touch: a look-up costs the
// logarithm of the buffer's entries and each entry whose range meets the view's.
//
// One thread (the orchestrator's) uses it; nothing is kept of the views given.
//
//   for (const Argument& argument : graph.arguments_of(task))
//     map.find(argument.view, argument.access, [&](std::uint64_t producer, Overlap) { wait_for(producer); });
//   for (const Argument& argument : graph.arguments_of(task))
//     if (!map.insert(argument.view, argument.access, id)) wait_until_some_are_retired();
#pragma once

#include <tsl/robin_map.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/hash.h"
#include "runtime/graph.h"
#include "runtime/overlap.h"

namespace accelscope::runtime {

class TensorMap {
 public:
  static constexpr std::size_t kDefaultCapacity = 65536;

  enum class Drop : std::uint8_t { kCovered, kNothing };

  // At most 2^31 entries.
  explicit TensorMap(std::size_t capacity = kDefaultCapacity);

  // Calls found(task, how) for every entry that conflicts, in the order of the ranges; a task may come
  // several times. kCovered: the view has all that the entry has.
  template <class Found>
  void find(const TensorView& view, Access access, Found&& found) const {
    const Region region = region_of(view);
    visit(region, [&](std::uint32_t, const Entry& entry) {
      if (!entry.written && !writes(access)) return;
      if (const Overlap how = overlap(entry.region, region); how != Overlap::kNone) found(entry.task, how);
    });
  }

  // False when the pool is full: nothing has changed then. What is in and out has one entry, of a write: who
  // must wait for a writer need not wait for it as a reader. Views without elements take none.
  [[nodiscard]] bool insert(const TensorView& view, Access access, std::uint64_t task,
                            Drop drop = Drop::kCovered);

  // Drops the entries of all tasks for which is_retired(task). Looks at every entry: to be called now and
  // then, not for every task.
  template <class IsRetired>
  void forget(IsRetired&& is_retired) {
    doomed_.clear();
    for (const auto& [buffer, root] : roots_) {
      visit_all(root, [&](std::uint32_t index, const Entry& entry) {
        if (is_retired(entry.task)) doomed_.push_back(index);
      });
    }
    for (const std::uint32_t index : doomed_) remove(index);
  }

  std::size_t live() const { return live_; }
  std::size_t capacity() const { return entries_.size(); }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // A node of a treap: a search tree by where regions begin, a heap by `priority`; `reach` is the furthest
  // end of a region below it.
  struct Entry {
    Region region = {};
    std::uint64_t task = 0;
    std::uint64_t reach = 0;
    std::uint32_t left = kNone;  // of free ones: the next that is free
    std::uint32_t right = kNone;
    std::uint32_t priority = 0;
    bool written = false;
  };

  // Calls visitor(index, entry) for every entry whose range meets the region's, in the order of the tree.
  template <class Visitor>
  void visit(const Region& region, Visitor&& visitor) const {
    if (region.empty()) return;
    const auto root = roots_.find(region.buffer);
    if (root != roots_.end()) visit_below(root->second, region, visitor);
  }
  template <class Visitor>
  void visit_below(std::uint32_t index, const Region& region, Visitor&& visitor) const {
    while (index != kNone) {
      const Entry& entry = entries_[index];
      if (entry.reach <= region.begin) return;
      visit_below(entry.left, region, visitor);
      if (entry.region.begin >= region.end) return;
      if (entry.region.end > region.begin) visitor(index, entry);
      index = entry.right;
    }
  }
  template <class Visitor>
  void visit_all(std::uint32_t index, Visitor&& visitor) const {
    for (; index != kNone; index = entries_[index].right) {
      visit_all(entries_[index].left, visitor);
      visitor(index, entries_[index]);
    }
  }

  bool before(std::uint32_t a, std::uint32_t b) const;
  void update(std::uint32_t index);
  // Splits a tree into what comes before an entry and the rest.
  void split(std::uint32_t tree, std::uint32_t by, std::uint32_t& before_it, std::uint32_t& rest);
  std::uint32_t join(std::uint32_t before_it, std::uint32_t behind_it);
  std::uint32_t with(std::uint32_t tree, std::uint32_t index);
  std::uint32_t without(std::uint32_t tree, std::uint32_t index);
  void remove(std::uint32_t index);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> doomed_;
  tsl::robin_map<std::uint32_t, std::uint32_t, base::IntegerHash> roots_;  // by buffer
  std::uint32_t free_ = kNone;
  std::size_t live_ = 0;
};

}  // namespace accelscope::runtime
