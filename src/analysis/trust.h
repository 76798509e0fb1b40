// What speaks against the numbers: rows for the trust box, from the data itself and from what was recorded
// around it.
//
// Every cross-check that was made is also listed with its outcome, passed ones too, so that a reader sees
// what was looked at. Pure functions that add to a Quality table; safe from any thread on different tables.
//
//   check_profile(experiment, findings.quality, checks);
//   check_pair(off, on, comparison, findings.quality);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/compare.h"
#include "findings/findings.h"

namespace accelscope::analysis {

// Another record of the same latency: the experiment's own metrics, a pipeline's summary, the runner's log.
struct ReferenceFigure {
  std::string source = {};          // "metrics.json"
  std::vector<double> values = {};  // per run, in ms; their median is compared
};

// What is known of how a profile was made.
struct ExperimentFacts {
  std::optional<std::int64_t> threads = std::nullopt;
  std::optional<std::uint64_t> runs_asked = std::nullopt;
  std::string order = {};                      // "interleaved", "sequential", "" when not recorded
  std::string runner = {};                     // fingerprint of the program that ran
  std::vector<findings::KeyValue> build = {};  // flags, preset, compiler
  std::string failure = {};                    // why it has no data, when it failed
};

struct Experiment {
  Profile profile = {};
  ExperimentFacts facts = {};
  std::vector<ReferenceFigure> references = {};
  trace::QualityTable quality = {};  // of the files it was read from
};

// One cross-check and what came of it.
struct CrossCheck {
  std::string what = {};
  std::string outcome = {};
  bool passed = true;
};

void check_experiment(const Experiment& experiment, trace::QualityTable& quality,
                      std::vector<CrossCheck>& checks);
void check_pair(const Experiment& baseline, const Experiment& candidate, const Comparison& comparison,
                trace::QualityTable& quality);

}  // namespace accelscope::analysis
