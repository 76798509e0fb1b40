#include "runtime/core_monitors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/closest_name.h"
#include "device/drain_files.h"

namespace accelscope::runtime {
namespace {

using base::Cycles;
using base::ErrorCode;
using base::Result;
using base::Status;
using device::Address;
using perfmon::Fault;
using perfmon::Register;

constexpr std::uint64_t kWord = sizeof(std::uint32_t);

Cycles cycles_at(std::uint64_t tick) {
  return Cycles{static_cast<std::int64_t>(tick)};
}

Result<std::vector<bool>> wanted_functions(const Graph& graph, const std::vector<std::string>& names) {
  std::vector<bool> wanted(graph.functions.size(), false);
  for (const std::string& name : names) {
    bool known = false;
    for (std::size_t i = 0; i < graph.functions.size(); ++i) {
      if (graph.functions[i].name != name) continue;
      wanted[i] = known = true;
    }
    if (known) continue;
    std::vector<std::string_view> functions;
    for (const Function& function : graph.functions) functions.push_back(function.name);
    return base::fail(ErrorCode::kUsage, "the graph has no function '{}', only {}{}", name,
                      fmt::join(functions, ", "), base::suggestion(name, functions));
  }
  return wanted;
}

Status check(const CoreSwimlaneOptions& options, const device::Chip& chip) {
  for (const std::uint32_t core : options.cores)
    if (core >= chip.cores())
      return base::fail(ErrorCode::kUsage, "chip {} has no core {}: it has 0 to {}", chip.name, core,
                        chip.cores() - 1);
  if (!options.states && !options.marks)
    return base::fail(ErrorCode::kUsage, "of core swimlanes, neither states nor marks are to be recorded");
  const std::uint64_t cores = options.cores.empty() ? chip.cores() : options.cores.size();
  if (cores * options.ring_bytes > kMostMonitorMemory)
    return base::fail(ErrorCode::kUsage,
                      "rings of {} bytes for {} cores are {} bytes; {} bytes are the most for all together",
                      options.ring_bytes, cores, cores * options.ring_bytes, kMostMonitorMemory);
  constexpr std::uint64_t kSomewhere = 4096;
  const perfmon::StartConfig config{.base = kSomewhere,
                                    .ring_bytes = options.ring_bytes,
                                    .glitch_filter = options.glitch_filter,
                                    .mode = options.drain};
  if (const Fault fault = fault_in(config, options.model.chip); fault != Fault::kNone)
    return base::fail(ErrorCode::kUsage, "core swimlanes with rings of {} bytes: {}", options.ring_bytes,
                      text_of(fault));
  return {};
}

}  // namespace

Result<std::unique_ptr<CoreMonitors>> CoreMonitors::make(device::DeviceMemory& memory,
                                                         const device::Chip& chip, const Graph& graph,
                                                         const CoreSwimlaneOptions& options) {
  ACCELSCOPE_CHECK(check(options, chip));
  std::unique_ptr<CoreMonitors> made(new CoreMonitors(memory, options));
  ACCELSCOPE_TRY(made->wanted_, wanted_functions(graph, options.functions));
  // Off between tasks of chosen functions is what a restart is.
  if (made->chooses_functions()) made->options_.drain = perfmon::DrainMode::kRestart;
  made->options_.model.cores = chip.cores();
  ACCELSCOPE_CHECK(made->allocate(chip));
  if (options.before_run) options.before_run(*made->model_);
  made->note_registers();
  return made;
}

Status CoreMonitors::allocate(const device::Chip& chip) {
  model_ = std::make_unique<device::PerfmonModel>(memory_, options_.model);
  rings_.resize(chip.cores());
  bases_.resize(chip.cores());
  kept_.resize(chip.cores());
  ACCELSCOPE_TRY(answers_, memory_.allocate(kWord * chip.cores()));
  ACCELSCOPE_TRY(released_, memory_.allocate(kWord * chip.cores()));
  ACCELSCOPE_TRY(faults_, memory_.allocate(kWord * chip.cores()));
  for (std::uint32_t core = 0; core < chip.cores(); ++core) {
    const std::vector<std::uint32_t>& cores = options_.cores;
    if (!cores.empty() && std::find(cores.begin(), cores.end(), core) == cores.end()) continue;
    ACCELSCOPE_TRY(const Address ring, memory_.allocate(options_.ring_bytes));
    rings_[core] = {ring, options_.ring_bytes};
    bases_[core] = model_->map(ring, options_.ring_bytes, options_.model.stream);
  }
  return {};
}

void CoreMonitors::note_registers() {
  device::WindowBus bus{*model_};
  for (std::uint32_t core = 0; core < rings_.size(); ++core)
    before_.push_back(perfmon::read_registers(options_.model.chip.registers, bus, core));
}

CoreMonitors::~CoreMonitors() {
  model_.reset();
  for (const capture::MonitorRing& ring : rings_)
    if (ring.bytes > 0) memory_.release(ring.memory);
  memory_.release(faults_);
  memory_.release(released_);
  memory_.release(answers_);
}

perfmon::StartConfig CoreMonitors::start_config(std::uint32_t core) const {
  return {.base = bases_[core],
          .ring_bytes = rings_[core].bytes,
          .glitch_filter = options_.glitch_filter,
          .mode = options_.drain};
}

capture::PerfmonSource CoreMonitors::source() const {
  capture::PerfmonSource source{.window = model_.get(),
                                .chip = options_.model.chip,
                                .rings = rings_,
                                .acknowledged = answers_,
                                .released = released_};
  if (!options_.raw_folder.empty())
    source.raw = [this](const recorder::PerfmonDrainRecord& drain, std::span<const std::byte> ring) {
      return write_raw(drain, ring);
    };
  return source;
}

// The counters are those of the drain; settings do not change meanwhile.
Status CoreMonitors::write_raw(const recorder::PerfmonDrainRecord& drain,
                               std::span<const std::byte> ring) const {
  if (drain.to_copy() == 0) return {};
  return device::write_drain(
      options_.raw_folder, drain.core, drain.sequence, ring,
      {.wptr = drain.pointer,
       .samp_wrt = drain.counted,
       .samp_crt = drain.sampled,
       .buf_len = options_.model.chip.behaviour.length_register(rings_[drain.core].bytes),
       .base = bases_[drain.core]});
}

void CoreMonitors::describe(formats::capture::RecordingFacts& facts) const {
  if (!options_.states) facts.perfmon_words = "marks";
  if (!options_.marks) facts.perfmon_words = "states";
  facts.perfmon_functions = fmt::format("{}", fmt::join(options_.functions, ","));
  if (options_.cores.empty()) return;
  for (const capture::MonitorRing& ring : rings_) facts.perfmon_cores.push_back(ring.bytes > 0);
}

// Nothing here can fail: times of a core only grow, and ids of marks were looked at where they were made.

void CoreMonitors::run(std::uint32_t core, std::uint64_t start, const device::PipeSchedule& schedule) {
  static_cast<void>(model_->run(core, cycles_at(start), schedule));
}

void CoreMonitors::keep(std::uint32_t core, std::uint64_t start, const device::PipeSchedule& schedule) {
  Kept& kept = kept_[core];
  kept.last_end = start + static_cast<std::uint64_t>(schedule.length);
  kept.activities.push_back({.start = start, .length = schedule.length, .events = events_of(schedule)});
}

void CoreMonitors::advance(std::uint32_t core, std::uint64_t now, std::uint64_t settled) {
  Kept& kept = kept_[core];
  const std::uint64_t until = std::min(now, std::max(settled, kept.last_end));
  while (!kept.activities.empty()) {
    if (!tell(core, kept.activities.front(), until)) return;
    kept.activities.pop_front();
  }
  static_cast<void>(model_->idle(core, cycles_at(until)));
}

// What of it lies before `until`; true when that is all.
bool CoreMonitors::tell(std::uint32_t core, Activity& activity, std::uint64_t until) {
  if (activity.start > until) return false;
  const Cycles start = cycles_at(activity.start);
  if (activity.told == 0) static_cast<void>(model_->idle(core, start));
  for (; activity.told < activity.events.size(); ++activity.told) {
    const device::PipeEvent& event = activity.events[activity.told];
    const Cycles at = start + Cycles{event.at};
    if (at > cycles_at(until)) return false;
    static_cast<void>(event.is_mark ? model_->mark(core, at, event.pipe, event.id)
                                    : model_->set_busy(core, at, event.busy));
  }
  return start + Cycles{activity.length} <= cycles_at(until);
}

std::uint32_t CoreMonitors::acknowledged(std::uint32_t core) {
  return memory_.load32(answers_ + kWord * core);
}

void CoreMonitors::release_ring(std::uint32_t core, std::uint32_t drain) {
  memory_.store32(released_ + kWord * core, drain);
}

void CoreMonitors::note_fault(std::uint32_t core, Fault fault) {
  memory_.store32(faults_ + kWord * core, static_cast<std::uint32_t>(fault));
}

void CoreMonitors::write(std::uint32_t core, Register which, std::uint32_t value) {
  model_->write32(core, options_.model.chip.registers.offset(which), value);
}

void CoreMonitors::restore_what_is_left() {
  for (std::uint32_t core = 0; core < rings_.size(); ++core)
    if (records(core) && restore(core)) ++restored_;
  if (options_.after_run) options_.after_run(*model_);
}

// Only what still has our ring, and was not given up, is ours.
bool CoreMonitors::restore(std::uint32_t core) {
  if (model_->given_up(core)) return false;
  device::WindowBus bus{*model_};
  const perfmon::RegistersSeen seen = perfmon::read_registers(options_.model.chip.registers, bus, core);
  if (seen.base() != bases_[core]) return false;
  const perfmon::RegistersSeen& before = before_[core];
  const std::uint32_t bit = options_.model.chip.registers.enable_bit;
  write(core, Register::kEnable, seen.enable & ~bit);
  write(core, Register::kGlobalEnable, seen.global_enable & ~bit);
  model_->barrier();
  write(core, Register::kBufferLength, before.length);
  write(core, Register::kGlitchFilter, before.glitch_filter);
  write(core, Register::kBaseLow, before.base_low);
  write(core, Register::kBaseHigh, before.base_high);
  write(core, Register::kWritePointer, before.write_pointer);
  model_->barrier();
  write(core, Register::kGlobalEnable, before.global_enable);
  write(core, Register::kEnable, before.enable);
  return true;
}

std::vector<trace::QualityRow> CoreMonitors::remarks() {
  std::map<Fault, std::uint64_t> faults;
  for (std::uint32_t core = 0; core < rings_.size(); ++core)
    if (const std::uint32_t fault = memory_.load32(faults_ + kWord * core); fault != 0)
      ++faults[static_cast<Fault>(fault)];
  std::vector<trace::QualityRow> rows;
  rows.reserve(faults.size() + 1);
  for (const auto& [fault, cores] : faults)
    rows.push_back({.id = "perfmon.not_started",
                    .severity = trace::Severity::kWarning,
                    .sentence = fmt::format("Performance monitors of cores were not started, and nothing is "
                                            "known of their pipes: {}.",
                                            text_of(fault)),
                    .count = cores});
  if (restored_ > 0)
    rows.push_back({.id = "perfmon.restored_late",
                    .severity = trace::Severity::kInfo,
                    .sentence = "Performance monitors of cores were put back by the host, because the chip's "
                                "process ended before it could.",
                    .count = restored_});
  return rows;
}

}  // namespace accelscope::runtime
