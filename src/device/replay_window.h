// A recording of performance monitors played back: buffers as they were copied from a device, with the
// registers that were read beside them, take the place of hardware.
//
// For each core and drain there is a file with the bytes of its whole buffer and, as FILE.regs.json, the
// registers of that moment (formats/perfmon/registers_file.h). Settings can be written and read as on
// hardware; the pointer and the counter of bytes written come from the files. A core begins where the first
// of its files says that it began; next() brings its ring and its counters to the next drain. What was
// recorded without restarts is to be drained without them, and the other way around.
//
// One thread. The memory must outlive it.
//
//   ACCELSCOPE_TRY(const auto window, ReplayWindow::open(*memory, find_replay_files("captured").value()));
//   ACCELSCOPE_TRY(const Address ring, memory->allocate(window->ring_bytes(core)));
//   perfmon.start({.base = window->attach(core, ring), .ring_bytes = window->ring_bytes(core)});
//   while (window->next(core)) collect(perfmon.drain());
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "accelscope/perfmon/chip.h"
#include "base/mapped_file.h"
#include "base/result.h"
#include "device/device_memory.h"
#include "device/register_window.h"

namespace accelscope::device {

// Paths by core, in the order of drains; a core without files never writes.
using ReplayFiles = std::vector<std::vector<std::string>>;

// core<N>.bin, or core<N>.<K>.bin for drain K, in a folder.
base::Result<ReplayFiles> find_replay_files(const std::string& folder);

class ReplayWindow final : public RegisterWindow {
 public:
  // Of the chip: its registers, and what they count.
  static base::Result<std::unique_ptr<ReplayWindow>> open(
      DeviceMemory& memory, const ReplayFiles& files, const perfmon::PerfmonChip& chip = perfmon::kA5Perfmon);

  std::uint32_t cores() const override { return static_cast<std::uint32_t>(cores_.size()); }
  std::uint32_t read32(std::uint32_t core, std::uint32_t offset) override;
  void write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) override;
  void barrier() override {}
  void give_up(std::uint32_t) override {}

  // Of the core's buffer; 0 for one without files.
  std::uint32_t ring_bytes(std::uint32_t core) const;
  // Where the core's bytes go, which is as long as ring_bytes() says; what the base registers want for it.
  std::uint64_t attach(std::uint32_t core, Address ring);
  // To the next drain; false when there is none, or when the core is off or writes elsewhere: it then stays
  // where it is.
  bool next(std::uint32_t core);
  std::size_t drains_left(std::uint32_t core) const;

 private:
  struct Drain {
    base::MappedFile bytes;
    std::uint32_t samples_written = 0;
    std::uint32_t samples = 0;
    std::uint32_t write_pointer = 0;
  };
  struct Core {
    std::vector<Drain> drains = {};
    std::size_t passed = 0;
    Address ring = Address::kNowhere;
    std::uint32_t values[perfmon::kRegisters] = {};
  };

  ReplayWindow(DeviceMemory& memory, const perfmon::PerfmonChip& chip) : memory_(memory), chip_(chip) {}
  base::Status add_drain(Core& core, const std::string& path) const;
  void set_begin(Core& core) const;

  static std::uint32_t& value(Core& core, perfmon::Register which) {
    return core.values[static_cast<std::size_t>(which)];
  }

  DeviceMemory& memory_;
  const perfmon::PerfmonChip chip_;
  std::vector<Core> cores_ = {};
};

}  // namespace accelscope::device
