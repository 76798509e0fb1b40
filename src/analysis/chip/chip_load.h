// How loaded a chip was, moment by moment: cores at work, work that had not started, work that waited
// although it was ready, and the depths of the ready queues.
//
// One walk through time owns one; it only goes forward. Borrows the trace while it is made, and owns what it
// keeps.
//
//   ChipLoad load(trace, chip, times, dependencies_known);
//   load.advance(moment);                       // moments in order
//   if (load.idle_cores(kVectorEngine) > 0) ...   // true until load.next_change()
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/chip/task_times.h"

namespace accelscope::analysis::chip {

inline constexpr std::size_t kCubeEngine = 0;
inline constexpr std::size_t kVectorEngine = 1;
inline constexpr std::size_t kEngines = 2;
// The queues are numbered like the engines, and then comes that of MIX tasks.
inline constexpr std::size_t kMixQueue = 2;
inline constexpr std::size_t kQueues = 3;

// How many of some sorted moments have passed.
class Passed {
 public:
  Passed() = default;
  explicit Passed(std::vector<Ticks> moments) : moments_(std::move(moments)) {}

  void advance(Ticks to) {
    while (count_ < moments_.size() && moments_[count_] <= to) ++count_;
  }
  Ticks next() const { return count_ < moments_.size() ? moments_[count_] : Ticks::max(); }
  std::int64_t count() const { return static_cast<std::int64_t>(count_); }
  std::int64_t left() const { return static_cast<std::int64_t>(moments_.size() - count_); }

 private:
  std::vector<Ticks> moments_;
  std::size_t count_ = 0;
};

class ChipLoad {
 public:
  ChipLoad(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
           bool dependencies_known);
  ChipLoad(const ChipLoad&) = delete;
  ChipLoad& operator=(const ChipLoad&) = delete;

  void advance(Ticks to);
  Ticks next_change() const { return next_change_; }

  std::int64_t idle_cores(std::size_t engine) const;
  // Whether a core is idle whose engine has parts that have not started yet.
  bool idle_core_with_work_left() const;
  // Parts that were asked for and whose producers were done, but that no core had been given.
  std::int64_t surely_waiting() const { return ready_.count() - taken_.count(); }
  // Parts that may have been so: not everything that they need was recorded.
  std::int64_t maybe_waiting() const;

  bool has_dispatches() const { return has_dispatches_; }
  bool has_queues() const { return has_queues_; }
  bool queues_known() const;  // from the first sample on
  std::int64_t queue_depth(std::size_t queue) const { return queues_[queue].depth; }
  bool any_queued() const;

  std::size_t engine_of(trace::SliceId slice) const;

 private:
  struct Engine {
    std::int64_t cores = 0;
    Passed starts = {};
    Passed ends = {};
  };
  struct Queue {
    std::vector<Ticks> times = {};
    std::vector<std::int64_t> depths = {};
    std::size_t next = 0;
    std::int64_t depth = 0;
  };
  void add_parts(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                 bool dependencies_known);
  void add_queues(const trace::Trace& trace, const trace::ChipRun& chip);

  std::array<Engine, kEngines> engines_ = {};
  std::vector<Passed*> counted_;  // those of the members that have any moments
  Ticks next_change_ = Ticks::min();
  Passed ready_;
  Passed taken_;
  Passed maybe_ready_;
  Passed maybe_taken_;
  bool all_left_may_wait_ = false;
  std::array<Queue, kQueues> queues_ = {};
  bool has_queues_ = false;
  bool has_dispatches_ = false;
  // Rows of slices on cube cores: [first, end), to know the engine of a part without looking up names.
  std::vector<trace::RowRange> cube_rows_;
};

}  // namespace accelscope::analysis::chip
