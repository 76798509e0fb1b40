#include "device/mmio_window.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "device/device_barrier.h"

namespace accelscope::device {
namespace {

using base::ErrorCode;
using base::Location;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

base::Status check(const MmioOptions& options) {
  if (options.path.empty())
    return base::fail(ErrorCode::kUsage,
                      "no device was named: registers are only written where the path of a device "
                      "file or PCI resource is given");
  if (options.core_bases.empty())
    return base::fail(ErrorCode::kUsage, "a device without cores has no registers");
  if (options.chip.identification.mask == 0)
    return base::fail(ErrorCode::kUsage,
                      "the chip's table has no identification register: without one nothing is written");
  for (const std::uint64_t base : options.core_bases)
    if (base % 4 != 0 || base > DeviceMapping::kMostBytes)
      return base::fail(ErrorCode::kUsage, "a core at {:#x} is not on a register or beyond every device",
                        base);
  for (const std::uint32_t core : options.only)
    if (core >= options.core_bases.size())
      return base::fail(ErrorCode::kUsage, "there is no core {} in a device of {} cores", core,
                        options.core_bases.size());
  for (const perfmon::RegisterPlace& place : options.chip.registers.places)
    if (place.offset % 4 != 0 || place.offset + 4 > options.core_bytes)
      return base::fail(ErrorCode::kUsage, "the register at {:#x} lies outside of the {:#x} bytes of a core",
                        place.offset, options.core_bytes);
  if (options.offset % 4 != 0 || options.offset > DeviceMapping::kMostBytes)
    return base::fail(ErrorCode::kUsage,
                      "registers at {:#x} of the file are not on a word or beyond every device",
                      options.offset);
  return {};
}

std::vector<bool> reached_cores(const MmioOptions& options) {
  std::vector<bool> reached(options.core_bases.size(), options.only.empty());
  for (const std::uint32_t core : options.only) reached[core] = true;
  return reached;
}

// Up to the end of the last core that is reached.
std::uint64_t bytes_to_map(const MmioOptions& options) {
  const std::vector<bool> reached = reached_cores(options);
  std::uint64_t last = 0;
  for (std::size_t core = 0; core < reached.size(); ++core)
    if (reached[core]) last = std::max(last, options.core_bases[core]);
  return last + options.core_bytes;
}

}  // namespace

std::vector<std::uint64_t> core_bases_of(const Chip& chip) {
  std::vector<std::uint64_t> bases(chip.cores());
  for (std::uint32_t cluster = 0; cluster < chip.clusters; ++cluster) {
    const std::uint64_t base = 3 * kMebibyte * cluster;
    bases[chip.cube_core(cluster)] = base;
    for (std::uint32_t which : {0U, 1U})
      bases[chip.vector_core(cluster, which)] = base + (1 + which) * kMebibyte;
  }
  return bases;
}

std::vector<std::uint64_t> equally_spaced_cores(std::uint32_t cores, std::uint64_t stride) {
  std::vector<std::uint64_t> bases(cores);
  for (std::uint32_t core = 0; core < cores; ++core) bases[core] = core * stride;
  return bases;
}

base::Result<std::unique_ptr<MmioWindow>> MmioWindow::open(const MmioOptions& options) {
  ACCELSCOPE_CHECK(check(options));
  const std::size_t cores = options.only.empty() ? options.core_bases.size() : options.only.size();
  ACCELSCOPE_TRY(DeviceMapping mapping,
                 DeviceMapping::open(options.path, options.offset, bytes_to_map(options),
                                     fmt::format("{} cores", cores)));
  std::unique_ptr<MmioWindow> window(new MmioWindow(options, std::move(mapping)));
  ACCELSCOPE_CHECK(window->identify());
  if (options.restores_on_signals) ACCELSCOPE_CHECK(window->journal_.arm());
  return window;
}

MmioWindow::MmioWindow(const MmioOptions& options, DeviceMapping mapping)
    : options_(options),
      mapping_(std::move(mapping)),
      reached_(reached_cores(options)),
      journal_(static_cast<std::uint32_t>(options.core_bases.size()),
               perfmon_restore_rules(options.chip.registers)) {}

MmioWindow::~MmioWindow() {
  // Before the mapping goes: no handler may see a journal of registers that are not mapped.
  journal_.restore();
  journal_.disarm();
}

base::Status MmioWindow::identify() {
  const perfmon::Identification& id = options_.chip.identification;
  for (std::uint32_t core = 0; core < cores(); ++core) {
    if (!reached_[core]) continue;
    const std::uint32_t found = read32(core, id.offset);
    if ((found & id.mask) == id.expected) continue;
    return base::fail_at(
        Location::of_file(options_.path), ErrorCode::kUnknownFormat,
        "is not the device that was expected: core {} reads {:#010x} at {:#x}, where {:#010x} (mask "
        "{:#010x}) identifies it; nothing was written",
        core, found, id.offset, id.expected, id.mask);
  }
  return {};
}

volatile std::uint32_t* MmioWindow::place_of(std::uint32_t core, std::uint32_t offset) const {
  if (core >= cores() || !reached_[core] || offset % 4 != 0 || offset > options_.core_bytes - 4)
    return nullptr;
  return reinterpret_cast<volatile std::uint32_t*>(mapping_.data() + options_.core_bases[core] + offset);
}

std::uint32_t MmioWindow::read32(std::uint32_t core, std::uint32_t offset) {
  volatile std::uint32_t* place = place_of(core, offset);
  return place == nullptr ? perfmon::kNoDevice : *place;
}

void MmioWindow::write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) {
  volatile std::uint32_t* place = place_of(core, offset);
  if (place == nullptr) return;
  if (journal_.is_empty(core))
    for (const std::uint32_t moved : journal_.rules().moved)
      journal_.note(core, moved, place_of(core, moved));
  journal_.write(core, offset, place, value);
}

void MmioWindow::barrier() {
  device_barrier();
}

void MmioWindow::give_up(std::uint32_t core) {
  if (core < cores()) journal_.forget(core);
}

void MmioWindow::restore() {
  journal_.restore();
}

}  // namespace accelscope::device
