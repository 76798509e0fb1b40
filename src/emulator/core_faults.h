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

// In line, because every instruction on vectors asks; the texts are not.
inline Fault Core::find_rows(const Address& address, std::uint64_t count, std::uint64_t& row) const {
  row = vlen_.quotient(address.value);
  const bool fits = vlen_.rest(address.value) == 0 && row + count <= state_.vectors.row_count;
  return fits ? Fault() : row_fault(address, count);
}

inline Fault Core::check_written(const Address& address, std::uint64_t row, std::uint64_t bits) const {
  const bool all = (bits & ~state_.vectors.written.rows[row]) == 0;
  return all ? Fault() : unwritten_fault(address, row, bits);
}

}  // namespace accelscope::emulator

// Returns the fault of an expression from the calling function, where there is one.
#define ACCELSCOPE_STOP_AT(...) \
  if (Fault found_fault = (__VA_ARGS__); found_fault.found()) return found_fault
