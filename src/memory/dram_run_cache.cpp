#include "memory/dram_run_cache.h"

#include <algorithm>

namespace accelscope::memory {

std::optional<std::uint32_t> DramRunCache::state_of(std::span<const std::int32_t> words) {
  std::uint64_t hash = words.size();
  for (const std::int32_t word : words) hash = base::mixed(hash ^ static_cast<std::uint32_t>(word));
  const auto found = by_hash_.find(hash);
  if (found != by_hash_.end()) {
    const std::vector<std::int32_t>& known = states_[found->second];
    // Two states of one hash are as good as never; the second one is then not remembered.
    if (std::equal(known.begin(), known.end(), words.begin(), words.end())) return found->second;
    return std::nullopt;
  }
  if (states_.size() >= kMostStates) return std::nullopt;
  const auto state = static_cast<std::uint32_t>(states_.size());
  states_.emplace_back(words.begin(), words.end());
  by_hash_[hash] = state;
  return state;
}

const RunStep* DramRunCache::step_from(const From& from) const {
  const auto found = steps_.find(from);
  return found == steps_.end() ? nullptr : &found->second;
}

void DramRunCache::add(const From& from, RunStep step) {
  if (steps_.size() < kMostSteps) steps_[from] = std::move(step);
}

}  // namespace accelscope::memory
