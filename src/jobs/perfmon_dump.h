// The job behind `accelscope perfmon dump`: raw words of a performance monitor, one a line, with what each
// means.
//
// Prints nothing; what is written appears when it is whole. Independent calls may run in parallel.
//
//   ACCELSCOPE_CHECK(dump_perfmon({.file = "core3.bin", .output = "core3.txt"}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "formats/perfmon/clock_ratio.h"

namespace accelscope::jobs {

struct PerfmonDumpOptions {
  std::string file = {};
  std::string output = "-";  // a file; "-" is standard output
  std::string layout = "biu_perf";
  formats::perfmon::ClockRatio ratio = {};
  std::optional<std::uint64_t> limit = std::nullopt;  // of words; all without
  bool json = false;
};

base::Status dump_perfmon(const PerfmonDumpOptions& options);

}  // namespace accelscope::jobs
