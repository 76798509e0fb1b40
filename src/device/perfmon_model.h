// Performance monitors in software, one per core: their registers with all rules of access, the engine that
// turns what pipes do into words, and the way of these words into memory.
//
// Threads: each core is driven (set_busy() and the rest) by one thread at a time. Its registers may be read
// and written by another meanwhile, and its ring copied with DeviceMemory::copy_words(): registers are
// atomic, words are stored one by one, and who sees a word counted (kLanded) sees the word. map(), unmap()
// and unplug() are for when no core is driven. The memory must outlive the model.
//
// Where the memory is shared with forked processes, so are the registers: one process drives the cores, and
// others read and write registers.
//
//   PerfmonModel model(memory, {.cores = 2});
//   ACCELSCOPE_TRY(const std::uint64_t base, model.map(ring, bytes));
//   ... a CorePerfmon over WindowBus{model} starts core 0 at `base` ...
//   ACCELSCOPE_CHECK(model.run(0, base::Cycles{1000}, schedule));
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "device/device_memory.h"
#include "device/perfmon_engine.h"
#include "device/perfmon_options.h"
#include "device/pipe_schedule.h"
#include "device/register_window.h"

namespace accelscope::device {

class PerfmonModel final : public RegisterWindow {
 public:
  PerfmonModel(DeviceMemory& memory, const PerfmonModelOptions& options);
  ~PerfmonModel() override;

  // Makes memory reachable for monitors, and says what to put into the base registers for it. Such addresses
  // are the same in every run, and nothing is behind or before the bytes.
  std::uint64_t map(Address block, std::size_t bytes, MemoryStream stream = MemoryStream::kOfTheCore);
  void unmap(std::uint64_t base);

  std::uint32_t cores() const override { return options_.cores; }
  std::uint32_t read32(std::uint32_t core, std::uint32_t offset) override;
  void write32(std::uint32_t core, std::uint32_t offset, std::uint32_t value) override;
  void barrier() override;
  void give_up(std::uint32_t core) override;

  // A task is launched: the hardware sets perf_mon_en, on where a channel of the driver is registered.
  void kickstart(std::uint32_t core, bool channel_registered);
  // From now on nobody answers.
  void unplug() { unplugged_.store(true, std::memory_order_release); }

  // What the core does, in the order of time.
  base::Status set_busy(std::uint32_t core, base::Cycles now, PipeMask busy);
  base::Status mark(std::uint32_t core, base::Cycles now, Pipe pipe, std::uint32_t id);
  void set_block(std::uint32_t core, std::uint32_t block);  // in stamps from now on
  // Nothing happens up to this time, but noise; what is due lands.
  base::Status idle(std::uint32_t core, base::Cycles until);
  // A call of a kernel from `start` on.
  base::Status run(std::uint32_t core, base::Cycles start, const PipeSchedule& schedule);

  // A word of any content, as if the engine had made it.
  void make_word(std::uint32_t core, std::uint32_t word);
  // Only so many bytes of the next word ever reach memory; the core makes no more words.
  void tear(std::uint32_t core, std::uint32_t word, std::uint32_t bytes);
  // So many words in flight land now, the oldest first.
  void land(std::uint32_t core, std::uint64_t words);
  std::uint64_t in_flight(std::uint32_t core) const;

  // What the core did since the model was made; for the thread that drives it.
  const EngineCounts& counts(std::uint32_t core) const;
  std::uint64_t barriers() const { return barriers_.load(std::memory_order_relaxed); }
  bool given_up(std::uint32_t core) const;

 private:
  const PerfmonModelOptions options_;
  DeviceMemory& device_;
  Address registers_ = Address::kNowhere;
  MonitorMemory memory_;
  std::vector<std::unique_ptr<PerfmonEngine>> engines_;
  std::atomic<bool> unplugged_ = false;
  std::atomic<std::uint64_t> barriers_ = 0;
};

}  // namespace accelscope::device
