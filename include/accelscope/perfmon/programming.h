// In which order the registers of a performance monitor are written to start it, as tables.
//
// Two orders ship, because it is not settled which one a chip wants; a third is another table. The last step
// of an order is the one that starts the monitor: before it nothing is written to memory. Constant data;
// freestanding.
//
//   for (const Step& step : kEnableLast) write(step.reg, value_of(step.value));
#pragma once

#include "accelscope/perfmon/registers.h"

namespace accelscope::perfmon {

enum class Value : uint8_t { kOff, kOn, kZero, kOne, kBaseLow, kBaseHigh, kLength, kGlitchFilter };

struct Step {
  Register reg;
  Value value;
  bool barrier = false;  // before the next step
};

struct ProgrammingOrder {
  const char* name = "";
  const Step* steps = nullptr;
  uint32_t count = 0;
};

// Resets everything that can be reset, and turns the core's own enable on at the end.
inline constexpr Step kEnableLastSteps[] = {
    {Register::kGlobalEnable, Value::kOff},
    {Register::kEnable, Value::kOff},
    {Register::kBaseLow, Value::kBaseLow},
    {Register::kBaseHigh, Value::kBaseHigh},
    {Register::kBufferLength, Value::kLength},
    {Register::kWritePointer, Value::kZero},
    {Register::kGlitchFilter, Value::kGlitchFilter},
    {Register::kSamplesClear, Value::kOne},
    {Register::kSamplesWritten, Value::kZero},
    {Register::kGlobalEnable, Value::kOn, true},
    {Register::kEnable, Value::kOn},
};

// Leaves pointer and counters as they are, and turns the global enable on at the end: the one that is always
// the software's.
inline constexpr Step kGlobalEnableLastSteps[] = {
    {Register::kGlobalEnable, Value::kOff, true},    {Register::kBaseLow, Value::kBaseLow},
    {Register::kBaseHigh, Value::kBaseHigh},         {Register::kBufferLength, Value::kLength},
    {Register::kGlitchFilter, Value::kGlitchFilter}, {Register::kEnable, Value::kOn, true},
    {Register::kGlobalEnable, Value::kOn},
};

template <uint32_t kCount>
constexpr ProgrammingOrder order_of(const char* name, const Step (&steps)[kCount]) {
  return {name, steps, kCount};
}

inline constexpr ProgrammingOrder kEnableLast = order_of("enable last", kEnableLastSteps);
inline constexpr ProgrammingOrder kGlobalEnableLast = order_of("global enable last", kGlobalEnableLastSteps);

// The reverse, for all that an order has changed: off first, so that nothing is written to memory while
// addresses change.
inline constexpr Register kRestoredOff[] = {Register::kGlobalEnable, Register::kEnable};
inline constexpr Register kRestoredNext[] = {Register::kBaseLow, Register::kBaseHigh, Register::kBufferLength,
                                             Register::kWritePointer, Register::kGlitchFilter};

}  // namespace accelscope::perfmon
