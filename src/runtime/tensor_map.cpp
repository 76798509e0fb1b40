#include "runtime/tensor_map.h"

#include <algorithm>

namespace accelscope::runtime {

TensorMap::TensorMap(std::size_t capacity) : entries_(capacity) {
  // Priorities belong to places in the pool, so that equal programs have equal trees.
  for (std::size_t i = capacity; i-- > 0;) {
    entries_[i].priority = static_cast<std::uint32_t>(base::hash_of(i));
    entries_[i].left = free_;
    free_ = static_cast<std::uint32_t>(i);
  }
  roots_.reserve(capacity);
}

bool TensorMap::before(std::uint32_t a, std::uint32_t b) const {
  const std::uint64_t a_begin = entries_[a].region.begin;
  const std::uint64_t b_begin = entries_[b].region.begin;
  return a_begin != b_begin ? a_begin < b_begin : a < b;
}

void TensorMap::update(std::uint32_t index) {
  Entry& entry = entries_[index];
  entry.reach = entry.region.end;
  for (const std::uint32_t child : {entry.left, entry.right})
    if (child != kNone) entry.reach = std::max(entry.reach, entries_[child].reach);
}

void TensorMap::split(std::uint32_t tree, std::uint32_t by, std::uint32_t& before_it, std::uint32_t& rest) {
  if (tree == kNone) {
    before_it = rest = kNone;
    return;
  }
  Entry& entry = entries_[tree];
  if (before(tree, by)) {
    split(entry.right, by, entry.right, rest);
    before_it = tree;
  } else {
    split(entry.left, by, before_it, entry.left);
    rest = tree;
  }
  update(tree);
}

std::uint32_t TensorMap::join(std::uint32_t before_it, std::uint32_t behind_it) {
  if (before_it == kNone) return behind_it;
  if (behind_it == kNone) return before_it;
  const bool first_on_top = entries_[before_it].priority >= entries_[behind_it].priority;
  const std::uint32_t top = first_on_top ? before_it : behind_it;
  if (first_on_top)
    entries_[top].right = join(entries_[top].right, behind_it);
  else
    entries_[top].left = join(before_it, entries_[top].left);
  update(top);
  return top;
}

std::uint32_t TensorMap::with(std::uint32_t tree, std::uint32_t index) {
  Entry& entry = entries_[index];
  if (tree == kNone || entry.priority > entries_[tree].priority) {
    split(tree, index, entry.left, entry.right);
    update(index);
    return index;
  }
  std::uint32_t& child = before(index, tree) ? entries_[tree].left : entries_[tree].right;
  child = with(child, index);
  update(tree);
  return tree;
}

std::uint32_t TensorMap::without(std::uint32_t tree, std::uint32_t index) {
  if (tree == index) return join(entries_[index].left, entries_[index].right);
  std::uint32_t& child = before(index, tree) ? entries_[tree].left : entries_[tree].right;
  child = without(child, index);
  update(tree);
  return tree;
}

void TensorMap::remove(std::uint32_t index) {
  Entry& entry = entries_[index];
  const auto root = roots_.find(entry.region.buffer);
  const std::uint32_t rest = without(root->second, index);
  if (rest == kNone)
    roots_.erase(root);
  else
    root.value() = rest;
  entry.left = free_;
  free_ = index;
  --live_;
}

bool TensorMap::insert(const TensorView& view, Access access, std::uint64_t task, Drop drop) {
  const Region region = region_of(view);
  if (region.empty()) return true;
  doomed_.clear();
  if (writes(access) && drop == Drop::kCovered) {
    visit(region, [&](std::uint32_t index, const Entry& entry) {
      if (is_covered(entry.region, region)) doomed_.push_back(index);
    });
  }
  if (free_ == kNone && doomed_.empty()) return false;
  for (const std::uint32_t index : doomed_) remove(index);
  const std::uint32_t index = free_;
  Entry& entry = entries_[index];
  free_ = entry.left;
  entry.region = region;
  entry.task = task;
  entry.written = writes(access);
  entry.left = entry.right = kNone;
  update(index);
  const auto root = roots_.try_emplace(region.buffer, kNone).first;
  root.value() = with(root->second, index);
  ++live_;
  return true;
}

}  // namespace accelscope::runtime
