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
// Nobody waits for those, but who writes down on whom a task depends wants to have them all, however soon
// they were done: a map that keeps what is retired (Retired::kKept) finds it still. It takes memory then, but
// no room.
//
// Entries lie in a pool of fixed size, the reads and the writes of each buffer in a tree over the ranges they
// touch: a look-up costs the logarithm of the buffer's entries and each entry whose range meets the view's.
// Readers look at writes alone, however many others read the same.
//
// One thread (the orchestrator's) uses it; nothing is kept of the views given.
//
//   for (const Argument& argument : graph.arguments_of(task))
//     map.find(argument.view, argument.access, [&](std::uint64_t producer) { wait_for(producer); });
//   for (const Argument& argument : graph.arguments_of(task))
//     if (!map.insert(argument.view, argument.access, id)) wait_until_some_are_retired();
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
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

  // What is to become of entries that are forgotten: dropped, or found until a write covers them.
  enum class Retired : std::uint8_t { kDropped, kKept };

  // At most 2^31 entries.
  explicit TensorMap(std::size_t capacity = kDefaultCapacity, Retired retired = Retired::kDropped);

  // Calls found(task) for every entry that conflicts, writes before reads, each in the order of the ranges; a
  // task may come several times.
  template <class Found>
  void find(const TensorView& view, Access access, Found&& found) const {
    const Region region = region_of(view);
    const auto look_at = [&](std::uint32_t index) {
      if (meet(entries_[index].region, region)) found(tasks_[index]);
    };
    visit(region, Kind::kWriter, look_at);
    if (writes(access)) visit(region, Kind::kReader, look_at);
  }

  // False when the pool is full: nothing has changed then. What is in and out has one entry, of a write: who
  // must wait for a writer need not wait for it as a reader. Views without elements take none.
  [[nodiscard]] bool insert(const TensorView& view, Access access, std::uint64_t task,
                            Drop drop = Drop::kCovered);

  // Makes room of the entries of all tasks for which is_retired(task). Looks at every entry that is not kept
  // already: to be called now and then, not for every task.
  template <class IsRetired>
  void forget(IsRetired&& is_retired) {
    doomed_.clear();
    std::uint32_t first = kNone;
    for (std::uint32_t index = first_live_; index < nodes_.size(); ++index) {
      if (nodes_[index].end == 0 || entries_[index].retired) continue;
      if (is_retired(tasks_[index]))
        doomed_.push_back(index);
      else
        first = std::min(first, index);
    }
    first_live_ = first;
    for (const std::uint32_t index : doomed_) retire(index);
  }

  // Without those that are kept only to be found.
  std::size_t live() const { return live_; }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  enum class Kind : std::uint8_t { kReader, kWriter };

  struct Entry {
    Region region = {};
    Kind kind = Kind::kReader;
    bool retired = false;
  };

  // An entry's place in a treap: a search tree by where regions begin, a heap by the entries' priorities.
  // Apart from the entries, so that a walk touches little memory.
  struct Node {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;       // 0: free
    std::uint64_t reach = 0;     // the furthest end of a region below
    std::uint32_t left = kNone;  // of free ones: the next that is free
    std::uint32_t right = kNone;
  };

  static std::uint64_t key_of(std::uint32_t buffer, Kind kind) {
    return std::uint64_t{buffer} << 1U | static_cast<std::uint64_t>(kind);
  }

  // Calls visitor(index) for every entry whose range meets the region's, in the order of the tree.
  template <class Visitor>
  void visit(const Region& region, Kind kind, Visitor&& visitor) const {
    if (region.empty()) return;
    const auto root = roots_.find(key_of(region.buffer, kind));
    if (root != roots_.end()) visit_below(root->second, region.begin, region.end, visitor);
  }
  template <class Visitor>
  void visit_below(std::uint32_t index, std::uint64_t begin, std::uint64_t end, Visitor&& visitor) const {
    while (index != kNone) {
      const Node& node = nodes_[index];
      if (node.reach <= begin) return;
      visit_below(node.left, begin, end, visitor);
      if (node.begin >= end) return;
      if (node.end > begin) visitor(index);
      index = node.right;
    }
  }
  bool before(std::uint32_t a, std::uint32_t b) const;
  // False when its reach is what it was.
  bool update(std::uint32_t index);
  // Splits a tree into what comes before an entry and the rest.
  void split(std::uint32_t tree, std::uint32_t by, std::uint32_t& before_it, std::uint32_t& rest);
  std::uint32_t join(std::uint32_t before_it, std::uint32_t behind_it);
  void add(std::uint32_t& root, std::uint32_t index);
  void take(std::uint32_t& root, std::uint32_t index);
  void remove(std::uint32_t index);
  void retire(std::uint32_t index);
  std::uint32_t free_place();

  std::size_t capacity_;
  Retired retired_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> tasks_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> doomed_;
  std::vector<std::uint32_t> path_;                                        // from the root to what is taken
  tsl::robin_map<std::uint64_t, std::uint32_t, base::IntegerHash> roots_;  // by buffer and kind
  std::uint32_t free_ = kNone;
  std::uint32_t first_live_ = kNone;  // none before it counts
  std::size_t live_ = 0;
};

}  // namespace accelscope::runtime
