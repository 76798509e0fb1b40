// The verdict about one operator, from what the logs and the timing run say together.
//
// Internal to this folder. Pure functions; safe from any thread, nothing is owned.
//
//   judge(row, {.kernels = kernels, .invoked = 3, .has_log = true, .marks_packing = true});
#pragma once

#include <span>

#include "analysis/kernels.h"

namespace accelscope::analysis {

struct VerdictContext {
  std::span<const KernelRow> kernels;
  std::uint64_t invoked = 0;   // operators of this name that the candidate's logs say ran
  bool has_log = false;        // of the candidate, with registered kernels
  bool marks_packing = false;  // names of this release tell packed operators from plain ones
};

// Fills verdict, levels and reasons.
void judge(OperatorVerdict& row, const VerdictContext& context);

}  // namespace accelscope::analysis
