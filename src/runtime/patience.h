// Notices that nothing has changed for too long, while somebody kept looking. Time in which nobody looked, as
// when the whole program was stopped from the terminal or waited for a disk, does not count.
//
// One thread owns it.
//
//   Patience patience(std::chrono::seconds(10));
//   while (...) if (patience.is_over(completed())) give_up();
#pragma once

#include <chrono>
#include <cstdint>

namespace accelscope::runtime {

class Patience {
 public:
  using Steady = std::chrono::steady_clock;

  // 0: without end.
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit) {}

  bool is_over(std::uint64_t state, Steady::time_point now = Steady::now()) {
    if (state != state_ || now - last_look_ > kNobodyLooked) since_ = now;
    state_ = state;
    last_look_ = now;
    return limit_.count() > 0 && now - since_ > limit_;
  }

 private:
  static constexpr std::chrono::milliseconds kNobodyLooked{500};

  std::chrono::milliseconds limit_;
  std::uint64_t state_ = 0;
  Steady::time_point since_ = {};
  Steady::time_point last_look_ = {};  // long ago
};

}  // namespace accelscope::runtime
