// The recordings of accelscope/accelscope_recorder.h, on FileRecording; the hooks are in c_hooks.cpp.
#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "capture/c_recorders.h"
#include "capture/counter_frequency.h"
#include "capture/record_traits.h"
#include "device/device_memory.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): C has no namespaces
using capture::FileRecording;
using capture::FileRecordingPlan;

void say(std::string_view text, char* to, std::size_t bytes) {
  if (to == nullptr || bytes == 0) return;
  const std::size_t length = std::min(text.size(), bytes - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names as C has them
struct accelscope_recording {
  capture::GivenClock clock;
  std::uint64_t tensor_bytes = 0;
  std::unique_ptr<device::DeviceMemory> memory = device::mapped_memory();
  std::unique_ptr<FileRecording> recording;
  // Made when they are looked up: one that nobody has, nobody has to flush.
  std::vector<std::unique_ptr<accelscope_core>> cores;
  std::vector<std::unique_ptr<accelscope_scheduler>> schedulers;
  std::vector<std::unique_ptr<accelscope_orchestrator>> orchestrators;
};

// NOLINTEND(readability-identifier-naming)

namespace {

base::Frequency frequency_of(const accelscope_config& config) {
  if (config.ticks_per_second != 0)
    return base::Frequency::hz(static_cast<std::int64_t>(config.ticks_per_second));
  if (config.now != nullptr || config.dfx_flags == 0) return base::Frequency::unknown();
  return capture::measure_counter(std::chrono::milliseconds(20));
}

constexpr std::uint64_t kOffered = ACCELSCOPE_CORE_TIMING | ACCELSCOPE_TASK_LIFECYCLE |
                                   ACCELSCOPE_PHASE_BUFFERS | ACCELSCOPE_DUMP_TENSOR |
                                   ACCELSCOPE_DEPENDENCY_CAPTURE | ACCELSCOPE_PMU | ACCELSCOPE_SCOPE_STATS;
static_assert(ACCELSCOPE_CORE_TIMING == kDfxCoreTiming && ACCELSCOPE_TASK_LIFECYCLE == kDfxTaskLifecycle &&
              ACCELSCOPE_PHASE_BUFFERS == kDfxPhaseBuffers && ACCELSCOPE_DUMP_TENSOR == kDfxDumpTensor &&
              ACCELSCOPE_SCOPE_STATS == kDfxScopeStats &&
              ACCELSCOPE_DEPENDENCY_CAPTURE == kDfxDependencyCapture && ACCELSCOPE_PMU == kDfxPmu &&
              unknown_dfx_bits(ACCELSCOPE_NO_SUCH_LEVEL) != 0);
constexpr std::uint32_t kMaxProducers = 65'536;

base::Status check(const accelscope_config* config) {
  constexpr base::ErrorCode kUsage = base::ErrorCode::kUsage;
  if (config == nullptr || config->struct_bytes != sizeof(accelscope_config))
    return base::fail(kUsage,
                      "the configuration is not one of this version; begin with ACCELSCOPE_CONFIG_INIT");
  if (config->dfx_flags == ACCELSCOPE_NO_SUCH_LEVEL)
    return base::fail(kUsage, "there is no such level: levels are 0 to {}", kMaxChipSwimlaneLevel);
  if (const std::uint64_t silent = config->dfx_flags & known_dfx_bits() & ~kOffered; silent != 0)
    return base::fail(kUsage, "no C function records these features: {:#x}", silent);
  if (config->policy < ACCELSCOPE_BLOCK || config->policy > ACCELSCOPE_OVERWRITE)
    return base::fail(kUsage, "there is no policy {}", config->policy);
  for (const std::uint32_t producers : {config->cores, config->scheduler_threads, config->orchestrators})
    if (producers > kMaxProducers)
      return base::fail(kUsage, "{} cores or threads are more than the {} that there can be", producers,
                        kMaxProducers);
  if (config->now != nullptr && config->dfx_flags != 0 && config->ticks_per_second == 0)
    return base::fail(kUsage, "a clock is given, but not how many ticks per second it has");
  if (config->ticks_per_second > std::uint64_t{1'000'000'000'000})
    return base::fail(kUsage, "the clock has more than 10^12 ticks per second");
  for (const auto& [names, count] :
       {std::pair(config->functions, config->function_count), std::pair(config->phases, config->phase_count),
        std::pair(config->scope_sites, config->scope_site_count),
        std::pair(config->pmu_counters, config->pmu_counter_count)})
    if (names == nullptr && count > 0) return base::fail(kUsage, "names are counted, but not given");
  if (config->pmu_counter_count > recorder::PmuRecord::kCounters)
    return base::fail(kUsage, "there are {} counters, not {}", recorder::PmuRecord::kCounters,
                      config->pmu_counter_count);
  return {};
}

std::vector<std::string> names_in(const char* const* names, std::uint32_t count) {
  std::vector<std::string> texts;
  for (std::uint32_t i = 0; i < count; ++i) texts.emplace_back(names[i] == nullptr ? "" : names[i]);
  return texts;
}

formats::capture::RingCapacities capacities_of(const accelscope_rings& rings) {
  formats::capture::RingCapacities capacities;
  std::copy_n(rings.task_window, capacities.task_window.size(), capacities.task_window.begin());
  std::copy_n(rings.heap, capacities.heap.size(), capacities.heap.begin());
  std::copy_n(rings.dep_pool, capacities.dep_pool.size(), capacities.dep_pool.begin());
  capacities.tensormap = rings.tensormap;
  return capacities;
}

FileRecordingPlan plan_of(const accelscope_config& config) {
  FileRecordingPlan plan;
  plan.path = config.path == nullptr ? "" : config.path;
  plan.replace = config.replace != 0;
  plan.facts.dfx_flags = config.dfx_flags;
  plan.facts.clock = frequency_of(config);
  plan.facts.generation = 1;
  for (std::uint32_t core = 0; core < config.cores; ++core) {
    const bool cube = config.core_types != nullptr && config.core_types[core] == ACCELSCOPE_CUBE;
    plan.facts.cores.push_back(cube ? formats::capture::CoreType::kCube
                                    : formats::capture::CoreType::kVector);
  }
  plan.facts.scheduler_threads = config.scheduler_threads;
  plan.facts.orchestrators = config.orchestrators;
  for (std::uint32_t i = 0; i < config.function_count; ++i)
    if (config.functions[i] != nullptr) plan.facts.functions.emplace_back(i, config.functions[i]);
  plan.facts.phases = names_in(config.phases, config.phase_count);
  plan.facts.pmu_counters = names_in(config.pmu_counters, config.pmu_counter_count);
  plan.facts.pmu_event_type = config.pmu_event_type;
  plan.facts.scope_sites = names_in(config.scope_sites, config.scope_site_count);
  if (config.rings != nullptr) plan.facts.rings = capacities_of(*config.rings);
  plan.options.policy = static_cast<capture::RunPolicy>(config.policy);
  if (config.wait_limit_ms != 0) plan.options.wait_limit = std::chrono::milliseconds(config.wait_limit_ms);
  if (config.keep_bytes != 0)
    plan.options.keep_bytes = base::Bytes{static_cast<std::int64_t>(config.keep_bytes)};
  plan.options.keep_time = std::chrono::milliseconds(config.keep_ms);
  return plan;
}

base::Result<std::unique_ptr<accelscope_recording>> begin(const accelscope_config* config) {
  ACCELSCOPE_CHECK(check(config));
  auto made = std::make_unique<accelscope_recording>();
  made->clock = {.read = config->now, .context = config->clock};
  made->tensor_bytes = config->tensor_bytes;
  ACCELSCOPE_TRY(made->recording, FileRecording::begin(*made->memory, plan_of(*config)));
  made->cores.resize(config->cores);
  made->schedulers.resize(config->scheduler_threads);
  made->orchestrators.resize(config->orchestrators);
  return made;
}

template <class Recorder>
Recorder* find(accelscope_recording& recording, std::vector<std::unique_ptr<Recorder>>& recorders,
               std::uint32_t number) {
  if (number >= recorders.size()) return nullptr;
  std::unique_ptr<Recorder>& recorder = recorders[number];
  try {
    const capture::RecorderSource source{*recording.recording, recording.clock, recording.tensor_bytes};
    if (!recorder) recorder = std::make_unique<Recorder>(source, number);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return recorder.get();
}

accelscope_summary summary_of(const capture::RecordingEnd& ended) {
  accelscope_summary summary = {};
  // A recorder has a lane for each kind of record.
  std::set<std::pair<capture::ProducedBy, std::uint32_t>> not_flushed;
  for (const capture::LaneReport& lane : ended.report.lanes) {
    summary.produced += lane.produced;
    summary.collected += lane.collected;
    summary.dropped += lane.all_dropped();
    summary.paused_ticks += lane.paused_ticks;
    if (!lane.flushed()) not_flushed.emplace(capture::facts_of(lane.kind)->produced_by, lane.producer);
  }
  summary.not_flushed = static_cast<std::uint32_t>(not_flushed.size());
  summary.file_bytes = ended.file_bytes;
  if (ended.report.error)
    say(ended.report.error->to_string(), summary.error, sizeof summary.error);
  else if (!ended.file)
    say(ended.file.error().to_string(), summary.error, sizeof summary.error);
  return summary;
}

// C callers get sentences, not exceptions: those that memory running out throws end here.
template <class Work>
bool succeeds(Work&& work, char* error, std::size_t error_bytes) {
  try {
    const base::Status done = work();
    if (!done) say(done.error().to_string(), error, error_bytes);
    return done.has_value();
  } catch (const std::exception& problem) {
    say(problem.what(), error, error_bytes);
    return false;
  }
}

}  // namespace

uint64_t accelscope_flags_of_level(int level) {
  return is_chip_swimlane_level(level) ? dfx_flags_of_level(level) : ACCELSCOPE_NO_SUCH_LEVEL;
}

accelscope_recording* accelscope_begin(const accelscope_config* config, char* error, size_t error_bytes) {
  std::unique_ptr<accelscope_recording> made;
  const auto work = [&]() -> base::Status {
    ACCELSCOPE_TRY(made, begin(config));
    return {};
  };
  return succeeds(work, error, error_bytes) ? made.release() : nullptr;
}

int accelscope_end(accelscope_recording* recording, accelscope_summary* summary) {
  if (recording == nullptr) return 0;
  const std::unique_ptr<accelscope_recording> owned(recording);
  accelscope_summary ended = {};
  const auto work = [&]() -> base::Status {
    ended = summary_of(owned->recording->end());
    return {};
  };
  const bool whole = succeeds(work, ended.error, sizeof ended.error) && ended.error[0] == '\0';
  if (summary != nullptr) *summary = ended;
  return whole ? 0 : 1;
}

int accelscope_save(accelscope_recording* recording, const char* path, int replace, char* error,
                    size_t error_bytes) {
  const auto work = [&]() -> base::Status {
    if (recording == nullptr || path == nullptr)
      return base::fail(base::ErrorCode::kUsage, "there is no recording, or no path, to save");
    ACCELSCOPE_TRY(const capture::FlightSave saved, recording->recording->save(path, replace != 0));
    if (saved.error) return tl::unexpected(*saved.error);
    return {};
  };
  return succeeds(work, error, error_bytes) ? 0 : 1;
}

accelscope_core* accelscope_core_of(accelscope_recording* recording, uint32_t core) {
  return find(*recording, recording->cores, core);
}
accelscope_scheduler* accelscope_scheduler_of(accelscope_recording* recording, uint32_t thread) {
  return find(*recording, recording->schedulers, thread);
}
accelscope_orchestrator* accelscope_orchestrator_of(accelscope_recording* recording, uint32_t number) {
  return find(*recording, recording->orchestrators, number);
}
