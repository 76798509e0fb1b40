#include "experiments/config.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace accelscope::experiments {
namespace {

using tests::TemporaryFolder;
using tests::write_file;

base::Result<Config> parse(std::string_view text, ConfigOptions options = {}) {
  if (options.directory.empty()) options.directory = "/home/someone/kit";
  return parse_config("c.json", text, options);
}

std::string message_of(std::string_view text, const ConfigOptions& options = {}) {
  const auto config = parse(text, options);
  return config ? "no error" : config.error().to_string();
}

testing::AssertionResult complains(std::string_view text, std::string_view expected,
                                   const ConfigOptions& options = {}) {
  const std::string message = message_of(text, options);
  if (message.find(expected) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << message << "\n  does not say: " << expected;
}

constexpr std::string_view kPair = R"({
  "model": "out_toy/artifacts/toy.pte",
  "experiments": [
    {"name": "on", "runner_path": "cmake-out/a/executor_runner", "threads": [1, 4]},
    {"name": "off", "runner_path": "/opt/runner"},
    {"name": "trace", "runner_path": "/opt/runner", "mode": "xnntrace"}
  ],
  "analysis": {"compare_pairs": [PAIR]}
})";

std::string with_pair(std::string_view pair) {
  std::string text(kPair);
  return text.replace(text.find("PAIR"), 4, pair);
}

TEST(Config, HasTheDefaultsOfTheKit) {
  const auto config = parse(R"({"model": "m/toy.pte", "experiments": [{"name": "a", "runner_path": "r"}]})");
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(config->model, "m/toy.pte");
  EXPECT_EQ(config->model_path, "/home/someone/kit/m/toy.pte");
  ASSERT_EQ(config->experiments.size(), 1U);
  const Experiment& experiment = config->experiments.front();
  EXPECT_EQ(experiment.runs, 100);
  EXPECT_EQ(experiment.warmup, 10);
  EXPECT_EQ(experiment.threads, std::vector<std::int64_t>{1});
  EXPECT_EQ(experiment.mode, Mode::kTiming);
  EXPECT_EQ(experiment.timeout, std::chrono::seconds(600));
  EXPECT_EQ(experiment.runner, "/home/someone/kit/r");
  EXPECT_TRUE(config->compare_pairs.empty());
  EXPECT_TRUE(config->warnings.empty());
}

TEST(Config, ReadsEveryField) {
  const auto config = parse(R"({"model": "/m/toy.pte", "output_root": "here", "etrecord": "toy.etrecord",
    "device": "SERIAL", "environment": {"A": "1"}, "timeout_seconds": 2.5,
    "experiments": [{"name": "a", "quiet_runner": "/r", "mode": "xnntrace", "runs": 7, "warmup": 0, "threads": [2, 1],
       "extra_args": ["--x", "y z"], "cpu_affinity": "0xF0", "environment": {"B": "2"}, "timeout_seconds": 1,
       "build": {"preset": "mac", "flags": ["-O2", 1.5, true, null]}}]})");
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(config->output_root, "/home/someone/kit/here");
  EXPECT_EQ(config->etrecord, "/home/someone/kit/toy.etrecord");
  EXPECT_EQ(config->device, "SERIAL");
  EXPECT_EQ(config->platform, Platform::kAndroid);
  const Experiment& experiment = config->experiments.front();
  EXPECT_EQ(experiment.runner_path, "/r");
  EXPECT_EQ(experiment.runner, "/r");
  EXPECT_EQ(experiment.mode, Mode::kXnntrace);
  EXPECT_EQ(experiment.runs, 7);
  EXPECT_EQ(experiment.warmup, 0);
  EXPECT_EQ(experiment.threads, (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(experiment.extra_args, (std::vector<std::string>{"--x", "y z"}));
  EXPECT_EQ(experiment.cpu_affinity, "0xF0");
  EXPECT_EQ(experiment.environment, (Environment{{"A", "1"}, {"B", "2"}}));
  EXPECT_EQ(experiment.timeout, std::chrono::seconds(1));
  base::MemoryOutput out;
  base::JsonWriter json(out);
  write_json(json, experiment.build);
  EXPECT_EQ(out.bytes(), R"({"preset":"mac","flags":["-O2",1.5,true,null]})");
}

TEST(Config, DerivesTheOutputRoot) {
  const auto root = [](const std::string& model, Platform platform) {
    const auto config = parse(R"({"model": ")" + model + "\"}", {.platform = platform});
    return config ? config->output_root : config.error().to_string();
  };
  EXPECT_EQ(root("out_toy/artifacts/toy.pte", Platform::kLocal), "/home/someone/kit/out_toy/results");
  EXPECT_EQ(root("out_toy/artifacts/toy.pte", Platform::kAndroid), "/home/someone/kit/out_toy/android");
  EXPECT_EQ(root("x/artifacts/toy.pte", Platform::kLocal), "/home/someone/kit/x/results");
  EXPECT_EQ(root("out_toy/a/b/toy.pte", Platform::kLocal), "/home/someone/kit/out_toy/results");
  EXPECT_EQ(root("models/toy.pte", Platform::kLocal), "/home/someone/kit/models/results");
}

TEST(Config, FindsRunnersUnderExecutorch) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("executorch/cmake-out"));
  write_file(folder.file("executorch/cmake-out/runner"), "x");
  const auto config =
      parse(R"({"model": "m", "experiments": [{"name": "a", "runner_path": "cmake-out/runner"},
                                              {"name": "b", "runner_path": "cmake-out/other"}]})",
            {.directory = folder.path()});
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(config->experiments[0].runner, folder.file("executorch/cmake-out/runner"));
  EXPECT_EQ(config->experiments[1].runner, folder.file("cmake-out/other"));
}

TEST(Config, SuggestsTheKeyThatWasMeant) {
  const std::string text =
      "{\"model\": \"m\",\n\"experiments\": [\n {\"name\": \"a\", \"runner_path\": \"r\",\n  \"run\": 3}]}";
  EXPECT_TRUE(complains(text, "line 4: experiments[0].run: unknown key; did you mean `runs`?"));
  EXPECT_TRUE(
      complains(R"({"model": "m", "experiments": [{"name": "a", "runner_path": "r", "num_runs": 3}]})",
                "tutorials speak of num_runs, the field is called `runs`"));
  EXPECT_TRUE(
      complains(R"({"model": "m", "experiments": [{"name": "a", "runner_path": "r", "num_threads": 3}]})",
                "the field is called `threads`, a list"));
  EXPECT_TRUE(complains(R"({"model": "m", "banana": 1})", "banana: unknown key"));
  EXPECT_FALSE(complains(R"({"model": "m", "banana": 1})", "did you mean"));
}

TEST(Config, PassesUnknownKeysOverWhenTheKitIsToBeMatched) {
  const auto config = parse(R"({"model": "m", "modle": "x"})", {.compat = true});
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(config->warnings, std::vector<std::string>{"line 1: modle: unknown key; did you mean `model`?"});
}

TEST(Config, ReportsAllErrorsAtOnce) {
  const std::string message = message_of(R"({
    "experiments": [
      {"runner_path": 7, "runs": -1, "warmup": 1.5, "threads": []},
      {"name": "b", "runner_path": "r", "mode": "time", "threads": [0, "x", 2, 2]},
      {"name": "b", "extra_args": "x"},
      5
    ]})");
  for (const std::string_view expected :
       {"c.json: 14 errors", "model: is missing", "experiments[0].name: is missing",
        "line 3: experiments[0].runner_path: a text is expected, this is a whole number",
        "experiments[0].runs: -1 is out of range: 1 to", "experiments[0].warmup: a whole number is expected",
        "experiments[0].threads: is empty", "experiments[1].mode: `time` is neither",
        "experiments[1].threads[0]: 0 is out of range",
        "experiments[1].threads[1]: a whole number is expected",
        "experiments[1].threads[3]: 2 is given twice", "experiments[2].name: another experiment is called b",
        "experiments[2].extra_args: an array is expected", "experiments[3]: an object is expected"})
    EXPECT_NE(message.find(expected), std::string::npos) << expected << "\nis not in\n" << message;
}

TEST(Config, ChecksNamesThatBecomeFolders) {
  for (const std::string name : {"a/b", "..", ".hidden", "line\\nbreak"})
    EXPECT_TRUE(complains(R"({"model": "m", "experiments": [{"runner_path": "r", "name": ")" + name + "\"}]}",
                          "names a folder"))
        << name;
}

TEST(Config, ChecksPairs) {
  const auto good = parse(with_pair(
      R"({"baseline": {"experiment": "off", "threads": 1}, "candidate": {"experiment": "on", "threads": 1}, "label": "l"})"));
  ASSERT_TRUE(good) << good.error().to_string();
  ASSERT_EQ(good->compare_pairs.size(), 1U);
  EXPECT_EQ(good->compare_pairs[0].baseline, (ExperimentRef{"off", 1}));
  EXPECT_EQ(good->compare_pairs[0].candidate, (ExperimentRef{"on", 1}));
  EXPECT_EQ(good->compare_pairs[0].label, "l");

  EXPECT_TRUE(complains(
      with_pair(
          R"({"baseline": {"experiment": "offf", "threads": 1}, "candidate": {"experiment": "on", "threads": 1}})"),
      "no experiment is called offf; did you mean `off`?"));
  EXPECT_TRUE(complains(
      with_pair(
          R"({"baseline": {"experiment": "off", "threads": 2}, "candidate": {"experiment": "on", "threads": 1}})"),
      "off does not run on 2 threads, but on 1"));
  EXPECT_TRUE(
      complains(with_pair(R"({"baseline": {"experiment": "off"}, "candidate": {"experiment": "on"}})"),
                "candidate.threads: is missing, and on runs on several"));
  EXPECT_TRUE(complains(with_pair(R"({"baseline": {"experiment": "off"}})"), "candidate: is missing"));
  EXPECT_TRUE(
      complains(with_pair(R"({"baseline": {"experiment": "off"}, "candidate": {"experiment": "trace"}})"),
                "trace is a trace run"));
  EXPECT_TRUE(
      complains(with_pair(R"({"baseline": {"experiment": "off"}, "candidate": {"experiment": "off"}})"),
                "is the baseline itself"));
}

TEST(Config, WarnsOfPairsOfDifferentThreadCounts) {
  const auto config = parse(
      with_pair(R"({"baseline": {"experiment": "off"}, "candidate": {"experiment": "on", "threads": 4}})"));
  ASSERT_TRUE(config) << config.error().to_string();
  ASSERT_EQ(config->warnings.size(), 1U);
  EXPECT_NE(config->warnings[0].find("compares 1 threads with 4"), std::string::npos) << config->warnings[0];
}

TEST(Config, NeedsARunnerExceptOnADevice) {
  constexpr std::string_view kText = R"({"model": "m", "experiments": [{"name": "a", "runner_path": null}]})";
  EXPECT_TRUE(complains(kText, "experiments[0].runner_path: is missing"));
  const auto config = parse(kText, {.platform = Platform::kAndroid});
  ASSERT_TRUE(config) << config.error().to_string();
  EXPECT_EQ(config->experiments[0].runner, "");
}

TEST(Config, RefusesWhatIsNoConfig) {
  EXPECT_TRUE(complains("", "is empty"));
  EXPECT_TRUE(complains("  \n ", "is empty"));
  EXPECT_TRUE(complains("[]", "an object is expected, this is an array"));
  EXPECT_TRUE(complains("3", "a JSON object is expected"));
  EXPECT_TRUE(complains(R"({"model": "m")", "is not valid JSON"));
  EXPECT_TRUE(complains(R"({"model": "m"} trailing)", "is not valid JSON"));
  EXPECT_TRUE(complains(R"({"model": NaN})", "is not valid JSON"));
  EXPECT_TRUE(complains("{\"model\": \"\xff\"}", "is not valid JSON"));
  EXPECT_TRUE(complains(std::string(100'000, '['), "is not valid JSON"));
  EXPECT_TRUE(complains(R"({"model": "m", "model": "n"})", "model: is given twice"));
  EXPECT_TRUE(complains(R"({"model": "m", "timeout_seconds": 1e300})", "out of range"));
  EXPECT_TRUE(complains(R"({"model": "m", "environment": {"A": 1}})", "environment.A: a text is expected"));
  EXPECT_TRUE(
      complains(R"({"model": "m", "environment": {"A=B": "1"}})", "no name of an environment variable"));
  EXPECT_TRUE(complains(R"({"model": "m", "environment": {"A;reboot": "1", "_a1": "2"}})",
                        "environment.A;reboot: is no name of an environment variable"));
  EXPECT_TRUE(
      complains(R"({"model": "m", "environment": {"1A": "1"}})", "no name of an environment variable"));
  EXPECT_TRUE(complains(R"({"model": "m\u0000n"})", "zero byte"));
  EXPECT_TRUE(complains(
      R"({"model": "m", "experiments": [{"name": "a", "runner_path": "r", "runs": 99999999999999999999999}]})",
      "is not valid JSON"));
  EXPECT_TRUE(complains(
      R"({"model": "m", "experiments": [{"name": "a", "runner_path": "r", "cpu_affinity": "big"}]})",
      "no hexadecimal mask"));
}

TEST(Config, SaysWhereAMissingFileWasLookedFor) {
  const TemporaryFolder folder;
  const auto config = load_config("no/such.json", {.directory = folder.path()});
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, base::ErrorCode::kNotFound);
  EXPECT_NE(config.error().message.find(folder.file("no/such.json")), std::string::npos)
      << config.error().to_string();
}

TEST(Config, ReadsTheConfigsOfTheKit) {
  const std::string root = std::string(ACCELSCOPE_FIXTURES_DIR) + "/executorch/";
  if (!std::filesystem::exists(root)) GTEST_SKIP() << "the conformance data is not beside this checkout";
  const auto mac = load_config(root + "case1_mac_flat_pipeline_output/_config.json", {.directory = "/kit"});
  ASSERT_TRUE(mac) << mac.error().to_string();
  EXPECT_EQ(mac->experiments.size(), 4U);
  EXPECT_EQ(mac->compare_pairs.size(), 1U);
  EXPECT_EQ(mac->output_root, "/kit/out_toy_cnn/runs/mac");
  const auto android = load_config(root + "case1_android_flat_pipeline_output/_config.json",
                                   {.platform = Platform::kAndroid, .directory = "/kit"});
  ASSERT_TRUE(android) << android.error().to_string();
  EXPECT_EQ(android->experiments[0].cpu_affinity, "0x80");
}

}  // namespace
}  // namespace accelscope::experiments
