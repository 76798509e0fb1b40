// What to do next: concrete advice with its evidence and the most it can bring, made from what the other
// analyses found. Ordered by class (outside a delegate, data movement, low speedup, the rest) and by gain
// within a class.
//
// Pure function; the statements own their text.
//
//   for (const findings::Statement& advice : recommend(input)) section.statements.push_back(advice);
#pragma once

#include <string>
#include <vector>

#include "analysis/bottlenecks.h"
#include "analysis/delegation.h"
#include "analysis/trust.h"
#include "findings/findings.h"

namespace accelscope::analysis {

// The four kinds of advice, as headings.
inline constexpr std::string_view kOptimiseNext = "What to optimise next";
inline constexpr std::string_view kModelChanges = "Model changes";
inline constexpr std::string_view kConfigurationChanges = "Configuration changes";
inline constexpr std::string_view kFurtherMeasurements = "Further measurements";

struct AdviceInput {
  const Experiment* experiment = nullptr;  // what the advice is about
  std::size_t method = 0;
  const MethodLatency* latency = nullptr;
  const Breakdown* breakdown = nullptr;
  const Delegation* delegation = nullptr;
  const std::vector<Bottleneck>* bottlenecks = nullptr;
  const MethodComparison* comparison = nullptr;  // nullptr: nothing to compare with
  bool has_kernel_log = false;
};

std::vector<findings::Statement> recommend(const AdviceInput& input);

// The slice that an entry was first seen as.
findings::Evidence evidence_of(const Profile& profile, const Entry& entry, std::string text);

}  // namespace accelscope::analysis
