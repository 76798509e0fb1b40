// The JSON form of `accelscope validate`, documented in docs/cli.md.
#pragma once

#include "base/json_writer.h"
#include "jobs/validate.h"

namespace accelscope::cli {

// The trust box, as member "quality" of the object that is being written.
void write_quality(base::JsonWriter& json, const trace::QualityTable& quality);

// To standard output.
base::Status print_validate_json(const jobs::ValidateOutcome& outcome);

}  // namespace accelscope::cli
