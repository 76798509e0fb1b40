// What the orchestrator, the scheduler threads and the cores need of a platform.
//
// They are step functions: one step does one piece of work and never waits inside. A step says whether there
// was anything to do and, if not, from when on there may be; whoever drives it (a thread, an event queue)
// calls it again then, or when another actor wakes it. Their code is a template over a machine, which has
//
//   Counter, Word, State, List<Entry>, Queue<Item>   what actors share (thread_words.h, virtual_words.h)
//   Clock    an actor's own time, and the clock of its recorders:
//              now(), relax()     as recorders want them, in ticks of the chip's counter
//              moment()           from when on others see what is done now
//              charge(time)       what was done took so long; nothing on threads
//              reads()            how often now() was called
//              just_woke()        whether the actor polled in vain until this step
//   Wakes    wake(actor, moment), wake_schedulers(shapes, moment): there is something to see from then on.
//            Called behind the change itself, so that who is woken sees it
//            note_room(moment): a slot is free, which the orchestrator may wait for
//
// Nobody is woken for nothing to be lost: an actor that finds nothing to do has looked at all it waits for,
// and says when what it has seen coming will be there.
#pragma once

#include <cstdint>

#include "runtime/moment.h"

namespace accelscope::runtime {

// What a step did.
struct StepResult {
  enum class Kind : std::uint8_t {
    kWorked,
    kMore,  // has looked at a part of what it waits for, and goes on
    kIdle,
    kEnded,
  };

  Kind kind = Kind::kWorked;
  Moment until = kNever;     // of kIdle: when something will be there that is coming already
  std::uint32_t shapes = 0;  // of kIdle: the queues that the actor waits for, one bit each
  Moment since = kNever;     // of kIdle: when it began to look, if that was before this step
  Moment period = {};        // of kIdle: how long a turn takes in which it looks in vain
  // Of kIdle: so many slots are worth to be woken for; 0 for actors that wait for something else.
  std::uint32_t room_wanted = 0;

  static constexpr StepResult worked() { return {}; }
  static constexpr StepResult more() { return {Kind::kMore}; }
  static constexpr StepResult ended() { return {Kind::kEnded}; }
  static constexpr StepResult idle(Moment until, std::uint32_t shapes = 0) {
    return {Kind::kIdle, until, shapes};
  }
};

// Actors in the order in which they come first when several are due: the orchestrator, scheduler threads,
// cores.
struct ActorNumbers {
  std::uint32_t scheduler_threads = 0;
  std::uint32_t cores = 0;

  static constexpr std::uint32_t orchestrator() { return 0; }
  constexpr std::uint32_t scheduler(std::uint32_t thread) const { return 1 + thread; }
  constexpr std::uint32_t core(std::uint32_t number) const { return 1 + scheduler_threads + number; }
  constexpr std::uint32_t count() const { return 1 + scheduler_threads + cores; }
  constexpr bool is_scheduler(std::uint32_t actor) const { return actor >= 1 && actor <= scheduler_threads; }
};

}  // namespace accelscope::runtime
