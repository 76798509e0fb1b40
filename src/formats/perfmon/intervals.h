// When each pipe was busy, as intervals, from the events of a decoder (decoder.h).
//
// A visitor that hands every interval, when it ends, and every mark to a sink. Where pipes were busy at a
// loss or at the end, or where a stream is joined while they are, one end of an interval is not known: it is
// then the last or first moment at which the pipe was certainly busy, and a flag says so. One thread uses one
// builder; the sink must outlive it.
//
//   IntervalList list;
//   IntervalBuilder builder(list);
//   decoder.feed(bytes, builder);
//   decoder.finish(builder);
//   builder.finish(decoder.time());
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "formats/perfmon/decoder.h"

namespace accelscope::formats::perfmon {

struct BusyInterval {
  base::Ticks begin = {};
  base::Ticks end = {};
  Pipe pipe = Pipe::kSu;
  bool begin_unknown = false;  // busy at the begin, perhaps before
  bool end_unknown = false;    // busy up to the end, perhaps after

  bool operator==(const BusyInterval&) const = default;
};

// A checkpoint of the program: the moment at which the scalar unit issued it, not one of its pipe.
struct Mark {
  base::Ticks time = {};
  Pipe pipe = Pipe::kSu;
  std::uint32_t id = 0;

  bool operator==(const Mark&) const = default;
};

// A sink that keeps everything: intervals by their end, then by pipe.
struct IntervalList {
  std::vector<BusyInterval> intervals = {};
  std::vector<Mark> marks = {};

  void interval(const BusyInterval& interval) { intervals.push_back(interval); }
  void mark(const Mark& mark) { marks.push_back(mark); }
};

template <class Sink>
class IntervalBuilder : public VisitNothing {
 public:
  explicit IntervalBuilder(Sink& sink) : sink_(sink) {}

  void state(base::Ticks time, PipeMask busy) {
    for (unsigned ended = busy_ & ~unsigned{busy}; ended != 0; ended &= ended - 1)
      close(static_cast<std::size_t>(std::countr_zero(ended)), time, false);
    for (unsigned began = busy & ~unsigned{busy_}; began != 0; began &= began - 1)
      begins_[static_cast<std::size_t>(std::countr_zero(began))] = time;
    if (!known_) {
      begin_unknown_ = busy;
      known_ = true;
    }
    busy_ = busy;
  }

  void mark(base::Ticks time, Pipe pipe, std::uint32_t id) { sink_.mark({time, pipe, id}); }

  // The block is over; pipes that did not say so were cut off.
  void end_of_block(base::Ticks time) { finish(time); }

  void lost(base::Ticks reached) {
    finish(reached);
    known_ = false;
  }

  // Nothing comes after this time: what is open ends at an unknown one.
  void finish(base::Ticks reached) {
    for (unsigned open = busy_; open != 0; open &= open - 1)
      close(static_cast<std::size_t>(std::countr_zero(open)), reached, true);
    busy_ = 0;
  }

 private:
  void close(std::size_t pipe, base::Ticks time, bool end_unknown) {
    sink_.interval(
        {begins_[pipe], time, static_cast<Pipe>(pipe), ((begin_unknown_ >> pipe) & 1U) != 0, end_unknown});
    begin_unknown_ &= static_cast<PipeMask>(~(1U << pipe));
  }

  Sink& sink_;
  std::array<base::Ticks, kPipes> begins_ = {};
  PipeMask busy_ = 0;
  PipeMask begin_unknown_ = 0;  // of those that are busy
  bool known_ = true;           // which pipes are busy; not after a loss, until the next state
};

}  // namespace accelscope::formats::perfmon
