#include "experiments/run_directory.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/bench_folder.h"
#include "experiments/run.h"
#include "support/temporary_folder.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using tests::write_file;
using Words = std::vector<std::string>;

// A run directory that a test fills: each file holds its own name.
class Sketch {
 public:
  std::string root() const { return folder_.file("out_toy/runs/mac"); }
  std::string path(const std::string& name) const { return root() + "/" + name; }
  void put(const std::string& name, std::string_view text) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    write_file(path(name), text);
  }
  void put(const Words& names) const {
    for (const std::string& name : names) put(name, name);
  }
  void put_above(const std::string& name, std::string_view text) const {
    fs::create_directories(fs::path(folder_.file(name)).parent_path());
    write_file(folder_.file(name), text);
  }
  std::string above(const std::string& name) const { return folder_.file(name); }
  RunDirectory read(const RunDirectoryOptions& options = {}) const {
    auto run = read_run_directory(root(), options);
    EXPECT_TRUE(run) << run.error().to_string();
    return run ? *std::move(run) : RunDirectory{};
  }

 private:
  tests::TemporaryFolder folder_;
};

Words problem_ids(const RunDirectory& run) {
  Words ids;
  for (const RunProblem& problem : run.problems) {
    EXPECT_FALSE(problem.sentence.empty()) << problem.id;
    ids.push_back(problem.id.substr(std::string_view("run_directory.").size()));
  }
  return ids;
}

const RunProblem* problem_called(const RunDirectory& run, const std::string& id) {
  for (const RunProblem& problem : run.problems)
    if (problem.id == "run_directory." + id) return &problem;
  return nullptr;
}

// "on/1" for each.
Words experiment_names(const RunDirectory& run) {
  Words names;
  for (const RunExperiment& experiment : run.experiments)
    names.push_back(experiment.name + "/" +
                    (experiment.threads ? fmt::format("{}", *experiment.threads) : "?"));
  return names;
}

Words names_in(const RunDirectory& run, const Words& paths) {
  Words names;
  for (const std::string& path : paths) names.push_back(fs::path(path).lexically_relative(run.path).string());
  return names;
}

Words etdump_names(const RunDirectory& run, const RunExperiment& experiment) {
  Words paths;
  for (const RunRecording& dump : experiment.etdumps) paths.push_back(dump.path);
  return names_in(run, paths);
}

Words timeline_names(const RunDirectory& run, const RunExperiment& experiment) {
  Words paths;
  for (const RunRecording& table : experiment.timeline_all_csvs) paths.push_back(table.path);
  return names_in(run, paths);
}

const RunExperiment& experiment_in(const RunDirectory& run, std::string_view name,
                                   std::optional<std::int64_t> threads = {}) {
  static const RunExperiment kNone{.name = "none"};
  const RunExperiment* found = run.find(name, threads);
  EXPECT_NE(found, nullptr) << name;
  return found != nullptr ? *found : kNone;
}

// What the kit of the first generation writes down about one experiment.
std::string kit_result(const std::string& name, const std::string& metrics) {
  return fmt::format(R"({{"experiment": "{}", "metrics": {{{}}}}})", name, metrics);
}

std::string kit_manifest(const std::string& results) {
  return fmt::format(R"({{"generated_at": "2026-01-01T00:00:00Z", "config": "configs/toy.json",
    "model": "out_toy/artifacts/toy.pte", "executorch": {{"present": true, "sha": "abc", "dirty": true}},
    "results": [{}]}})",
                     results);
}

TEST(RunDirectory, ReadsWhatBenchWrote) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  auto target = make_local_target();
  ASSERT_TRUE(run_bench(config, *target, {.schedule = {.rounds = 2}, .tool_version = "test"}));
  const auto run = read_run_directory(config.output_root, {});
  ASSERT_TRUE(run) << run.error().to_string();
  EXPECT_TRUE(run->has_manifest);
  EXPECT_TRUE(run->ours);
  EXPECT_EQ(run->model, "out_toy/artifacts/toy.pte");
  EXPECT_EQ(run->order, "interleaved");
  EXPECT_EQ(problem_ids(*run), Words{});
  EXPECT_EQ(experiment_names(*run), (Words{"on/1", "off/1", "on_trace/1"}));
  const RunExperiment& on = run->experiments[0];
  EXPECT_EQ(etdump_names(*run, on), (Words{"on/toy_on_t1_r1.etdump", "on/toy_on_t1_r2.etdump"}));
  EXPECT_EQ(on.etdumps[1].warmup, 2);
  EXPECT_EQ(on.etdumps[1].round, 2);
  EXPECT_EQ(names_in(*run, on.latency_logs),
            (Words{"on/toy_on_t1_r1_latency.log", "on/toy_on_t1_r2_latency.log"}));
  EXPECT_EQ(on.recorded_latencies_ms.size(), 6U);
  EXPECT_EQ(on.runs_asked, 6);
  EXPECT_EQ(on.status, "ok");
  EXPECT_EQ(on.build, (NamedTexts{{"preset", "on"}}));
  EXPECT_EQ(on.runner_path, "cmake-out/on/executor_runner");
  EXPECT_TRUE(on.runner.known());
  EXPECT_EQ(run->experiments[2].mode, Mode::kXnntrace);
  EXPECT_EQ(run->experiments[2].kernel_logs.size(), 1U);
  ASSERT_EQ(run->compare_pairs.size(), 1U);
  EXPECT_EQ(run->compare_pairs[0].baseline, (ExperimentRef{"off", 1}));
  EXPECT_EQ(run->compare_pairs[0].label, "sme2");
  const auto fact = std::find_if(run->device_facts.begin(), run->device_facts.end(),
                                 [](const auto& one) { return one.first == "platform"; });
  ASSERT_NE(fact, run->device_facts.end());
  EXPECT_EQ(fact->second, "local");
}

TEST(RunDirectory, LeavesOutWhatFailedAndWhatIsLeftOver) {
  const BenchFolder folder;
  std::string text(kToyConfig);
  const std::string name = R"("name": "off", )";
  text.replace(text.find(name), name.size(), name + R"("environment": {"STAND_IN_BEHAVIOUR": "half"}, )");
  const Config config = folder.config(text);
  auto target = make_local_target();
  ASSERT_TRUE(run_bench(config, *target, {.schedule = {.rounds = 1}, .tool_version = "test"}));
  write_file(config.output_root + "/on/toy_on_t1_r9.etdump", "old");
  write_file(config.output_root + "/on/toy_on_t1_exec_ops_stats.csv", "derived");
  const auto run = read_run_directory(config.output_root, {});
  ASSERT_TRUE(run) << run.error().to_string();
  EXPECT_EQ(problem_ids(*run), (Words{"step_not_ok", "unlisted_file"}));
  EXPECT_TRUE(run->problems[0].path.ends_with("off/toy_off_t1_latency.log")) << run->problems[0].path;
  const RunExperiment& off = experiment_in(*run, "off");
  EXPECT_EQ(off.status, "failed");
  EXPECT_NE(off.reason, "");
  EXPECT_TRUE(off.etdumps.empty());
  const RunExperiment& on = experiment_in(*run, "on");
  EXPECT_EQ(etdump_names(*run, on), Words{"on/toy_on_t1.etdump"});
  EXPECT_EQ(on.etdumps[0].round, std::nullopt);
  EXPECT_NE(on.ops_stats_csv, "");
}

TEST(RunDirectory, ReadsAFlatDirectoryWithoutAnyRecord) {
  const Sketch sketch;
  sketch.put({"toy_sme2_on_t1.etdump", "toy_sme2_on_t1_exec_all_runs_timeline.csv",
              "toy_sme2_on_t1_exec_run0_timeline.csv", "toy_sme2_on_t1_exec_ops_stats.csv",
              "toy_sme2_on_t1_latency.log", "toy_sme2_on_t4.etdump", "toy_trace_t1_xnntrace.log",
              "toy_trace_t1_kernels.csv", "report.md"});
  const RunDirectory run = sketch.read();
  EXPECT_FALSE(run.has_manifest);
  EXPECT_EQ(experiment_names(run), (Words{"toy_sme2_on/1", "toy_sme2_on/4", "toy_trace/1"}));
  const RunExperiment& on = run.experiments[0];
  EXPECT_EQ(etdump_names(run, on), Words{"toy_sme2_on_t1.etdump"});
  EXPECT_EQ(timeline_names(run, on), Words{"toy_sme2_on_t1_exec_all_runs_timeline.csv"});
  EXPECT_EQ(on.timeline_run0_csv, sketch.path("toy_sme2_on_t1_exec_run0_timeline.csv"));
  EXPECT_EQ(on.ops_stats_csv, sketch.path("toy_sme2_on_t1_exec_ops_stats.csv"));
  EXPECT_EQ(names_in(run, on.latency_logs), Words{"toy_sme2_on_t1_latency.log"});
  EXPECT_EQ(on.mode, Mode::kTiming);
  EXPECT_EQ(run.experiments[2].mode, Mode::kXnntrace);
  EXPECT_EQ(names_in(run, run.experiments[2].kernels_csvs), Words{"toy_trace_t1_kernels.csv"});
  EXPECT_EQ(problem_ids(run), (Words{"no_config", "model_unknown", "no_record", "warmup_unknown"}));
}

// Rounds warm up in their own process, and so do the CSV files made from their ETDumps.
TEST(RunDirectory, CsvFilesKeepTheWarmUpOfEtdumpsThatAreGone) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  auto target = make_local_target();
  setenv("STAND_IN_BEHAVIOUR", "crash", 1);
  setenv("STAND_IN_WHEN", "on_t1_r2", 1);
  ASSERT_TRUE(run_bench(config, *target, {.schedule = {.rounds = 3}, .tool_version = "test"}));
  for (const int round : {1, 2, 3}) {
    const std::string prefix = fmt::format("{}/on/toy_on_t1_r{}", config.output_root, round);
    fs::remove(prefix + ".etdump");
    tests::write_file(prefix + "_exec_all_runs_timeline.csv", "a table");
  }
  // Of an earlier schedule: nothing of this run.
  tests::write_file(config.output_root + "/on/toy_on_t1_r4_exec_all_runs_timeline.csv", "a table");
  // As the pipeline summary of a bench names it: the first round, without saying so.
  tests::write_file(config.output_root + "/toy_pipeline_summary.json",
                    fmt::format(R"({{"model": "toy.pte", "runs": [
    {{"experiment": "on", "threads": 1, "mode": "timing", "status": "ok",
      "paths": {{"timeline_all": "{}/on/toy_on_t1_r1_exec_all_runs_timeline.csv"}}}}]}})",
                                config.output_root));
  const auto run = read_run_directory(config.output_root, {});
  ASSERT_TRUE(run) << run.error().to_string();
  const RunExperiment& on = experiment_in(*run, "on");
  EXPECT_TRUE(on.etdumps.empty());
  // Round 2 crashed: what is left of it is not used.
  ASSERT_EQ(timeline_names(*run, on), (Words{"on/toy_on_t1_r1_exec_all_runs_timeline.csv",
                                             "on/toy_on_t1_r3_exec_all_runs_timeline.csv"}));
  EXPECT_EQ(on.timeline_all_csvs[0].warmup, 2);
  EXPECT_EQ(on.timeline_all_csvs[0].round, 1);
  EXPECT_EQ(on.timeline_all_csvs[1].warmup, 2);
  EXPECT_EQ(on.timeline_all_csvs[1].round, 3);
  EXPECT_EQ(problem_ids(*run), (Words{"step_not_ok", "missing_file", "missing_file", "unlisted_file"}));
}

TEST(RunDirectory, TakesNamesFromAConfigThatIsGiven) {
  const Sketch sketch;
  sketch.put({"toy_on_t1.etdump", "toy_on_trace_t1_xnntrace.log"});
  sketch.put_above("toy.json", R"({"model": "toy.pte", "experiments": [
    {"name": "on", "quiet_runner": "r", "runs": 7, "threads": [2], "build": {"flags": ["-O2", "-g"], "sme": {"on": true, "n": 2}}},
    {"name": "on_trace", "mode": "xnntrace"}],
    "analysis": {"compare_pairs": [{"baseline": {"experiment": "on"}, "candidate": {"experiment": "x", "threads": 4}},
                                   {"baseline": {}}, 7]}})");
  const RunDirectory run = sketch.read({.config = sketch.above("toy.json")});
  EXPECT_EQ(experiment_names(run), (Words{"on/1", "on_trace/1"}));
  const RunExperiment& on = run.experiments[0];
  EXPECT_EQ(on.runs_asked, 7);
  EXPECT_EQ(on.runner_path, "r");
  EXPECT_EQ(on.build, (NamedTexts{{"flags", "-O2 -g"}, {"sme.on", "true"}, {"sme.n", "2"}}));
  ASSERT_EQ(run.compare_pairs.size(), 1U);
  EXPECT_EQ(run.compare_pairs[0].baseline, (ExperimentRef{"on", 2}));
  EXPECT_EQ(run.compare_pairs[0].candidate, (ExperimentRef{"x", 4}));
  EXPECT_EQ(run.config_path, sketch.above("toy.json"));
  EXPECT_EQ(run.model, "toy.pte");
}

TEST(RunDirectory, ReadsAFolderPerExperimentWithTheKitsManifest) {
  const Sketch sketch;
  sketch.put(
      "manifest.json",
      kit_manifest(
          kit_result("on", R"("runs": 3, "threads": 1, "latency_ms": [3, 1, 2], "etdump": "on/x.etdump")") +
          "," + kit_result("off", R"("avg_latency_ms": 5.5)")));
  sketch.put({"on/toy_on_t1.etdump", "off/toy_off_t2.etdump", "off/csv/toy_off_t2_all_runs_timeline.csv",
              "off/kernels.csv", "more/dump.etdump"});
  sketch.put_above("configs/toy.json", R"({"analysis": {"compare_pairs": [
    {"baseline": {"experiment": "off", "threads": 2}, "candidate": {"experiment": "on"}}]}})");
  const RunDirectory run = sketch.read();
  EXPECT_TRUE(run.has_manifest);
  EXPECT_FALSE(run.ours);
  EXPECT_EQ(run.config_path, "configs/toy.json");
  EXPECT_EQ(run.executorch_sha, "abc");
  EXPECT_EQ(run.executorch_dirty, true);
  EXPECT_EQ(run.device_facts, NamedTexts{});
  EXPECT_EQ(run.compare_pairs.size(), 1U);
  EXPECT_EQ(experiment_names(run), (Words{"on/1", "off/2", "more/?"}));
  EXPECT_EQ(run.experiments[0].recorded_latencies_ms, (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(etdump_names(run, run.experiments[0]), Words{"on/toy_on_t1.etdump"});
  const RunExperiment& off = run.experiments[1];
  EXPECT_EQ(off.recorded_latencies_ms, std::vector<double>{5.5});
  EXPECT_EQ(timeline_names(run, off), Words{"off/csv/toy_off_t2_all_runs_timeline.csv"});
  EXPECT_EQ(names_in(run, off.kernels_csvs), Words{"off/kernels.csv"});
  EXPECT_EQ(off.mode, Mode::kTiming);
  ASSERT_EQ(problem_ids(run), Words{"missing_file"});
  EXPECT_EQ(run.problems[0].path, sketch.path("on/x.etdump"));
}

TEST(RunDirectory, PrefersMetricsAndSaysWhenTheManifestDiffers) {
  const Sketch sketch;
  sketch.put("manifest.json", kit_manifest(kit_result("on", R"("threads": 1, "latency_ms": [1, 2])")));
  sketch.put("metrics.json",
             R"({"results": [)" + kit_result("on", R"("threads": 1, "avg_latency_ms": [4, 5])") + "]}");
  sketch.put({"on/toy_on_t1.etdump"});
  const RunDirectory run = sketch.read();
  EXPECT_EQ(run.experiments.at(0).recorded_latencies_ms, (std::vector<double>{4, 5}));
  EXPECT_NE(problem_called(run, "metrics_differ"), nullptr);
}

TEST(RunDirectory, ReadsMetricsAlone) {
  const Sketch sketch;
  sketch.put("metrics.json", R"({"results": [)" + kit_result("on", R"("latency_ms": [4, 5])") + "]}");
  const RunDirectory run = sketch.read();
  EXPECT_EQ(experiment_names(run), Words{"on/?"});
  EXPECT_EQ(run.experiments[0].recorded_latencies_ms, (std::vector<double>{4, 5}));
  EXPECT_EQ(problem_ids(run), (Words{"no_config", "no_record", "no_files"}));
}

TEST(RunDirectory, ReadsThePipelineSummaryWithItsNanAndItsForeignPaths) {
  const Sketch sketch;
  sketch.put("toy_pipeline_summary.json", R"({"model": "m/toy.pte", "output_root": "/kit/out",
    "runs": [{"experiment": "on", "threads": 1, "mode": "timing", "status": "analysis-only", "runs": 1,
              "paths": {"etdump": "/kit/out/odd name.etdump", "timeline_all": "/kit/out/toy_on_t1_exec_all_runs_timeline.csv"},
              "metrics": {"median_ms": 1.5, "mean_ms": 1.6, "cv_percent": NaN, "note": "NaN \" NaN"}},
             {"experiment": "on_trace", "threads": 1, "mode": "xnntrace", "status": "ok",
              "paths": {"etdump": "/kit/out/never.etdump", "xnntrace_log": "/kit/out/toy_on_trace_t1_xnntrace.log"},
              "metrics": {}}]})");
  sketch.put({"odd name.etdump", "toy_on_trace_t1_xnntrace.log"});
  const RunDirectory run = sketch.read();
  EXPECT_TRUE(run.has_summary);
  EXPECT_EQ(run.model, "m/toy.pte");
  EXPECT_EQ(experiment_names(run), (Words{"on/1", "on_trace/1"}));
  EXPECT_EQ(run.experiments[0].summary_median_ms, 1.5);
  EXPECT_EQ(run.experiments[0].summary_mean_ms, 1.6);
  EXPECT_EQ(run.experiments[0].status, "analysis-only");
  EXPECT_EQ(etdump_names(run, run.experiments[0]), Words{"odd name.etdump"});
  EXPECT_EQ(run.experiments[1].mode, Mode::kXnntrace);
  EXPECT_EQ(run.experiments[1].kernel_logs.size(), 1U);
  EXPECT_EQ(problem_ids(run), (Words{"no_config", "missing_file"}));
}

TEST(RunDirectory, ReadsOneOfSeveralModels) {
  const Sketch sketch;
  sketch.put("toy_pipeline_summary.json", R"({"model": "toy.pte", "runs": []})");
  sketch.put("toy_cnn_pipeline_summary.json", R"({"model": "toy_cnn.pte", "runs": []})");
  sketch.put("manifest.json", R"({"model": "toy.pte", "results": []})");
  sketch.put({"toy_on_t1.etdump", "toy_cnn_on_t1.etdump"});
  const RunDirectory run = sketch.read();
  EXPECT_EQ(run.model, "toy.pte");
  EXPECT_EQ(experiment_names(run), Words{"on/1"});
  EXPECT_EQ(etdump_names(run, run.experiments[0]), Words{"toy_on_t1.etdump"});
  EXPECT_NE(problem_called(run, "several_models"), nullptr);
}

TEST(RunDirectory, ChoosesAmongDuplicates) {
  const Sketch sketch;
  sketch.put("manifest.json", R"({"model": "toy.pte", "results": []})");
  sketch.put("toy_on_t1.etdump", "flat");
  sketch.put("on/toy_on_t1.etdump", "in its folder");
  sketch.put("on/toy_on_t1_kernels.csv", "same");
  sketch.put("on/kernels.csv", "same");
  sketch.put({"on/toy_on_t1_all_runs_timeline.csv", "on/toy_on_t1_exec_all_runs_timeline.csv"});
  const RunDirectory run = sketch.read();
  const RunExperiment& on = experiment_in(run, "on", 1);
  EXPECT_EQ(etdump_names(run, on), Words{"on/toy_on_t1.etdump"});
  EXPECT_EQ(names_in(run, on.kernels_csvs), Words{"on/toy_on_t1_kernels.csv"});
  EXPECT_EQ(timeline_names(run, on), Words{"on/toy_on_t1_exec_all_runs_timeline.csv"});
  ASSERT_EQ(problem_ids(run), (Words{"no_config", "duplicate_file", "duplicate_file", "duplicate_file"}));
  EXPECT_EQ(run.problems[1].path, sketch.path("toy_on_t1.etdump"));
  EXPECT_EQ(run.problems[1].severity, trace::Severity::kWarning);
  EXPECT_EQ(run.problems[3].path, sketch.path("on/kernels.csv"));
  EXPECT_EQ(run.problems[3].severity, trace::Severity::kInfo);
}

TEST(RunDirectory, LeavesOutWhatCannotBeUsed) {
  const Sketch sketch;
  sketch.put("manifest.json", kit_manifest(kit_result(
                                  "on", R"("threads": 1, "latency_ms": [1], "etdump": "toy_on_t1.etdump")")));
  sketch.put("toy_on_t1.etdump", "");
  sketch.put({"toy_on_t1_xtrace.etdump", "kernels.csv"});
  const RunDirectory run = sketch.read();
  EXPECT_EQ(experiment_names(run), Words{"on/1"});
  EXPECT_FALSE(run.experiments[0].has_files());
  EXPECT_EQ(problem_ids(run),
            (Words{"no_config", "empty_file", "other_profiler", "unassigned_file", "no_files"}));
}

TEST(RunDirectory, ReadsOnWhenRecordsAreBroken) {
  struct Case {
    const char* manifest;
    const char* problem;
  };
  for (const Case& one :
       {Case{"", "bad_json"}, Case{"{\"results\": [", "bad_json"}, Case{"[1]", "bad_json"},
        Case{"{\"model\": \"\xff\"}", "bad_json"}, Case{"7", "bad_json"}, Case{"{}", "bad_field"},
        Case{R"({"results": {}})", "bad_field"}, Case{R"({"results": [7]})", "bad_field"},
        Case{R"({"results": [{"experiment": "on"}]})", "bad_field"},
        Case{R"({"results": [{"experiment": "on", "metrics": {"latency_ms": [1, "x", -1, NaN]}}]})",
             "bad_field"},
        Case{R"({"results": [{"experiment": "on", "metrics": {}}, {"experiment": "on", "metrics": {}}]})",
             "duplicate_result"},
        Case{R"({"schema": "accelscope.manifest/1", "results": [], "steps": [{"experiment": "x"}]})",
             "bad_field"},
        Case{R"({"schema": 3, "device_facts": 4, "executorch": [], "model": {}, "results": 1e999})",
             "bad_json"}}) {
    const Sketch sketch;
    sketch.put({"on/toy_on_t1_exec_ops_stats.csv"});
    sketch.put("manifest.json", one.manifest);
    const RunDirectory run = sketch.read();
    EXPECT_NE(problem_called(run, one.problem), nullptr) << one.manifest;
    EXPECT_NE(experiment_in(run, "on", 1).ops_stats_csv, "") << one.manifest;
  }
}

TEST(RunDirectory, StaysInsideWhenAManifestPointsOut) {
  const Sketch sketch;
  sketch.put_above("secret.etdump", "x");
  sketch.put("manifest.json",
             kit_manifest(kit_result("on", R"("threads": 1, "etdump": "../../../secret.etdump")") + "," +
                          kit_result("off", fmt::format(R"("threads": 1, "etdump": "{}")",
                                                        sketch.above("secret.etdump")))));
  const RunDirectory run = sketch.read();
  for (const RunExperiment& experiment : run.experiments) EXPECT_TRUE(experiment.etdumps.empty());
  const Words ids = problem_ids(run);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), "missing_file"), 2);
}

TEST(RunDirectory, RefusesWhatIsNone) {
  const Sketch sketch;
  sketch.put_above("other/readme.md", "x");
  const auto nothing = read_run_directory(sketch.above("other"), {});
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().to_string().find("manifest.json"), std::string::npos);
  EXPECT_NE(nothing.error().to_string().find("*.etdump"), std::string::npos);
  const auto missing = read_run_directory(sketch.above("nowhere"), {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, base::ErrorCode::kNotFound);
  const auto file = read_run_directory(sketch.above("other/readme.md"), {});
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().to_string().find("is no folder"), std::string::npos);
}

std::string fixture(const std::string& name) {
  return std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/" + name;
}

TEST(RunDirectory, ReadsTheKitsFlatOutput) {
  const std::string root = fixture("case1_android_flat_pipeline_output");
  if (!fs::exists(root)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto run = read_run_directory(root, {.config = root + "/_config.json"});
  ASSERT_TRUE(run) << run.error().to_string();
  EXPECT_EQ(problem_ids(*run), Words{});
  EXPECT_EQ(run->model, "out_toy_cnn/artifacts/toy_cnn_xnnpack_fp16.pte");
  EXPECT_EQ(experiment_names(*run), (Words{"android_sme2_on/1", "android_sme2_off/1", "android_sme2_off/4",
                                           "android_sme2_on_xnnlog/1"}));
  for (const RunExperiment& experiment : run->experiments) {
    const bool timing = experiment.mode == Mode::kTiming;
    EXPECT_EQ(experiment.etdumps.size(), timing ? 1U : 0U) << experiment.name;
    EXPECT_EQ(experiment.timeline_all_csvs.size(), timing ? 1U : 0U) << experiment.name;
    EXPECT_EQ(experiment.kernel_logs.size(), timing ? 0U : 1U) << experiment.name;
    EXPECT_EQ(experiment.kernels_csvs.size(), timing ? 0U : 1U) << experiment.name;
    EXPECT_EQ(experiment.summary_median_ms.has_value(), timing) << experiment.name;
    EXPECT_EQ(experiment.status, "ok");
    EXPECT_NE(experiment.runner_path, "");
  }
  EXPECT_TRUE(run->compare_pairs.empty());

  const std::string mac = fixture("case1_mac_flat_pipeline_output");
  const auto with_pair = read_run_directory(mac, {.config = mac + "/_config.json"});
  ASSERT_TRUE(with_pair) << with_pair.error().to_string();
  EXPECT_EQ(problem_ids(*with_pair), Words{});
  ASSERT_EQ(with_pair->compare_pairs.size(), 1U);
  EXPECT_EQ(with_pair->compare_pairs[0].baseline, (ExperimentRef{"mac_sme2_off", 1}));
}

TEST(RunDirectory, ReadsTheKitsFoldersPerExperiment) {
  const std::string root = fixture("case2_mac_expdirs");
  if (!fs::exists(root)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto run = read_run_directory(root, {});
  ASSERT_TRUE(run) << run.error().to_string();
  EXPECT_EQ(experiment_names(*run), (Words{"mac_sme2_on/1", "mac_sme2_off/1"}));
  EXPECT_EQ(run->config_path, "model_profiling/configs/toy_all.json");
  EXPECT_EQ(run->executorch_sha, "cff6f4dd32e630945b7188512c1f2b4f102b05ad");
  EXPECT_EQ(run->executorch_dirty, false);
  for (const RunExperiment& experiment : run->experiments) {
    EXPECT_EQ(experiment.etdumps.size(), 1U);
    EXPECT_EQ(experiment.timeline_all_csvs.size(), 1U);
    EXPECT_NE(experiment.timeline_run0_csv, "");
    EXPECT_NE(experiment.ops_stats_csv, "");
    EXPECT_EQ(experiment.recorded_latencies_ms.size(), 3U);
    EXPECT_EQ(experiment.runs_asked, 10);
  }
  EXPECT_EQ(problem_ids(*run), (Words{"no_config", "missing_file", "missing_file"}));
}

}  // namespace
}  // namespace accelscope::experiments
