#include "runtime/kernel_cost.h"

#include <algorithm>
#include <cmath>

#include "base/splitmix.h"
#include "runtime/kernel_pipes.h"
#include "runtime/tensor.h"

namespace accelscope::runtime {
namespace {

using device::Costs;
using device::Picoseconds;

constexpr double kPicosecondsPerDay = 86'400e12;

std::uint64_t whole(double amount) {
  return static_cast<std::uint64_t>(std::llround(std::min(amount, 1e18)));
}

double bytes_of(const accelscope_tensor& tensor) {
  double bytes = tensor.data_type < kDataTypes.size() ? kDataTypes[tensor.data_type].bytes : 1;
  for (std::uint32_t i = 0; i < tensor.dimensions; ++i) bytes *= tensor.shape[i];
  return bytes;
}

// A number from 0 to below 1 that depends on every bit of the call and the seed, on every machine the same.
double evenly_spread(CallIdentity call, std::uint64_t seed) {
  std::uint64_t bits = seed;
  for (const std::uint64_t part : {call.task, std::uint64_t{call.block} << 2U | call.lane})
    bits = base::splitmix(bits + base::kSplitmixStep + part);
  return base::fraction_of(bits);
}

}  // namespace

accelscope_kernel_work work_of(const accelscope_kernel& kernel, const accelscope_kernel_call& call) {
  accelscope_kernel_work work = {};
  if (kernel.work != nullptr) {
    kernel.work(&call, &work);
    return work;
  }
  const double part = 1.0 / std::max(call.blocks, 1U);
  double elements_written = 0;
  for (std::uint32_t i = 0; i < call.tensor_count; ++i) {
    const accelscope_tensor& tensor = call.tensors[i];
    const double bytes = bytes_of(tensor);
    if ((tensor.access & 1U) != 0) work.bytes_read += bytes * part;
    if ((tensor.access & 2U) == 0) continue;
    work.bytes_written += bytes * part;
    elements_written +=
        tensor.data_type < kDataTypes.size() ? bytes * part / kDataTypes[tensor.data_type].bytes : 0;
  }
  (kernel.engine == ACCELSCOPE_ENGINE_CUBE ? work.multiply_adds : work.vector_operations) = elements_written;
  return work;
}

accelscope_kernel_work work_of(const Function& function, const accelscope_kernel& kernel,
                               const accelscope_kernel_call& call) {
  accelscope_kernel_work work = work_of(kernel, call);
  if (function.pipes == Pipes{}) return work;
  if (function.pipes.tiles != 0) work.tiles = function.pipes.tiles;
  if (function.pipes.buffers != 0) work.buffers = function.pipes.buffers;
  // What the kernel says exactly is of another loop.
  work.pipe_phases = nullptr;
  work.pipe_phase_count = 0;
  return work;
}

KernelCost cost_of(const accelscope_kernel_work& work, std::uint32_t engine, const Costs& costs,
                   CallIdentity call) {
  const bool on_cube = engine == ACCELSCOPE_ENGINE_CUBE;
  const PipeCycles cycles = cycles_of(work, engine, costs);
  const double picoseconds_per_cycle = 1e6 / costs.core_clock_mhz;
  // Pipes overlap perfectly, unless it is known how far they can run ahead.
  const double working = work.buffers == 0 ? cycles.busiest() : loop_cycles_of(work, engine, costs);
  const double factor = 1 + costs.jitter * (2 * evenly_spread(call, costs.seed) - 1);
  const double unhindered = working * picoseconds_per_cycle + sound_amount(work.nanoseconds) * 1e3;
  const double duration = std::min(unhindered * factor, kPicosecondsPerDay);

  KernelCost cost;
  cost.duration = costs.kernel_start + Picoseconds{std::llround(duration)};
  device::PmuCounts& counts = cost.counts;
  counts.total_cycles = whole(static_cast<double>(cost.duration.value) / picoseconds_per_cycle);
  counts.vector_busy = whole(cycles.vector);
  counts.cube_busy = whole(cycles.cube);
  counts.scalar_busy = whole(cycles.scalar);
  counts.mte1_busy = whole(cycles.moved);
  counts.mte2_busy = whole(cycles.read);
  counts.mte3_busy = whole(cycles.written);
  counts.bytes_read = whole(sound_amount(work.bytes_read));
  counts.bytes_written = whole(sound_amount(work.bytes_written));
  counts.on_cube = on_cube;
  return cost;
}

}  // namespace accelscope::runtime
