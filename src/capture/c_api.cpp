// accelscope/accelscope_recorder.h, on FileRecording and the recorders of accelscope/recorder/.
#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "accelscope/accelscope_recorder.h"
#include "accelscope/recorder/counter_platform.h"
#include "accelscope/recorder/recorders.h"
#include "capture/counter_frequency.h"
#include "capture/file_recording.h"
#include "capture/record_traits.h"
#include "device/device_memory.h"

namespace {

using namespace accelscope;            // NOLINT(google-build-using-namespace): C has no namespaces
using namespace accelscope::recorder;  // NOLINT(google-build-using-namespace)
using capture::FileRecording;
using capture::FileRecordingPlan;

// The caller's clock, or the processor's counter.
struct GivenClock {
  std::uint64_t (*read)(void*) = nullptr;
  void* context = nullptr;
  CounterPlatform counter = {};

  std::uint64_t now() { return read == nullptr ? counter.now() : read(context); }
  void relax() { counter.relax(); }
};

template <class Record>
using Writer = RecordWriter<Record, GivenClock>;

// Nothing when it is not recorded.
template <class Record>
std::unique_ptr<Writer<Record>> writer_of(const FileRecording& recording, std::uint32_t number,
                                          GivenClock& clock) {
  const auto parts = recording.producer(Record::kKind, number);
  if (!parts) return nullptr;
  return std::make_unique<Writer<Record>>(*parts->lane, *parts->gate, parts->buffers, parts->config, clock);
}

template <class... Writers>
void flush_all(const Writers&... writers) {
  const auto flush = [](const auto& writer) {
    if (writer) writer->flush();
  };
  (flush(writers), ...);
}

void say(std::string_view text, char* to, std::size_t bytes) {
  if (to == nullptr || bytes == 0) return;
  const std::size_t length = std::min(text.size(), bytes - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): names as C has them
struct accelscope_core {
  accelscope_core(const FileRecording& recording, std::uint32_t number, GivenClock& clock)
      : tasks(writer_of<CoreTaskRecord>(recording, number, clock)),
        recorder(recording.dfx_flags(), tasks.get(), clock) {}

  std::unique_ptr<Writer<CoreTaskRecord>> tasks;
  CoreTaskRecorder<GivenClock> recorder;
};

struct accelscope_scheduler {
  accelscope_scheduler(const FileRecording& recording, std::uint32_t number, GivenClock& clock)
      : lifecycles(writer_of<TaskLifecycleRecord>(recording, number, clock)),
        phases(writer_of<SchedulerPhaseRecord>(recording, number, clock)),
        controls(writer_of<ControlTaskRecord>(recording, number, clock)),
        readings(writer_of<PmuRecord>(recording, number, clock)),
        lifecycle(recording.dfx_flags(), lifecycles.get(), clock),
        phase(recording.dfx_flags(), phases.get(), clock),
        control(recording.dfx_flags(), controls.get(), clock),
        pmu(recording.dfx_flags(), readings.get()) {}

  std::unique_ptr<Writer<TaskLifecycleRecord>> lifecycles;
  std::unique_ptr<Writer<SchedulerPhaseRecord>> phases;
  std::unique_ptr<Writer<ControlTaskRecord>> controls;
  std::unique_ptr<Writer<PmuRecord>> readings;
  LifecycleRecorder<GivenClock> lifecycle;
  SchedulerPhaseRecorder<GivenClock> phase;
  ControlTaskRecorder<GivenClock> control;
  PmuRecorder<GivenClock> pmu;
};

struct accelscope_orchestrator {
  accelscope_orchestrator(const FileRecording& recording, std::uint32_t number, GivenClock& clock)
      : phases(writer_of<OrchestratorPhaseRecord>(recording, number, clock)),
        edges(writer_of<EdgeRecord>(recording, number, clock)),
        descriptions(writer_of<TaskDescriptionRecord>(recording, number, clock)),
        phase(recording.dfx_flags(), phases.get(), clock),
        // Either of two bits asks for edges; the recorder tests one.
        edge(edges ? kDfxTaskLifecycle : 0, edges.get()),
        description(recording.dfx_flags(), descriptions.get()) {}

  std::unique_ptr<Writer<OrchestratorPhaseRecord>> phases;
  std::unique_ptr<Writer<EdgeRecord>> edges;
  std::unique_ptr<Writer<TaskDescriptionRecord>> descriptions;
  OrchestratorPhaseRecorder<GivenClock> phase;
  EdgeRecorder<kDfxTaskLifecycle, GivenClock> edge;
  TaskDescriptionRecorder<GivenClock> description;
};

struct accelscope_recording {
  GivenClock clock;
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
                                   ACCELSCOPE_PHASE_BUFFERS | ACCELSCOPE_DEPENDENCY_CAPTURE | ACCELSCOPE_PMU;
static_assert(ACCELSCOPE_CORE_TIMING == kDfxCoreTiming && ACCELSCOPE_TASK_LIFECYCLE == kDfxTaskLifecycle &&
              ACCELSCOPE_PHASE_BUFFERS == kDfxPhaseBuffers &&
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
  if ((config->functions == nullptr && config->function_count > 0) ||
      (config->phases == nullptr && config->phase_count > 0))
    return base::fail(kUsage, "names are counted, but not given");
  return {};
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
  const auto text = [](const char* name) { return std::string(name == nullptr ? "" : name); };
  for (std::uint32_t i = 0; i < config.function_count; ++i)
    if (config.functions[i] != nullptr) plan.facts.functions.emplace_back(i, config.functions[i]);
  for (std::uint32_t i = 0; i < config.phase_count; ++i) plan.facts.phases.push_back(text(config.phases[i]));
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
    if (!recorder) recorder = std::make_unique<Recorder>(*recording.recording, number, recording.clock);
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

void accelscope_core_receive(accelscope_core* core) {
  core->recorder.on_receive();
}
void accelscope_core_start(accelscope_core* core) {
  core->recorder.on_start();
}
void accelscope_core_end(accelscope_core* core, uint64_t task, uint32_t sequence, uint32_t function) {
  core->recorder.on_end(task, sequence, function);
}
void accelscope_core_flush(accelscope_core* core) {
  flush_all(core->tasks);
}

uint64_t accelscope_scheduler_dispatch(accelscope_scheduler* scheduler) {
  return scheduler->lifecycle.on_dispatch();
}
void accelscope_scheduler_finish(accelscope_scheduler* scheduler, uint32_t core, uint32_t sequence,
                                 uint64_t dispatched) {
  scheduler->lifecycle.on_finish(core, sequence, dispatched);
}
uint64_t accelscope_scheduler_phase_begin(accelscope_scheduler* scheduler) {
  return scheduler->phase.on_begin();
}
void accelscope_scheduler_phase_end(accelscope_scheduler* scheduler, uint16_t phase, uint64_t begun,
                                    const accelscope_phase_counts* counts) {
  scheduler->phase.on_end(phase, begun,
                          {.loop = counts->loop,
                           .tasks_processed = counts->tasks_processed,
                           .pop_hits = counts->pop_hits,
                           .pop_misses = counts->pop_misses,
                           .ready = {counts->ready[0], counts->ready[1], counts->ready[2]}});
}
void accelscope_scheduler_control_task(accelscope_scheduler* scheduler, uint16_t phase, uint64_t begun,
                                       uint64_t task, uint32_t loop, uint32_t tasks_processed) {
  scheduler->control.on_end(phase, begun, task, loop, tasks_processed);
}
void accelscope_scheduler_pmu(accelscope_scheduler* scheduler, uint32_t core, uint32_t sequence,
                              uint64_t task, uint64_t total_cycles, const uint32_t counters[10]) {
  PmuRecord record{
      .task = task, .total_cycles = total_cycles, .sequence = sequence, .core = core, .counters = {}};
  std::copy_n(counters, PmuRecord::kCounters, record.counters);
  scheduler->pmu.on_fact(record);
}
void accelscope_scheduler_flush(accelscope_scheduler* scheduler) {
  flush_all(scheduler->lifecycles, scheduler->phases, scheduler->controls, scheduler->readings);
}

uint64_t accelscope_orchestrator_begin(accelscope_orchestrator* orchestrator) {
  return orchestrator->phase.on_begin();
}
void accelscope_orchestrator_end(accelscope_orchestrator* orchestrator, uint16_t phase, uint64_t begun,
                                 uint64_t task, uint32_t submit_index) {
  orchestrator->phase.on_end(phase, begun, task, submit_index);
}
void accelscope_orchestrator_edge(accelscope_orchestrator* orchestrator, uint64_t producer, uint64_t consumer,
                                  accelscope_edge_reason reason, uint32_t argument) {
  orchestrator->edge.on_edge(producer, consumer, static_cast<EdgeReason>(reason), argument);
}
void accelscope_orchestrator_task(accelscope_orchestrator* orchestrator, uint64_t task,
                                  const int32_t kernels[3], uint32_t blocks) {
  orchestrator->description.on_fact({.task = task,
                                     .kernels = {kernels[0], kernels[1], kernels[2]},
                                     .blocks = blocks,
                                     .flags = 0,
                                     .reserved = 0});
}
void accelscope_orchestrator_flush(accelscope_orchestrator* orchestrator) {
  flush_all(orchestrator->phases, orchestrator->edges, orchestrator->descriptions);
}
