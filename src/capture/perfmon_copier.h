// The host's side of core swimlanes: copies what performance monitors wrote into their rings, drain by drain.
//
// Stands before the sink of a collector. Of each drain that a control CPU tells of, it copies the bytes out
// of the core's ring, looks at the counter again to see how many of them the hardware has written over
// meanwhile, hands the rest on as blocks of the core, and says in the drain's record what became of them:
// copied + lost = written, always. Other records pass through. Then it tells the control CPU that it is done
// with the drain (`acknowledged`), for those who must not start the monitor anew before.
//
// A record is not trusted: one of a core without a ring, or that names bytes beyond it, copies nothing and
// counts as lost. Whoever collects calls it, one thread at a time; lanes() and remarks() are for when nobody
// does any more. Memory and window must outlive it; hardware may write into the rings all the time.
//
//   PerfmonCopier copier(*memory, {.window = &window, .rings = rings}, generation);
//   Collector::make(*memory, pools, options, copier.before(take));
//   ...
//   for (const LaneReport& lane : copier.lanes()) report.lanes.push_back(lane);
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "accelscope/perfmon/chip.h"
#include "accelscope/recorder/records.h"
#include "base/result.h"
#include "capture/collector_report.h"
#include "capture/take_records.h"
#include "device/device_memory.h"
#include "device/register_window.h"

namespace accelscope::capture {

struct MonitorRing {
  device::Address memory = device::Address::kNowhere;
  std::uint32_t bytes = 0;  // 0: the core is not recorded
};

struct PerfmonSource {
  device::RegisterWindow* window = nullptr;
  perfmon::PerfmonChip chip = perfmon::kA5Perfmon;
  std::vector<MonitorRing> rings = {};  // by core
  // A word for each core: the number of its last drain that was copied. May be nowhere.
  device::Address acknowledged = device::Address::kNowhere;
  // A word for each core: the last of its drains whose bytes were given up, because the monitor was started
  // anew. May be nowhere.
  device::Address released = device::Address::kNowhere;
  // Called for each drain with the whole ring, as it was when its bytes were copied. An error ends these
  // calls and nothing else.
  std::function<base::Status(const recorder::PerfmonDrainRecord&, std::span<const std::byte> ring)> raw = {};
};

class PerfmonCopier {
 public:
  PerfmonCopier(device::DeviceMemory& memory, PerfmonSource source, std::uint64_t generation);

  // Takes what is to go to `next`.
  TakeRecords before(TakeRecords next);

  // The accounts of the blocks, of each core that has any.
  std::vector<LaneReport> lanes() const;
  std::vector<trace::QualityRow> remarks() const;

 private:
  struct Core {
    std::uint64_t blocks = 0;   // made
    std::uint64_t taken = 0;    // by the sink
    std::uint32_t buffers = 0;  // of blocks
  };

  base::Status take(const recorder::BufferHeader& header, std::span<const std::byte> records);
  base::Status copy(recorder::PerfmonDrainRecord& drain);
  void copy_ring(device::Address ring, std::uint32_t ring_bytes, const recorder::PerfmonDrainRecord& drain);
  bool is_released(const recorder::PerfmonDrainRecord& drain);
  base::Status hand_on(std::uint32_t core);
  void keep_raw(const recorder::PerfmonDrainRecord& drain);

  device::DeviceMemory& memory_;
  const PerfmonSource source_;
  const std::uint64_t generation_;
  TakeRecords next_;
  std::vector<Core> cores_;
  std::vector<recorder::PerfmonDrainRecord> drains_;  // of the buffer at hand
  std::vector<std::uint32_t> words_;                  // of the drain at hand
  std::vector<std::uint32_t> ring_;                   // all of it, for `raw`
  std::uint64_t lost_ = 0;                            // bytes
  std::uint64_t impossible_ = 0;                      // drains that cannot be
  std::optional<base::Error> raw_error_;
};

}  // namespace accelscope::capture
