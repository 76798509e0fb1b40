// Writes a run's log while it goes. Two loggers with the same functions: one that writes as much as was asked
// for, and one that does nothing and costs nothing.
//
// Used by one thread; program and memory outlive the logger, which owns the log until it is taken.
//
//   logger.operation(pc, operation.unit, start, end);
//   outcome.log = logger.take(end_of_run);
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/units.h"
#include "emulator/run_log.h"
#include "isa/program.h"
#include "memory/timing.h"

namespace accelscope::emulator {

class NoLogger {
 public:
  static constexpr bool kWrites = false;
  void operation(std::uint32_t, isa::Unit, base::Picoseconds, base::Picoseconds, base::Picoseconds) {}
  void transfer(std::uint32_t, base::Picoseconds, base::Picoseconds) {}
  RunLog take(base::Picoseconds) { return {}; }
};

class RunLogger {
 public:
  static constexpr bool kWrites = true;
  RunLogger(const isa::Program& program, LogDetail detail, const memory::Timing& memory);

  // Issued and started are the same but where an operation waits in its unit.
  void operation(std::uint32_t pc, isa::Unit unit, base::Picoseconds issued, base::Picoseconds start,
                 base::Picoseconds end) {
    if (unit == isa::Unit::kScalar || unit == isa::Unit::kControl) return scalar(pc, start, end);
    enter(pc, issued);
    run_ = kNone;
    if (log_.detail == LogDetail::kSections) return;
    log_.slices.push_back({start, end - start, pc, 1, unit});
  }
  // Asks the memory what its buses did since the last one.
  void transfer(std::uint32_t pc, base::Picoseconds start, base::Picoseconds end);

  RunLog take(base::Picoseconds end);

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  static constexpr std::uint32_t kNoSection = std::numeric_limits<std::uint32_t>::max();

  // Scalar and control instructions are one slice until another comes.
  void scalar(std::uint32_t pc, base::Picoseconds start, base::Picoseconds end) {
    enter(pc, start);
    if (log_.detail == LogDetail::kSections) return;
    if (run_ == kNone || log_.detail == LogDetail::kInstructions) {
      run_ = log_.slices.size();
      log_.slices.push_back({start, end - start, pc, 1, isa::Unit::kScalar});
      return;
    }
    LoggedSlice& slice = log_.slices[run_];
    ++slice.count;
    if (end > slice.start + slice.duration) slice.duration = end - slice.start;
  }
  void enter(std::uint32_t pc, base::Picoseconds time) {
    if (section_of_[pc] != section_) change_section(section_of_[pc], time);
  }
  void change_section(std::uint32_t section, base::Picoseconds time);
  void add_activity(std::int32_t channel, base::Picoseconds before, base::Picoseconds after);

  const memory::Timing& memory_;
  const std::vector<isa::LabelChange>& changes_;
  std::vector<std::uint32_t> section_of_;  // by pc, place in changes_
  std::uint32_t section_ = kNoSection;
  std::size_t run_ = kNone;  // the slice of scalar and control instructions that goes on
  memory::Activity before_, after_;
  RunLog log_;
};

}  // namespace accelscope::emulator
