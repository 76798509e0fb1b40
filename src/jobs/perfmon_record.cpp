#include "jobs/perfmon_record.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/output_file.h"
#include "device/chip_file.h"
#include "device/core_list.h"
#include "device/core_recording.h"
#include "device/drain_files.h"
#include "device/mmio_window.h"
#include "findings/findings_json.h"
#include "jobs/perfmon_record_document.h"

namespace accelscope::jobs {
namespace {

using base::ErrorCode;
using base::Nanoseconds;
using base::Result;
using base::Status;
using device::CoreRecording;
using perfmon::Fault;

constexpr std::uint32_t kMostCores = 1U << 16U;
constexpr std::uint64_t kLongestStride = std::uint64_t{1} << 32U;

// The cores that are wanted, and how to reach them.
struct Plan {
  device::MmioOptions window = {};
  device::FileMemoryOptions memory = {};
  std::vector<std::uint32_t> cores = {};
};

Result<std::vector<std::uint64_t>> core_bases(const PerfmonRecordOptions& options) {
  if (options.cores) {
    if (*options.cores == 0 || *options.cores > kMostCores)
      return base::fail(ErrorCode::kUsage, "{} cores: expected 1 to {}", *options.cores, kMostCores);
    if (*options.cores > 1 && (options.stride == 0 || options.stride > kLongestStride))
      return base::fail(
          ErrorCode::kUsage,
          "{} cores need to be told how far apart their registers are (--stride), at most {:#x}",
          *options.cores, kLongestStride);
    return device::equally_spaced_cores(*options.cores, options.stride);
  }
  ACCELSCOPE_TRY(const device::Chip chip, device::load_chip(options.chip));
  return device::core_bases_of(chip);
}

// Everything that can be said before a file is opened.
Result<Plan> plan_of(const PerfmonRecordOptions& options) {
  Plan plan;
  plan.window.path = options.device;
  plan.window.offset = options.offset;
  plan.memory = options.memory;
  if (options.device.empty())
    return base::fail(
        ErrorCode::kUsage,
        "no device was named: registers are only written where the path of a device file or PCI "
        "resource is given (--device)");
  if (options.folder.empty()) return base::fail(ErrorCode::kUsage, "a folder for the recording is missing");
  if (options.every.value <= 0 || options.duration.value < 0)
    return base::fail(ErrorCode::kUsage, "drains need a time above zero between them");
  ACCELSCOPE_TRY(plan.window.core_bases, core_bases(options));
  plan.window.chip.behaviour = options.behaviour;
  const auto all = static_cast<std::uint32_t>(plan.window.core_bases.size());
  ACCELSCOPE_TRY(plan.cores, device::parse_core_list(
                                 options.only.empty() ? "0-" + std::to_string(all - 1) : options.only, all));
  plan.window.only = plan.cores;
  plan.memory.bytes =
      device::file_memory_bytes(options.memory.address, plan.cores.size(), options.start.ring_bytes);
  // The first ring, and then all of them as if they were one: whether they lie where a register can say.
  perfmon::StartConfig config = options.start;
  config.base = options.memory.address;
  Fault fault = perfmon::fault_in(config, plan.window.chip);
  config.base = options.memory.address + plan.memory.bytes - config.ring_bytes;
  config.base -= config.base % plan.window.chip.behaviour.word_bytes;
  if (fault == Fault::kNone) fault = perfmon::fault_in(config, plan.window.chip);
  if (fault != Fault::kNone) return base::fail(ErrorCode::kUsage, "{}", text_of(fault));
  return plan;
}

Status prepare_folder(const PerfmonRecordOptions& options) {
  ACCELSCOPE_CHECK(base::make_folder(options.folder));
  if (!device::has_drains(options.folder)) return {};
  return device::remove_drains(options.folder);
}

using Clock = std::chrono::steady_clock;

Nanoseconds nanoseconds(Clock::duration time) {
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()};
}

// Cores that record, until time is up, somebody wants it to end, or none of them is left.
class Session {
 public:
  Session(const PerfmonRecordOptions& options, std::deque<CoreRecording>& cores)
      : options_(options), cores_(cores) {}

  // Whatever it returns, all cores are stopped.
  Status run(Recorded& recorded) {
    const Clock::time_point begin = Clock::now();
    const Status drained = drain_until_the_end(begin, recorded);
    for (CoreRecording& core : cores_) core.stop();
    recorded.duration = nanoseconds(Clock::now() - begin);
    ACCELSCOPE_CHECK(drained);
    return write_all();
  }

 private:
  Status drain_until_the_end(Clock::time_point begin, Recorded& recorded) {
    const Clock::time_point end = begin + std::chrono::nanoseconds(options_.duration.value);
    const std::chrono::nanoseconds every(options_.every.value);
    Clock::time_point last = begin;
    for (Clock::time_point next = begin + every; next < end && any_runs(); next += every) {
      if (!wait_until(next, recorded)) return {};
      const Clock::time_point now = Clock::now();
      recorded.longest_gap = std::max(recorded.longest_gap, nanoseconds(now - last));
      last = now;
      next = std::max(next, now);  // what was missed is not made up for
      for (CoreRecording& core : cores_) core.drain();
      ++recorded.rounds;
      ACCELSCOPE_CHECK(write_all());
      if (options_.progress) options_.progress(nanoseconds(now - begin));
    }
    if (any_runs()) wait_until(end, recorded);
    recorded.longest_gap = std::max(recorded.longest_gap, nanoseconds(Clock::now() - last));
    return {};
  }

  // False when it was to stop before.
  bool wait_until(Clock::time_point time, Recorded& recorded) const {
    constexpr std::chrono::milliseconds kAtOnce(20);  // how soon it stops
    for (;;) {
      if (options_.stop != nullptr && options_.stop->load()) {
        recorded.interrupted = true;
        return false;
      }
      const Clock::time_point now = Clock::now();
      if (now >= time) return true;
      std::this_thread::sleep_until(std::min(time, now + kAtOnce));
    }
  }

  bool any_runs() const {
    return std::any_of(cores_.begin(), cores_.end(),
                       [](const CoreRecording& core) { return core.is_running(); });
  }

  Status write_all() {
    for (CoreRecording& core : cores_) ACCELSCOPE_CHECK(core.write(options_.folder));
    return {};
  }

  const PerfmonRecordOptions& options_;
  std::deque<CoreRecording>& cores_;
};

// Rings for all, and those started that can be.
Status start(const PerfmonRecordOptions& options, const Plan& plan, device::WindowBus& bus,
             device::DeviceMemory& memory, std::deque<CoreRecording>& recordings, Recorded& recorded) {
  for (const std::uint32_t core : plan.cores) {
    ACCELSCOPE_TRY(const device::Address ring, memory.allocate(options.start.ring_bytes));
    perfmon::StartConfig config = options.start;
    config.base = static_cast<std::uint64_t>(ring);
    CoreRecording& recording = recordings.emplace_back(plan.window.chip, bus, memory, core, ring, config);
    const Fault fault = recording.start();
    recorded.cores.push_back({.core = core, .fault = fault});
    if (fault != Fault::kNone) recordings.pop_back();
  }
  if (recordings.empty())
    return base::fail_at(base::Location::of_file(options.device), ErrorCode::kNotReadable,
                         "no performance monitor could be started: {}", faults_text(recorded.cores));
  return {};
}

void take_counts(const std::deque<CoreRecording>& recordings, Recorded& recorded) {
  auto next = recordings.begin();
  for (RecordedCore& core : recorded.cores) {
    if (core.fault != Fault::kNone) continue;
    core.state = next->state();
    core.counts = next->counts();
    core.ring_may_be_released = next->ring_may_be_released();
    ++next;
  }
}

std::string first_file(const std::string& folder, const Recorded& recorded) {
  for (const RecordedCore& core : recorded.cores)
    if (core.counts.files > 0) return device::drain_path(folder, core.core, 1);
  return {};
}

}  // namespace

Result<PerfmonRecordOutcome> record_perfmon(const PerfmonRecordOptions& options) {
  ACCELSCOPE_TRY(const Plan plan, plan_of(options));
  if (!options.replace && device::has_drains(options.folder))
    return base::fail_at(base::Location::of_file(options.folder), ErrorCode::kWriteFailed,
                         "has recordings already; --replace removes them");
  // The window goes first: no memory may go whose address registers have.
  ACCELSCOPE_TRY(const std::unique_ptr<device::DeviceMemory> memory, device::file_memory(plan.memory));
  ACCELSCOPE_TRY(const std::unique_ptr<device::MmioWindow> window, device::MmioWindow::open(plan.window));
  ACCELSCOPE_CHECK(prepare_folder(options));
  device::WindowBus bus{*window};
  std::deque<CoreRecording> recordings;
  Recorded recorded;
  ACCELSCOPE_CHECK(start(options, plan, bus, *memory, recordings, recorded));
  ACCELSCOPE_CHECK(Session(options, recordings).run(recorded));
  take_counts(recordings, recorded);

  PerfmonRecordOutcome outcome{.findings = perfmon_record_document(options, recorded),
                               .interrupted = recorded.interrupted,
                               .first_file = first_file(options.folder, recorded),
                               .failure = failure_text(recorded.cores)};
  const std::string path = (std::filesystem::path(options.folder) / "record.json").string();
  ACCELSCOPE_CHECK(
      base::write_file(path, [&](base::Output& out) { findings::write_json(outcome.findings, out); }));
  return outcome;
}

}  // namespace accelscope::jobs
