// What the pipes of a core do during one call of a kernel: phases during which a pipe is busy, and marks that
// the program leaves.
//
// Times are integers from 0 to `length`; their unit is the schedule's own, and scaled() makes them cycles of
// a call. Scaling maps moments, not durations: phases that meet still meet, and what fills the schedule fills
// the call, to the tick. Phases of one pipe may touch or overlap: a pipe is busy or it is not. Plain values
// and pure functions.
//
//   PipeSchedule schedule{.length = 100, .phases = {{Pipe::kMte2, 0, 40}, {Pipe::kVec, 30, 100}}};
//   const PipeSchedule call = scaled(schedule, base::Cycles{12345});
//   for (const PipeEvent& event : events_of(call)) ...
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "base/units.h"
#include "formats/perfmon/layout.h"

namespace accelscope::device {

using formats::perfmon::Pipe;
using formats::perfmon::PipeMask;

struct PipePhase {
  Pipe pipe = Pipe::kSu;
  std::int64_t begin = 0;
  std::int64_t end = 0;  // behind it

  bool operator==(const PipePhase&) const = default;
};

struct PipeMark {
  Pipe pipe = Pipe::kSu;
  std::uint32_t id = 0;
  std::int64_t at = 0;

  bool operator==(const PipeMark&) const = default;
};

struct PipeSchedule {
  std::int64_t length = 0;
  std::vector<PipePhase> phases = {};
  std::vector<PipeMark> marks = {};

  bool operator==(const PipeSchedule&) const = default;
};

// What is wrong with it: lengths below one or above 2^40, phases that end before they begin or lie outside,
// ids of marks above 4095.
base::Status check(const PipeSchedule& schedule);

// The same in `length` cycles, at least 0. Phases that become nothing are left out.
PipeSchedule scaled(const PipeSchedule& schedule, base::Cycles length);

// The second behind the first.
PipeSchedule sequence(const PipeSchedule& first, const PipeSchedule& second);

// For how long each pipe is busy, overlaps counted once.
std::array<std::int64_t, formats::perfmon::kPipes> busy_of(const PipeSchedule& schedule);

// A change of the busy pipes, or a mark.
struct PipeEvent {
  std::int64_t at = 0;
  PipeMask busy = 0;  // from now on; of a mark, as before
  bool is_mark = false;
  Pipe pipe = Pipe::kSu;  // of a mark
  std::uint32_t id = 0;

  bool operator==(const PipeEvent&) const = default;
};

// In the order of time; at one moment first the change, then marks in their order.
std::vector<PipeEvent> events_of(const PipeSchedule& schedule);

// As text, a line each; what follows a # is a comment:
//   length 100
//   phase MTE2 0 40
//   mark VEC 7 30
base::Result<PipeSchedule> read_pipe_schedule(const base::MappedFile& file);
void write_pipe_schedule(const PipeSchedule& schedule, base::Output& out);

}  // namespace accelscope::device
