// A model with one ring, and the code of the control CPU that records into it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "accelscope/perfmon/core_perfmon.h"
#include "device/perfmon_model.h"

namespace accelscope::tests {

using perfmon::CorePerfmon;
using perfmon::Register;
using perfmon::Slice;

// A bus that counts what is written.
struct CountingBus {
  device::RegisterWindow& window;
  std::uint64_t writes = 0;

  std::uint32_t read_reg(std::uint32_t core, std::uint32_t offset) { return window.read32(core, offset); }
  void write_reg(std::uint32_t core, std::uint32_t offset, std::uint32_t value) {
    ++writes;
    window.write32(core, offset, value);
  }
  void barrier() { window.barrier(); }
  void give_up(std::uint32_t core) { window.give_up(core); }
};

// Every byte counted is in memory, and the other way around; rings of a few words.
inline device::PerfmonModelOptions small_options() {
  device::PerfmonModelOptions options;
  options.chip.behaviour.uncounted_bytes = 0;
  return options;
}

struct PerfmonRig {
  explicit PerfmonRig(const device::PerfmonModelOptions& given = small_options(), std::uint32_t bytes = 1024,
                      std::uint32_t which = 0)
      : options(given),
        ring_bytes(bytes),
        core(which),
        memory(device::copied_memory()),
        ring(memory->allocate(bytes).value()),
        model(*memory, options),
        base(model.map(ring, bytes, options.stream)),
        bus{model},
        perfmon(options.chip, bus, core) {}

  perfmon::StartConfig config() const { return {.base = base, .ring_bytes = ring_bytes}; }
  perfmon::Fault start() { return perfmon.start(config()); }

  std::uint32_t read(Register which) { return model.read32(core, options.chip.registers.offset(which)); }
  void write(Register which, std::uint32_t value) {
    model.write32(core, options.chip.registers.offset(which), value);
  }
  // All registers that are not counters.
  std::vector<std::uint32_t> settings() {
    std::vector<std::uint32_t> values;
    for (const Register which :
         {Register::kEnable, Register::kGlobalEnable, Register::kBufferLength, Register::kGlitchFilter,
          Register::kBaseLow, Register::kBaseHigh, Register::kWritePointer, Register::kSamplesClear})
      values.push_back(read(which));
    return values;
  }

  void make_words(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) model.make_word(core, first + i);
  }

  std::vector<std::uint32_t> copy(const Slice& slice) {
    std::vector<std::uint32_t> words(slice.bytes / 4);
    const std::span<std::uint32_t> all(words);
    const std::size_t first = slice.first_piece(ring_bytes) / 4;
    memory->invalidate(ring, ring_bytes);
    memory->copy_words(ring + slice.from, all.first(first));
    memory->copy_words(ring, all.subspan(first));
    return words;
  }
  // drain(), the copy and confirm(): what is certain of it.
  std::vector<std::uint32_t> collect() {
    const Slice slice = perfmon.drain();
    std::vector<std::uint32_t> words = copy(slice);
    const perfmon::Confirmation copied = perfmon.confirm(slice);
    words.erase(words.begin(), words.begin() + copied.overwritten_bytes / 4);
    return words;
  }

  const device::PerfmonModelOptions options;
  const std::uint32_t ring_bytes;
  const std::uint32_t core;
  const std::unique_ptr<device::DeviceMemory> memory;
  const device::Address ring;
  device::PerfmonModel model;
  const std::uint64_t base;
  CountingBus bus;
  CorePerfmon<CountingBus> perfmon;
};

inline std::vector<std::uint32_t> numbers(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < count; ++i) result.push_back(first + i);
  return result;
}

}  // namespace accelscope::tests
