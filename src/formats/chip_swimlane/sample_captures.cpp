#include "formats/chip_swimlane/sample_captures.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "formats/chip_swimlane/capture_writer.h"

namespace accelscope::formats::chip_swimlane {
namespace {

// The four dispatches in microseconds, as old files have them.
std::string task_objects(bool with_scheduler) {
  struct Row {
    std::uint64_t task;
    int function;
    int core;
    std::string_view type;
    std::string_view start, end, dispatch, finish, fanout;
  };
  constexpr std::array<Row, 4> kRows{{
      {0, 0, 0, "aic", "12.340", "45.600", "10.120", "47.000", "4294967296,4294967297"},
      {4294967296, 1, 1, "aiv", "50.000", "60.020", "48.000", "61.000", "4294967298"},
      {4294967297, 1, 0, "aic", "50.020", "58.000", "48.100", "58.900", "4294967298"},
      {4294967298, 2, 1, "aiv", "70.000", "75.004", "62.000", "76.000", ""},
  }};
  std::string json = "[";
  for (const Row& row : kRows) {
    json += fmt::format(
        "{}{{\"task_id\":{},\"func_id\":{},\"core_id\":{},\"core_type\":\"{}\",\"ring_id\":{},"
        "\"start_time_us\":{},\"end_time_us\":{},\"duration_us\":1.000",
        json.size() > 1 ? "," : "", row.task, row.function, row.core, row.type, row.task >> 32U, row.start,
        row.end);
    if (with_scheduler)
      json += fmt::format(",\"dispatch_time_us\":{},\"finish_time_us\":{},\"fanout\":[{}],\"fanout_count\":1",
                          row.dispatch, row.finish, row.fanout);
    json += "}";
  }
  return json + "]";
}

constexpr std::string_view kOldPhases =
    R"("aicpu_scheduler_phases":[[{"start_time_us":9.0,"end_time_us":11.2,"phase":"dispatch","loop_iter":1,"tasks_processed":1},)"
    R"({"start_time_us":11.2,"end_time_us":46.0,"phase":"scan","loop_iter":2,"tasks_processed":0},)"
    R"({"start_time_us":46.0,"end_time_us":48.2,"phase":"complete","loop_iter":3,"tasks_processed":1}],[]],"core_to_thread":[0,0])";
constexpr std::string_view kOldSubmits =
    R"("aicpu_orchestrator":{"start_time_us":0.0,"end_time_us":9.1,"submit_count":4,)"
    R"("phase_us":{"sync":1.0,"alloc":2.0,"params":1.0,"lookup":3.0,"heap":0.5,"insert":1.0,"fanin":2.0,"scope_end":0.4}},)"
    R"("aicpu_orchestrator_phases":[[{"phase":"orch_sync","start_time_us":0.0,"end_time_us":1.0,"submit_idx":0,"task_id":0},)"
    R"({"phase":"orch_alloc","start_time_us":1.0,"end_time_us":1.6,"submit_idx":0,"task_id":0}]])";

std::string old_file(std::string_view key, int value, int content) {
  std::string json = fmt::format("{{\"{}\": {}, \"tasks\": {}", key, value, task_objects(content >= 2));
  if (content >= 3) json += fmt::format(", {}", kOldPhases);
  if (content >= 4) json += fmt::format(", {}", kOldSubmits);
  return json + "}\n";
}

constexpr std::string_view kCoreRows5 =
    R"("aicore_tasks":[[0,0,1,71440870157,71440931825],[0,4294967297,2,71440945822,71440954640],)"
    R"([1,4294967296,1,71440945896,71441035924],[1,4294967298,2,71441040843,71441049240]])";
constexpr std::string_view kCoreRows6 =
    R"("aicore_tasks":[[0,0,1,71440870157,71440931825,49],[0,4294967297,2,71440945822,71440954640,9],)"
    R"([1,4294967296,1,71440945896,71441035924,41],[1,4294967298,2,71441040843,71441049240,3]])";
constexpr std::string_view kSchedulerRows =
    R"("aicpu_tasks":[[0,1,71440870000,71440931900],[0,2,71440932000,71440954700],)"
    R"([1,1,71440932000,71441036000],[1,2,71441036100,71441049300]])";
constexpr std::string_view kPhases =
    R"("aicpu_scheduler_phases":[[{"kind":"dispatch","start_cycles":71440869900,"end_cycles":71440870050,"loop_iter":1,)"
    R"("tasks_processed":1,"pop_hit":1,"pop_miss":6,"shared_at_start":[1,0,0],"shared_at_end":[0,0,0]},)"
    R"({"kind":"resolve","start_cycles":71440931905,"end_cycles":71440931950,"loop_iter":3,"tasks_processed":2,)"
    R"("shared_at_start":[0,0,0],"shared_at_end":[1,1,0]},)"
    R"({"kind":"complete","start_cycles":71440931890,"end_cycles":71440931990,"loop_iter":3,"tasks_processed":1,)"
    R"("shared_at_start":[0,0,0],"shared_at_end":[1,1,0]},)"
    R"({"kind":"dummy_task","start_cycles":71440931995,"end_cycles":71440931995,"loop_iter":4,"tasks_processed":1,)"
    R"("task_id":4294967299,"shared_at_start":[1,1,0],"shared_at_end":[1,1,0]}],[],[],[]])";
constexpr std::string_view kSubmits =
    R"("aicpu_orchestrator_phases":[[{"submit_idx":0,"task_id":0,"start_cycles":71440865716,"end_cycles":71440866341},)"
    R"({"submit_idx":1,"task_id":4294967296,"start_cycles":71440866400,"end_cycles":71440866900}]])";
constexpr std::string_view kHostSubmits =
    R"("host_orchestrator_phases":[[{"submit_idx":0,"task_id":0,"start_host_ns":1676898865675,"end_host_ns":1676898866675},)"
    R"({"submit_idx":1,"task_id":4294967296,"start_host_ns":1676898867000,"end_host_ns":1676898868000}]],)"
    R"("host_device_uploads":[{"phase":"graph_upload","start_host_ns":1676900437697,"end_host_ns":1676900439000,"detail":64}])";
constexpr std::string_view kHostFacts =
    R"(,"orchestrator_source":"host","orchestrator_clock_domain":"host_monotonic_ns","device_clock_domain":)"
    R"("device_syscnt_cycles","host_timestamp_resolution_ns":1,"host_timestamp_quantization_ns":0,)"
    R"("host_orchestration_origin_ns":1676898865675,"timeline_relation":"host_orchestration_precedes_device",)"
    R"("host_capture":{"status":"complete","expected_records":2,"recorded_records":2,"pool_records":3,"dropped_records":0,"error":null},)"
    R"("clock_anchors":{"schema_version":1,"provider":"sim_syscnt","device_timestamp_unit":"syscnt_cycles",)"
    R"("raw_device_timestamp_unit":"syscnt_cycles","samples_per_position":1,"samples":[)"
    R"({"position":"pre_host_orchestration","sample_idx":0,"host_before_ns":1676579172551,"raw_device_timestamp":71430000000,)"
    R"("device_cycles":71430000000,"host_after_ns":1676579172611,"rtt_ns":60,"uncertainty_ns":30,"error":null},)"
    R"({"position":"post_device_execution","sample_idx":0,"host_before_ns":1676979172551,"raw_device_timestamp":71450000000,)"
    R"("device_cycles":71450000000,"host_after_ns":1676979172611,"rtt_ns":60,"uncertainty_ns":30,"error":null}]})";

struct RawForm {
  std::string_view key;
  bool receives;
  bool host;
};

std::string raw_file(const RawForm& form, int level) {
  std::string json = fmt::format(
      "{{\"{}\": {}, \"metadata\": {{\"clock_freq_hz\": 50000000, \"num_cores\": 2, \"core_types\": "
      "[\"aic\", "
      "\"aiv\"]{}{}}}, {}, {}",
      form.key, level, form.host ? kHostFacts : "", level >= 3 ? ", \"core_to_thread\": [0, 0]" : "",
      form.receives ? kCoreRows6 : kCoreRows5, level >= 2 ? kSchedulerRows : "\"aicpu_tasks\": []");
  if (level >= 3) json += fmt::format(", {}", kPhases);
  if (level >= 4) json += fmt::format(", {}", form.host ? kHostSubmits : kSubmits);
  return json + "}\n";
}

// Ticks of 50 MHz.
constexpr std::int64_t kFirstTick = 70'354'415'000;
constexpr std::int64_t kSubmitLead = 2'000;  // from the first submission to the first dispatch
constexpr std::int64_t kGap = 60;            // between two tasks of a core
constexpr std::int64_t kShortest = 200;
constexpr std::int64_t kSpread = 1'800;
constexpr std::uint32_t kThreads = 3;
constexpr std::uint64_t kTasksPerPhase = 8;

std::int64_t choice(std::uint64_t seed, std::int64_t choices) {
  return static_cast<std::int64_t>(base::mixed(seed + 1) % static_cast<std::uint64_t>(choices));
}

// Between two submissions: twice as fast as the cores on average, so that they do not wait.
std::int64_t submit_interval(const SyntheticRun& run) {
  return std::max<std::int64_t>(2, (kShortest + kSpread / 2 + kGap) / run.cores / 2);
}

std::uint64_t rows_of_core(const SyntheticRun& run, std::uint32_t core) {
  return run.tasks / run.cores + (core < run.tasks % run.cores ? 1 : 0);
}

void write_phases(const SyntheticRun& run, std::int64_t length, CaptureWriter& writer) {
  for (std::uint32_t thread = 0; thread <= kThreads; ++thread) {
    writer.begin_scheduler_thread();
    std::uint64_t tasks = 0;
    for (std::uint32_t core = thread; thread < kThreads && core < run.cores; core += kThreads)
      tasks += rows_of_core(run, core);
    const std::uint64_t rounds = (tasks + kTasksPerPhase - 1) / kTasksPerPhase;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto part = [&](std::uint64_t quarter) {
        const std::uint64_t quarters = round * 4 + quarter;
        const std::uint64_t all = rounds * 4;
        return kFirstTick + static_cast<std::int64_t>(static_cast<base::Int128>(length) * quarters / all);
      };
      const std::uint64_t processed = std::min(kTasksPerPhase, tasks - round * kTasksPerPhase);
      const std::array<std::int64_t, 3> before{choice(round, 4), choice(round * 3 + thread, 8), 0};
      writer.add_phase({.kind = 0,
                        .start = part(0),
                        .end = part(1),
                        .loop = round * 2,
                        .tasks_processed = processed,
                        .pop_hits = processed,
                        .pop_misses = 1,
                        .queues_at_start = before,
                        .queues_at_end = std::array<std::int64_t, 3>{}});
      writer.add_phase({.kind = 1,
                        .start = part(2),
                        .end = part(3),
                        .loop = round * 2 + 1,
                        .tasks_processed = processed,
                        .queues_at_start = std::array<std::int64_t, 3>{},
                        .queues_at_end = before});
    }
  }
}

}  // namespace

std::vector<SampleCapture> sample_captures() {
  std::vector<SampleCapture> samples;
  for (int version = 0; version <= 2; ++version)
    // The third level of that time had submissions, too, which is the fourth of today.
    samples.push_back({fmt::format("pr500-version-{}", version),
                       old_file("version", version, version == 2 ? 4 : version + 1), Era::kObjectsByVersion0,
                       version + 1, version == 2 ? 4 : version + 1});
  for (int level = 1; level <= 4; ++level) {
    samples.push_back({fmt::format("version-{}", level), old_file("version", level, level),
                       Era::kObjectsByVersion1, level, level});
    samples.push_back({fmt::format("l2-perf-objects-{}", level), old_file("l2_perf_level", level, level),
                       Era::kObjectsByLevel, level, level});
    for (const RawForm form :
         {RawForm{"l2_perf_level", false, false}, RawForm{"l2_swimlane_level", false, false},
          RawForm{"chip_swimlane_level", true, false}})
      samples.push_back(
          {fmt::format("raw-{}-{}", form.key, level), raw_file(form, level), Era::kRawCycles, level, level});
  }
  samples.push_back({"raw-chip_swimlane_level-4-host", raw_file({"chip_swimlane_level", true, true}, 4),
                     Era::kRawCycles, 4, 4});
  return samples;
}

std::string phantom_capture() {
  // Core 1 ran tasks 10 to 12; then cores 0 and 2 were given its buffers, and what they had not overwritten
  // in them was taken for theirs. The last row of core 2 has a number that it never reached.
  return R"({"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 50000000, "num_cores": 3,
"core_types": ["aic", "aiv", "aiv"]}, "aicore_tasks": [
[0,1,1,1000,1100,5],[0,2,2,1200,1300,5],[0,3,3,1400,1500,5],
[0,10,1,500,600,7],[0,11,2,700,800,7],[0,12,3,900,950,7],
[1,10,1,500,600,7],[1,11,2,700,800,7],[1,12,3,900,950,7],
[1,0,4,951,952,1],[1,0,5,952,953,1],[1,0,6,953,954,1],[1,0,7,954,955,1],[1,0,8,955,956,1],[1,13,9,960,990,7],
[2,20,1,2000,2100,5],
[2,11,2,700,800,7],[2,12,3,900,950,7],
[2,21,2,2200,2300,5],[2,22,3,2400,2500,5],
[2,13,9,960,990,7]], "aicpu_tasks": []}
)";
}

Capture synthetic_facts(const SyntheticRun& run) {
  Capture facts;
  facts.level = run.level;
  facts.stated_level = run.level;
  facts.frequency = base::Frequency::mhz(50);
  facts.cores.resize(run.cores);
  for (std::uint32_t core = 0; core < run.cores; ++core)
    facts.cores[core].type = core < run.cores / 3 ? CoreType::kCube : CoreType::kVector;
  if (run.level >= 3) {
    for (std::uint32_t core = 0; core < run.cores; ++core)
      facts.core_to_thread.push_back(static_cast<std::int32_t>(core % kThreads));
    facts.phase_kinds = {"dispatch", "complete", "submit"};
  }
  return facts;
}

CoreRows synthetic_core(const SyntheticRun& run, std::uint32_t core) {
  CoreRows rows;
  rows.type = core < run.cores / 3 ? CoreType::kCube : CoreType::kVector;
  const std::uint64_t count = rows_of_core(run, core);
  for (auto* column : {&rows.start, &rows.end, &rows.receive}) column->reserve(count);
  if (run.level >= 2)
    for (auto* column : {&rows.dispatch, &rows.finish}) column->reserve(count);
  rows.task.reserve(count);
  rows.sequence.reserve(count);
  // The next task is handed over while the one before it runs.
  std::int64_t dispatch = kFirstTick + kSubmitLead + core * submit_interval(run);
  std::int64_t start = dispatch + 2 * kGap;
  for (std::uint64_t row = 0; row < count; ++row) {
    const std::uint64_t task = row * run.cores + core;
    const std::int64_t end = start + kShortest + choice(task, kSpread);
    rows.task.push_back(task);
    rows.sequence.push_back(static_cast<std::uint32_t>(row + 1));
    rows.start.push_back(start);
    rows.end.push_back(end);
    rows.receive.push_back(start - 3 - choice(task * 3, kGap / 2));
    if (run.level >= 2) {
      rows.dispatch.push_back(dispatch);
      rows.finish.push_back(end + 20 + choice(task * 7, 40));
    }
    dispatch = start + kGap / 2;
    start = end + kGap;
  }
  return rows;
}

void write_synthetic_run(const SyntheticRun& run, base::Output& out) {
  const Capture facts = synthetic_facts(run);
  CaptureWriter writer(facts, out);
  std::int64_t last_end = kFirstTick + 1;
  for (std::uint32_t core = 0; core < run.cores; ++core) {
    const CoreRows rows = synthetic_core(run, core);
    writer.add_core_rows(core, rows);
    if (!rows.end.empty()) last_end = std::max(last_end, rows.end.back());
  }
  if (run.level >= 2)
    for (std::uint32_t core = 0; core < run.cores; ++core)
      writer.add_scheduler_rows(core, synthetic_core(run, core));
  if (run.level >= 3) write_phases(run, last_end - kFirstTick, writer);
  if (run.level >= 4) {
    writer.begin_orchestrator();
    const std::int64_t interval = submit_interval(run);
    for (std::uint64_t task = 0; task < run.tasks; ++task) {
      const std::int64_t start = kFirstTick + static_cast<std::int64_t>(task) * interval;
      writer.add_submit({task, task, start, start + interval / 2, 2});
    }
  }
  writer.finish();
}

}  // namespace accelscope::formats::chip_swimlane
