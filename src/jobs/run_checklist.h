// Whether a run directory is complete: the records, the recordings and the reports are there, can be read,
// and agree with each other. The job behind `accelscope validate RUN_DIR`.
//
// Reads files, prints and writes nothing. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const RunChecklist list, check_run_directory("out_toy/results", {}));
//   if (!list.complete()) for (const RunCheck& check : list.checks) use(check.found, check.what_to_do);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/open/open.h"

namespace accelscope::jobs {

enum class CheckStatus : unsigned char {
  kOk,
  kFailed,
  kSkipped,  // there is nothing it could be about
};
std::string_view name_of(CheckStatus status);

struct RunCheck {
  std::string id = {};    // "manifest"; stable
  std::string what = {};  // what must hold, as a sentence without its full stop
  CheckStatus status = CheckStatus::kOk;
  std::vector<std::string> found = {};  // what was seen, one line each
  std::string what_to_do = {};          // of a check that failed
};

struct RunChecklist {
  std::string directory = {};
  std::vector<RunCheck> checks = {};

  bool complete() const;
};

// An error only when there is no such folder, or nothing in it belongs to a run.
base::Result<RunChecklist> check_run_directory(const std::string& directory,
                                               const formats::open::OpenOptions& open);

}  // namespace accelscope::jobs
