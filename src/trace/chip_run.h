// What a trace holds when it is the recording of a chip: which tracks are cores, scheduler threads and
// orchestrators, and the moments of every dispatch. docs/trace-model.md, "A run of a chip", is the contract
// between readers and whoever uses this.
//
// Pure functions of a read-only trace; string_views point into it. DispatchWalk puts a few hundred
// dispatches together at a time, so that ten million of them need no second copy of the trace.
//
//   const ChipRun chip = chip_run(trace);
//   for (const ChipCore& core : chip.cores)
//     for (const Dispatch& dispatch : DispatchWalk(trace, core.track)) use(dispatch.start, dispatch.end);
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace accelscope::trace {

struct ChipCore {
  TrackId track = TrackId::kNone;
  std::int64_t number = 0;
  std::string_view engine = {};        // vocabulary: engine
  TrackId scheduler = TrackId::kNone;  // the thread that feeds it, where that is known
};

struct ChipRun {
  std::vector<ChipCore> cores = {};      // by number
  std::vector<TrackId> schedulers = {};  // by number; threads that recorded nothing are not there
  // The counters of the ready queues AIC, AIV and MIX; none where they were not recorded.
  std::array<TrackId, 3> ready_queues = {TrackId::kNone, TrackId::kNone, TrackId::kNone};
  std::vector<TrackId> orchestrators = {};
  ClockId clock = ClockId::kNone;  // of cores and schedulers
  int level = 0;                   // how much was recorded, 1 to 4; 0 when nothing says
  // Whether the dependencies are known: a run without edges may be one whose tasks are independent.
  bool dependencies_recorded = false;
  bool orchestrated_on_host = false;
  // Whether times of the orchestrators and of the cores can be compared: they share a clock, or the relation
  // of their clocks was measured.
  bool clocks_compare = true;
};

// Whether the trace is the recording of a chip: it has cores that carry out tasks.
bool is_chip_run(const Trace& trace);
ChipRun chip_run(const Trace& trace);

// A moment that was not recorded.
inline constexpr Ticks kUnknownTime = Ticks::min();
constexpr bool is_known(Ticks time) {
  return time != kUnknownTime;
}

// One core carrying out one part of a task: submit <= ready <= dispatch <= receive <= start <= end <= finish.
struct Dispatch {
  SliceId slice = SliceId::kNone;
  TaskId task = TaskId::kNone;
  StringId function = StringId::kEmpty;
  Ticks dispatch = kUnknownTime;  // the scheduler hands it to the core
  Ticks receive = kUnknownTime;   // the core sees it
  Ticks start = {};
  Ticks end = {};
  Ticks finish = kUnknownTime;  // the scheduler sees that it has ended
};

// The dispatches of a core in order of start, or those among some consecutive slices of it. To be walked
// through once, by one thread; the trace must outlive the walk, and each dispatch is good until the next.
class DispatchWalk {
 public:
  DispatchWalk(const Trace& trace, RowRange rows);
  DispatchWalk(const Trace& trace, TrackId core) : DispatchWalk(trace, trace.slices_of(core)) {}

  class Iterator {
   public:
    explicit Iterator(DispatchWalk& walk) : walk_(walk), block_(walk.next_block()) {}
    const Dispatch& operator*() const { return block_[at_]; }
    Iterator& operator++() {
      if (++at_ == block_.size()) {
        block_ = walk_.next_block();
        at_ = 0;
      }
      return *this;
    }
    bool operator==(std::default_sentinel_t) const { return block_.empty(); }

   private:
    DispatchWalk& walk_;
    std::span<const Dispatch> block_;
    std::size_t at_ = 0;
  };
  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

  // The same in blocks, which are good until the next call; empty at the end.
  std::span<const Dispatch> next_block();

 private:
  void load_stages();
  void take_stages(std::uint32_t slice, Dispatch& item);

  static constexpr std::size_t kBlock = 256;

  const Trace& trace_;
  RowRange rows_;  // those that are left
  CategoryId execution_;
  StringId dispatch_;
  StringId receive_;
  StringId finish_;
  // The stages of slices come in the order of the slices, chunk by chunk.
  std::uint32_t stages_to_;      // behind the chunk that is walked
  std::size_t stages_left_ = 0;  // in the chunk
  const SliceId* stage_slice_ = nullptr;
  const StringId* stage_ = nullptr;
  const Ticks* stage_offset_ = nullptr;
  std::array<Dispatch, kBlock> block_ = {};
};

// All at once, for who needs to look ahead or back.
std::vector<Dispatch> dispatches_of(const Trace& trace, TrackId core);
std::vector<Dispatch> dispatches_in(const Trace& trace, RowRange rows);

// "t7" on ring 0, "r2t7" on others: how people name a task whose id is ring and position.
std::string task_label(std::uint64_t external_id);
// The same for writers, which have one for every bar: written at `to`, where kMaxTaskLabel bytes fit. Returns
// the place behind it.
inline constexpr std::size_t kMaxTaskLabel = 22;
char* put_task_label(char* to, std::uint64_t external_id);

}  // namespace accelscope::trace
