// One bank of the simple model (simple_dram.h): who has it, who waits, and how long the next one must.
//
// Used by one thread. It knows no time: it says how many clocks a grant takes, and the owner of the clock
// calls back.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace accelscope::memory {

class SimpleBank {
 public:
  enum class Opened : std::uint8_t { kHit, kMiss, kConflict };
  struct Grant {
    std::uint32_t line = 0;
    Opened opened = Opened::kHit;
  };

  // The grant, when it may have the bank; else it waits for release() or precharged().
  std::optional<Grant> acquire(std::uint32_t line, std::uint64_t row) {
    if (state_ != State::kIdle) {
      waiting_.push_back({line, row});
      return std::nullopt;
    }
    state_ = State::kTaken;
    row_ = row;
    return Grant{line, Opened::kMiss};
  }
  // Whoever has the row already, else the oldest; nothing when nobody waits: then it is being precharged.
  std::optional<Grant> release() {
    if (waiting_.empty()) {
      state_ = State::kPrecharging;
      return std::nullopt;
    }
    for (auto waiter = waiting_.begin(); waiter != waiting_.end(); ++waiter)
      if (waiter->row == row_) {
        const Grant grant{waiter->line, Opened::kHit};
        waiting_.erase(waiter);
        return grant;
      }
    return oldest(Opened::kConflict);
  }
  // The one that came while it was precharged has it at once, as in the reference.
  std::optional<Grant> precharged() {
    state_ = State::kIdle;
    if (waiting_.empty()) return std::nullopt;
    state_ = State::kTaken;
    return oldest(Opened::kHit);
  }

 private:
  enum class State : std::uint8_t { kIdle, kTaken, kPrecharging };
  struct Waiter {
    std::uint32_t line;
    std::uint64_t row;
  };

  Grant oldest(Opened opened) {
    const Waiter waiter = waiting_.front();
    waiting_.pop_front();
    row_ = waiter.row;
    return {waiter.line, opened};
  }

  State state_ = State::kIdle;
  std::uint64_t row_ = 0;
  std::deque<Waiter> waiting_;
};

}  // namespace accelscope::memory
