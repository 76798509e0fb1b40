// What is said about runs of the emulator: the document of one run, and the table of several.
//
// Pure functions, safe from any thread.
//
//   const findings::Findings findings = emulate_document(program, {run});
#pragma once

#include <span>
#include <string>
#include <vector>

#include "emulator/emulation.h"
#include "emulator/limits.h"
#include "emulator/memory_setup.h"
#include "findings/findings.h"
#include "isa/machine.h"
#include "isa/program.h"

namespace accelscope::jobs {

// One combination of board, memory model, timing and costs, and what came of it.
struct EmulatedRun {
  const isa::Machine* machine = nullptr;
  emulator::MemoryModel asked = {};  // auto where it was said
  emulator::TimingMode timing = emulator::TimingMode::kSerial;
  emulator::CostTable costs = emulator::CostTable::kReference;
  emulator::Rules rules = emulator::Rules::kStrict;
  emulator::MemorySetup memory = {};  // its timing is gone: the run had it
  emulator::Emulation done = {};
  std::vector<std::string> differences = {};  // from what was expected
  bool checked = false;                       // something was expected

  emulator::RunCircumstances circumstances() const {
    return {*machine, costs, memory.peak_bandwidth, memory.host_bandwidth};
  }
};

// At least one run.
findings::Findings emulate_document(const isa::Program& program, std::span<const EmulatedRun> runs);

// The parts of it; each adds sections.
void add_run_result(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run);
void add_run_time(findings::Findings& findings, const EmulatedRun& run);
void add_run_parts(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run);
void add_run_limits(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run);
void add_run_memory(findings::Findings& findings, const EmulatedRun& run);
void add_run_advice(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run);
void add_run_matrix(findings::Findings& findings, std::span<const EmulatedRun> runs);
void add_run_doubts(findings::Findings& findings, const isa::Program& program, const EmulatedRun& run);

// What took most of a run: "memory", and its part of the latency.
const emulator::TimeShare& largest(const std::vector<emulator::TimeShare>& shares);

// The program as people speak of it: its file, with the folder where all folders call theirs alike.
std::string shown_name(const isa::Program& program);

// "nexys_video, layer-swap, serial, board costs".
std::string name_of(const EmulatedRun& run);

}  // namespace accelscope::jobs
