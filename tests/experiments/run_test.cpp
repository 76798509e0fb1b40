#include "experiments/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "experiments/bench_folder.h"
#include "experiments/json_tree.h"
#include "experiments/manifest.h"
#include "stats/quantile.h"

namespace accelscope::experiments {
namespace {

namespace fs = std::filesystem;
using tests::read_file;
using tests::write_file;
using Words = std::vector<std::string>;

BenchResult run(const Config& config, Target& target, BenchOptions options = {}) {
  options.tool_version = "test";
  auto result = run_bench(config, target, options);
  EXPECT_TRUE(result) << result.error().to_string();
  return result ? *std::move(result) : BenchResult{};
}

BenchResult run_here(const Config& config, const BenchOptions& options = {}) {
  return run(config, *make_local_target(), options);
}

JsonNode json_file(const std::string& path) {
  auto node = read_json_file(path);
  EXPECT_TRUE(node) << node.error().to_string();
  return node ? *std::move(node) : JsonNode{};
}

JsonNode manifest_of(const Config& config) {
  return json_file(config.output_root + "/manifest.json");
}

// What follows a flag in a recorded call.
std::string after(const std::string& call, const std::string& flag) {
  const std::size_t at = call.find(flag + " ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + flag.size() + 1;
  return call.substr(begin, call.find(' ', begin) - begin);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string toy_with(const std::string& what, const std::string& with) {
  return replaced(std::string(kToyConfig), what, with);
}

constexpr ScheduleOptions kKit{.order = Order::kSequential, .rounds = 1, .warm_up = WarmUp::kSeparateProcess};

TEST(Run, WritesTheDocumentedDirectory) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  const BenchResult result = run_here(config, {.schedule = {.rounds = 3}});
  EXPECT_EQ(result.count(StepStatus::kOk), 7U);
  EXPECT_FALSE(result.interrupted);
  const std::string root = folder.file("out_toy/results");
  for (const char* name :
       {"manifest.json", "metrics.json", "on/toy_on_t1_r1.etdump", "on/toy_on_t1_r3_latency.log",
        "off/toy_off_t1_r2.etdump", "on_trace/toy_on_trace_t1_xnntrace.log"})
    EXPECT_TRUE(fs::exists(root + "/" + name)) << name;
  EXPECT_NE(read_file(root + "/on_trace/toy_on_trace_t1_xnntrace.log").find("neonsme2"), std::string::npos);

  const JsonNode manifest = manifest_of(config);
  EXPECT_EQ(manifest.find_text("config"), "toy.json");
  EXPECT_EQ(manifest.find_text("model"), "out_toy/artifacts/toy.pte");
  EXPECT_EQ(manifest.find("executorch")->find_bool("present"), true);
  EXPECT_EQ(manifest.find_text("schema"), "accelscope.manifest/1");
  EXPECT_EQ(manifest.find_text("tool_version"), "test");
  EXPECT_EQ(manifest.find_text("order"), "interleaved");
  EXPECT_EQ(manifest.find_bool("complete"), true);
  EXPECT_EQ(manifest.find_text("config_hash"), config.text_hash);
  EXPECT_NE(manifest.find("device_facts")->find("before"), nullptr);
  EXPECT_NE(manifest.find("device_facts")->find("after"), nullptr);
  EXPECT_EQ(manifest.find_items("compare_pairs").size(), 1U);
  const JsonNode& experiment = manifest.find_items("experiments").front();
  EXPECT_EQ(experiment.find("build")->find_text("preset"), "on");
  EXPECT_EQ(experiment.find("runner_fingerprint")->find_integer("size_bytes"),
            static_cast<std::int64_t>(fs::file_size(STAND_IN_RUNNER)));
  EXPECT_EQ(manifest.find_items("steps").size(), 7U);
  EXPECT_EQ(manifest.find_items("steps")[0].find("runner")->find_items("iteration_ms").size(), 4U);
}

TEST(Run, TakesLatenciesFromTheEtdumpsWithoutWarmUp) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  const BenchResult result = run_here(config, {.schedule = {.rounds = 2}});
  const JsonNode metrics = json_file(config.output_root + "/metrics.json");
  ASSERT_EQ(metrics.find_items("results").size(), 3U);
  const JsonNode& on = *metrics.find_items("results")[0].find("metrics");
  EXPECT_EQ(on.find_integer("runs"), 6);
  EXPECT_EQ(on.find_integer("threads"), 1);
  ASSERT_EQ(on.find_items("latency_ms").size(), 6U);
  std::vector<double> values;
  for (const JsonNode& value : on.find_items("latency_ms")) values.push_back(value.real);
  EXPECT_EQ(on.find_number("min_ms"), *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(on.find_number("max_ms"), *std::max_element(values.begin(), values.end()));
  EXPECT_EQ(on.find_number("median_ms"), stats::median(values));
  // The cold first execution of each process is warm-up.
  EXPECT_LT(*on.find_number("max_ms"), 0.3);
  EXPECT_GT(result.state.steps[0].latencies.warmup_ms.front(), 0.32);
  EXPECT_EQ(on.find_text("etdump_rel"), "on/toy_on_t1_r1.etdump");
  EXPECT_EQ(on.find_text("etdump"), config.output_root + "/on/toy_on_t1_r1.etdump");
  EXPECT_EQ(on.find_text("log_rel"), "on/toy_on_t1_r1_latency.log");
  // The runner measures the same executions as its dump holds.
  const StepRecord& step = result.state.steps[0];
  ASSERT_EQ(step.runner.iteration_ms.size(), 5U);
  EXPECT_NEAR(step.runner.iteration_ms[2], step.latencies.measured_ms[0], 1e-6);
  EXPECT_EQ(metrics.find_items("results")[2].find("metrics")->find("latency_ms"), nullptr);
}

TEST(Run, InterleavesWhatIsCompared) {
  const BenchFolder folder;
  run_here(folder.config(kToyConfig), {.schedule = {.rounds = 3}});
  Words order;
  Words executions;
  for (const std::string& call : folder.runner_calls()) {
    order.push_back(fs::path(after(call, "--etdump_path")).stem());
    executions.push_back(after(call, "--num_executions"));
  }
  EXPECT_EQ(order, (Words{"toy_on_t1_r1", "toy_off_t1_r1", "toy_off_t1_r2", "toy_on_t1_r2", "toy_on_t1_r3",
                          "toy_off_t1_r3", ""}));
  EXPECT_EQ(executions, (Words{"4", "4", "4", "4", "4", "4", "1"}));
}

TEST(Run, MatchesTheKitsCommandsOnTheHost) {
  const std::string fixtures =
      std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/case1_mac_flat_pipeline_output/";
  if (!fs::exists(fixtures)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const BenchFolder folder;
  folder.make_model("out_toy_cnn/artifacts/toy_cnn_xnnpack_fp16.pte");
  for (const char* preset :
       {"mac-arm64", "mac-arm64-sme2-off", "mac-arm64-xnnlog", "mac-arm64-sme2-off-xnnlog"})
    folder.make_runner(preset);
  const auto config = load_config(fixtures + "_config.json", {.directory = folder.path()});
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(run_here(*config, {.schedule = kKit}).count(StepStatus::kOk), 4U);
  Words calls;
  for (std::string call : folder.runner_calls()) {
    // The kit writes one flat folder, we one per experiment.
    for (const Experiment& experiment : config->experiments)
      call = replaced(call, "/mac/" + experiment.name + "/", "/mac/");
    calls.push_back(replaced(call, folder.path() + "/", "/kit/"));
  }
  EXPECT_EQ(calls, BenchFolder::lines(fixtures + "_runner_argv.txt"));
}

// Without what we ask a device besides, and what the kit repeats.
Words essential_calls(const Words& calls) {
  Words essential;
  for (std::string call : calls) {
    call = replaced(replaced(call, "-s 192.168.1.100:5555 ", ""), "; echo accelscope-exit-status:$?", "");
    if (call == "adb get-state" || call.starts_with("adb shell mkdir") ||
        call.starts_with("adb shell rm -f") || call.starts_with("adb shell for f in"))
      continue;
    const bool once = call.starts_with("adb push") || call.starts_with("adb shell chmod");
    if (once && std::find(essential.begin(), essential.end(), call) != essential.end()) continue;
    essential.push_back(call);
  }
  return essential;
}

TEST(Run, MatchesTheKitsCommandsOnADevice) {
  const std::string fixtures =
      std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/case1_android_flat_pipeline_output/";
  if (!fs::exists(fixtures)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const BenchFolder folder;
  folder.make_model("out_toy_cnn/artifacts/toy_cnn_xnnpack_fp16.pte");
  for (const char* preset : {"android-arm64-v9a", "android-arm64-v9a-sme2-off"}) folder.make_runner(preset);
  const auto config =
      load_config(fixtures + "_config.json", {.platform = Platform::kAndroid, .directory = folder.path()});
  ASSERT_TRUE(config) << config.error().to_string();
  const auto target = folder.adb({.remote = "192.168.1.100:5555"});
  EXPECT_EQ(run(*config, *target, {.schedule = kKit}).count(StepStatus::kOk), 4U);
  Words ours;
  for (std::string call : essential_calls(folder.adb_calls())) {
    for (const Experiment& experiment : config->experiments)
      call = replaced(call, "/android/" + experiment.name + "/", "/android/");
    // The kit names inputs relative to its folder and outputs from the root.
    call = replaced(call, folder.path() + "/out_toy_cnn/runs", "/kit/out_toy_cnn/runs");
    ours.push_back(replaced(call, folder.path() + "/", ""));
  }
  EXPECT_EQ(ours, essential_calls(BenchFolder::lines(fixtures + "_adb_calls.txt")));
}

TEST(Run, WorksThroughAdb) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig, Platform::kAndroid);
  const auto target = folder.adb({.serial = "SERIAL"});
  const BenchResult result = run(config, *target, {.schedule = {.rounds = 2}});
  EXPECT_EQ(result.count(StepStatus::kOk), 5U);
  const JsonNode manifest = manifest_of(config);
  EXPECT_EQ(manifest.find_text("platform"), "android");
  EXPECT_EQ(manifest.find_text("device"), "SERIAL");
  EXPECT_EQ(manifest.find("device_facts")->find("before")->find_text("build_fingerprint"), "maker/toy:15");
  const std::string log = read_file(config.output_root + "/on_trace/toy_on_trace_t1_xnntrace.log");
  EXPECT_TRUE(log.starts_with("=== XNNPACK Logcat Output ===\n")) << log;
  EXPECT_NE(log.find("I XNNPACK : Using gemm microkernel"), std::string::npos) << log;
  EXPECT_NE(log.find("\n=== Runner stdout ===\nI 00"), std::string::npos) << log;
  EXPECT_EQ(log.find("accelscope-exit-status"), std::string::npos);
  for (const std::string& call : folder.adb_calls()) EXPECT_TRUE(call.starts_with("adb -s SERIAL ")) << call;
}

struct Trouble {
  const char* behaviour;
  StepStatus status;
  const char* reason;
};

class RunTrouble : public testing::TestWithParam<Trouble> {};

TEST_P(RunTrouble, IsWrittenDownAndTheRestGoesOn) {
  const BenchFolder folder;
  const std::string text = toy_with(
      R"("build")", std::string(R"("timeout_seconds": 0.5, "environment": {"STAND_IN_BEHAVIOUR": ")") +
                        GetParam().behaviour + R"(", "STAND_IN_WHEN": "_r2"}, "build")");
  for (const bool on_device : {false, true}) {
    const Config config = folder.config(replaced(text, R"("experiments")",
                                                 on_device ? R"("output_root": "device", "experiments")"
                                                           : R"("output_root": "here", "experiments")"),
                                        on_device ? Platform::kAndroid : Platform::kLocal);
    const auto target = on_device ? folder.adb() : make_local_target();
    const BenchResult result = run(config, *target, {.schedule = {.rounds = 2}});
    EXPECT_EQ(result.count(StepStatus::kOk), 4U);
    const auto step = std::find_if(result.state.steps.begin(), result.state.steps.end(),
                                   [](const StepRecord& record) { return record.status != StepStatus::kOk; });
    ASSERT_NE(step, result.state.steps.end());
    EXPECT_EQ(step->step.experiment, 0U);
    EXPECT_EQ(step->step.round, 1);
    EXPECT_EQ(step->status, GetParam().status) << step->reason;
    EXPECT_NE(step->reason.find(GetParam().reason), std::string::npos) << step->reason;

    const JsonNode manifest = manifest_of(config);
    EXPECT_EQ(manifest.find_bool("complete"), false);
    const JsonNode& on = *manifest.find_items("results")[0].find("metrics");
    EXPECT_EQ(on.find_text("status"), status_name(GetParam().status));
    EXPECT_EQ(on.find_items("latency_ms").size(), 3U);  // of the other round
    EXPECT_EQ(manifest.find_items("results")[1].find("metrics")->find_items("latency_ms").size(), 6U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Every, RunTrouble,
    testing::Values(Trouble{"crash", StepStatus::kCrashed, "was ended by signal 11 (Segmentation fault)"},
                    Trouble{"hang", StepStatus::kTimeout, "did not end within its time limit"},
                    Trouble{"exit3", StepStatus::kFailed,
                            "exited with status 3; it last said: E executorch:method.cpp"},
                    Trouble{"half", StepStatus::kFailed, "the ETDump cannot be read: "},
                    Trouble{"no_etdump", StepStatus::kFailed, "was the runner built with the event tracer?"}),
    [](const testing::TestParamInfo<Trouble>& trouble) { return std::string(trouble.param.behaviour); });

TEST(Run, KeepsAHalfWrittenEtdump) {
  const BenchFolder folder;
  setenv("STAND_IN_BEHAVIOUR", "half", 1);
  const Config config = folder.config(kToyConfig);
  const BenchResult result = run_here(config, {.schedule = {.rounds = 1}, .only = {"on"}});
  EXPECT_EQ(result.state.steps[0].status, StepStatus::kFailed);
  EXPECT_TRUE(fs::exists(config.output_root + "/on/toy_on_t1.etdump"));
  EXPECT_EQ(manifest_of(config).find_items("steps")[0].find_text("etdump_rel"), "on/toy_on_t1.etdump");
}

TEST(Run, DoesNotTakeAnOldEtdumpForANewOne) {
  const BenchFolder folder;
  const auto target = folder.adb();
  const Config config = folder.config(kToyConfig, Platform::kAndroid);
  run(config, *target, {.schedule = {.rounds = 1}, .only = {"on"}});
  setenv("STAND_IN_BEHAVIOUR", "no_etdump", 1);
  const BenchResult again =
      run(config, *target, {.schedule = {.rounds = 1}, .only = {"on"}, .if_exists = IfExists::kReplace});
  EXPECT_EQ(again.state.steps[0].status, StepStatus::kFailed);
  EXPECT_FALSE(again.state.steps[0].has_etdump);
}

TEST(Run, RemarksOnWhatIsOddButUsable) {
  const BenchFolder folder;
  setenv("STAND_IN_BEHAVIOUR", "aborted", 1);
  const BenchResult aborted =
      run_here(folder.config(kToyConfig), {.schedule = {.rounds = 1}, .only = {"on"}});
  EXPECT_EQ(aborted.state.steps[0].status, StepStatus::kOk);
  EXPECT_EQ(aborted.state.steps[0].latencies.measured_ms.size(), 5U);
  EXPECT_EQ(aborted.state.steps[0].remarks, Words{"1 executions have no end"});
  setenv("STAND_IN_BEHAVIOUR", "nan", 1);
  const BenchResult nan =
      run_here(folder.config(kToyConfig),
               {.schedule = {.rounds = 1}, .only = {"on"}, .if_exists = IfExists::kReplace});
  EXPECT_EQ(nan.state.steps[0].status, StepStatus::kOk);
  EXPECT_EQ(nan.state.steps[0].remarks, Words{"the log mentions nan: the model's outputs may be broken"});
}

TEST(Run, ResumesWhatAnInterruptLeft) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  std::atomic<bool> interrupted = false;
  BenchOptions options{.schedule = {.rounds = 2}, .interrupted = &interrupted};
  options.progress = [&](const BenchProgress& progress) {
    if (progress.finished != nullptr && progress.step == 2) interrupted = true;
  };
  const BenchResult first = run_here(config, options);
  EXPECT_TRUE(first.interrupted);
  EXPECT_EQ(first.count(StepStatus::kOk), 2U);
  EXPECT_EQ(first.count(StepStatus::kPending), 3U);
  EXPECT_EQ(manifest_of(config).find_items("steps")[4].find_text("status"), "pending");
  const JsonNode before = manifest_of(config).find_items("steps")[0];

  const auto refused = run_bench(config, *make_local_target(), {.schedule = {.rounds = 2}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("holds a run already; resume it"), std::string::npos);

  const BenchResult second = run_here(config, {.schedule = {.rounds = 2}, .if_exists = IfExists::kResume});
  EXPECT_EQ(second.skipped, 2U);
  EXPECT_EQ(second.count(StepStatus::kOk), 5U);
  EXPECT_EQ(folder.runner_calls().size(), 5U);
  const JsonNode manifest = manifest_of(config);
  EXPECT_EQ(manifest.find_bool("complete"), true);
  EXPECT_EQ(manifest.find_items("steps")[0].find_text("started_at"), before.find_text("started_at"));
  EXPECT_EQ(manifest.find_items("steps")[0].find_items("command").size(),
            before.find_items("command").size());
  EXPECT_EQ(manifest.find_items("results")[0].find("metrics")->find_items("latency_ms").size(), 6U);
}

TEST(Run, EndsTheRunnerWhenInterrupted) {
  const BenchFolder folder;
  setenv("STAND_IN_BEHAVIOUR", "hang", 1);
  const Config config = folder.config(kToyConfig);
  std::atomic<bool> interrupted = false;
  std::thread other([&] {
    while (folder.runner_calls().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    interrupted = true;
  });
  const BenchResult result = run_here(config, {.interrupted = &interrupted});
  other.join();
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.state.steps[0].status, StepStatus::kInterrupted);
  EXPECT_EQ(result.count(StepStatus::kPending), result.state.steps.size() - 1);
  EXPECT_EQ(manifest_of(config).find_items("steps")[0].find_text("status"), "interrupted");
  unsetenv("STAND_IN_BEHAVIOUR");
  EXPECT_EQ(run_here(config, {.if_exists = IfExists::kResume}).count(StepStatus::kOk),
            result.state.steps.size());
}

TEST(Run, RepeatsOnResumeWhatChangedOrBroke) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  const BenchOptions resume{.schedule = {.rounds = 1}, .if_exists = IfExists::kResume};
  EXPECT_EQ(run_here(config, resume).skipped, 0U);
  EXPECT_EQ(run_here(config, resume).skipped, 3U);
  write_file(config.output_root + "/off/toy_off_t1.etdump", "broken");
  EXPECT_EQ(run_here(config, resume).skipped, 2U);
  // Another build of one runner: only its experiment.
  const std::string runner = folder.file("executorch/cmake-out/on/executor_runner");
  fs::remove(runner);
  fs::copy_file(STAND_IN_RUNNER, runner);
  std::ofstream(runner, std::ios::app) << "x";
  EXPECT_EQ(run_here(config, resume).skipped, 2U);
  // Another model: everything.
  write_file(config.model_path, "another model");
  EXPECT_EQ(run_here(config, resume).skipped, 0U);
}

TEST(Run, RefusesToMixRuns) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  run_here(config, {.schedule = {.rounds = 1}});
  const auto message = [&](const Config& other, const BenchOptions& options, Target& target) {
    const auto result = run_bench(other, target, options);
    return result ? std::string("no error") : result.error().to_string();
  };
  const auto here = make_local_target();
  const Config changed = folder.config(toy_with("\"runs\": 6", "\"runs\": 7"));
  EXPECT_NE(
      message(changed, {.if_exists = IfExists::kResume}, *here).find("the run of another config (toy.json)"),
      std::string::npos);
  EXPECT_NE(message(config, {.schedule = {.rounds = 2}, .if_exists = IfExists::kResume}, *here)
                .find("another schedule (order interleaved, warm-up in-process"),
            std::string::npos);
  EXPECT_NE(message(config, {.schedule = {.rounds = 1}, .if_exists = IfExists::kResume}, *folder.adb())
                .find("was begun on this machine"),
            std::string::npos);
  write_file(config.output_root + "/manifest.json", R"({"model": "x", "results": []})");
  EXPECT_NE(message(config, {.if_exists = IfExists::kResume}, *here).find("another program wrote"),
            std::string::npos);
  write_file(config.output_root + "/manifest.json", "{");
  EXPECT_NE(message(config, {.if_exists = IfExists::kResume}, *here).find("not valid JSON"),
            std::string::npos);
}

TEST(Run, ReplacesARunWithItsFiles) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  run_here(config, {.schedule = {.rounds = 3}});
  const std::string table = config.output_root + "/on/toy_on_t1_r3_exec_all_runs_timeline.csv";
  tests::write_file(table, "what a report made of it");
  run_here(config, {.schedule = {.rounds = 1}, .if_exists = IfExists::kReplace});
  EXPECT_FALSE(fs::exists(config.output_root + "/on/toy_on_t1_r3.etdump"));
  EXPECT_FALSE(fs::exists(table));
  EXPECT_TRUE(fs::exists(config.output_root + "/on/toy_on_t1.etdump"));
}

TEST(Run, RunsOnlyWhatIsNamed) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  const BenchResult result = run_here(config, {.schedule = {.rounds = 1}, .only = {"off"}});
  EXPECT_EQ(result.count(StepStatus::kOk), 1U);
  EXPECT_EQ(result.count(StepStatus::kPending), 2U);
  EXPECT_EQ(folder.runner_calls().size(), 1U);
  const auto wrong = run_bench(config, *make_local_target(), {.only = {"offf"}});
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("did you mean `off`?"), std::string::npos);
  const BenchResult rest = run_here(config, {.schedule = {.rounds = 1}, .if_exists = IfExists::kResume});
  EXPECT_EQ(rest.skipped, 1U);
  EXPECT_EQ(rest.count(StepStatus::kOk), 3U);
}

TEST(Run, DerivesTheManifestFromFilesAlone) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  run_here(config, {.schedule = {.rounds = 1}});
  const std::string metrics = read_file(config.output_root + "/metrics.json");
  const std::size_t calls = folder.runner_calls().size();
  fs::remove(config.output_root + "/metrics.json");
  run_here(config, {.schedule = {.rounds = 1}, .analysis_only = true});
  EXPECT_EQ(read_file(config.output_root + "/metrics.json"), metrics);
  EXPECT_FALSE(manifest_of(config).find("device_facts")->find("before")->keys.empty());

  fs::remove(config.output_root + "/manifest.json");
  fs::remove(config.output_root + "/off/toy_off_t1.etdump");
  fs::remove(config.output_root + "/off/toy_off_t1_latency.log");
  const BenchResult result = run_here(config, {.schedule = {.rounds = 1}, .analysis_only = true});
  EXPECT_EQ(result.count(StepStatus::kOk), 2U);
  EXPECT_EQ(result.count(StepStatus::kPending), 1U);
  EXPECT_EQ(folder.runner_calls().size(), calls);
}

// The kit's folders are laid out differently: an empty manifest would hide what they hold.
TEST(Run, DerivesNothingWhereThereIsNoFileOfIt) {
  const BenchFolder folder;
  const Config config = folder.config(kToyConfig);
  fs::create_directories(config.output_root);
  tests::write_file(config.output_root + "/toy_on_t1.etdump", "laid out by another program");
  const auto result = run_bench(config, *make_local_target(), {.analysis_only = true});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("accelscope report"), std::string::npos) << result.error().message;
  EXPECT_FALSE(fs::exists(config.output_root + "/manifest.json"));
}

TEST(Run, TellsHowFarItIs) {
  const BenchFolder folder;
  Words told;
  BenchOptions options{.schedule = {.rounds = 1}};
  options.progress = [&](const BenchProgress& progress) {
    told.push_back(std::to_string(progress.step) + "/" + std::to_string(progress.steps) + " " +
                   std::string(progress.label) + (progress.finished != nullptr ? " done" : "") +
                   (progress.time_left ? " left" : ""));
  };
  run_here(folder.config(kToyConfig), options);
  EXPECT_EQ(told,
            (Words{"1/3 toy_on_t1", "1/3 toy_on_t1 done left", "2/3 toy_off_t1 left",
                   "2/3 toy_off_t1 done left", "3/3 toy_on_trace_t1 left", "3/3 toy_on_trace_t1 done left"}));
}

TEST(Run, SaysWhatIsMissing) {
  const BenchFolder folder;
  const auto message = [&](const Config& config) {
    const auto result = run_bench(config, *make_local_target(), {});
    return result ? std::string("no error") : result.error().to_string();
  };
  EXPECT_NE(message(folder.config(toy_with("toy.pte", "no.pte"))).find("no.pte: the model"),
            std::string::npos);
  EXPECT_NE(message(folder.config(R"({"model": "out_toy/artifacts/toy.pte"})")).find("has no experiments"),
            std::string::npos);
  const BenchResult result = run_here(folder.config(toy_with("cmake-out/off/", "cmake-out/nothing/")));
  EXPECT_EQ(result.count(StepStatus::kFailed), 5U);
  for (const StepRecord& record : result.state.steps)
    if (record.status == StepStatus::kFailed) {
      EXPECT_NE(record.reason.find("cmake-out/nothing/executor_runner: there is no such file"),
                std::string::npos)
          << record.reason;
    }
}

}  // namespace
}  // namespace accelscope::experiments
