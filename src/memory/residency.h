// What stays in a memory of some capacity when units (layers, regions, pieces of them) are read one after the
// other: the policies, without any time. A policy decides in the order of accesses, so a faster link never
// changes what is evicted.
//
//   fifo     what came first goes first
//   lru      what was used longest ago goes first
//   mru      what came last goes first
//   pin      the first units stay, as many as leave room for the buffers; the others pass through the rest
//   belady   what is needed latest goes first: the best there is for units of one size, and needs the future
//
// Of L units of one size that are read round and round, with room for C < L: fifo and lru never hit, mru and
// pin hit (C - 1) of L times, belady (C - 1) of L - 1. (Evicting what was *used* last, instead of what came
// last, would be as good as belady on such rounds, and only there.) More capacity never brings more bytes
// with lru, with belady for units of one size, and with pin for rounds; with fifo it may.
//
// Used by one thread; owns what it knows. O(log n) an access.
//
//   ACCELSCOPE_TRY(Residency residency, Residency::make({.policy = kLru, .capacity = capacity}, sizes));
//   for (const std::uint32_t unit : accesses) hits += residency.access(unit).hit ? 1 : 0;
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace accelscope::memory {

enum class EvictionPolicy : std::uint8_t { kFifo, kLru, kMru, kPin, kBelady };
std::string_view name_of(EvictionPolicy policy);
std::optional<EvictionPolicy> eviction_policy_named(std::string_view name);
// In the order of the enumeration, for help texts and messages.
std::span<const std::string_view> eviction_policy_names();

struct ResidencyOptions {
  EvictionPolicy policy = EvictionPolicy::kLru;
  base::Bytes capacity{};
  // How many accesses may be under way at once: those before the last are not evicted for it while anything
  // else can be. With kPin, so many of the largest units that are not pinned have room.
  std::uint32_t buffers = 1;
  std::vector<std::uint32_t> future = {};  // of kBelady: the accesses to come, again and again
  std::vector<bool> pinned = {};           // of kPin: which; empty: as many of the first as fit
};

class Residency {
 public:
  // Units have sizes from 1 byte up. kBelady needs a future of units that there are.
  static base::Result<Residency> make(ResidencyOptions options, std::vector<base::Bytes> sizes);

  struct Outcome {
    bool hit = false;
    bool kept = true;                    // false: it is larger than the memory, or than what pins leave of it
    std::vector<std::uint32_t> evicted;  // for it, in this order
  };
  // The unit is read: it is there, or it comes and others go.
  Outcome access(std::uint32_t unit);

  // The same in steps, for those who must not evict what is in use. admit() makes room and takes the unit in,
  // or changes nothing when too little may be evicted; use() notes an access to a unit that is there.
  std::optional<std::vector<std::uint32_t>> admit(std::uint32_t unit,
                                                  const std::function<bool(std::uint32_t)>& may_evict);
  void use(std::uint32_t unit);

  bool holds(std::uint32_t unit) const { return held_[unit]; }
  bool can_hold(std::uint32_t unit) const;
  bool pinned(std::uint32_t unit) const { return !pinned_.empty() && pinned_[unit]; }
  std::size_t pinned_units() const;
  base::Bytes used() const { return used_; }
  base::Bytes capacity() const { return options_.capacity; }

 private:
  using Ranked = std::pair<std::uint64_t, std::uint32_t>;

  Residency(ResidencyOptions options, std::vector<base::Bytes> sizes);
  void pin_first_units();
  std::uint64_t next_use(std::uint32_t unit) const;
  std::uint64_t rank_of(std::uint32_t unit, bool admitted) const;
  void rank(std::uint32_t unit, std::uint64_t value);
  bool is_recent(std::uint32_t unit) const;
  bool evicts_highest() const;

  ResidencyOptions options_;
  std::vector<base::Bytes> sizes_;
  std::vector<bool> held_;
  std::vector<bool> pinned_;
  std::vector<std::uint64_t> ranks_;
  std::set<Ranked> order_;  // of what may go
  std::deque<std::uint32_t> recent_;
  std::vector<std::vector<std::uint64_t>> uses_;  // positions in the future, by unit
  std::uint64_t used_accesses_ = 0;               // in the future's count
  std::uint64_t stamp_ = 0;
  base::Bytes used_{};
  base::Bytes passing_{};  // of what is used: not pinned
  base::Bytes pinned_bytes_{};
};

}  // namespace accelscope::memory
