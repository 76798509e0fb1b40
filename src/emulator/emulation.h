// A program run on a modelled accelerator: what it needs, and everything that is known afterwards.
//
// The memory's timing is given by whoever asks (memory_setup.h makes one from a board and flags); contents
// never depend on it. Same input, same bytes out. A run can be stopped from another thread by a flag; what is
// known then is marked partial. One thread runs one emulation; several may run in parallel.
//
//   ACCELSCOPE_TRY(const Emulation done, emulate(program, options, images, std::move(memory)));
//   done.latency, done.accounts, done.core->state()
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "emulator/accounts.h"
#include "emulator/core.h"
#include "emulator/costs.h"
#include "emulator/critical_path.h"
#include "emulator/run_log.h"
#include "isa/machine.h"
#include "isa/program.h"
#include "memory/timing.h"

namespace accelscope::emulator {

enum class TimingMode : std::uint8_t {
  kSerial,  // one instruction after the other, each completely: the reference's
  kOverlap  // in order, but units work at the same time (docs/emulator.md)
};

struct EmulationOptions {
  isa::Machine machine = {};
  TimingMode timing = TimingMode::kSerial;
  CostTable costs = CostTable::kReference;
  Rules rules = Rules::kStrict;
  bool recovery_cycles = true;  // overlap: issue needs a cycle after a stall, as measured on the hardware
  LogDetail log = LogDetail::kNone;
  // Instructions carried out, after which a program counts as one that never ends.
  std::uint64_t most_instructions = 100'000'000'000;
  const std::atomic<bool>* stop = nullptr;  // set from elsewhere: end soon
  // Called now and then with the instructions carried out so far; nothing when empty.
  void (*progress)(void* context, std::uint64_t instructions) = nullptr;
  void* progress_context = nullptr;
};

// What lies in the memories before the run.
struct Images {
  std::span<const std::byte> external = {};  // from address 0 on
  std::span<const std::byte> floats = {};    // float16, converted to bf16
  std::span<const std::byte> integers = {};  // 32 bits each
  std::span<const std::byte> vectors = {};   // in the vector memory's format, row after row
};
// All that is wrong with them for a machine: too large, an odd number of bytes.
base::Status check_images(const Images& images, const isa::Machine& machine, Rules rules);

struct Emulation {
  std::unique_ptr<const isa::Machine> machine;  // of the core
  std::unique_ptr<Core> core;
  bool partial = false;        // stopped before the end
  base::Picoseconds period{};  // of a cycle
  std::uint64_t instructions = 0;
  base::Picoseconds latency{};    // when everything is done, what the memory still had to do included
  base::Picoseconds transfers{};  // time that transfers took, each by itself
  std::uint64_t bytes_read = 0;   // whole blocks
  std::uint64_t bytes_written = 0;
  Accounts accounts = {};
  std::vector<InstructionAccount> by_instruction = {};       // as the program's words
  std::optional<CriticalPath> critical_path = std::nullopt;  // of overlap
  std::vector<memory::ModelStatistics> memory = {};
  RunLog log = {};
  std::vector<std::string> notes = {};  // what a reader of the figures must know, a sentence each
};

// An error names pc, line and the instruction as it is written.
base::Result<Emulation> emulate(const isa::Program& program, const EmulationOptions& options,
                                const Images& images, std::unique_ptr<memory::Timing> memory);

}  // namespace accelscope::emulator
