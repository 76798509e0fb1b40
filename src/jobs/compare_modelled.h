// `accelscope compare` of two saved findings that were modelled and not measured: an emulation, a static
// profile, a study of streaming. Nothing varies from run to run, so what differs, differs: no statistics.
//
// Reads the two files, prints nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const auto both, modelled_pair("before.json", "after.json"));
//   if (both) return compare_modelled(*both, gate);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "report/junit.h"

namespace accelscope::jobs {

struct ModelledPair {
  findings::Findings baseline = {};
  findings::Findings candidate = {};
  std::vector<findings::Input> inputs = {};
};

// Nothing where neither file holds such findings; an error where only one does, or their kinds differ.
base::Result<std::optional<ModelledPair>> modelled_pair(const std::string& baseline,
                                                        const std::string& candidate);

struct ModelledComparison {
  findings::Findings findings = {};
  std::vector<report::GateCase> gate = {};  // empty without one
};

// Judged by the first number of the document that is better one way: the latency of an emulation.
ModelledComparison compare_modelled(const ModelledPair& pair, std::optional<double> gate);

}  // namespace accelscope::jobs
