// The machine of the platform `threads`: atomics, the wall clock as the chip's counter, and threads that
// sleep when there is nothing to do.
//
// A chip has far more cores than the machine that simulates it, so an actor that finds nothing gives its
// processor away at once, and after a few vain looks it sleeps until it is woken.
//
// Waking: each actor has a number that wakers count up. An actor reads it (acquire), looks for work, and when
// it found none sleeps only if the number is still the same. Who counted up before the number was read, did
// so behind its change (release), which is then seen; who counts up later ends the sleep. So nothing is
// missed. The lowest bit of the number says that the actor sleeps: most wakers find that it does not, and
// call nobody.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "base/units.h"
#include "device/costs.h"
#include "runtime/machine.h"
#include "runtime/thread_words.h"

namespace accelscope::runtime {

// The chip's counter, as the system's steady clock makes it run. Beginning is when the run began; the counter
// is not zero then. Copies count alike.
class ThreadClock {
 public:
  using Steady = std::chrono::steady_clock;

  ThreadClock(base::Frequency counter, Steady::time_point beginning);

  std::uint64_t now() const {
    const std::int64_t time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now() - beginning_).count() + kFirst;
    return whole_ > 0 ? static_cast<std::uint64_t>(time / whole_) : fraction(time);
  }
  void relax() { std::this_thread::yield(); }
  Moment moment() const { return {}; }
  void charge(device::Picoseconds) {}
  bool just_woke() const { return false; }

 private:
  static constexpr std::int64_t kFirst = 1'000'000;  // nanoseconds
  std::uint64_t fraction(std::int64_t nanoseconds) const;

  base::Frequency counter_;
  Steady::time_point beginning_;
  std::int64_t whole_ = 0;  // nanoseconds per tick, where that is a whole number
};

class ThreadWakes {
 public:
  explicit ThreadWakes(ActorNumbers numbers)
      : numbers_(numbers), signals_(std::make_unique<Signal[]>(numbers.count())) {}

  void wake(std::uint32_t actor, Moment) {
    std::atomic<std::uint32_t>& count = signals_[actor].count;
    if ((count.fetch_add(kOne, std::memory_order_release) & kAsleep) != 0) count.notify_one();
  }
  // Who waits for which queue is not asked: the answer could be out of date.
  void wake_schedulers(std::uint32_t, Moment) {
    for (std::uint32_t thread = 0; thread < numbers_.scheduler_threads; ++thread)
      wake(numbers_.scheduler(thread), {});
  }

  // Both only by the actor itself.
  std::uint32_t signal(std::uint32_t actor) const {
    return signals_[actor].count.load(std::memory_order_acquire);
  }
  void sleep(std::uint32_t actor, std::uint32_t signal) {
    std::atomic<std::uint32_t>& count = signals_[actor].count;
    if (!count.compare_exchange_strong(signal, signal | kAsleep, std::memory_order_acquire)) return;
    count.wait(signal | kAsleep, std::memory_order_acquire);
    count.fetch_and(~kAsleep, std::memory_order_acquire);
  }

 private:
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kOne = 2;
  struct alignas(64) Signal {
    std::atomic<std::uint32_t> count = 0;
  };
  ActorNumbers numbers_;
  std::unique_ptr<Signal[]> signals_;
};

struct ThreadMachine {
  static constexpr bool kTimeIsCharged = false;
  using Counter = ThreadCounter;
  using Word = ThreadWord;
  using State = ThreadState;
  template <class Entry>
  using List = ThreadList<Entry>;
  template <class Item>
  using Queue = ThreadQueue<Item>;
  using Clock = ThreadClock;
  using Wakes = ThreadWakes;
};

}  // namespace accelscope::runtime
