// Prints what is in a tensor dump and what is wrong with it, for people or as JSON.
#pragma once

#include "base/result.h"
#include "jobs/tensor_dump.h"

namespace accelscope::cli {

void print_tensor_dump(const jobs::TensorDumpOutcome& outcome);
base::Status print_tensor_dump_json(const jobs::TensorDumpOutcome& outcome);

}  // namespace accelscope::cli
