// What of a chip's run can be compared with another: how long each function took each time, and each phase of
// the scheduler, in the order of the tasks.
//
// Kept small enough to be saved with a report: of more than kMostSamples times of one thing, that many are
// picked at even distances, and the count says how many there were. Pure functions; plain data that points to
// nothing.
//
//   const RunSamples samples = samples_of(trace, chip, times, "before.json");
//   add_samples(findings, samples);                               // for machines only
//   ACCELSCOPE_TRY(const auto saved, samples_in(findings));       // nothing when it holds none
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/chip/pipes.h"
#include "analysis/chip/task_times.h"
#include "base/result.h"
#include "findings/findings.h"

namespace accelscope::analysis::chip {

inline constexpr std::size_t kMostSamples = 20'000;

// Microseconds.
struct SampledTimes {
  std::string name = {};
  std::uint64_t count = 0;  // how many there were
  double total = 0;         // of all of them
  std::vector<double> values = {};
};

// What the pipes did in the parts of a function, in percent of all their time.
struct PipeFigure {
  std::string id = {};  // "GEMM/busy.CUBE", "GEMM/overlap.MTE2.CUBE", "GEMM/bubbles"
  double value = 0;
  std::uint64_t parts = 0;  // of which all is known
};

struct RunSamples {
  std::string name = {};  // of the recording
  double makespan = 0;    // the window, microseconds
  std::string unit = "us";
  std::vector<SampledTimes> functions = {};  // kernel time of every part; by name
  std::vector<SampledTimes> latencies = {};  // dispatch to finish, by function; empty below level 2
  std::vector<SampledTimes> phases = {};     // of all scheduler threads together; by name
  std::vector<PipeFigure> pipes = {};        // by function, those with most time first
};

// Overlaps are of every transfer with every pipe that computes, of the transfer's busy time.
std::vector<PipeFigure> pipe_figures(const trace::Trace& trace, const PipeTimes& times);

// Without what pipes did.
RunSamples samples_of(const trace::Trace& trace, const trace::ChipRun& chip, const TaskTimes& times,
                      std::string name);

void add_samples(findings::Findings& findings, const RunSamples& samples);
// An error when a document says that it holds samples, but they make no sense.
base::Result<std::optional<RunSamples>> samples_in(const findings::Findings& findings);

}  // namespace accelscope::analysis::chip
