// The job behind `accelscope perfmon record`: programs the performance monitors of a real device, drains them
// for a while, stores the raw bytes and registers of every drain, and puts every register back.
//
// Prints nothing. Nothing is opened that was not named. Whatever happens after the start (a core that is
// taken away, a full disk, Ctrl-C), monitors are stopped and registers restored before it returns, and what
// was written stays. The folder gets core<N>.<K>.bin with its registers for drain K of core N
// (device/drain_files.h), and record.json, the findings. One device is recorded by one call at a time. This
// has never met silicon.
//
//   ACCELSCOPE_TRY(const PerfmonRecordOutcome outcome,
//                  record_perfmon({.device = "/sys/bus/pci/.../resource2", .memory = {.path = "/dev/mem",
//                  ...},
//                                  .start = {.ring_bytes = 65536}, .folder = "captured"}));
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "accelscope/perfmon/start.h"
#include "base/result.h"
#include "base/units.h"
#include "device/file_memory.h"
#include "findings/findings.h"

namespace accelscope::jobs {

struct PerfmonRecordOptions {
  std::string device = {};
  std::uint64_t offset = 0;  // of the registers in that file
  // Where cores lie: as those of a chip do, a preset or a file, or so many of them so far apart.
  std::string chip = "a5";
  std::optional<std::uint32_t> cores = std::nullopt;
  std::uint64_t stride = 0;
  std::string only = {};                      // "0-3,7"; all without
  device::FileMemoryOptions memory = {};      // of the rings; its size is worked out
  perfmon::StartConfig start = {};            // of every core, but for the address
  perfmon::Behaviour behaviour = {};          // what is taken for granted of the hardware
  base::Nanoseconds every{1'000'000};         // between drains
  base::Nanoseconds duration{1'000'000'000};  // of the recording
  std::string folder = {};
  bool replace = false;  // recordings that are in the folder
  std::string version = {};
  const std::atomic<bool>* stop = nullptr;  // once true, the recording ends in order
  std::function<void(base::Nanoseconds passed)> progress = {};
};

struct PerfmonRecordOutcome {
  findings::Findings findings = {};
  bool interrupted = false;
  std::string first_file = {};  // "" where nothing came
  // What must not go unnoticed: a device that is gone, a monitor that wrote elsewhere, registers that are not
  // as they were. Empty where nothing is of that kind.
  std::string failure = {};
};

base::Result<PerfmonRecordOutcome> record_perfmon(const PerfmonRecordOptions& options);

}  // namespace accelscope::jobs
