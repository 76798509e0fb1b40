// The machine of the virtual chip: clocks that are told what things cost, and an event queue.
//
// Deterministic: whoever is due first is next, of several the one with the lowest number. All of it belongs
// to the one thread that runs the chip.
//
// An actor that found nothing to do sleeps, and costs nothing. One that polls in turns (it says how long a
// turn takes) sees what comes half a turn later, which is what polling takes on average.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include "base/units.h"
#include "device/costs.h"
#include "runtime/machine.h"
#include "runtime/virtual_words.h"

namespace accelscope::runtime {

// Picoseconds as ticks of a counter, rounded down.
class TickScale {
 public:
  explicit TickScale(base::Frequency counter);
  std::uint64_t ticks(Moment moment) const {
    return whole_ > 0 ? static_cast<std::uint64_t>(moment.value / whole_) : fraction(moment);
  }

 private:
  std::uint64_t fraction(Moment moment) const;

  base::Frequency counter_;
  std::int64_t whole_ = 0;  // picoseconds per tick, where that is a whole number
};

class VirtualClock {
 public:
  // `read_cost`: of a look at the counter. `relax` is what a recorder does while it waits for the host.
  VirtualClock(TickScale scale, device::Picoseconds read_cost, const std::function<void()>* relax)
      : scale_(scale), read_cost_(read_cost), relax_(relax) {}

  std::uint64_t now() {
    now_ += read_cost_;
    ++reads_;
    return scale_.ticks(now_);
  }
  std::uint64_t reads() const { return reads_; }
  void relax() { (*relax_)(); }
  Moment moment() const { return now_; }
  void charge(device::Picoseconds time) { now_ += time; }
  bool just_woke() const { return just_woke_; }
  // Nobody begins anything any more before the time at which this step began.
  Moment step_began() const { return step_began_; }
  std::uint64_t ticks(Moment moment) const { return scale_.ticks(moment); }

  // The platform, before a step.
  void begin_step(Moment at, bool just_woke) {
    step_began_ = at;
    now_ = std::max(now_, at);
    just_woke_ = just_woke;
  }

 private:
  TickScale scale_;
  device::Picoseconds read_cost_;
  const std::function<void()>* relax_;
  Moment now_ = {};
  Moment step_began_ = {};
  bool just_woke_ = false;
  std::uint64_t reads_ = 0;
};

class VirtualWakes {
 public:
  explicit VirtualWakes(ActorNumbers numbers) : numbers_(numbers), actors_(numbers.count()) {}

  // Something can be seen from then on.
  void wake(std::uint32_t actor, Moment moment);
  void wake_schedulers(std::uint32_t shapes, Moment moment);
  void note_room(Moment moment) { wake(ActorNumbers::orchestrator(), moment); }

  struct Due {
    Moment at = {};
    std::uint32_t actor = 0;
    bool was_asleep = false;
  };
  // Whoever is next; nothing when all sleep or have ended.
  std::optional<Due> next();

  // What the step of that actor led to, and its time then.
  void after_step(const Due& due, const StepResult& result, Moment now);
  void begin(std::uint32_t actor, Moment at) { schedule(actor, at); }
  bool has_ended(std::uint32_t actor) const { return actors_[actor].state == State::kEnded; }

 private:
  enum class State : std::uint8_t { kAwake, kAsleep, kEnded };
  struct Actor {
    State state = State::kAwake;
    Moment due = kNever;
    // Woken while awake: the first and the last moment that it may not have looked at.
    Moment first_missed = kNever;
    Moment last_missed{-1};
    std::uint32_t shapes = 0;
    Moment slept_at = {};
    Moment period = {};
  };
  struct Event {
    Moment at = {};
    std::uint32_t actor = 0;
    bool operator>(const Event& other) const { return at != other.at ? at > other.at : actor > other.actor; }
  };
  void schedule(std::uint32_t actor, Moment at);
  void sleep(std::uint32_t actor, const StepResult& result, Moment since, Moment now);

  ActorNumbers numbers_;
  std::vector<Actor> actors_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

struct VirtualMachine {
  static constexpr bool kTimeIsCharged = true;
  using Counter = VirtualCounter;
  using Word = VirtualWord;
  using State = VirtualState;
  template <class Entry>
  using List = VirtualList<Entry>;
  template <class Item>
  using Queue = VirtualQueue<Item>;
  using Clock = VirtualClock;
  using Wakes = VirtualWakes;
};

}  // namespace accelscope::runtime
