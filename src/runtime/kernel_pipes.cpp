#include "runtime/kernel_pipes.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "device/pipe_patterns.h"

namespace accelscope::runtime {
namespace {

using device::Costs;
using device::Pipe;
using device::PipeSchedule;
using device::PipeStage;

// Loops are laid out in parts of a cycle, so that tiles need not be whole cycles: 1/64 of a tile's part,
// which is exact for the usual costs, or coarser ones when this many would not hold the loop.
constexpr double kPartsOfCycle = 64;
constexpr double kMostParts = 0x1p40;
// Of a schedule in cycles.
constexpr double kMostCycles = 0x1p36;

double cycles_for(double amount, double per_cycle) {
  return per_cycle > 0 ? sound_amount(amount) / per_cycle : 0;
}

struct Loop {
  PipeSchedule schedule = {};
  double parts_per_cycle = 1;

  double cycles() const { return static_cast<double>(schedule.length) / parts_per_cycle; }
};

Loop loop_of(const PipeCycles& cycles, std::uint32_t tiles, std::uint32_t buffers) {
  const double sum = cycles.scalar + cycles.vector + cycles.cube + cycles.moved + cycles.read +
                     cycles.written + cycles.taken_out;
  Loop loop;
  if (!(sum > 0)) return loop;
  loop.parts_per_cycle = std::min(kPartsOfCycle * tiles, kMostParts / sum);
  const auto parts_of_tile = [&](double total) {
    return static_cast<std::int64_t>(std::llround(total / tiles * loop.parts_per_cycle));
  };
  // A pipe with nothing to do is no stage: there is no buffer before it.
  std::vector<PipeStage> stages;
  for (const auto& [pipe, total] :
       std::initializer_list<std::pair<Pipe, double>>{{Pipe::kMte2, cycles.read},
                                                      {Pipe::kMte1, cycles.moved},
                                                      {Pipe::kCube, cycles.cube},
                                                      {Pipe::kFixp, cycles.taken_out},
                                                      {Pipe::kVec, cycles.vector},
                                                      {Pipe::kMte3, cycles.written}})
    if (parts_of_tile(total) > 0) stages.push_back({pipe, parts_of_tile(total)});
  const std::int64_t scalar = parts_of_tile(cycles.scalar);
  loop.schedule = stages.empty() ? device::scalar_schedule(scalar * tiles)
                                 : device::tile_loop(stages, tiles, buffers, scalar);
  return loop;
}

Loop loop_of(const accelscope_kernel_work& work, const PipeCycles& cycles) {
  return loop_of(cycles, work.tiles == 0 ? kUsualTiles : std::min(work.tiles, kMaxTiles),
                 work.buffers == 0 ? kUsualPipeBuffers : std::min(work.buffers, kMaxPipeBuffers));
}

std::int64_t whole_cycles(double cycles) {
  return std::llround(std::min(cycles, kMostCycles));
}

template <class Entry>
std::span<const Entry> entries(const Entry* first, std::uint32_t count) {
  return {first, first == nullptr ? 0 : std::min(count, kMaxPipeEntries)};
}

bool is_pipe(std::uint32_t number) {
  return number < formats::perfmon::kPipes;
}

// What the kernel says itself, as far as it makes sense.
PipeSchedule exact_schedule(const accelscope_kernel_work& work) {
  PipeSchedule schedule{.length = work.pipe_cycles};
  if (work.pipe_cycles == 0) return schedule;
  for (const accelscope_pipe_phase& phase : entries(work.pipe_phases, work.pipe_phase_count)) {
    const std::uint32_t end = std::min(phase.to, work.pipe_cycles);
    if (is_pipe(phase.pipe) && phase.from < end)
      schedule.phases.push_back({static_cast<Pipe>(phase.pipe), phase.from, end});
  }
  for (const accelscope_pipe_mark& mark : entries(work.pipe_marks, work.pipe_mark_count))
    if (is_pipe(mark.pipe) && mark.id <= ACCELSCOPE_MAX_MARK && mark.at <= work.pipe_cycles)
      schedule.marks.push_back({static_cast<Pipe>(mark.pipe), mark.id, mark.at});
  return schedule;
}

PipeSchedule derived_schedule(const accelscope_kernel_work& work, std::uint32_t engine, const Costs& costs) {
  const PipeCycles cycles = cycles_of(work, engine, costs);
  const Loop loop = loop_of(work, cycles);
  const double cycles_per_nanosecond = costs.core_clock_mhz / 1e3;
  const double start = static_cast<double>(costs.kernel_start.value) / 1e3 * cycles_per_nanosecond;
  const double looped = work.buffers == 0 ? cycles.busiest() : loop.cycles();
  const double waited = sound_amount(work.nanoseconds) * cycles_per_nanosecond;
  // Of a call that is too long to be told in cycles, all parts shrink alike.
  const double all = start + looped + waited;
  const double factor = all > kMostCycles ? kMostCycles / all : 1;

  PipeSchedule schedule = device::scalar_schedule(whole_cycles(start * factor));
  if (loop.schedule.length > 0)
    schedule = device::sequence(schedule,
                                device::scaled(loop.schedule, base::Cycles{whole_cycles(looped * factor)}));
  // Who waits for time to pass looks at the clock.
  if (whole_cycles(waited * factor) > 0)
    schedule = device::sequence(schedule, device::scalar_schedule(whole_cycles(waited * factor)));
  if (schedule.length == 0) schedule = device::scalar_schedule(1);
  std::erase_if(schedule.phases, [](const device::PipePhase& phase) { return phase.begin == phase.end; });
  return schedule;
}

}  // namespace

double PipeCycles::busiest() const {
  return std::max({cube, vector, scalar, read, written, moved});
}

// Infinities and what is no number fall out of the comparison.
double sound_amount(double amount) {
  return amount > 0 ? std::min(amount, 1e18) : 0;
}

PipeCycles cycles_of(const accelscope_kernel_work& work, std::uint32_t engine, const Costs& costs) {
  const bool on_cube = engine == ACCELSCOPE_ENGINE_CUBE;
  return {.scalar = cycles_for(work.scalar_operations, costs.scalar_operations_per_cycle),
          .vector = cycles_for(work.vector_operations, costs.vector_operations_per_cycle),
          .cube = cycles_for(work.multiply_adds, costs.cube_multiply_adds_per_cycle),
          .moved = on_cube ? cycles_for(work.bytes_read, costs.bytes_per_cycle_moved) : 0,
          .read = cycles_for(work.bytes_read, costs.bytes_per_cycle_read),
          .written = cycles_for(work.bytes_written, costs.bytes_per_cycle_written),
          .taken_out = on_cube ? cycles_for(work.bytes_written, costs.bytes_per_cycle_moved) : 0};
}

double loop_cycles_of(const accelscope_kernel_work& work, std::uint32_t engine, const Costs& costs) {
  return loop_of(work, cycles_of(work, engine, costs)).cycles();
}

PipeSchedule pipes_of(const accelscope_kernel_work& work, std::uint32_t engine, const Costs& costs) {
  PipeSchedule exact = exact_schedule(work);
  if (!exact.phases.empty()) return exact;
  PipeSchedule schedule = derived_schedule(work, engine, costs);
  if (!exact.marks.empty()) schedule.marks = device::scaled(exact, base::Cycles{schedule.length}).marks;
  return schedule;
}

}  // namespace accelscope::runtime
