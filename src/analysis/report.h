// The report on a model: everything the analyses found, as one findings document with eight sections whose
// titles and order are fixed, because people and scripts look for them.
//
// Pure functions from experiments to findings; the single views (latency, operators, comparison) are made of
// the same pieces, so a number is the same wherever it is shown.
//
//   ReportInput input{.title = "toy", .experiments = {off, on}, .pairs = {{0, 1}}};
//   const findings::Findings report = make_report(input);
#pragma once

#include <string>
#include <vector>

#include "analysis/bottlenecks.h"
#include "analysis/delegation.h"
#include "analysis/kernels.h"
#include "analysis/trust.h"
#include "findings/findings.h"

namespace accelscope::analysis {

// Positions in ReportInput::experiments.
struct RolePair {
  std::size_t baseline = 0;
  std::size_t candidate = 1;
};

struct ReportInput {
  std::string title = {};
  std::vector<findings::KeyValue> metadata = {};  // what is known of the model and the run, in order
  std::vector<findings::KeyValue> device = {};    // recorded with the data
  std::vector<Experiment> experiments = {};
  std::vector<RolePair> pairs = {};
  std::vector<KernelLog> kernel_logs = {};
  std::string notes = {};     // the author's own findings, Markdown
  std::string place = "DIR";  // what commands in hints are about
  CompareOptions compare = {};
  Thresholds thresholds = {};
};

findings::Findings make_report(const ReportInput& input);

// A report and the views that are kept beside it; the analyses run once for all of them, and only the report
// holds the recorded times.
struct ReportSet {
  findings::Findings report = {};
  findings::Findings operators = {};
  findings::Findings kernels = {};
};
ReportSet make_report_set(const ReportInput& input);

// The single views.
findings::Findings latency_view(const ReportInput& input);
findings::Findings operators_view(const ReportInput& input);
findings::Findings kernels_view(const ReportInput& input);
// Latency, categories and acceleration of the pairs.
findings::Findings comparison_view(const ReportInput& input);

// What the views are made of, for whoever needs the numbers themselves: one per pair.
std::vector<Comparison> compare_pairs(const ReportInput& input);

}  // namespace accelscope::analysis
