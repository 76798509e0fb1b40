#include "memory/residency.h"

#include <algorithm>
#include <array>
#include <limits>

namespace accelscope::memory {
namespace {

using base::Bytes;
using base::ErrorCode;
using base::Int128;

constexpr std::array<std::string_view, 5> kPolicyNames{"fifo", "lru", "mru", "pin", "belady"};
constexpr std::uint64_t kNeverAgain = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::string_view name_of(EvictionPolicy policy) {
  return kPolicyNames[static_cast<std::size_t>(policy)];
}

std::optional<EvictionPolicy> eviction_policy_named(std::string_view name) {
  const auto* const found = std::find(kPolicyNames.begin(), kPolicyNames.end(), name);
  if (found == kPolicyNames.end()) return std::nullopt;
  return static_cast<EvictionPolicy>(found - kPolicyNames.begin());
}

std::span<const std::string_view> eviction_policy_names() {
  return kPolicyNames;
}

base::Result<Residency> Residency::make(ResidencyOptions options, std::vector<Bytes> sizes) {
  if (options.capacity.value <= 0)
    return base::fail(ErrorCode::kUsage, "a capacity of {} bytes: expected at least 1",
                      options.capacity.value);
  if (options.buffers == 0) return base::fail(ErrorCode::kUsage, "0 buffers: expected at least 1");
  for (std::size_t unit = 0; unit < sizes.size(); ++unit)
    if (sizes[unit].value <= 0)
      return base::fail(ErrorCode::kUsage, "unit {} has {} bytes: expected at least 1", unit,
                        sizes[unit].value);
  if (options.policy == EvictionPolicy::kBelady && options.future.empty() && !sizes.empty())
    return base::fail(ErrorCode::kUsage, "the policy `belady` needs to know the accesses to come");
  for (const std::uint32_t unit : options.future)
    if (unit >= sizes.size())
      return base::fail(ErrorCode::kUsage, "unit {} is to be read, and there are {}", unit, sizes.size());
  if (!options.pinned.empty() && options.pinned.size() != sizes.size())
    return base::fail(ErrorCode::kUsage, "{} units, of which {} are said to be pinned or not", sizes.size(),
                      options.pinned.size());
  Residency made(std::move(options), std::move(sizes));
  if (made.pinned_bytes_ > made.options_.capacity)
    return base::fail(ErrorCode::kUsage, "pinned units of {} bytes do not fit a capacity of {}",
                      made.pinned_bytes_.value, made.options_.capacity.value);
  return made;
}

Residency::Residency(ResidencyOptions options, std::vector<Bytes> sizes)
    : options_(std::move(options)), sizes_(std::move(sizes)), held_(sizes_.size()), ranks_(sizes_.size()) {
  if (options_.policy == EvictionPolicy::kPin) {
    pinned_ = options_.pinned;
    if (pinned_.empty()) pin_first_units();
    for (std::size_t unit = 0; unit < sizes_.size(); ++unit)
      if (pinned_[unit])
        pinned_bytes_ = {std::min(Bytes::max().value - sizes_[unit].value, pinned_bytes_.value) +
                         sizes_[unit].value};
  }
  if (options_.policy != EvictionPolicy::kBelady) return;
  uses_.resize(sizes_.size());
  for (std::size_t i = 0; i < options_.future.size(); ++i) uses_[options_.future[i]].push_back(i);
}

// The largest prefix that leaves room for the buffers of what comes behind it: it only grows with the
// capacity.
void Residency::pin_first_units() {
  pinned_.assign(sizes_.size(), false);
  std::vector<Bytes> largest_from(sizes_.size() + 1);
  for (std::size_t unit = sizes_.size(); unit-- > 0;)
    largest_from[unit] = std::max(largest_from[unit + 1], sizes_[unit]);
  Int128 prefix = 0;
  std::size_t pinned = 0;
  for (std::size_t count = 0; count <= sizes_.size(); ++count) {
    if (prefix + Int128{largest_from[count].value} * options_.buffers <= options_.capacity.value)
      pinned = count;
    if (count < sizes_.size()) prefix += sizes_[count].value;
  }
  std::fill_n(pinned_.begin(), pinned, true);
}

std::size_t Residency::pinned_units() const {
  return static_cast<std::size_t>(std::count(pinned_.begin(), pinned_.end(), true));
}

bool Residency::can_hold(std::uint32_t unit) const {
  if (pinned(unit)) return true;
  return sizes_[unit] <= options_.capacity - pinned_bytes_;
}

std::uint64_t Residency::next_use(std::uint32_t unit) const {
  const std::vector<std::uint64_t>& uses = uses_[unit];
  if (uses.empty()) return kNeverAgain;
  const std::uint64_t length = options_.future.size();
  const std::uint64_t round = used_accesses_ / length * length;
  const auto found = std::lower_bound(uses.begin(), uses.end(), used_accesses_ - round);
  return found != uses.end() ? round + *found : round + length + uses.front();
}

bool Residency::evicts_highest() const {
  return options_.policy == EvictionPolicy::kMru || options_.policy == EvictionPolicy::kBelady;
}

std::uint64_t Residency::rank_of(std::uint32_t unit, bool admitted) const {
  if (options_.policy == EvictionPolicy::kBelady) return next_use(unit);
  const bool by_arrival = options_.policy == EvictionPolicy::kFifo || options_.policy == EvictionPolicy::kMru;
  return by_arrival && !admitted ? ranks_[unit] : stamp_;
}

void Residency::rank(std::uint32_t unit, std::uint64_t value) {
  order_.erase({ranks_[unit], unit});
  ranks_[unit] = value;
  if (!pinned(unit)) order_.insert({value, unit});
}

bool Residency::is_recent(std::uint32_t unit) const {
  return std::find(recent_.begin(), recent_.end(), unit) != recent_.end();
}

void Residency::use(std::uint32_t unit) {
  if (options_.policy == EvictionPolicy::kBelady) {
    const std::uint64_t foretold = next_use(unit);
    if (foretold != kNeverAgain) used_accesses_ = foretold + 1;
  }
  ++stamp_;
  if (held_[unit]) rank(unit, rank_of(unit, false));
  recent_.push_back(unit);
  if (recent_.size() >= options_.buffers) recent_.pop_front();
}

std::optional<std::vector<std::uint32_t>> Residency::admit(
    std::uint32_t unit, const std::function<bool(std::uint32_t)>& may_evict) {
  if (!can_hold(unit)) return std::nullopt;
  std::vector<std::uint32_t> evicted;
  // What pinned units will need is theirs before they come.
  Bytes room = pinned(unit) ? sizes_[unit] : options_.capacity - pinned_bytes_ - passing_;
  const auto take = [&](const Ranked& candidate) {
    if (room >= sizes_[unit]) return false;
    if (may_evict(candidate.second)) {
      evicted.push_back(candidate.second);
      room += sizes_[candidate.second];
    }
    return true;
  };
  if (evicts_highest())
    std::all_of(order_.rbegin(), order_.rend(), take);
  else
    std::all_of(order_.begin(), order_.end(), take);
  if (room < sizes_[unit]) return std::nullopt;
  for (const std::uint32_t victim : evicted) {
    order_.erase({ranks_[victim], victim});
    held_[victim] = false;
    used_ -= sizes_[victim];
    passing_ -= sizes_[victim];
  }
  held_[unit] = true;
  used_ += sizes_[unit];
  if (!pinned(unit)) passing_ += sizes_[unit];
  ++stamp_;
  rank(unit, rank_of(unit, true));
  return evicted;
}

Residency::Outcome Residency::access(std::uint32_t unit) {
  Outcome outcome{.hit = held_[unit], .kept = true, .evicted = {}};
  if (!outcome.hit) {
    auto evicted = admit(unit, [&](std::uint32_t other) { return !is_recent(other); });
    if (!evicted) evicted = admit(unit, [](std::uint32_t) { return true; });
    outcome.kept = evicted.has_value();
    if (evicted) outcome.evicted = std::move(*evicted);
  }
  use(unit);
  return outcome;
}

}  // namespace accelscope::memory
