// Conformance with recordings of the reference: everything that its files list is in the trace, once.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <map>
#include <set>

#include "formats/chip_run/chip_run_files.h"
#include "formats/gzip/gzip.h"
#include "trace/chip_run.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using trace::Trace;
using trace::TrackId;

const std::string kFolder = std::string(ACCELSCOPE_FIXTURES_DIR) + "/swimlane/";

base::MappedFile unpacked(const std::string& path) {
  base::MappedFile file = base::MappedFile::open(path).value();
  if (!gzip::looks_like_gzip(file.text())) return file;
  return gzip::gunzip(file).value();
}

// The truth, from the JSON itself.
struct Truth {
  std::set<std::uint64_t> tasks;
  std::map<std::uint64_t, std::uint64_t> rows_of_core;
  std::uint64_t rows = 0;
  std::uint64_t finishes = 0;
  std::uint64_t phases = 0;
  std::uint64_t markers = 0;
  std::uint64_t submits = 0;
  std::uint64_t queue_samples = 0;
  std::set<std::pair<std::string, std::string>> edges;
  std::uint64_t cores = 0;
};

void add_swimlane(const element& root, Truth& truth) {
  truth.cores = root["metadata"]["num_cores"].get_uint64();
  for (const element row : root["aicore_tasks"].get_array()) {
    ++truth.rows;
    ++truth.rows_of_core[row.at(0).get_uint64()];
    truth.tasks.insert(row.at(1).get_uint64());
  }
  truth.finishes = root["aicpu_tasks"].get_array().size();
  array threads;
  if (root["aicpu_scheduler_phases"].get(threads) == simdjson::SUCCESS)
    for (const element thread : threads)
      for (const element phase : thread.get_array()) {
        std::uint64_t task = 0;
        const bool control = phase["task_id"].get(task) == simdjson::SUCCESS;
        if (control) truth.tasks.insert(task);
        ++(control ? truth.markers : truth.phases);
        const std::string_view kind = phase["kind"].get_string();
        if (kind == "complete" || kind == "dispatch") truth.queue_samples += 2;
      }
  for (const char* key : {"aicpu_orchestrator_phases", "host_orchestrator_phases"})
    if (root[key].get(threads) == simdjson::SUCCESS)
      for (const element thread : threads)
        for (const element submit : thread.get_array()) {
          ++truth.submits;
          truth.tasks.insert(submit["task_id"].get_uint64());
        }
}

void add_deps(const element& root, Truth& truth) {
  for (const element task : root["tasks"].get_array())
    truth.tasks.insert(std::stoull(std::string(std::string_view(task["task_id"]))));
  for (const element edge : root["edges"].get_array())
    truth.edges.emplace(std::string_view(edge["pred"]), std::string_view(edge["succ"]));
}

std::uint64_t slices_in(const Trace& trace, std::string_view category) {
  const trace::CategoryId id = trace.find_category(category);
  std::uint64_t count = 0;
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    if (trace.slices().category[row] == id) ++count;
  return count;
}

std::uint64_t samples_of(const Trace& trace, std::string_view group) {
  std::uint64_t count = 0;
  for (std::uint32_t id = 0; id < trace.tracks().size(); ++id) {
    const TrackId parent = trace.tracks()[id].parent;
    if (parent != TrackId::kNone && trace.text(trace.track(parent).name) == group)
      count += trace.counters_of(TrackId{id}).count;
  }
  return count;
}

std::vector<std::string> swimlanes() {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kFolder, ignored))
    if (entry.path().filename().string().starts_with("chip_swimlane_records.json"))
      paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(ChipRunFixtures, HoldWhatTheFilesList) {
  const std::vector<std::string> paths = swimlanes();
  if (paths.empty())
    GTEST_SKIP() << "no conformance data in " << kFolder << ": set ACCELSCOPE_FIXTURES to run this test";
  for (const std::string& path : paths) {
    SCOPED_TRACE(path);
    Truth truth;
    simdjson::dom::parser parser;
    const base::MappedFile file = unpacked(path);
    add_swimlane(parser.parse(simdjson::padded_string(file.text())).value(), truth);
    const SiblingSearch search = search_siblings(path, {});
    if (const std::string& deps = path_of(search.found, SiblingKind::kDeps); !deps.empty())
      add_deps(parser.parse(simdjson::padded_string(unpacked(deps).text())).value(), truth);

    const auto siblings = read_siblings(search);
    ASSERT_TRUE(siblings) << siblings.error().to_string();
    const auto result = read_run(file, *siblings);
    ASSERT_TRUE(result) << result.error().to_string();
    const Trace& trace = *result;
    for (const trace::QualityRow& row : trace.quality().rows())
      EXPECT_TRUE(row.severity == trace::Severity::kInfo || row.id == "pmu_csv.all_zero")
          << row.id << ": " << row.sentence;

    const trace::ChipRun chip = trace::chip_run(trace);
    ASSERT_EQ(chip.cores.size(), truth.cores);
    EXPECT_TRUE(chip.clocks_compare);
    std::uint64_t finishes = 0;
    for (const trace::ChipCore& core : chip.cores) {
      const std::vector<trace::Dispatch> dispatches = trace::dispatches_of(trace, core.track);
      EXPECT_EQ(dispatches.size(), truth.rows_of_core[static_cast<std::uint64_t>(core.number)]);
      if (chip.level >= 3 && !dispatches.empty()) {
        EXPECT_NE(core.scheduler, TrackId::kNone) << core.number;
      }
      for (const trace::Dispatch& dispatch : dispatches) {
        EXPECT_NE(dispatch.task, trace::TaskId::kNone);
        EXPECT_LE(dispatch.receive, dispatch.start);
        EXPECT_LE(dispatch.start, dispatch.end);
        if (!trace::is_known(dispatch.finish)) continue;
        ++finishes;
        EXPECT_LE(dispatch.dispatch, dispatch.receive);
        EXPECT_LE(dispatch.end, dispatch.finish);
      }
    }
    EXPECT_EQ(finishes, truth.finishes);
    EXPECT_EQ(slices_in(trace, trace::category::kTaskExecution), truth.rows);
    EXPECT_EQ(slices_in(trace, trace::category::kSchedulerPhase), truth.phases);
    EXPECT_EQ(slices_in(trace, trace::category::kControlTask), truth.markers);
    EXPECT_EQ(slices_in(trace, trace::category::kSubmit), truth.submits);
    EXPECT_EQ(samples_of(trace, "ready queues"), 3 * truth.queue_samples);
    EXPECT_EQ(trace.task_edges().size(), truth.edges.size());
    std::set<std::uint64_t> tasks;
    for (std::uint32_t row = 0; row < trace.tasks().size(); ++row)
      tasks.insert(trace.tasks().external_id[row]);
    EXPECT_EQ(tasks.size(), trace.tasks().size()) << "every task once";
    EXPECT_EQ(tasks, truth.tasks);
  }
}

}  // namespace
}  // namespace accelscope::formats::chip_run
