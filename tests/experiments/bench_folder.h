// A folder as the kit's users have it: a model, runners under executorch/cmake-out/<preset>/ that are
// stand-ins, and a stand-in for adb whose device is a folder, too.
//
// One test owns one; the environment it sets is the process's, so tests that use it do not run at once.
//
//   const BenchFolder folder;
//   const Config config = folder.config(R"({"model": "out_toy/artifacts/toy.pte", ...})");
//   const auto result = run_bench(config, *make_local_target(), {});
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "experiments/config.h"
#include "experiments/target.h"
#include "support/temporary_folder.h"

namespace accelscope::experiments {

class BenchFolder {
 public:
  BenchFolder() {
    make_model("out_toy/artifacts/toy.pte");
    for (const char* preset : {"on", "off", "on-xnnlog", "off-xnnlog"}) make_runner(preset);
    std::filesystem::create_directories(file("adb/device/data/local/tmp"));
    setenv("STAND_IN_RECORD", file("argv").c_str(), 1);
    setenv("STAND_IN_ADB", file("adb").c_str(), 1);
  }
  BenchFolder(const BenchFolder&) = delete;
  BenchFolder& operator=(const BenchFolder&) = delete;
  ~BenchFolder() {
    for (const char* name :
         {"STAND_IN_RECORD", "STAND_IN_ADB", "STAND_IN_ADB_DEVICES", "STAND_IN_ADB_CONNECT",
          "STAND_IN_ADB_OFFLINE", "STAND_IN_BEHAVIOUR", "STAND_IN_WHEN"})
      unsetenv(name);
  }

  std::string file(std::string_view name) const { return folder_.file(name); }
  const std::string& path() const { return folder_.path(); }

  void make_model(const std::string& name) const {
    std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
    tests::write_file(file(name), "a model");
  }
  void make_runner(const std::string& preset) const {
    const std::string place = file("executorch/cmake-out/" + preset);
    std::filesystem::create_directories(place);
    std::filesystem::create_symlink(STAND_IN_RUNNER, place + "/executor_runner");
  }

  Config config(std::string_view text, Platform platform = Platform::kLocal) const {
    const auto config = parse_config("toy.json", text, {.platform = platform, .directory = path()});
    EXPECT_TRUE(config) << config.error().to_string();
    return config ? *config : Config{};
  }
  std::unique_ptr<Target> adb(AdbOptions options = {}) const {
    options.program = STAND_IN_ADB_SCRIPT;
    options.logcat_delay = std::chrono::milliseconds(1);
    return make_adb_target(std::move(options));
  }

  static std::vector<std::string> lines(const std::string& path) {
    std::vector<std::string> lines;
    std::istringstream text(std::filesystem::exists(path) ? tests::read_file(path) : "");
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  std::vector<std::string> runner_calls() const { return lines(file("argv")); }
  std::vector<std::string> adb_calls() const { return lines(file("adb/calls")); }

 private:
  tests::TemporaryFolder folder_;
};

// On and off, 6 runs each, one thread, and a trace of each.
inline constexpr std::string_view kToyConfig = R"({
  "model": "out_toy/artifacts/toy.pte",
  "experiments": [
    {"name": "on", "runner_path": "cmake-out/on/executor_runner", "runs": 6, "warmup": 2, "build": {"preset": "on"}},
    {"name": "off", "runner_path": "cmake-out/off/executor_runner", "runs": 6, "warmup": 2},
    {"name": "on_trace", "runner_path": "cmake-out/on-xnnlog/executor_runner", "mode": "xnntrace"}
  ],
  "analysis": {"compare_pairs": [{"baseline": {"experiment": "off"}, "candidate": {"experiment": "on"}, "label": "sme2"}]}
})";

}  // namespace accelscope::experiments
