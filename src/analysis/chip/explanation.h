// What the sections of a chip's report share: the results of the analyses, computed once, and times as people
// read them. Internal to this folder; the trace must outlive it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/chip/bottleneck.h"
#include "analysis/chip/core_time.h"
#include "analysis/chip/critical_path.h"
#include "analysis/chip/functions.h"
#include "analysis/chip/imbalance.h"
#include "analysis/chip/invariants.h"
#include "analysis/chip/loop_budget.h"
#include "analysis/chip/observer_cost.h"
#include "analysis/chip/pipes.h"
#include "analysis/chip/report.h"
#include "analysis/chip/samples.h"
#include "analysis/chip/waits.h"
#include "analysis/chip/what_if.h"
#include "findings/findings.h"

namespace accelscope::analysis::chip {

struct Explanation {
  const trace::Trace& trace;
  const ExplainOptions& options;
  trace::ChipRun chip = {};
  TaskTimes times = {};
  FunctionTimes functions = {};
  CoreTime core_time = {};
  Waits waits = {};
  LoopBudget scheduler = {};
  std::vector<EngineBalance> balance = {};
  ObserverCost observer = {};
  StaticPath static_path = {};
  ObservedPath path = {};
  Bottleneck bottleneck = {};
  WhatIf what_if = {};
  std::vector<Invariant> invariants = {};
  PipeTimes pipes = {};
  RunSamples samples = {};

  // "us", or "ticks" where the clock's unit is unknown.
  std::string_view unit() const;
  double in_unit(Ticks time) const { return in_unit(static_cast<double>(time.value)); }
  double in_unit(double ticks) const;
  double share_of_window(Ticks time) const;  // percent
  std::string_view text(trace::StringId id) const { return trace.text(id); }
  std::string name_of_task(trace::TaskId task) const;    // "MATMUL"
  std::string number_of_task(trace::TaskId task) const;  // "r1t5"
  std::string label_of(trace::TaskId task) const;        // "MATMUL r1t5"
  // "r1t5 MATMUL": for columns that may be cut, where names are long and alike.
  std::string number_first(trace::TaskId task) const;
  std::string name_of_core(std::size_t core) const;  // by its position in ChipRun::cores: "AIV 21"
  // A stretch of a core's track.
  findings::Evidence evidence(std::string text, trace::TrackId track, Ticks from, Ticks to) const;
  findings::Evidence evidence(std::string text, trace::SliceId slice) const;
};

Explanation explain_all(const trace::Trace& trace, const ExplainOptions& options);

void add_run(findings::Findings& findings, const Explanation& run);
void add_bottleneck(findings::Findings& findings, const Explanation& run);
void add_core_time(findings::Findings& findings, const Explanation& run);
void add_core_time_over_time(findings::Findings& findings, const Explanation& run);
void add_functions(findings::Findings& findings, const Explanation& run);
void add_waits(findings::Findings& findings, const Explanation& run);
void add_scheduler(findings::Findings& findings, const Explanation& run);
void add_critical_path(findings::Findings& findings, const Explanation& run);
void add_what_if(findings::Findings& findings, const Explanation& run);
void add_balance(findings::Findings& findings, const Explanation& run);
void add_counters(findings::Findings& findings, const Explanation& run);  // nothing without a monitor
void add_pipes(findings::Findings& findings, const Explanation& run);     // nothing without core swimlanes
void add_rings(findings::Findings& findings, const Explanation& run);     // nothing without scope statistics
void add_advice(findings::Findings& findings, const Explanation& run);

// Rows of the trust box that the analysis itself adds.
trace::QualityTable doubts(const Explanation& run);

// The words for a share of the window's owner: "submission", "scheduling", ...
std::string_view word_for(Limit limit);
// What a core waited for, in words: "waiting for a dependency".
std::string_view words_for(CoreClass core_class);

}  // namespace accelscope::analysis::chip
