// What the tests of a chip's recording through the program share: small recordings, good and bad, written by
// hand.
//
// Pure functions and files in the folder of one test.
//
//   const std::string path = write_chip_run(folder, "run", {.percent = 120});
//   EXPECT_EQ(accelscope({"validate", path}).exit_code, 0);
#pragma once

#include <fmt/core.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "cli/analysis_program.h"

namespace accelscope::cli {

// Tasks in turn on one cube and one vector core at 50 MHz: CUBE on core 0, VEC on core 1. Level 2 has their
// dispatches, too.
struct ChipRunFile {
  int tasks = 60;
  int level = 2;
  std::int64_t percent = 100;  // of the time that VEC takes
};

inline std::string chip_swimlane(const ChipRunFile& run) {
  std::string cores;
  std::string scheduler;
  for (int task = 0; task < run.tasks; ++task) {
    const int core = task % 2;
    const int sequence = task / 2 + 1;
    const std::int64_t start = 100'000 + sequence * std::int64_t{4'000};
    const std::int64_t jitter = task * 37 % 50;
    const std::int64_t length = core == 0 ? 1'000 + jitter : (1'000 + jitter) * run.percent / 100;
    const char* comma = task == 0 ? "" : ",";
    cores += fmt::format("{}[{},{},{},{},{},10]", comma, core, task, sequence, start, start + length);
    scheduler += fmt::format("{}[{},{},{},{}]", comma, core, sequence, start - 60, start + length + 40);
  }
  return fmt::format(
      R"({{"chip_swimlane_level": {}, "metadata": {{"clock_freq_hz": 50000000, "num_cores": 2, "core_types": ["aic", "aiv"]}}, )"
      R"("aicore_tasks": [{}], "aicpu_tasks": [{}]}})",
      run.level, cores, run.level >= 2 ? scheduler : "");
}

// What its tasks ran; no task waits for another but for edges given.
inline std::string chip_deps(const ChipRunFile& run, std::string_view edges = "") {
  std::string tasks;
  for (int task = 0; task < run.tasks; ++task)
    tasks += fmt::format(R"({}{{"task_id":"{}","kernel_ids":{},"block_num":1}})", task == 0 ? "" : ",", task,
                         task % 2 == 0 ? "[0,-1,-1]" : "[-1,1,-1]");
  return fmt::format(R"({{"tasks":[{}],"tensors":[],"edges":[{}]}})", tasks, edges);
}

// The directory of a run as the runtime leaves it; gives the path of the swimlane in it.
inline std::string write_chip_run(const tests::TemporaryFolder& folder, std::string_view name,
                                  const ChipRunFile& run = {}) {
  const std::string directory = folder.file(name);
  std::filesystem::create_directories(directory);
  tests::write_file(directory + "/chip_swimlane_records.json", chip_swimlane(run));
  tests::write_file(directory + "/deps.json",
                    chip_deps(run, R"({"pred":"0","succ":"3","source":"creator"})"));
  tests::write_file(directory + "/name_map.json",
                    R"({"level":2,"callable_id_to_name":{"0":"CUBE","1":"VEC"}})");
  return directory + "/chip_swimlane_records.json";
}

}  // namespace accelscope::cli
