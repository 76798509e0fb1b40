// The job behind `accelscope run`: a task graph runs on a simulated chip, and what was recorded is written
// into one folder, ready for a report.
//
// Per round: run.astrace, the recording, and what is made of it: the name map, chip_swimlane_records.json
// from level 1 on, deps.json where dependencies were recorded, args_dump/ where tensors were. One round lies
// in the folder itself, several in round-1, round-2, ... With nothing to record, nothing is written and no
// folder is needed. A run that goes wrong still leaves what was recorded until then.
//
// Prints nothing. One run at a time per folder.
//
//   ACCELSCOPE_TRY(const RunGraphOutcome outcome,
//                  run_graph({.graph = "bgemm:tile=64", .chip_swimlane = 3, .folder = "out"}));
//   if (outcome.fault) complain(outcome.fault->text);
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "accelscope/call_config.h"
#include "accelscope/perfmon/start.h"
#include "base/result.h"
#include "capture/run_policy.h"
#include "findings/findings.h"
#include "jobs/written_file.h"
#include "runtime/monitor_ring.h"
#include "runtime/platform_name.h"
#include "runtime/run_fault.h"

namespace accelscope::jobs {

inline constexpr std::uint32_t kMostGiveUpSeconds = 1'000'000;

// What is recorded of the pipes of cores.
struct CoreSwimlaneRequest {
  std::string cores = {};                                   // "0-3,7"; "": all
  std::vector<std::string> functions = {};                  // of the graph; none: tasks of all
  std::uint32_t ring_bytes = runtime::kDefaultMonitorRing;  // of each core
  bool states = true;
  bool marks = true;
  perfmon::DrainMode drain = perfmon::DrainMode::kReadOnly;
  std::string raw_folder = {};  // for the raw bytes and registers of each drain; "": they are not kept
};

// What is not given is as the graph's file says, else off, a2a3, virtual, one round.
struct RunGraphOptions {
  std::string graph = {};  // a file, or a generator with its parameters
  std::optional<std::string> graph_json =
      {};  // what the file would hold; `graph` is then its name in messages
  std::optional<std::string> chip = {};
  std::optional<runtime::Platform> platform = {};
  std::optional<int> chip_swimlane = {};  // the level, as the user gave it
  std::optional<bool> dump_tensor = {};
  std::optional<bool> deps = {};
  std::optional<bool> scope_stats = {};
  std::optional<std::uint32_t> pmu = {};  // a group of events
  std::optional<CoreSwimlaneRequest> core_swimlane = {};
  std::optional<std::uint32_t> rounds = {};
  std::optional<capture::RunPolicy> policy = {};  // block
  std::string costs = "default";
  std::vector<std::string> kernels = {};  // shared objects
  CallConfig config = {};                 // sizes of rings; flags and prefix are filled here
  bool compute = true;                    // false: only time passes
  bool in_process = false;                // true: kernels can take this process down, and debuggers see them
  std::optional<std::chrono::milliseconds> give_up_after = {};  // without a completed task; 0: never
  bool raw = false;      // the swimlane counts cycles, as chips do today
  bool replace = false;  // files that are there already
  std::string folder = {};
  std::string version = {};  // of the program, for provenance
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::uint32_t round, std::uint32_t rounds)> progress = {};
};

// What came of an expected output of the graph.
struct CheckedOutput {
  std::string buffer = {};
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  std::string text = {};  // what differs, in words
};

struct RunRound {
  double makespan_us = 0;
  std::uint64_t produced = 0;  // records
  std::uint64_t collected = 0;
  std::string folder = {};  // "" when nothing was recorded
  std::vector<WrittenFile> files = {};
};

struct RunGraphOutcome {
  findings::Findings findings = {};
  std::vector<RunRound> rounds = {};
  std::optional<runtime::RunFault> fault = {};  // the last round's; none follows it
  std::vector<CheckedOutput> outputs = {};      // of the first round in which one differed, else of the last

  bool as_expected() const;
};

base::Result<RunGraphOutcome> run_graph(const RunGraphOptions& options);

}  // namespace accelscope::jobs
