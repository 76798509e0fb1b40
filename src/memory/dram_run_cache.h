// What happens in a channel while it reads a long run, remembered: a stretch that begins in a state that was
// seen before is not simulated again.
//
// A state is everything that a channel's future depends on, relative to the present tick and to the burst
// that comes next, so that the same state occurs again and again, in all channels of a memory. How long it is
// until the next refreshes is kept apart: far away it does not matter, near it counts to the tick. Nothing is
// estimated: what is skipped is what would have been simulated. Bounded: what does not fit is simulated.
//
// Used by the channels of one memory, in one thread; owned by the memory.
//
//   const auto state = cache.state_of(words);
//   if (const RunStep* step = cache.step_from({*state, refreshes})) ...
//   else cache.add({*state, refreshes}, recorded);
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "memory/statistics.h"

namespace accelscope::memory {

// From one state to the next.
struct RunStep {
  std::uint32_t to = 0;  // the state
  std::int64_t ticks = 0;
  std::uint64_t entered = 0;    // bursts that entered the queue
  std::uint64_t finished = 0;   // bursts whose command was issued
  std::int64_t last_done = 0;   // when the last of them is there, after the beginning
  std::uint32_t refreshed = 0;  // pseudo channels whose next refresh is another one, a bit each
  ChannelStatistics counted;    // busy and idle ticks included
  struct OfPseudoChannel {
    std::int64_t busy = 0;
    std::array<std::int64_t, kIdleReasons> idle{};
  };
  std::vector<OfPseudoChannel> pseudo_channels;
  std::vector<std::pair<std::int64_t, std::uint64_t>> latencies;  // value, how often
};

class DramRunCache {
 public:
  static constexpr std::int64_t kFar = 4096;  // ticks to a refresh from which on they do not matter
  static constexpr std::size_t kMostPseudoChannels = 4;

  struct From {
    std::uint32_t state = 0;
    std::uint64_t refreshes = 0;  // ticks to each pseudo channel's refresh, at most kFar, 16 bits each

    bool operator==(const From&) const = default;
  };

  // The number of a state; nothing when there are too many.
  std::optional<std::uint32_t> state_of(std::span<const std::int32_t> words);
  std::span<const std::int32_t> words_of(std::uint32_t state) const { return states_[state]; }
  const RunStep* step_from(const From& from) const;
  void add(const From& from, RunStep step);

 private:
  static constexpr std::size_t kMostStates = 4096;
  static constexpr std::size_t kMostSteps = 16384;
  struct FromHash {
    std::size_t operator()(const From& from) const { return base::hash_of(from.state, from.refreshes); }
  };

  std::vector<std::vector<std::int32_t>> states_;
  tsl::robin_map<std::uint64_t, std::uint32_t, base::IntegerHash> by_hash_;  // of words: a state, or none
  tsl::robin_map<From, RunStep, FromHash> steps_;
};

}  // namespace accelscope::memory
