// What the parts of the core that find fault have in common.
//
// Plain functions, safe from any thread.
//
//   return fault("vector address {} is not a multiple of VLEN ({})", address.text(), vlen);
#pragma once

#include <fmt/core.h>

#include <utility>

#include "emulator/core.h"

namespace accelscope::emulator {

template <class... Args>
Fault fault(fmt::format_string<Args...> text, Args&&... args) {
  return Fault(fmt::format(text, std::forward<Args>(args)...));
}

Fault no_float_register(unsigned number);
// An operation that is none of the core's.
Fault unknown(const Operation& operation);

}  // namespace accelscope::emulator

// Returns the fault of an expression from the calling function, where there is one.
#define ACCELSCOPE_STOP_AT(...) \
  if (Fault found_fault = (__VA_ARGS__); found_fault.found()) return found_fault
