// Tells a core's performance monitor what the pipes did in each call of a kernel.
//
// What a call does with the pipes comes from its work (kernel_pipes.h), stretched to the time that the call
// took, to the tick. Marks that the kernel itself leaves have the time at which it does so; in virtual time a
// kernel takes none while it runs, so its marks are spread evenly over the call, in their order.
//
// Belongs to one core. Without monitors, every call is a test of a pointer.
//
//   PipeTeller<Machine> pipes(shared.monitors, number, clock);
//   pipes.begin(call, start);
//   run_kernel(kernel, call);
//   pipes.end(work, kernel.engine, costs, end);
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "accelscope/accelscope_kernel.h"
#include "runtime/core_monitors.h"
#include "runtime/kernel_pipes.h"

namespace accelscope::runtime {

template <class Machine>
class PipeTeller {
 public:
  using Clock = typename Machine::Clock;

  PipeTeller(CoreMonitors* monitors, std::uint32_t core, Clock& clock)
      : monitors_(monitors != nullptr && monitors->records(core) ? monitors : nullptr),
        core_(core),
        clock_(clock) {}

  bool is_on() const { return monitors_ != nullptr; }

  // `start`: of the task, as it is recorded.
  void begin(accelscope_kernel_call& call, std::uint64_t start) {
    if (!is_on()) return;
    start_ = start;
    marks_.clear();
    if (monitors_->options().marks) {
      call.mark = &on_mark;
      call.mark_context = this;
    }
  }

  // `end`: likewise. Telling takes time itself, so it comes behind that.
  void end(const accelscope_kernel_work& work, std::uint32_t engine, const device::Costs& costs,
           std::uint64_t end) {
    if (!is_on()) return;
    const auto length = static_cast<std::int64_t>(end - start_);
    device::PipeSchedule schedule = device::scaled(pipes_of(work, engine, costs), base::Cycles{length});
    if (!monitors_->options().states) schedule.phases.clear();
    if (!monitors_->options().marks) schedule.marks.clear();
    add_marks(schedule);
    if constexpr (Machine::kTimeIsCharged)
      monitors_->keep(core_, start_, schedule);
    else
      monitors_->run(core_, start_, schedule);
  }

 private:
  static constexpr std::size_t kMostMarks = 65'536;  // of a call; others are left out

  static void on_mark(const accelscope_kernel_call* call, std::uint32_t pipe, std::uint32_t id) {
    auto& self = *static_cast<PipeTeller*>(call->mark_context);
    if (pipe > ACCELSCOPE_PIPE_FIXP || id > ACCELSCOPE_MAX_MARK || self.marks_.size() == kMostMarks) return;
    const std::uint64_t now = Machine::kTimeIsCharged ? self.start_ : self.clock_.now();
    self.marks_.push_back(
        {static_cast<device::Pipe>(pipe), id, static_cast<std::int64_t>(now - self.start_)});
  }

  void add_marks(device::PipeSchedule& schedule) {
    const auto count = static_cast<std::int64_t>(marks_.size());
    for (std::int64_t i = 0; i < count; ++i) {
      device::PipeMark mark = marks_[static_cast<std::size_t>(i)];
      // Not the product with the whole length, which may be too large.
      if constexpr (Machine::kTimeIsCharged)
        mark.at =
            schedule.length / (count + 1) * (i + 1) + schedule.length % (count + 1) * (i + 1) / (count + 1);
      schedule.marks.push_back(mark);
    }
  }

  CoreMonitors* monitors_;
  std::uint32_t core_;
  Clock& clock_;
  std::uint64_t start_ = 0;  // ticks
  std::vector<device::PipeMark> marks_;
};

}  // namespace accelscope::runtime
