#include "runtime/kernel_cost.h"

#include <algorithm>
#include <cmath>

#include "base/splitmix.h"
#include "runtime/tensor.h"

namespace accelscope::runtime {
namespace {

using device::Costs;
using device::Picoseconds;

constexpr double kPicosecondsPerDay = 86'400e12;

// Infinities and what is no number fall out of the comparison.
double sane(double amount) {
  return amount > 0 ? std::min(amount, 1e18) : 0;
}

double cycles_for(double amount, double per_cycle) {
  return per_cycle > 0 ? sane(amount) / per_cycle : 0;
}

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

KernelCost cost_of(const accelscope_kernel_work& work, std::uint32_t engine, const Costs& costs,
                   CallIdentity call) {
  const bool on_cube = engine == ACCELSCOPE_ENGINE_CUBE;
  const double cube = cycles_for(work.multiply_adds, costs.cube_multiply_adds_per_cycle);
  const double vector = cycles_for(work.vector_operations, costs.vector_operations_per_cycle);
  const double scalar = cycles_for(work.scalar_operations, costs.scalar_operations_per_cycle);
  const double read = cycles_for(work.bytes_read, costs.bytes_per_cycle_read);
  const double written = cycles_for(work.bytes_written, costs.bytes_per_cycle_written);
  const double moved = on_cube ? cycles_for(work.bytes_read, costs.bytes_per_cycle_moved) : 0;

  const double picoseconds_per_cycle = 1e6 / costs.core_clock_mhz;
  const double busiest = std::max({cube, vector, scalar, read, written, moved});
  const double factor = 1 + costs.jitter * (2 * evenly_spread(call, costs.seed) - 1);
  const double unhindered = busiest * picoseconds_per_cycle + sane(work.nanoseconds) * 1e3;
  const double duration = std::min(unhindered * factor, kPicosecondsPerDay);

  KernelCost cost;
  cost.duration = costs.kernel_start + Picoseconds{std::llround(duration)};
  device::PmuCounts& counts = cost.counts;
  counts.total_cycles = whole(static_cast<double>(cost.duration.value) / picoseconds_per_cycle);
  counts.vector_busy = whole(vector);
  counts.cube_busy = whole(cube);
  counts.scalar_busy = whole(scalar);
  counts.mte1_busy = whole(moved);
  counts.mte2_busy = whole(read);
  counts.mte3_busy = whole(written);
  counts.bytes_read = whole(sane(work.bytes_read));
  counts.bytes_written = whole(sane(work.bytes_written));
  counts.on_cube = on_cube;
  return cost;
}

}  // namespace accelscope::runtime
