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
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/units.h"
#include "device/costs.h"
#include "runtime/machine.h"
#include "runtime/machine_counter.h"
#include "runtime/thread_words.h"

namespace accelscope::runtime {

// When a run began, on the system's clock and, where that is to be read instead, on the machine's counter.
struct ThreadTimeBase {
  using Steady = std::chrono::steady_clock;

  Steady::time_point beginning = {};
  std::uint64_t machine_beginning = 0;
  std::optional<CounterScale> machine_scale = {};

  // With `often`, the machine's counter is measured if it can be used, which takes some milliseconds the
  // first time in a process: worth it for those who read the time with every task.
  static ThreadTimeBase now(base::Frequency counter, bool often);
};

// The chip's counter, as the system's steady clock makes it run, or the machine's counter where that is
// cheaper. The counter is not zero when the run begins. Copies count alike.
// It counts how often it was read; each actor has one for itself, also in the cache.
class alignas(64) ThreadClock {
 public:
  using Steady = ThreadTimeBase::Steady;

  ThreadClock(base::Frequency counter, const ThreadTimeBase& base);

  std::uint64_t now() {
    ++reads_;
    if (base_.machine_scale)
      return first_ + base_.machine_scale->scaled(read_machine_counter() - base_.machine_beginning);
    const std::int64_t time =
        std::chrono::duration_cast<std::chrono::nanoseconds>(Steady::now() - base_.beginning).count();
    return first_ + (whole_ > 0 ? static_cast<std::uint64_t>(time / whole_) : fraction(time));
  }
  std::uint64_t at_the_beginning() const { return first_; }
  std::uint64_t reads() const { return reads_; }
  void relax() { std::this_thread::yield(); }
  Moment moment() const { return {}; }
  void charge(device::Picoseconds) {}
  bool just_woke() const { return false; }

 private:
  std::uint64_t fraction(std::int64_t nanoseconds) const;

  base::Frequency counter_;
  ThreadTimeBase base_;
  std::uint64_t first_;
  std::int64_t whole_ = 0;  // nanoseconds per tick, where that is a whole number
  std::uint64_t reads_ = 0;
};

class ThreadWakes {
 public:
  explicit ThreadWakes(ActorNumbers numbers)
      : numbers_(numbers), signals_(std::make_unique<Signal[]>(numbers.count())) {}

  void wake(std::uint32_t actor, Moment) {
    Signal& signal = signals_[actor];
    if ((signal.count.fetch_add(kOne, std::memory_order_release) & kAsleep) == 0) return;
    // Who is about to sleep has the mutex until it does.
    { const std::lock_guard lock(signal.mutex); }
    signal.roused.notify_one();
  }
  // Who waits for which queue is not asked: the answer could be out of date.
  void wake_schedulers(std::uint32_t, Moment) {
    for (std::uint32_t thread = 0; thread < numbers_.scheduler_threads; ++thread)
      wake(numbers_.scheduler(thread), {});
  }
  // The one that makes it as many as are wanted wakes the orchestrator.
  void note_room(Moment) {
    const std::uint64_t room = room_.fetch_add(1, std::memory_order_acq_rel) + 1;
    if (static_cast<std::uint32_t>(room) == wanted_in(room)) wake(ActorNumbers::orchestrator(), {});
  }

  // What an actor has seen before it looks for work.
  struct Seen {
    std::uint32_t signal = 0;
    std::uint32_t room = 0;
  };
  Seen seen(std::uint32_t actor) const {
    return {signals_[actor].count.load(std::memory_order_acquire),
            static_cast<std::uint32_t>(room_.load(std::memory_order_acquire))};
  }
  // Until somebody wakes it; at once when somebody has since.
  void sleep(std::uint32_t actor, std::uint32_t seen_signal) {
    sleep_on(signals_[actor], seen_signal,
             [](Signal& signal, auto& lock, auto&& is_roused) { signal.roused.wait(lock, is_roused); });
  }
  // The orchestrator's: also until there is so much more room than it has seen.
  void sleep_for_room(const Seen& seen, std::uint32_t wanted) {
    // Room comes in the order of tasks: what there is may be enough, and the rest a long time away.
    constexpr std::chrono::milliseconds kLimit{1};
    std::uint64_t room = room_.load(std::memory_order_acquire);
    do {
      if (static_cast<std::uint32_t>(room) - seen.room >= wanted) return;
    } while (!room_.compare_exchange_weak(room, with_wanted(room, seen.room + wanted),
                                          std::memory_order_acq_rel, std::memory_order_acquire));
    sleep_on(signals_[ActorNumbers::orchestrator()], seen.signal,
             [&](Signal& signal, auto& lock, auto&& is_roused) {
               signal.roused.wait_for(lock, kLimit, is_roused);
             });
  }

 private:
  static constexpr std::uint32_t kAsleep = 1;
  static constexpr std::uint32_t kOne = 2;
  struct alignas(64) Signal {
    std::atomic<std::uint32_t> count = 0;
    std::mutex mutex;
    std::condition_variable roused;
  };
  template <class Wait>
  static void sleep_on(Signal& signal, std::uint32_t seen, Wait&& wait) {
    const std::uint32_t asleep = seen | kAsleep;
    std::unique_lock lock(signal.mutex);
    if (!signal.count.compare_exchange_strong(seen, asleep, std::memory_order_acquire)) return;
    wait(signal, lock, [&] { return signal.count.load(std::memory_order_acquire) != asleep; });
    signal.count.fetch_and(~kAsleep, std::memory_order_acquire);
  }
  static constexpr std::uint32_t wanted_in(std::uint64_t room) {
    return static_cast<std::uint32_t>(room >> 32U);
  }
  static constexpr std::uint64_t with_wanted(std::uint64_t room, std::uint32_t wanted) {
    return std::uint64_t{wanted} << 32U | static_cast<std::uint32_t>(room);
  }

  ActorNumbers numbers_;
  std::unique_ptr<Signal[]> signals_;
  // How often room was noted, and at which count the orchestrator is to be woken: the low and the high half,
  // together, so that no count is missed while the other changes. (Once in four thousand million the low half
  // carries into the other; the limit of the sleep makes good for it.)
  alignas(64) std::atomic<std::uint64_t> room_ = 0;
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
