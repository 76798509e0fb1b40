// What a core and its scheduler thread tell each other.
//
// A scheduler thread numbers what it gives to a core 1, 2, 3, ..., writes the payload of the dispatch, then
// the number into `task`. The core answers in `condition`: the number when it begins, the number with the top
// bit when it is done; so one word says of all earlier ones that they are done. A core may have two
// dispatches at a time, the running one and one that is pending, and a number is not overwritten before it
// was answered; the payload of number n lies at n % 2. A gated dispatch begins when `doorbell` has its
// number, which whoever completes the last producer writes.
//
// Owners: `task` and payloads are written by the core's scheduler thread, `doorbell` by any scheduler thread,
// `condition` and readings by the core.
#pragma once

#include <array>
#include <cstdint>

#include "device/pmu_events.h"
#include "runtime/task_slot.h"

namespace accelscope::runtime {

inline constexpr std::uint32_t kFinished = 0x80000000;  // in the condition: done, not merely begun
inline constexpr std::uint32_t kExitSignal = 0x7FFFFFF0;

constexpr std::uint32_t number_in(std::uint32_t condition) {
  return condition & ~kFinished;
}
constexpr bool is_finished(std::uint32_t condition) {
  return (condition & kFinished) != 0;
}

template <class Machine>
struct DispatchPayload {
  TaskSlot<Machine>* slot = nullptr;
  std::uint32_t block = 0;
  std::uint32_t lane = 0;
  bool gated = false;
};

template <class Machine>
struct alignas(64) CoreRegisters {
  typename Machine::Word task;
  typename Machine::Word doorbell;
  typename Machine::Word condition;
  std::array<DispatchPayload<Machine>, 2> payloads = {};
  std::array<device::PmuCounts, 2> readings = {};
};

}  // namespace accelscope::runtime
