// Recordings of cores with their pipes, for tests, benchmarks and seed corpora: tasks, what the pipes did as
// words of a performance monitor, and drains that took them.
//
// Plain data and functions; each call is independent of others.
//
//   SamplePipes run{.cores = {CoreType::kCube}, .functions = {"GEMM"}};
//   run.tasks = {{.task = 1, .start = 1000, .end = 2000}};
//   run.drains = {{.time = 2000, .task = 1, .bytes = words_of({{1000, 1400, Pipe::kMte2}})}};
//   ACCELSCOPE_CHECK(record_pipes(run, out));
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/output.h"
#include "base/result.h"
#include "formats/capture/recording_writer.h"
#include "formats/perfmon/layout.h"

namespace accelscope::formats::chip_run {

struct SampleTask {
  std::uint32_t core = 0;
  std::uint64_t task = 0;
  std::uint32_t function = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

struct SampleDrain {
  std::uint32_t core = 0;
  std::uint64_t time = 0;
  std::uint64_t task = 0;
  std::vector<std::byte> bytes = {};
  std::uint32_t lost = 0;
  std::uint32_t state = 0;
  bool started_anew = false;  // at the beginning of the buffer
};

struct SamplePipes {
  std::vector<capture::CoreType> cores = {};
  std::vector<std::string> functions = {};
  std::vector<SampleTask> tasks = {};    // those of a core in order
  std::vector<SampleDrain> drains = {};  // those of a core in order
  std::string layout = {};
  std::uint32_t perfmon_ticks = 1;
  std::uint32_t perfmon_cycles = 1;
  std::vector<std::size_t> left_out = {};  // drains whose record is not in the file, by position
  std::uint64_t blocks_dropped = 0;        // of every core, at the end
  std::vector<std::string> pmu_counters = {};
  std::vector<recorder::PmuRecord> pmu = {};
};

// A pipe is busy from a cycle to another.
struct PipeSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;
  perfmon::Pipe pipe = perfmon::Pipe::kSu;
};
struct PipeMark {
  std::int64_t time = 0;
  perfmon::Pipe pipe = perfmon::Pipe::kSu;
  std::uint32_t id = 0;
};

// Spans of one pipe do not overlap. Words begin with a stamp.
std::vector<std::byte> words_of(const std::vector<PipeSpan>& spans, const std::vector<PipeMark>& marks = {});

// Its drains and blocks only.
base::Status take_pipes(const SamplePipes& run, capture::RecordingWriter& writer,
                        std::vector<capture::LaneTotals>& totals);
// The whole file.
base::Status record_pipes(const SamplePipes& run, base::Output& out);

}  // namespace accelscope::formats::chip_run
