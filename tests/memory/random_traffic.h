// Requests such as no program makes: reads and writes, near and far, in bursts and after long silence. The
// same for the same seed.
#pragma once

#include <cstdint>

#include "base/splitmix.h"
#include "memory/timing.h"

namespace accelscope::memory {

// Far ones among the requests: half of them, so that rows conflict, or one of many, so that rows are hit.
enum class Jumps : std::uint8_t { kMany, kFew };

class RandomTraffic {
 public:
  RandomTraffic(std::uint64_t seed, base::Bytes capacity, base::Bytes burst, Jumps jumps = Jumps::kMany)
      : state_(seed),
        capacity_(static_cast<std::uint64_t>(capacity.value)),
        burst_(burst.value),
        jumps_(jumps) {}

  Request next() {
    const std::uint64_t kind = random();
    if (kind % (jumps_ == Jumps::kMany ? 2 : 256) == 0) address_ = random() % capacity_;
    address_ = (address_ + random() % (jumps_ == Jumps::kMany ? 4096 : 64)) % capacity_;
    const std::uint64_t pause = random();
    if (pause % 64 == 0)
      time_ += {static_cast<std::int64_t>(random() % 100'000)};  // up to 100 ns
    else if (pause % 4096 == 1)
      time_ += {static_cast<std::int64_t>(random() % 20'000'000)};  // up to 20 us: refreshes in between
    const std::int64_t bursts = kind / 16 % 16 == 0 ? static_cast<std::int64_t>(1 + kind / 256 % 8) : 1;
    const bool write = (kind / 4 % 4) == 0;
    return {.address = address_,
            .size = {bursts * burst_},
            .access = write ? Access::kWrite : Access::kRead,
            .posted = write && kind / 8192 % 2 == 0,
            .arrival = time_};
  }

 private:
  std::uint64_t random() {
    state_ += base::kSplitmixStep;
    return base::splitmix(state_);
  }

  std::uint64_t state_;
  std::uint64_t capacity_;
  std::int64_t burst_;
  Jumps jumps_;
  std::uint64_t address_ = 0;
  base::Picoseconds time_{};
};

// Keeps about `depth` requests of the traffic under way until `count` are done: how many completions came, in
// the order they must have.
inline std::uint64_t drive(Timing& memory, RandomTraffic& traffic, std::uint64_t count, std::uint64_t depth,
                           bool* in_order = nullptr) {
  std::uint64_t submitted = 0;
  std::uint64_t done = 0;
  base::Picoseconds last{};
  for (; submitted < depth && submitted < count; ++submitted) memory.submit(traffic.next());
  while (const auto completion = memory.next(base::Picoseconds::max())) {
    if (in_order != nullptr && (completion->time < last || completion->first > completion->time))
      *in_order = false;
    last = completion->time;
    ++done;
    if (submitted < count) {
      memory.submit(traffic.next());
      ++submitted;
    }
  }
  return done;
}

}  // namespace accelscope::memory
