// Work of kernels, and costs with which it is easily counted in one's head: what tests of times are written
// with.
//
//   const Work work = {.bytes_read = 120};
//   EXPECT_EQ(cost_of(work, ACCELSCOPE_ENGINE_VECTOR, simple_costs()).duration,
//   device::Picoseconds{112'000});
#pragma once

#include <cstdint>

#include "accelscope/accelscope_kernel.h"
#include "device/costs.h"

namespace accelscope::runtime {

// With names for those that are not zero.
struct Work {
  double multiply_adds = 0;
  double vector_operations = 0;
  double scalar_operations = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double nanoseconds = 0;
  std::uint32_t tiles = 0;
  std::uint32_t buffers = 0;

  operator accelscope_kernel_work() const {
    accelscope_kernel_work work = {};
    work.multiply_adds = multiply_adds;
    work.vector_operations = vector_operations;
    work.scalar_operations = scalar_operations;
    work.bytes_read = bytes_read;
    work.bytes_written = bytes_written;
    work.nanoseconds = nanoseconds;
    work.tiles = tiles;
    work.buffers = buffers;
    return work;
  }
};

// A clock of 1 GHz, so that a cycle is a nanosecond.
inline device::Costs simple_costs() {
  device::Costs costs;
  costs.core_clock_mhz = 1000;
  costs.kernel_start = {100'000};
  costs.cube_multiply_adds_per_cycle = 1000;
  costs.vector_operations_per_cycle = 100;
  costs.scalar_operations_per_cycle = 1;
  costs.bytes_per_cycle_read = 10;
  costs.bytes_per_cycle_written = 5;
  costs.bytes_per_cycle_moved = 50;
  return costs;
}

}  // namespace accelscope::runtime
