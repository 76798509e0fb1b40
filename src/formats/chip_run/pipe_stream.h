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
  struct Lists {
    CorePipes& core;

    void interval(const perfmon::BusyInterval& interval) {
      core.busy[static_cast<std::size_t>(interval.pipe)].add(
          {interval.begin, interval.end, interval.begin_unknown, interval.end_unknown});
    }
    void mark(const perfmon::Mark& mark) { core.marks[static_cast<std::size_t>(mark.pipe)].push_back(mark); }
  };

  struct Visitor : perfmon::VisitNothing {
    explicit Visitor(CorePipes& core) : lists{core}, intervals(lists) {}

    void stamp(base::Ticks /*base*/, std::uint32_t /*block*/) { dated = true; }
    void state(base::Ticks time, perfmon::PipeMask mask) {
      intervals.state(time, mask);
      busy = mask;
      if (in_gap) end_gap(time);
    }
    void mark(base::Ticks time, perfmon::Pipe pipe, std::uint32_t id) { intervals.mark(time, pipe, id); }
    void end_of_block(base::Ticks time) {
      intervals.end_of_block(time);
      busy = 0;
    }
    void lost(base::Ticks reached) {
      intervals.lost(reached);
      if (!in_gap) begin_gap(reached, cause);
      busy = 0;
    }
    void finish(base::Ticks reached, GapCause why) {
      const bool cut = busy != 0;
      intervals.finish(reached);
      if (!in_gap) begin_gap(reached, {.cause = cut ? GapCause::kCutOff : why});
    }

    void begin_gap(base::Ticks reached, RecordedGap gap) {
      if (dated || drained != base::Ticks::min()) gap.from = busy != 0 ? reached : std::max(reached, drained);
      lists.core.gaps.push_back(gap);
      in_gap = true;
    }
    // Time may have gone backwards, and then there is no gap.
    void end_gap(base::Ticks time) {
      RecordedGap& gap = lists.core.gaps.back();
      gap.to = time;
      if (gap.to <= gap.from) lists.core.gaps.pop_back();
      in_gap = false;
    }

    Lists lists;
    perfmon::IntervalBuilder<Lists> intervals;
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
