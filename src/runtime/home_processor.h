// Where the thread of a core had better run on a machine with fewer processors than threads.
//
// Threads that take turns, as cores and the scheduler thread do, are soon together on one processor: whoever
// is woken is put beside its waker, and the system is slow to move threads that run for microseconds to a
// processor that is idle. Two cores then wait for each other, and a run takes up to twice as long for a
// while. So each core has a home. Its thread begins there, and goes back when it is out of work and finds
// itself elsewhere, now and then. All else is left to the system, which may move it to wherever there is time
// while a long task runs.
//
// Belongs to the thread it is for, which makes it. Each move is a wish: where it is not granted, or the
// thread may not use that processor any more, it stays where it is.
//
//   HomeProcessor home(core, threads);
//   if (found_nothing) home.go_back();
#pragma once

#include <sched.h>

#include <chrono>
#include <cstdint>

namespace accelscope::runtime {

class HomeProcessor {
 public:
  // Homes are given out in turn, by number; nobody has one when there is a processor for each of so many
  // threads.
  HomeProcessor(std::uint32_t number, std::uint32_t threads);

  void go_back() {
    if (home_ != kNone && sched_getcpu() != home_) go_back_after_a_while();
  }
  bool has_home() const { return home_ != kNone; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kNone = -1;
  // A move takes some ten microseconds.
  static constexpr std::chrono::milliseconds kBetweenMoves{1};

  void go_back_after_a_while();
  void go() const;

  int home_ = kNone;
  Clock::time_point last_move_ = {};
};

}  // namespace accelscope::runtime
