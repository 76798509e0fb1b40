// One core's performance monitor of a PerfmonModel: registers, the engine that makes words, and the queue of
// words on their way to memory. Internal to the model.
//
// The thread that drives the core calls everything but read() and write(), which any thread may call.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "device/device_memory.h"
#include "device/perfmon_options.h"
#include "device/pipe_schedule.h"

namespace accelscope::device {

struct EngineCounts {
  std::uint64_t words_made = 0;     // while sampling
  std::uint64_t words_landed = 0;   // in memory
  std::uint64_t words_dropped = 0;  // by a linear buffer that was full
  std::uint64_t words_faulted = 0;  // to addresses that nothing is mapped at
  std::uint64_t unsampled = 0;      // changes and marks while it was off
  std::uint64_t filtered = 0;       // changes of a pipe that the glitch filter kept back
  std::uint64_t starts = 0;         // times that sampling began
};

// Which addresses of monitors lead where.
class MonitorMemory {
 public:
  MonitorMemory(DeviceMemory& memory, const PerfmonModelOptions& options)
      : memory_(memory), options_(options) {}

  std::uint64_t map(Address block, std::size_t bytes, MemoryStream stream);
  void unmap(std::uint64_t base);
  // Nullptr where nothing is.
  std::byte* at(std::uint64_t address, std::size_t bytes) const;

 private:
  struct Range {
    std::uint64_t base = 0;
    std::size_t bytes = 0;
    Address block = Address::kNowhere;
    MemoryStream stream = MemoryStream::kOfTheCore;
  };
  DeviceMemory& memory_;
  const PerfmonModelOptions& options_;
  std::vector<Range> ranges_ = {};
  std::uint64_t next_base_ = 0x0010'0000'0000;
};

// What others see of a monitor. It lies in the device's memory, so that a process that shares this sees the
// registers as the one that drives the core does.
struct alignas(64) MonitorRegisters {
  std::array<std::atomic<std::uint32_t>, perfmon::kRegisters> values = {};
  // The pointer, in bytes: of the next word that is made, and as the register shows it.
  std::atomic<std::uint64_t> issue = 0;
  std::atomic<std::uint64_t> shown = 0;
  std::atomic<std::uint64_t> starts = 0;  // times that both enables became on
  std::atomic<bool> given_up = false;     // it is somebody else's
};

class PerfmonEngine {
 public:
  // The registers must outlive it.
  PerfmonEngine(const MonitorMemory& memory, const PerfmonModelOptions& options, MonitorRegisters& registers,
                bool armed);

  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  void launch(bool on);
  void give_up() { registers_.given_up.store(true, std::memory_order_release); }
  bool given_up() const { return registers_.given_up.load(std::memory_order_acquire); }

  base::Status set_busy(base::Cycles now, PipeMask busy);
  base::Status mark(base::Cycles now, Pipe pipe, std::uint32_t id);
  // Nothing happens up to this time; idle() makes noise meanwhile.
  base::Status pass(base::Cycles now);
  base::Status idle(base::Cycles until);
  // In the stamps from now on.
  void set_block(std::uint32_t block);
  void make_word(std::span<const std::byte> word);
  void tear(std::span<const std::byte> word, std::size_t bytes);
  void land(std::uint64_t words);
  std::uint64_t in_flight() const { return queue_.size(); }
  const EngineCounts& counts() const { return counts_; }

 private:
  using Register = perfmon::Register;
  struct InFlight {
    std::array<std::byte, 8> bytes = {};
    std::uint64_t target = 0;
    std::uint64_t next = 0;  // position behind it
    base::Cycles due = {};
  };
  // Of one pipe, while the glitch filter waits whether it lasts.
  struct Pending {
    bool waits = false;
    base::Cycles due = {};
  };

  std::atomic<std::uint32_t>& reg(Register which) {
    return registers_.values[static_cast<std::size_t>(which)];
  }
  std::uint32_t load(Register which) { return reg(which).load(std::memory_order_acquire); }
  bool on(Register which) { return (load(which) & options_.chip.registers.enable_bit) != 0; }
  std::uint64_t ring_bytes();
  std::uint32_t pointer_shown();
  void set_enable(Register which, bool on);

  base::Status tell(base::Cycles now, PipeMask busy);
  bool is_sampling();
  auto to_memory() {
    return [this](std::span<const std::byte> word) { make_word(word); };
  }
  bool place(std::size_t bytes, InFlight& word);
  void land_due();
  void land_one();
  void store(std::uint64_t target, std::span<const std::byte> bytes);
  void count(std::uint64_t next, std::size_t bytes);

  const MonitorMemory& memory_;
  const PerfmonModelOptions& options_;
  MonitorRegisters& registers_;

  formats::perfmon::EncoderOptions words_;
  formats::perfmon::Encoder encoder_;
  std::uint64_t encoded_start_ = 0;  // of the registers' starts, that the encoder belongs to
  base::Cycles now_ = {};
  PipeMask busy_ = 0;  // as it is
  PipeMask told_ = 0;  // as the filter lets it through
  std::array<Pending, formats::perfmon::kPipes> pending_ = {};
  std::deque<InFlight> queue_ = {};
  bool torn_ = false;
  EngineCounts counts_ = {};
};

}  // namespace accelscope::device
