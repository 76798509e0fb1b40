#include "device/perfmon_model.h"

#include <algorithm>
#include <array>
#include <new>

namespace accelscope::device {

using base::Cycles;

std::vector<std::uint32_t> cores_armed_by_firmware(const Chip& chip) {
  constexpr std::array<std::uint32_t, 6> kClusters{0, 9, 17, 18, 27, 35};
  std::vector<std::uint32_t> armed;
  for (const std::uint32_t cluster : kClusters) {
    if (cluster >= chip.clusters) continue;
    armed.push_back(chip.cube_core(cluster));
    armed.push_back(chip.vector_core(cluster, 0));
    armed.push_back(chip.vector_core(cluster, 1));
  }
  std::sort(armed.begin(), armed.end());
  return armed;
}

PerfmonModel::PerfmonModel(DeviceMemory& memory, const PerfmonModelOptions& options)
    : options_(options), device_(memory), memory_(memory, options_) {
  const base::Result<Address> block = memory.allocate(options_.cores * sizeof(MonitorRegisters));
  if (!block) throw std::bad_alloc();  // as the vectors of this class would
  registers_ = *block;
  auto* registers = static_cast<MonitorRegisters*>(memory.as_device_sees(registers_));
  const std::vector<std::uint32_t>& armed = options_.armed_cores;
  for (std::uint32_t core = 0; core < options_.cores; ++core)
    engines_.push_back(
        std::make_unique<PerfmonEngine>(memory_, options_, *new (registers + core) MonitorRegisters,
                                        std::find(armed.begin(), armed.end(), core) != armed.end()));
}

PerfmonModel::~PerfmonModel() {
  engines_.clear();
  device_.release(registers_);
}

std::uint64_t PerfmonModel::map(Address block, std::size_t bytes, MemoryStream stream) {
  return memory_.map(block, bytes, stream);
}

void PerfmonModel::unmap(std::uint64_t base) {
  memory_.unmap(base);
}

std::uint32_t PerfmonModel::read32(std::uint32_t core, std::uint32_t offset) {
  if (core >= options_.cores || unplugged_.load(std::memory_order_acquire)) return perfmon::kNoDevice;
  return engines_[core]->read(offset);
}

void PerfmonModel::write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) {
  if (core >= options_.cores || unplugged_.load(std::memory_order_acquire)) return;
  engines_[core]->write(offset, value);
}

void PerfmonModel::barrier() {
  barriers_.fetch_add(1, std::memory_order_seq_cst);
}

void PerfmonModel::give_up(std::uint32_t core) {
  if (core < options_.cores) engines_[core]->give_up();
}

bool PerfmonModel::given_up(std::uint32_t core) const {
  return engines_[core]->given_up();
}

void PerfmonModel::kickstart(std::uint32_t core, bool channel_registered) {
  engines_[core]->launch(channel_registered);
}

base::Status PerfmonModel::set_busy(std::uint32_t core, Cycles now, PipeMask busy) {
  return engines_[core]->set_busy(now, busy);
}

base::Status PerfmonModel::mark(std::uint32_t core, Cycles now, Pipe pipe, std::uint32_t id) {
  return engines_[core]->mark(now, pipe, id);
}

void PerfmonModel::set_block(std::uint32_t core, std::uint32_t block) {
  engines_[core]->set_block(block);
}

base::Status PerfmonModel::idle(std::uint32_t core, Cycles until) {
  return engines_[core]->idle(until);
}

base::Status PerfmonModel::run(std::uint32_t core, Cycles start, const PipeSchedule& schedule) {
  ACCELSCOPE_CHECK(idle(core, start));
  for (const PipeEvent& event : events_of(schedule)) {
    const Cycles now = start + Cycles{event.at};
    ACCELSCOPE_CHECK(event.is_mark ? mark(core, now, event.pipe, event.id) : set_busy(core, now, event.busy));
  }
  return engines_[core]->pass(start + Cycles{schedule.length});
}

void PerfmonModel::make_word(std::uint32_t core, std::uint32_t word) {
  engines_[core]->make_word(std::as_bytes(std::span(&word, 1)));
}

void PerfmonModel::tear(std::uint32_t core, std::uint32_t word, std::uint32_t bytes) {
  engines_[core]->tear(std::as_bytes(std::span(&word, 1)), bytes);
}

void PerfmonModel::land(std::uint32_t core, std::uint64_t words) {
  engines_[core]->land(words);
}

std::uint64_t PerfmonModel::in_flight(std::uint32_t core) const {
  return engines_[core]->in_flight();
}

const EngineCounts& PerfmonModel::counts(std::uint32_t core) const {
  return engines_[core]->counts();
}

}  // namespace accelscope::device
