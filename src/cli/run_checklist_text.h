// Prints the checklist of a run directory, for people or as JSON.
#pragma once

#include "base/result.h"
#include "jobs/run_checklist.h"

namespace accelscope::cli {

void print_run_checklist(const jobs::RunChecklist& list);
base::Status print_run_checklist_json(const jobs::RunChecklist& list);

}  // namespace accelscope::cli
