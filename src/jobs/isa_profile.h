// The job behind `accelscope isa profile`: what programs cost on boards, without running them.
//
// Prints nothing and writes nothing. A listing with an error is not profiled: its diagnostics come back
// instead. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const IsaProfileOutcome outcome,
//                  profile_programs({.files = {"a.asm"}, .machine = {.boards = {"v80"}}}));
//   if (!outcome.rejected.empty()) ...
//   findings::find_metric(outcome.findings, "cycles")
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "findings/findings.h"
#include "isa/diagnostics.h"
#include "isa/static_profile.h"
#include "isa/traffic.h"
#include "jobs/isa_machines.h"

namespace accelscope::jobs {

struct IsaProfileOptions {
  std::vector<std::string> files = {};
  IsaMachineOptions machine = {};
  isa::CycleModel model = isa::CycleModel::kEmulator;
  isa::Dialect dialect = isa::Dialect::kStrict;
  std::string version = {};  // of the program, for provenance
};

struct IsaProfileOutcome {
  findings::Findings findings = {};
  std::vector<isa::Diagnostics> rejected = {};  // of the files with errors; then there are no findings
};

base::Result<IsaProfileOutcome> profile_programs(const IsaProfileOptions& options);

// Everything of one file that the document says.
struct ProfiledProgram {
  std::string file = {};
  std::uint64_t bytes = 0;
  std::uint64_t source_lines = 0;
  std::uint64_t comment_lines = 0;
  std::uint64_t loops = 0;
  std::uint64_t warnings = 0;
  std::uint64_t breaks = 0;
  std::uint64_t unknown_words = 0;
  std::uint64_t changed_counters = 0;             // loops whose bodies change their counter
  std::vector<isa::StaticProfile> profiles = {};  // by machine
  std::vector<isa::Traffic> traffic = {};         // by machine
};

// The document itself.
findings::Findings isa_profile_document(const std::vector<ProfiledProgram>& programs,
                                        const IsaMachines& machines, isa::CycleModel model);

// What the reference's profiler prints of each file on each board, as text or as JSON: an object, or a list
// of them where there are several.
base::Result<std::string> reference_profiles(const IsaProfileOptions& options, bool json);

}  // namespace accelscope::jobs
