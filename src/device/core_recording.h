// The performance monitor of one core, recorded drain by drain into files (drain_files.h).
//
// Every drain copies what is new first and finds out what was written over meanwhile; then the rest of the
// ring, so that the files show the memory as it was even where what is assumed about the counters is wrong.
// Copying and writing are apart, so that all cores of a chip can be drained before the first file is written.
//
// One thread. The chip, the bus and the memory must outlive it; the ring is the caller's, and may be given to
// others only where ring_may_be_released() says so.
//
//   CoreRecording recording(perfmon::kA5Perfmon, bus, *memory, core, ring,
//                           {.base = address_of_the_ring, .ring_bytes = 65536});
//   if (recording.start() != perfmon::Fault::kNone) ...
//   recording.drain();
//   ACCELSCOPE_CHECK(recording.write("captured"));
//   recording.stop();
//   ACCELSCOPE_CHECK(recording.write("captured"));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accelscope/perfmon/core_perfmon.h"
#include "base/result.h"
#include "device/device_memory.h"
#include "device/register_window.h"

namespace accelscope::device {

// written = copied + lost + torn, for rings; what was overwritten is part of what is lost.
struct CoreRecordingCounts {
  std::uint64_t drains = 0;
  std::uint32_t files = 0;
  std::uint64_t written_bytes = 0;  // as the monitor counts
  std::uint64_t copied_bytes = 0;
  std::uint64_t lost_bytes = 0;
  std::uint64_t overwritten_bytes = 0;  // while they were copied
  std::uint64_t torn_bytes = 0;         // of words that were never completed
  bool pointers_agree = true;           // wherever the monitor stood still
  bool settled = true;                  // it stood still before its ring was taken as a whole
};

class CoreRecording {
 public:
  // `config.base` is the ring's address as the monitor sees it.
  CoreRecording(const perfmon::PerfmonChip& chip, WindowBus& bus, DeviceMemory& memory, std::uint32_t core,
                Address ring, const perfmon::StartConfig& config);

  perfmon::Fault start();
  // What is new is copied and waits to be written; what waited before must have been.
  void drain();
  // The same for the last time, and every register is as it was.
  void stop();
  // What waits, if something does, as the core's next drain.
  base::Status write(const std::string& folder);

  std::uint32_t core() const { return perfmon_.core(); }
  perfmon::CoreState state() const { return perfmon_.state(); }
  bool is_running() const { return state() == perfmon::CoreState::kRunning; }
  bool ring_may_be_released() const { return perfmon_.ring_may_be_released(); }
  CoreRecordingCounts counts() const;

 private:
  void take(const perfmon::Slice& slice);
  // The pieces of the ring that a slice has, or those that it does not have.
  void copy_slice(const perfmon::Slice& slice);
  void copy_rest(const perfmon::Slice& slice);
  void copy_piece(std::uint32_t from, std::uint32_t bytes);
  bool is_news(const perfmon::Slice& slice) const;
  perfmon::RegistersSeen look() const;

  const perfmon::PerfmonChip& chip_;
  WindowBus& bus_;
  DeviceMemory& memory_;
  const perfmon::StartConfig config_;
  perfmon::CorePerfmon<WindowBus> perfmon_;
  const Address ring_;
  std::vector<std::uint32_t> copy_;                               // of the ring
  perfmon::RegistersSeen seen_ = {};                              // when they were looked at last
  std::optional<perfmon::RegistersSeen> waiting_ = std::nullopt;  // of the drain that is to be written
  CoreRecordingCounts counts_ = {};
};

}  // namespace accelscope::device
