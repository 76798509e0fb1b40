// One core's perfmon trace, drain by drain: intervals and marks go to the core's lists, and every stretch of
// time in which the pipes are not known becomes a gap with a cause.
//
// Where nothing was busy when the trace broke off, all is known up to the drain before: a unit that writes
// nothing has nothing to say. Where something was busy, what is known ends with the last word. One thread;
// the lists must outlive it.
//
//   PipeStream<ChosenLayout> stream({50, 1650}, {layout}, core);
//   stream.lose(GapCause::kOverwritten);
//   stream.feed(bytes);
//   stream.drained(time);
//   stream.finish(GapCause::kNotDrained);
#pragma once

#include <algorithm>
#include <bit>
#include <span>

#include "formats/chip_run/recorded_pipes.h"
#include "formats/perfmon/decoder.h"

namespace accelscope::formats::chip_run {

template <class Layout>
class PipeStream {
 public:
  PipeStream(perfmon::ClockRatio ratio, Layout layout, CorePipes& core)
      : decoder_(ratio, layout), visitor_(core) {}

  void feed(std::span<const std::byte> bytes) { decoder_.feed(bytes, visitor_); }

  // What comes next does not follow on what came before.
  void lose(GapCause cause, std::uint32_t unit_state = 0) {
    visitor_.cause = {.cause = cause, .unit_state = unit_state};
    decoder_.resynchronise(visitor_);
    visitor_.cause = {};
  }

  // All that the unit had written at this time is here.
  void drained(base::Ticks time) { visitor_.drained = std::max(visitor_.drained, time); }

  // Nothing comes any more; `cause` is why nothing is known from here on.
  void finish(GapCause cause) {
    decoder_.finish(visitor_);
    visitor_.finish(decoder_.time(), cause);
  }

  const perfmon::Counters& counters() const { return decoder_.counters(); }

 private:
  struct Visitor : perfmon::VisitNothing {
    explicit Visitor(CorePipes& lists) : core(lists) {}

    void stamp(base::Ticks /*base*/, std::uint32_t /*block*/) { dated = true; }
    void state(base::Ticks time, perfmon::PipeMask mask) {
      if (in_gap) [[unlikely]]
        return first_state(time, mask);
      const unsigned turning = busy ^ unsigned { mask };
      busy = mask;
      if (turning == 0) return;
      core.busy[first_of(turning)].turn(time);
      // Mostly one or two, and nobody can predict which: the second is done whether there is one or not.
      unsigned others = turning & (turning - 1);
      core.busy[first_of(others != 0 ? others : turning)].turn_if(others != 0, time);
      for (others &= others - 1; others != 0; others &= others - 1)
        [[unlikely]] core.busy[first_of(others)].turn(time);
    }
    void mark(base::Ticks time, perfmon::Pipe pipe, std::uint32_t id) {
      core.marks[static_cast<std::size_t>(pipe)].push_back({time, pipe, id});
    }
    void end_of_block(base::Ticks time) { cut_off(time); }
    void lost(base::Ticks reached) {
      if (!in_gap) begin_gap(reached, cause);
      cut_off(reached);
    }
    void finish(base::Ticks reached, GapCause why) {
      if (!in_gap) begin_gap(reached, {.cause = busy != 0 ? GapCause::kCutOff : why});
      cut_off(reached);
    }

    static std::size_t first_of(unsigned pipes) { return static_cast<std::size_t>(std::countr_zero(pipes)); }
    // Behind a loss: those that are busy may have been so before.
    void first_state(base::Ticks time, perfmon::PipeMask mask) {
      turn_about(time, mask);
      busy = mask;
      end_gap(time);
    }
    // What is busy ends at an unknown time.
    void cut_off(base::Ticks reached) {
      turn_about(reached, busy);
      busy = 0;
    }
    void turn_about(base::Ticks time, unsigned pipes) {
      for (; pipes != 0; pipes &= pipes - 1) core.busy[first_of(pipes)].turn_about(time);
    }

    void begin_gap(base::Ticks reached, RecordedGap gap) {
      if (dated || drained != base::Ticks::min()) gap.from = busy != 0 ? reached : std::max(reached, drained);
      core.gaps.push_back(gap);
      in_gap = true;
    }
    // Time may have gone backwards, and then there is no gap.
    void end_gap(base::Ticks time) {
      RecordedGap& gap = core.gaps.back();
      gap.to = time;
      if (gap.to <= gap.from) core.gaps.pop_back();
      in_gap = false;
    }

    CorePipes& core;
    RecordedGap cause = {};  // of the loss that is told next
    base::Ticks drained = base::Ticks::min();
    perfmon::PipeMask busy = 0;
    bool dated = false;
    bool in_gap = false;
  };

  perfmon::Decoder<Layout> decoder_;
  Visitor visitor_;
};

}  // namespace accelscope::formats::chip_run
