// The job behind `accelscope overhead`: what recording costs on this machine, as findings that can be saved
// and read back for the trust box of a report.
//
// Prints nothing; writes only the file that it is told to. One measurement at a time: two would measure each
// other.
//
//   ACCELSCOPE_TRY(const findings::Findings findings, overhead({.version = "0.1.0"}));
//   ACCELSCOPE_TRY(const auto quoted, read_overhead("overhead.json"));
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/chip/measured_overhead.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "experiments/overhead.h"
#include "findings/findings.h"

namespace accelscope::jobs {

struct OverheadJobOptions {
  experiments::OverheadOptions measure = {};  // costs are shown as shares of its task length
  std::string save = {};                      // a file; "" for none
  std::string version = {};                   // of the program, for provenance
};

base::Result<findings::Findings> overhead(const OverheadJobOptions& options);

// The document itself: what was measured, as shares of a task of this length.
findings::Findings overhead_document(const experiments::Overhead& measured, base::Nanoseconds task_length,
                                     std::string_view machine);

// What of a saved document a report quotes. An error that names the file when it is no such document, or when
// it makes no sense.
base::Result<analysis::chip::MeasuredOverhead> overhead_in(const base::MappedFile& file);
base::Result<analysis::chip::MeasuredOverhead> read_overhead(const std::string& path);

}  // namespace accelscope::jobs
