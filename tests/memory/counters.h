// A counter of a model's statistics, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "memory/timing.h"

namespace accelscope::memory {

inline std::int64_t counter(const ModelStatistics& model, std::string_view id) {
  for (const Counter& each : model.counters)
    if (each.id == id) return each.value;
  ADD_FAILURE() << "no counter " << id;
  return -1;
}

// Of the outermost model.
inline std::int64_t counter(const Timing& memory, std::string_view id) {
  return counter(memory.statistics().front(), id);
}

}  // namespace accelscope::memory
