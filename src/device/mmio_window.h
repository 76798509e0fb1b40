// The registers of a real device, mapped into this process: a device file or the resource file of a PCI BAR.
//
// Nothing is opened that was not named, and nothing is written before the identification register of every
// core has answered as the chip's table says. What is changed is put back: when the window is closed, by
// restore(), and when a signal kills the process (register_journal.h says which). SIGKILL and a crash of the
// machine cannot be caught.
//
// A core is used by one thread at a time. The window owns the mapping. This has never met silicon.
//
//   ACCELSCOPE_TRY(const auto window, MmioWindow::open({.path = "/sys/bus/pci/.../resource2",
//                                                       .core_bases = core_bases_of(chip)}));
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "accelscope/perfmon/chip.h"
#include "base/result.h"
#include "device/chip.h"
#include "device/device_mapping.h"
#include "device/register_journal.h"
#include "device/register_window.h"

namespace accelscope::device {

struct MmioOptions {
  std::string path = {};
  std::uint64_t offset = 0;                    // of the registers in the file
  std::vector<std::uint64_t> core_bases = {};  // of each core, from there
  std::uint32_t core_bytes = 0x10000;          // that belong to a core, from its base
  // Cores that can be reached; the others are neither looked at nor mapped, as where a chip has them turned
  // off. Empty: all.
  std::vector<std::uint32_t> only = {};
  perfmon::PerfmonChip chip = perfmon::kA5Perfmon;
  bool restores_on_signals = true;
};

// 3 MiB for each cluster: its cube core, and 1 MiB further each of its vector cores.
std::vector<std::uint64_t> core_bases_of(const Chip& chip);
std::vector<std::uint64_t> equally_spaced_cores(std::uint32_t cores, std::uint64_t stride);

class MmioWindow final : public RegisterWindow {
 public:
  static base::Result<std::unique_ptr<MmioWindow>> open(const MmioOptions& options);
  ~MmioWindow() override;

  std::uint32_t cores() const override { return static_cast<std::uint32_t>(options_.core_bases.size()); }
  std::uint32_t read32(std::uint32_t core, std::uint32_t offset) override;
  void write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) override;
  void barrier() override;
  void give_up(std::uint32_t core) override;

  // Every register that was written reads again as it did before, but for counters.
  void restore();

 private:
  MmioWindow(const MmioOptions& options, DeviceMapping mapping);

  // Nullptr where nothing is.
  volatile std::uint32_t* place_of(std::uint32_t core, std::uint32_t offset) const;
  base::Status identify();

  const MmioOptions options_;
  const DeviceMapping mapping_;
  std::vector<bool> reached_;  // by core
  RegisterJournal journal_;
};

}  // namespace accelscope::device
