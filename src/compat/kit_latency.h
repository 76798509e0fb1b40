// How long every execution took, by the profiling kit's rule: the durations of all events "Method::execute"
// with the same run_index, added up.
//
// Wrong where one run_index holds several executions (a model with two methods), and kept so. Pure; safe from
// any thread; what is returned belongs to the caller.
//
//   ACCELSCOPE_TRY(const KitLatencies latencies, kit_latencies(timeline));
//   ACCELSCOPE_TRY(const std::vector<double> in_report, kit_report_latencies(timeline));
#pragma once

#include <vector>

#include "base/result.h"
#include "compat/kit_csv.h"

namespace accelscope::compat {

struct KitLatencies {
  std::vector<double> ms;           // by run index
  std::vector<double> run_indices;  // ascending
  // pandas makes a column of floating-point numbers of one that has an empty cell.
  bool indices_are_floats = false;
};

// The rule of the tools: an error where no event has the name, or none of these has a run_index.
base::Result<KitLatencies> kit_latencies(const KitTimeline& timeline);

// The rule of the reports, by run index: without any "Method::execute", all that is not the framework's is
// added up instead. An error where a run_index is no integer; the reports then look into metrics.json.
base::Result<std::vector<double>> kit_report_latencies(const KitTimeline& timeline);

}  // namespace accelscope::compat
