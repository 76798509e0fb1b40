// The job behind `accelscope emulate`: a program run on the modelled accelerator, with what it did to the
// memories and to the clock, as findings and files (docs/emulate.md).
//
// Several boards, memory models, timings and tables of costs make a table of all combinations. Prints
// nothing; every file appears under its name only when it is whole. A listing with an error is not run: its
// diagnostics come back instead. Independent calls may run in parallel.
//
//   ACCELSCOPE_TRY(const EmulateOutcome done, emulate({.files = {.program = "linear.asm"}}));
//   findings::find_metric(done.findings, "latency")
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "emulator/emulation.h"
#include "emulator/memory_setup.h"
#include "findings/findings.h"
#include "isa/diagnostics.h"
#include "jobs/emulate_dumps.h"
#include "jobs/emulate_expectation.h"
#include "jobs/emulate_inputs.h"
#include "jobs/isa_machines.h"
#include "jobs/written_file.h"

namespace accelscope::jobs {

// What the memory is to be like, for every combination; emulator/memory_setup.h says who wins.
struct EmulateMemoryOptions {
  std::vector<emulator::MemoryModel> models = {};  // none: hbm
  std::optional<emulator::Semantics> semantics = std::nullopt;
  std::string dram = {};
  std::uint32_t channels = 0;
  std::optional<base::Bytes> capacity = std::nullopt;
  std::optional<base::BytesPerSecond> host_bandwidth = std::nullopt;
  std::optional<std::uint32_t> prefetch_depth = std::nullopt;
  std::optional<memory::EvictionPolicy> policy = std::nullopt;
  std::optional<base::Bytes> external_size = std::nullopt;  // of the address space
};

struct EmulateOptions {
  EmulateFiles files = {};
  IsaMachineOptions machine = {};
  EmulateMemoryOptions memory = {};
  std::vector<emulator::TimingMode> timings = {};  // none: serial
  std::vector<emulator::CostTable> costs = {};  // none: the board's where there is one, else the reference's
  emulator::Rules rules = emulator::Rules::kStrict;
  isa::Dialect dialect = isa::Dialect::kStrict;
  bool recovery_cycles = true;
  std::optional<std::uint64_t> most_instructions = std::nullopt;
  emulator::LogDetail trace = emulator::LogDetail::kNone;
  std::string output = {};             // of the trace
  std::string stage_profile_out = {};  // with files.stage_listing
  std::vector<DumpWish> dumps = {};
  emulator::Tolerance tolerance = {};  // of what is expected
  const std::atomic<bool>* stop = nullptr;
  // Called from one thread with instructions carried out so far, of all combinations together.
  std::function<void(std::uint64_t)> progress = {};
  std::string version = {};  // of the program, for provenance
};

struct EmulateOutcome {
  findings::Findings findings = {};
  std::optional<isa::Diagnostics> rejected = std::nullopt;  // then nothing was run
  std::vector<WrittenFile> files = {};
  // What the reference would have printed, line by line, of a single combination.
  std::vector<std::string> reference_lines = {};
  std::vector<std::string> differences = {};  // from what was expected, in words
  bool partial = false;                       // stopped from elsewhere
};

base::Result<EmulateOutcome> emulate(const EmulateOptions& options);

// "serial", "overlap".
std::string_view name_of(emulator::TimingMode timing);
std::optional<emulator::TimingMode> timing_mode_named(std::string_view name);

}  // namespace accelscope::jobs
