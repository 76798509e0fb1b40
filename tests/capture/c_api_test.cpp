// The recorder as C sees it: hooks to records in a file, and every mistake to a sentence.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "accelscope/accelscope_recorder.h"
#include "capture/recorded_chip.h"
#include "formats/chip_run/recording_reader.h"
#include "support/temporary_folder.h"
#include "trace/vocabulary.h"

namespace accelscope::capture {
namespace {

using accelscope::tests::TemporaryFolder;
using recorder::RecordKind;
using tests::Contents;
using tests::contents_of;

constexpr const char* kFunctions[] = {"matmul", nullptr, "add"};
constexpr const char* kPhases[] = {"submit", "dispatch", "complete", "dummy_task"};
constexpr std::uint8_t kCoreTypes[] = {ACCELSCOPE_CUBE, ACCELSCOPE_VECTOR};

// A clock that tells times one after the other.
struct ToldTimes {
  std::vector<std::uint64_t> times = {};
  std::size_t next = 0;
};
std::uint64_t told(void* clock) {
  auto& told = *static_cast<ToldTimes*>(clock);
  return told.next < told.times.size() ? told.times[told.next++] : ++told.times.back();
}

std::uint64_t counted(void* clock) {
  return static_cast<std::atomic<std::uint64_t>*>(clock)->fetch_add(10, std::memory_order_relaxed);
}

class CApi : public testing::Test {
 protected:
  CApi() {
    config.path = path.c_str();
    config.now = counted;
    config.clock = &ticks;
    config.ticks_per_second = 1'000'000'000;
    config.cores = 2;
    config.core_types = kCoreTypes;
    config.scheduler_threads = 1;
    config.orchestrators = 1;
    config.functions = kFunctions;
    config.function_count = 3;
    config.phases = kPhases;
    config.phase_count = 4;
  }

  accelscope_recording* begin() {
    std::array<char, 256> error = {};
    accelscope_recording* recording = accelscope_begin(&config, error.data(), error.size());
    EXPECT_NE(recording, nullptr) << error.data();
    return recording;
  }
  // The sentence of a recording that cannot be begun; nothing is left of it.
  std::string refusal() {
    std::array<char, 256> error = {};
    accelscope_recording* recording = accelscope_begin(&config, error.data(), error.size());
    EXPECT_EQ(recording, nullptr);
    accelscope_end(recording, nullptr);
    EXPECT_EQ(folder.names(), std::vector<std::string>{});
    return error.data();
  }

  TemporaryFolder folder;
  std::string path = folder.file("run.astrace");
  std::atomic<std::uint64_t> ticks = 1000;
  accelscope_config config = ACCELSCOPE_CONFIG_INIT;
};

// Every hook, `tasks` times, in one thread.
void call_every_hook(accelscope_recording* recording, std::uint32_t tasks) {
  accelscope_core* core = accelscope_core_of(recording, 1);
  accelscope_scheduler* scheduler = accelscope_scheduler_of(recording, 0);
  accelscope_orchestrator* orchestrator = accelscope_orchestrator_of(recording, 0);
  const std::uint32_t counters[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const std::int32_t kernels[3] = {-1, 2, -1};
  const std::int16_t depths[3] = {3, 4, -1};
  const float elements[100] = {1, 2, 3};
  accelscope_argument tensor = {};
  tensor.data_type = ACCELSCOPE_TYPE_FLOAT32;
  tensor.dimensions = 1;
  tensor.shape[0] = 100;
  accelscope_scope scope = {};
  scope.task_window_end = tasks;
  accelscope_orchestrator_scope_begin(orchestrator, &scope);
  for (std::uint32_t i = 0; i < tasks; ++i) {
    tensor.task = i;
    const std::uint64_t called = accelscope_orchestrator_begin(orchestrator);
    accelscope_orchestrator_task(orchestrator, i, kernels, 1);
    if (i > 0) accelscope_orchestrator_edge(orchestrator, i - 1, i, ACCELSCOPE_EDGE_TENSOR, 0);
    accelscope_orchestrator_end(orchestrator, 0, called, i, i);
    const std::uint64_t begun = accelscope_scheduler_phase_begin(scheduler);
    accelscope_scheduler_queue_depths(scheduler, begun, depths);
    accelscope_scheduler_tensor(scheduler, &tensor, elements);
    accelscope_scheduler_scalar(scheduler, i, 1, ACCELSCOPE_TYPE_INT32, i);
    const std::uint64_t dispatched = accelscope_scheduler_dispatch(scheduler);
    accelscope_core_receive(core);
    accelscope_core_start(core);
    accelscope_core_end(core, i, i + 1, 2);
    accelscope_scheduler_finish(scheduler, 1, i + 1, dispatched);
    accelscope_scheduler_pmu(scheduler, 1, i + 1, i, 100, counters);
    const accelscope_phase_counts counts = {i, 1, 1, 0, {0, 1, 0}};
    accelscope_scheduler_phase_end(scheduler, 1, begun, &counts);
  }
  const std::uint64_t begun = accelscope_scheduler_phase_begin(scheduler);
  accelscope_scheduler_control_task(scheduler, 3, begun, tasks, tasks, 1);
  accelscope_orchestrator_scope_end(orchestrator, &scope);
  accelscope_orchestrator_flush(orchestrator);
  accelscope_scheduler_flush(scheduler);
  accelscope_core_flush(core);
}

TEST_F(CApi, LevelsContainWhatTheyShouldAndNothingMore) {
  config.replace = 1;
  for (int level = 1; level <= 3; ++level) {
    SCOPED_TRACE(level);
    config.dfx_flags = accelscope_flags_of_level(level);
    accelscope_recording* recording = begin();
    call_every_hook(recording, 100);
    accelscope_summary summary;
    EXPECT_EQ(accelscope_end(recording, &summary), 0) << summary.error;
    tests::KindCounts expected = tests::records_of_level(level, 100);
    if (level == 3) expected[RecordKind::kControlTask] = 1, expected[RecordKind::kQueueDepth] = 100;
    const Contents contents = contents_of(path);
    EXPECT_EQ(contents.records, expected);
    EXPECT_TRUE(contents.complete && contents.adds_up());
    std::uint64_t all = 0;
    for (const auto& [kind, count] : expected) all += count;
    EXPECT_EQ(summary.produced, all);
    EXPECT_EQ(summary.collected, all);
    EXPECT_EQ(summary.dropped, 0U);
    EXPECT_EQ(summary.not_flushed, 0U);
    EXPECT_EQ(summary.file_bytes, std::filesystem::file_size(path));
  }
}

TEST_F(CApi, LevelZeroHasRecordersAndNoFile) {
  config.dfx_flags = accelscope_flags_of_level(0);
  config.path = nullptr;
  accelscope_recording* recording = begin();
  call_every_hook(recording, 10);
  EXPECT_EQ(ticks, 1000U) << "nobody asked for the time";
  accelscope_summary summary;
  EXPECT_EQ(accelscope_end(recording, &summary), 0);
  EXPECT_EQ(summary.produced + summary.file_bytes, 0U);
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(CApi, BelowLevelThreeNoClockIsReadForPhases) {
  config.dfx_flags = accelscope_flags_of_level(2);
  accelscope_recording* recording = begin();
  accelscope_scheduler* scheduler = accelscope_scheduler_of(recording, 0);
  EXPECT_EQ(accelscope_scheduler_phase_begin(scheduler), 0U);
  EXPECT_EQ(ticks, 1000U);
  EXPECT_EQ(accelscope_scheduler_dispatch(scheduler), 1000U);
  accelscope_scheduler_flush(scheduler);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
}

TEST_F(CApi, RecordsTheTimesOfTheGivenClock) {
  ToldTimes clock{{100, 130, 190, 200, 250, 245}};
  config.now = told;
  config.clock = &clock;
  config.dfx_flags = ACCELSCOPE_CORE_TIMING;
  accelscope_recording* recording = begin();
  accelscope_core* core = accelscope_core_of(recording, 0);
  for (std::uint32_t i = 1; i <= 2; ++i) {
    accelscope_core_receive(core);
    accelscope_core_start(core);
    accelscope_core_end(core, i, i, 0);
  }
  accelscope_core_flush(core);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const Contents contents = contents_of(path);
  ASSERT_EQ(contents.core_tasks.size(), 2U);
  EXPECT_EQ(contents.core_tasks[0].start, 130U);
  EXPECT_EQ(contents.core_tasks[0].receive_to_start, 30U);
  EXPECT_EQ(contents.core_tasks[0].duration, 60U);
  EXPECT_EQ(contents.core_tasks[1].duration, recorder::kBackwards);
  EXPECT_EQ(contents.quality.count("recording.clock_backwards"), 1U);
}

TEST_F(CApi, NamesAndTypesAreInTheTrace) {
  config.dfx_flags = accelscope_flags_of_level(3) | ACCELSCOPE_DEPENDENCY_CAPTURE | ACCELSCOPE_PMU;
  accelscope_recording* recording = begin();
  call_every_hook(recording, 50);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const Contents contents = contents_of(path);
  EXPECT_EQ(contents.records.at(RecordKind::kPmu), 50U);
  EXPECT_EQ(contents.records.at(RecordKind::kTaskDescription), 50U);
  using Functions = std::vector<std::pair<std::uint32_t, std::string>>;
  EXPECT_EQ(contents.facts.functions, (Functions{{0, "matmul"}, {2, "add"}}));
  EXPECT_EQ(contents.facts.phases, (std::vector<std::string>(std::begin(kPhases), std::end(kPhases))));
  EXPECT_EQ(contents.facts.cores[0], formats::capture::CoreType::kCube);
  EXPECT_EQ(contents.facts.cores[1], formats::capture::CoreType::kVector);
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  const auto trace = formats::chip_run::read_recording(*file);
  ASSERT_TRUE(trace) << trace.error().to_string();
  EXPECT_EQ(trace->tasks().size(), 51U) << "the control task, too";
  EXPECT_FALSE(trace->quality().has_errors());
}

TEST_F(CApi, DependenciesAloneAreEdgesAndDescriptions) {
  config.dfx_flags = ACCELSCOPE_DEPENDENCY_CAPTURE;
  accelscope_recording* recording = begin();
  call_every_hook(recording, 20);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const tests::KindCounts expected = {{RecordKind::kEdge, 19}, {RecordKind::kTaskDescription, 20}};
  EXPECT_EQ(contents_of(path).records, expected);
}

TEST_F(CApi, ADumpHasTensorsAndTheirBlocks) {
  config.dfx_flags = ACCELSCOPE_DUMP_TENSOR;
  accelscope_recording* recording = begin();
  call_every_hook(recording, 20);
  EXPECT_EQ(ticks, 1000U) << "nobody asked for the time";
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const tests::KindCounts expected = {{RecordKind::kTensor, 40}, {RecordKind::kTensorBlock, 20 * 7}};
  EXPECT_EQ(contents_of(path).records, expected);
}

TEST_F(CApi, ScopesHaveSitesAndRings) {
  const char* const sites[] = {"a.c:7", "b.c:9"};
  const accelscope_rings rings = {{8, 0, 0, 0}, {4096, 0, 0, 1}, {16, 0, 0, 0}, 32};
  config.dfx_flags = ACCELSCOPE_SCOPE_STATS;
  config.scope_sites = sites;
  config.scope_site_count = 2;
  config.rings = &rings;
  accelscope_recording* recording = begin();
  accelscope_orchestrator* orchestrator = accelscope_orchestrator_of(recording, 0);
  const accelscope_scope scope = {1, 2, 3, 10, 11, 12, 13, 14, 15, 16};
  accelscope_orchestrator_scope_begin(orchestrator, &scope);
  accelscope_orchestrator_scope_end(orchestrator, &scope);
  accelscope_orchestrator_flush(orchestrator);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const auto file = base::MappedFile::open(path);
  ASSERT_TRUE(file);
  const auto rows = formats::chip_run::read_recorded_rows(*file);
  ASSERT_TRUE(rows && rows->siblings.scope_stats);
  const formats::scope_stats::ScopeStats& stats = *rows->siblings.scope_stats;
  ASSERT_EQ(stats.boundaries.size(), 2U);
  EXPECT_TRUE(stats.boundaries[0].begins && !stats.boundaries[1].begins);
  EXPECT_EQ(stats.boundaries[0].site, "b.c:9");
  EXPECT_EQ(stats.boundaries[0].depth, 2U);
  EXPECT_EQ(stats.boundaries[0].ring, 3U);
  EXPECT_EQ(stats.boundaries[0].task_window_start, 10U);
  EXPECT_EQ(stats.boundaries[0].dep_pool_end, 15U);
  EXPECT_EQ(stats.boundaries[0].tensormap, 16U);
  EXPECT_EQ(stats.task_window_max[0], 8U);
  EXPECT_EQ(stats.heap_max[3], 1U);
  EXPECT_EQ(stats.tensormap_max, 32U);
}

TEST_F(CApi, CountersHaveNames) {
  const char* const counters[] = {"busy", "stalls"};
  config.dfx_flags = ACCELSCOPE_PMU;
  config.pmu_counters = counters;
  config.pmu_counter_count = 2;
  config.pmu_event_type = 4;
  accelscope_recording* recording = begin();
  call_every_hook(recording, 1);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const Contents contents = contents_of(path);
  EXPECT_EQ(contents.facts.pmu_counters, (std::vector<std::string>{"busy", "stalls"}));
  EXPECT_EQ(contents.facts.pmu_event_type, 4);
}

// The processor's own counter, and a thread for each recorder.
TEST_F(CApi, ThreadsRecordByThemselves) {
  config.now = nullptr;
  config.ticks_per_second = 0;
  config.cores = 4;
  config.core_types = nullptr;
  config.dfx_flags = accelscope_flags_of_level(3);
  config.wait_limit_ms = 60'000;  // nothing is lost on a busy machine
  accelscope_recording* recording = begin();
  constexpr std::uint32_t kTasks = 20'000;
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < config.cores; ++number)
    threads.emplace_back([core = accelscope_core_of(recording, number), number] {
      for (std::uint32_t i = 1; i <= kTasks; ++i) {
        accelscope_core_receive(core);
        accelscope_core_start(core);
        accelscope_core_end(core, std::uint64_t{number} << 32U | i, i, 0);
      }
      accelscope_core_flush(core);
    });
  threads.emplace_back([scheduler = accelscope_scheduler_of(recording, 0)] {
    for (std::uint32_t i = 1; i <= kTasks; ++i)
      accelscope_scheduler_finish(scheduler, i % 4, i, accelscope_scheduler_dispatch(scheduler));
    accelscope_scheduler_flush(scheduler);
  });
  for (std::thread& thread : threads) thread.join();
  accelscope_summary summary;
  EXPECT_EQ(accelscope_end(recording, &summary), 0) << summary.error;
  EXPECT_EQ(summary.produced, summary.collected + summary.dropped);
  const Contents contents = contents_of(path);
  EXPECT_TRUE(contents.facts.clock.known());
  EXPECT_EQ(contents.records.at(RecordKind::kCoreTask), 4 * kTasks);
  EXPECT_EQ(contents.records.at(RecordKind::kTaskLifecycle), kTasks);
  EXPECT_TRUE(contents.adds_up());
}

TEST_F(CApi, WhoIsNotLookedUpNeedsNoFlush) {
  config.dfx_flags = accelscope_flags_of_level(3);
  accelscope_recording* recording = begin();
  EXPECT_EQ(accelscope_core_of(recording, 0), accelscope_core_of(recording, 0));
  accelscope_core_flush(accelscope_core_of(recording, 0));
  EXPECT_EQ(accelscope_core_of(recording, 2), nullptr);
  EXPECT_EQ(accelscope_scheduler_of(recording, 1), nullptr);
  EXPECT_EQ(accelscope_orchestrator_of(recording, 0xFFFFFFFF), nullptr);
  accelscope_summary summary;
  EXPECT_EQ(accelscope_end(recording, &summary), 0);
  EXPECT_EQ(summary.not_flushed, 0U);
}

TEST_F(CApi, WhoIsNotFlushedIsCountedOnce) {
  config.dfx_flags = accelscope_flags_of_level(3);
  accelscope_recording* recording = begin();
  accelscope_scheduler* scheduler = accelscope_scheduler_of(recording, 0);
  for (std::uint32_t i = 1; i <= 5000; ++i) accelscope_scheduler_finish(scheduler, 0, i, 1);
  accelscope_core_flush(accelscope_core_of(recording, 1));
  accelscope_summary summary;
  EXPECT_EQ(accelscope_end(recording, &summary), 0) << "what was collected is in the file";
  EXPECT_EQ(summary.not_flushed, 1U);
  EXPECT_EQ(summary.collected, 4096U);
  const Contents contents = contents_of(path);
  EXPECT_EQ(contents.records.at(RecordKind::kTaskLifecycle), 4096U);
  EXPECT_GT(contents.quality.count("recording.not_flushed"), 0U);
}

TEST_F(CApi, OverwriteIsSavedByAnotherThread) {
  config.dfx_flags = ACCELSCOPE_CORE_TIMING;
  config.policy = ACCELSCOPE_OVERWRITE;
  config.keep_bytes = 100'000;
  config.keep_ms = 1000;
  accelscope_recording* recording = begin();
  const std::string saved = folder.file("saved.astrace");
  std::atomic<bool> is_saved = false;
  std::thread core_thread([core = accelscope_core_of(recording, 0), &is_saved] {
    for (std::uint32_t i = 1; i <= 10'000 || !is_saved; ++i) {
      accelscope_core_receive(core);
      accelscope_core_start(core);
      accelscope_core_end(core, i, i, 0);
    }
    accelscope_core_flush(core);
  });
  std::array<char, 256> error = {};
  EXPECT_EQ(accelscope_save(recording, saved.c_str(), 0, error.data(), error.size()), 0) << error.data();
  EXPECT_NE(accelscope_save(recording, saved.c_str(), 0, error.data(), error.size()), 0);
  EXPECT_NE(std::string(error.data()).find("exists"), std::string::npos);
  EXPECT_EQ(accelscope_save(recording, saved.c_str(), 1, nullptr, 0), 0);
  is_saved = true;
  core_thread.join();
  accelscope_summary summary;
  EXPECT_EQ(accelscope_end(recording, &summary), 0) << summary.error;
  EXPECT_EQ(summary.produced, summary.collected + summary.dropped);
  EXPECT_LE(summary.collected, 100'000 / sizeof(recorder::CoreTaskRecord));
  EXPECT_TRUE(contents_of(saved).complete);
  EXPECT_EQ(contents_of(path).records.at(RecordKind::kCoreTask), summary.collected);
}

TEST_F(CApi, OnlyAFlightRecorderSaves) {
  config.dfx_flags = ACCELSCOPE_CORE_TIMING;
  accelscope_recording* recording = begin();
  std::array<char, 256> error = {};
  EXPECT_NE(accelscope_save(recording, "x", 0, error.data(), error.size()), 0);
  EXPECT_NE(std::string(error.data()), "");
  EXPECT_NE(accelscope_save(recording, nullptr, 0, error.data(), error.size()), 0);
  EXPECT_NE(accelscope_save(nullptr, "x", 0, nullptr, 0), 0);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  EXPECT_EQ(accelscope_end(nullptr, nullptr), 0);
}

TEST_F(CApi, RefusesLevelsAndFlagsThatThereAreNot) {
  for (const int level : {4, -1, 1000}) {
    config.dfx_flags = accelscope_flags_of_level(level);
    EXPECT_EQ(refusal(), "there is no such level: levels are 0 to 3");
  }
  config.dfx_flags = ACCELSCOPE_CORE_TIMING | UINT64_C(1) << 40U;
  EXPECT_NE(refusal().find("0x10000000000"), std::string::npos);
  config.dfx_flags = kDfxCoreSwimlane | ACCELSCOPE_CORE_TIMING;
  EXPECT_EQ(refusal(), "no C function records these features: 0x80");
}

TEST_F(CApi, RefusesConfigurationsThatMakeNoSense) {
  config.dfx_flags = ACCELSCOPE_CORE_TIMING;
  const accelscope_config good = config;
  config.struct_bytes -= 8;
  EXPECT_NE(refusal().find("ACCELSCOPE_CONFIG_INIT"), std::string::npos);
  config = good;
  config.policy = 3;
  EXPECT_EQ(refusal(), "there is no policy 3");
  config.policy = -1;
  EXPECT_EQ(refusal(), "there is no policy -1");
  config = good;
  config.functions = nullptr;
  EXPECT_EQ(refusal(), "names are counted, but not given");
  config = good;
  config.scope_site_count = 1;
  EXPECT_EQ(refusal(), "names are counted, but not given");
  config = good;
  config.pmu_counters = kFunctions;
  config.pmu_counter_count = 11;
  EXPECT_EQ(refusal(), "there are 10 counters, not 11");
  config = good;
  config.ticks_per_second = 0;
  EXPECT_NE(refusal().find("ticks per second"), std::string::npos);
  config.ticks_per_second = ~UINT64_C(0);
  EXPECT_NE(refusal().find("10^12"), std::string::npos);
  config = good;
  config.cores = 0xFFFFFFFF;
  EXPECT_NE(refusal().find("65536"), std::string::npos);
  config.core_types = nullptr;
  config.cores = 60'000;
  EXPECT_NE(refusal().find("buffers"), std::string::npos);
  config = good;
  config.cores = config.scheduler_threads = config.orchestrators = 0;
  EXPECT_NE(refusal(), "");
  EXPECT_EQ(accelscope_begin(nullptr, nullptr, 0), nullptr);
}

TEST_F(CApi, RefusesPathsThatCannotBeWritten) {
  config.dfx_flags = ACCELSCOPE_CORE_TIMING;
  for (const char* none : {static_cast<const char*>(nullptr), ""}) {
    config.path = none;
    EXPECT_EQ(refusal(), "a feature is recorded, but there is no path for its file");
  }
  const std::string nowhere = folder.file("no/such/folder/run.astrace");
  config.path = nowhere.c_str();
  EXPECT_NE(refusal().find("No such file or directory"), std::string::npos);
  if (std::filesystem::exists("/dev/full")) {
    config.path = "/dev/full";
    config.replace = 1;
    EXPECT_NE(refusal().find("No space left"), std::string::npos);
  }
}

TEST_F(CApi, SentencesFitWhatTheyAreGiven) {
  config.dfx_flags = ACCELSCOPE_CORE_TIMING;
  config.path = nullptr;
  std::array<char, 8> error = {'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'};
  EXPECT_EQ(accelscope_begin(&config, error.data(), 4), nullptr);
  EXPECT_EQ(std::string(error.data()), "a f");
  EXPECT_EQ(error[4], 'x');
  EXPECT_EQ(accelscope_begin(&config, nullptr, 100), nullptr);
}

}  // namespace
}  // namespace accelscope::capture
