// The performance monitors of a simulated chip's cores, and what is to be recorded of them.
//
// Made before a run, with a ring in the device's memory for each core that is recorded. Cores tell what their
// pipes do, scheduler threads program and drain the monitors (monitor_control.h), the host copies what is in
// the rings (capture/perfmon_copier.h). A chip in a process of its own shares the rings, the registers and
// the words in which both sides answer each other.
//
// Threads: what a core did is told by whoever drives that core, or, where activities are kept until their
// time has come (the virtual chip), by the one thread that drives all. Registers and answers are for any
// thread. make(), restore_what_is_left() and remarks() are for the host when the chip does not run. The
// memory must outlive it.
//
//   ACCELSCOPE_TRY(const auto monitors, CoreMonitors::make(*memory, chip, graph, options));
//   recording.options.perfmon = monitors->source();
//   ... the run ...
//   monitors->restore_what_is_left();
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accelscope/perfmon/ownership.h"
#include "accelscope/perfmon/start.h"
#include "base/result.h"
#include "capture/perfmon_copier.h"
#include "device/chip.h"
#include "device/device_memory.h"
#include "device/perfmon_model.h"
#include "device/pipe_schedule.h"
#include "formats/capture/recording.h"
#include "runtime/graph.h"
#include "runtime/monitor_ring.h"
#include "trace/quality.h"

namespace accelscope::runtime {

inline constexpr std::uint64_t kMostMonitorMemory = std::uint64_t{1} << 30U;  // of all rings

// What `--core-swimlane` asks for.
struct CoreSwimlaneOptions {
  std::vector<std::uint32_t> cores = {};           // none: all
  std::vector<std::string> functions = {};         // of the graph; none: tasks of any
  std::uint32_t ring_bytes = kDefaultMonitorRing;  // of each core
  bool states = true;
  bool marks = true;
  perfmon::DrainMode drain = perfmon::DrainMode::kReadOnly;
  std::uint32_t glitch_filter = 0;
  std::string raw_folder = {};  // where raw bytes and registers of each drain go; "": nowhere
  // What the monitors are like; cores are filled in. Stamps come often enough that little is lost with one.
  device::PerfmonModelOptions model = {.words = {.stamp_after = 128}};
  // Called before anything is programmed, and when everything was put back: to see or be what else there is.
  std::function<void(device::PerfmonModel&)> before_run = {};
  std::function<void(device::PerfmonModel&)> after_run = {};
};

class CoreMonitors {
 public:
  static base::Result<std::unique_ptr<CoreMonitors>> make(device::DeviceMemory& memory,
                                                          const device::Chip& chip, const Graph& graph,
                                                          const CoreSwimlaneOptions& options);
  ~CoreMonitors();

  const CoreSwimlaneOptions& options() const { return options_; }
  device::PerfmonModel& model() { return *model_; }
  bool records(std::uint32_t core) const { return rings_[core].bytes > 0; }
  // Monitors are on only while tasks of these functions are.
  bool chooses_functions() const { return !options_.functions.empty(); }
  bool wants(std::uint32_t function) const { return !chooses_functions() || wanted_[function]; }
  perfmon::StartConfig start_config(std::uint32_t core) const;
  const perfmon::PerfmonChip& chip() const { return options_.model.chip; }
  // For the recording: where the words are, and how to read them.
  capture::PerfmonSource source() const;
  void describe(formats::capture::RecordingFacts& facts) const;

  // What a core's pipes did in a call that began at this tick; of a core, in the order of time.
  void run(std::uint32_t core, std::uint64_t start, const device::PipeSchedule& schedule);
  // The same, but it happens bit by bit as advance() says.
  void keep(std::uint32_t core, std::uint64_t start, const device::PipeSchedule& schedule);
  // It is `now`; whatever is not kept yet begins at `settled` or later.
  void advance(std::uint32_t core, std::uint64_t now, std::uint64_t settled);

  // The last drain of a core that the host has copied.
  std::uint32_t acknowledged(std::uint32_t core);
  // The monitor is about to be started anew: what of drains up to this one was not copied is gone.
  void release_ring(std::uint32_t core, std::uint32_t drain);
  // A monitor could not be started, which the host is to tell.
  void note_fault(std::uint32_t core, perfmon::Fault fault);

  // Registers that the chip's process did not put back, because it ended before it could.
  void restore_what_is_left();
  // On monitors that could not be started, or had to be restored.
  std::vector<trace::QualityRow> remarks();

 private:
  struct Activity {
    std::uint64_t start = 0;
    std::int64_t length = 0;
    std::vector<device::PipeEvent> events = {};
    std::size_t told = 0;
  };
  struct Kept {
    std::deque<Activity> activities = {};
    std::uint64_t last_end = 0;
  };

  CoreMonitors(device::DeviceMemory& memory, const CoreSwimlaneOptions& options)
      : memory_(memory), options_(options) {}
  base::Status allocate(const device::Chip& chip);
  void note_registers();
  base::Status write_raw(const recorder::PerfmonDrainRecord& drain, std::span<const std::byte> ring) const;
  bool tell(std::uint32_t core, Activity& activity, std::uint64_t until);
  bool restore(std::uint32_t core);
  void write(std::uint32_t core, perfmon::Register which, std::uint32_t value);

  device::DeviceMemory& memory_;
  CoreSwimlaneOptions options_;
  std::unique_ptr<device::PerfmonModel> model_;
  std::vector<bool> wanted_;                              // by function
  std::vector<capture::MonitorRing> rings_;               // by core
  std::vector<std::uint64_t> bases_;                      // as monitors address them
  std::vector<perfmon::RegistersSeen> before_;            // by core
  std::vector<Kept> kept_;                                // by core
  device::Address answers_ = device::Address::kNowhere;   // a word for each core
  device::Address released_ = device::Address::kNowhere;  // likewise
  device::Address faults_ = device::Address::kNowhere;    // likewise
  std::uint64_t restored_ = 0;                            // cores
};

}  // namespace accelscope::runtime
