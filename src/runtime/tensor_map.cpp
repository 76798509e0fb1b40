#include "runtime/tensor_map.h"

#include <algorithm>
#include <utility>

namespace accelscope::runtime {

namespace {

// It belongs to a place in the pool, so that equal programs have equal trees.
std::uint64_t priority_of(std::uint32_t index) {
  return base::mixed(index + 1);
}

}  // namespace

TensorMap::TensorMap(std::size_t capacity, Retired retired)
    : capacity_(capacity), retired_(retired), entries_(capacity), tasks_(capacity), nodes_(capacity) {
  for (std::size_t i = capacity; i-- > 0;) {
    nodes_[i].left = free_;
    free_ = static_cast<std::uint32_t>(i);
  }
  roots_.reserve(capacity);
}

bool TensorMap::before(std::uint32_t a, std::uint32_t b) const {
  return nodes_[a].begin != nodes_[b].begin ? nodes_[a].begin < nodes_[b].begin : a < b;
}

bool TensorMap::update(std::uint32_t index) {
  Node& node = nodes_[index];
  std::uint64_t reach = node.end;
  for (const std::uint32_t child : {node.left, node.right})
    if (child != kNone) reach = std::max(reach, nodes_[child].reach);
  return std::exchange(node.reach, reach) != reach;
}

void TensorMap::split(std::uint32_t tree, std::uint32_t by, std::uint32_t& before_it, std::uint32_t& rest) {
  if (tree == kNone) {
    before_it = rest = kNone;
    return;
  }
  Node& node = nodes_[tree];
  if (before(tree, by)) {
    split(node.right, by, node.right, rest);
    before_it = tree;
  } else {
    split(node.left, by, before_it, node.left);
    rest = tree;
  }
  update(tree);
}

std::uint32_t TensorMap::join(std::uint32_t before_it, std::uint32_t behind_it) {
  if (before_it == kNone) return behind_it;
  if (behind_it == kNone) return before_it;
  const bool first_on_top = priority_of(before_it) >= priority_of(behind_it);
  const std::uint32_t top = first_on_top ? before_it : behind_it;
  if (first_on_top)
    nodes_[top].right = join(nodes_[top].right, behind_it);
  else
    nodes_[top].left = join(before_it, nodes_[top].left);
  update(top);
  return top;
}

void TensorMap::add(std::uint32_t& root, std::uint32_t index) {
  Node& added = nodes_[index];
  const std::uint64_t priority = priority_of(index);
  std::uint32_t* link = &root;
  while (*link != kNone && priority_of(*link) >= priority) {
    Node& node = nodes_[*link];
    node.reach = std::max(node.reach, added.end);
    link = before(index, *link) ? &node.left : &node.right;
  }
  split(*link, index, added.left, added.right);
  *link = index;
  update(index);
}

void TensorMap::take(std::uint32_t& root, std::uint32_t index) {
  path_.clear();
  std::uint32_t* link = &root;
  while (*link != index) {
    path_.push_back(*link);
    Node& node = nodes_[*link];
    link = before(index, *link) ? &node.left : &node.right;
  }
  *link = join(nodes_[index].left, nodes_[index].right);
  while (!path_.empty() && update(path_.back())) path_.pop_back();
}

void TensorMap::remove(std::uint32_t index) {
  const auto root = roots_.find(key_of(entries_[index].region.buffer, entries_[index].kind));
  take(root.value(), index);
  if (root->second == kNone) roots_.erase(root);
  if (!entries_[index].retired) --live_;
  nodes_[index] = {.left = free_};
  free_ = index;
}

void TensorMap::retire(std::uint32_t index) {
  if (retired_ == Retired::kDropped) return remove(index);
  entries_[index].retired = true;
  --live_;
}

// Beyond the pool only when some of it is taken by what is kept.
std::uint32_t TensorMap::free_place() {
  if (free_ == kNone) {
    entries_.emplace_back();
    tasks_.emplace_back();
    nodes_.emplace_back();
    return static_cast<std::uint32_t>(nodes_.size() - 1);
  }
  return std::exchange(free_, nodes_[free_].left);
}

bool TensorMap::insert(const TensorView& view, Access access, std::uint64_t task, Drop drop) {
  const Region region = region_of(view);
  if (region.empty()) return true;
  const Kind kind = writes(access) ? Kind::kWriter : Kind::kReader;
  doomed_.clear();
  if (kind == Kind::kWriter && drop == Drop::kCovered) {
    for (const Kind older : {Kind::kWriter, Kind::kReader})
      visit(region, older, [&](std::uint32_t index) {
        if (is_covered(entries_[index].region, region)) doomed_.push_back(index);
      });
  }
  if (live_ == capacity_ &&
      std::ranges::all_of(doomed_, [&](std::uint32_t index) { return entries_[index].retired; }))
    return false;
  for (const std::uint32_t index : doomed_) remove(index);
  const std::uint32_t index = free_place();
  first_live_ = std::min(first_live_, index);
  entries_[index] = {region, kind};
  tasks_[index] = task;
  nodes_[index] = {.begin = region.begin, .end = region.end, .reach = region.end};
  const auto root = roots_.try_emplace(key_of(region.buffer, kind), kNone).first;
  add(root.value(), index);
  ++live_;
  return true;
}

}  // namespace accelscope::runtime
