#include "runtime/virtual_machine.h"

namespace accelscope::runtime {
namespace {

constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

}  // namespace

TickScale::TickScale(base::Frequency counter) : counter_(counter.reduced()) {
  if (counter_.seconds == 1 && kPicosecondsPerSecond % counter_.ticks == 0)
    whole_ = kPicosecondsPerSecond / counter_.ticks;
}

std::uint64_t TickScale::fraction(Moment moment) const {
  return static_cast<std::uint64_t>(
      base::floor_divide(static_cast<base::Int128>(moment.value) * counter_.ticks,
                         static_cast<base::Int128>(kPicosecondsPerSecond) * counter_.seconds));
}

void VirtualWakes::schedule(std::uint32_t actor, Moment at) {
  actors_[actor].due = at;
  events_.push({at, actor});
}

void VirtualWakes::wake(std::uint32_t number, Moment moment) {
  Actor& actor = actors_[number];
  if (actor.state == State::kEnded) return;
  if (actor.state == State::kAwake) {
    actor.first_missed = std::min(actor.first_missed, moment);
    actor.last_missed = std::max(actor.last_missed, moment);
    return;
  }
  // Half a turn is what a polling actor is late on average. Not where in a turn it would be: then a little
  // more work could fall into step with what it waits for, and make a run faster.
  const Moment at = moment <= actor.slept_at ? actor.slept_at : moment + Moment{actor.period.value / 2};
  if (at < actor.due) schedule(number, at);
}

void VirtualWakes::wake_schedulers(std::uint32_t shapes, Moment moment) {
  for (std::uint32_t thread = 0; thread < numbers_.scheduler_threads; ++thread) {
    const std::uint32_t number = numbers_.scheduler(thread);
    if (actors_[number].state == State::kAsleep && (actors_[number].shapes & shapes) == 0) continue;
    wake(number, moment);
  }
}

std::optional<VirtualWakes::Due> VirtualWakes::next() {
  while (!events_.empty()) {
    const Event event = events_.top();
    events_.pop();
    Actor& actor = actors_[event.actor];
    if (actor.due != event.at) continue;  // it was woken earlier
    actor.due = kNever;
    const bool was_asleep = actor.state == State::kAsleep;
    actor.state = State::kAwake;
    return Due{event.at, event.actor, was_asleep};
  }
  return std::nullopt;
}

void VirtualWakes::after_step(const Due& due, const StepResult& result, Moment now) {
  switch (result.kind) {
    case StepResult::Kind::kWorked:
    case StepResult::Kind::kMore:
      return schedule(due.actor, now);
    case StepResult::Kind::kIdle:
      return sleep(due.actor, result, std::min(result.since, due.at), now);
    case StepResult::Kind::kEnded:
      actors_[due.actor].state = State::kEnded;
  }
}

void VirtualWakes::sleep(std::uint32_t number, const StepResult& result, Moment since, Moment now) {
  Actor& actor = actors_[number];
  actor.state = State::kAsleep;
  actor.shapes = result.shapes;
  actor.slept_at = now;
  actor.period = result.period;
  const Moment first = actor.first_missed;
  const Moment last = actor.last_missed;
  actor.first_missed = kNever;
  actor.last_missed = Moment{-1};
  Moment coming = result.until;
  // What it was woken for before it began to look, it has seen.
  if (last >= since) {
    const Moment missed = first >= since ? first : now;
    coming = std::min(coming, missed);
    if (last > missed) actor.first_missed = actor.last_missed = last;
  }
  if (coming != kNever) wake(number, coming);
}

}  // namespace accelscope::runtime
