// What the pipes of a core do during one call of a kernel, as a schedule for monitors and pictures.
//
// A call is set up by the scalar unit and is then a loop over tiles, each of which passes through the pipes
// that the work needs; how long each takes follows from the work by the formulas of docs/costs.md. A kernel
// may cut the work up otherwise, or say exactly what the pipes do (accelscope_kernel.h).
//
// Pure functions, safe from any thread; what they return owns everything it holds.
//
//   const device::PipeSchedule call = pipes_of(work, kernel.engine, costs);
//   const device::PipeSchedule measured = device::scaled(call, base::Cycles{12'345});
#pragma once

#include <cstdint>

#include "accelscope/accelscope_kernel.h"
#include "device/costs.h"
#include "device/pipe_schedule.h"

namespace accelscope::runtime {

// Of a loop for which nobody says otherwise, and the most of each.
inline constexpr std::uint32_t kUsualTiles = 8;
inline constexpr std::uint32_t kUsualPipeBuffers = 2;
inline constexpr std::uint32_t kMaxTiles = 4096;
inline constexpr std::uint32_t kMaxPipeBuffers = 64;
// Phases and marks of an exact schedule beyond these are left out.
inline constexpr std::uint32_t kMaxPipeEntries = 65'536;

// For how many cycles each pipe works on a call altogether.
struct PipeCycles {
  double scalar = 0;
  double vector = 0;
  double cube = 0;
  double moved = 0;      // MTE1
  double read = 0;       // MTE2
  double written = 0;    // MTE3
  double taken_out = 0;  // FIXP

  // Of the pipe that works longest. Taking out is hidden behind writing and counts only in a loop.
  double busiest() const;
};

// An amount of work as it counts: none when it is negative or no number, and with an end.
double sound_amount(double amount);

PipeCycles cycles_of(const accelscope_kernel_work& work, std::uint32_t engine, const device::Costs& costs);

// How long the loop over tiles takes, with the tiles and buffers that the work says or the usual ones.
double loop_cycles_of(const accelscope_kernel_work& work, std::uint32_t engine, const device::Costs& costs);

// In cycles of the core, as the call would take without jitter; one of at least one cycle, which check() of
// device/pipe_schedule.h finds sound. Without buffers that are said, pipes overlap perfectly as far as time
// is concerned, so the loop is squeezed into that time. Calls beyond 2^36 cycles are as if they took that
// long: what is called scales it anyway. What an exact schedule has outside its length or of pipes that there
// are not is left out.
device::PipeSchedule pipes_of(const accelscope_kernel_work& work, std::uint32_t engine,
                              const device::Costs& costs);

}  // namespace accelscope::runtime
