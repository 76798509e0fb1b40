// Kernels without mathematics, for measurements and graphs that are only about time: `spin` and `empty`.
#include <chrono>
#include <cmath>

#include "runtime/kernels/builtins.h"

namespace accelscope::runtime {
namespace {

// An hour; more is a mistake of units.
constexpr double kMaxMicroseconds = 3.6e9;

int run_nothing(const accelscope_kernel_call*) {
  return 0;
}

void no_work(const accelscope_kernel_call*, accelscope_kernel_work*) {}

const char* check_spin(const accelscope_kernel_call* call) {
  if (call->scalar_count != 1) return "spin takes one number: how many microseconds";
  const double time = call->scalars[0];
  if (!(time >= 0 && time <= kMaxMicroseconds)) return "spin takes from 0 to 3.6e9 microseconds (an hour)";
  return nullptr;
}

int run_spin(const accelscope_kernel_call* call) {
  using Clock = std::chrono::steady_clock;
  const auto time = std::chrono::duration<double, std::micro>(call->scalars[0]);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  while (Clock::now() < end) {
  }
  return 0;
}

void work_of_spin(const accelscope_kernel_call* call, accelscope_kernel_work* work) {
  work->nanoseconds = call->scalars[0] * 1e3;
}

constexpr accelscope_kernel kPlainKernels[] = {
    {"empty", ACCELSCOPE_ENGINE_VECTOR, run_nothing, nullptr, no_work},
    {"spin", ACCELSCOPE_ENGINE_VECTOR, run_spin, check_spin, work_of_spin},
};

}  // namespace

std::span<const accelscope_kernel> plain_kernels() {
  return kPlainKernels;
}

}  // namespace accelscope::runtime
