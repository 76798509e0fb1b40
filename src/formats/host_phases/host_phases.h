// host_phase_records.jsonl: what the host did to build and upload a graph, one line per pass.
//
// Plain data; one thread reads.
//
//   ACCELSCOPE_TRY(const HostPhases phases, read_host_phases(file));
//   for (const HostPass& pass : phases.passes) use(pass.records.front().phase);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/result.h"
#include "trace/quality.h"

namespace accelscope::formats::host_phases {

struct HostPhase {
  std::string phase = {};
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;   // not before the start
  std::uint64_t detail = 0;  // a task id for what submits one, bytes for what copies
  std::int64_t thread = 0;
};

struct HostPass {
  std::int64_t process = 0;
  std::uint64_t invocation = 0;
  std::string clock = {};  // "host_monotonic_ns"
  std::uint64_t dropped = 0;
  std::vector<HostPhase> records = {};
};

struct HostPhases {
  std::vector<HostPass> passes = {};
  trace::QualityTable quality = {};
};

// What the number in `detail` is.
enum class Detail : std::uint8_t { kNothing, kTask, kBytes };
Detail detail_of(std::string_view phase);

bool looks_like_host_phases(std::string_view bytes);

base::Result<HostPhases> read_host_phases(const base::MappedFile& file);

}  // namespace accelscope::formats::host_phases
