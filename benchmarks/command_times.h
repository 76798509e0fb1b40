// Whole commands, as a user runs them: started, waited for, timed.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace accelscope::benchmarks {

struct CommandRun {
  double milliseconds = 0;
  std::uint64_t peak_bytes = 0;  // mapped pages of files included
};

// Ends the benchmark when the command fails.
inline CommandRun run_command(const std::vector<std::string>& words) {
  using Clock = std::chrono::steady_clock;
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = Clock::now();
  pid_t child = 0;
  int status = -1;
  rusage usage{};
  if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0)
    wait4(child, &status, 0, &usage);
  const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) {
    fmt::print(stderr, "failed: {}\n", fmt::join(words, " "));
    std::exit(1);
  }
  return {milliseconds, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

// Prints the median of so many runs, an odd number. What the command writes is removed before each: replacing
// a large file costs the file system as much as making it.
inline void print_times(std::string_view what, const std::vector<std::string>& words, std::size_t runs,
                        const std::string& output = {}) {
  std::vector<double> times;
  std::uint64_t peak_bytes = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    if (!output.empty()) std::filesystem::remove(output);
    const CommandRun done = run_command(words);
    times.push_back(done.milliseconds);
    peak_bytes = std::max(peak_bytes, done.peak_bytes);
  }
  std::sort(times.begin(), times.end());
  fmt::print("{:<66} median {:8.2f} ms, best {:8.2f}, worst {:8.2f} of {}; at most {} MB in memory\n", what,
             times[runs / 2], times.front(), times.back(), runs, peak_bytes / 1'000'000);
}

}  // namespace accelscope::benchmarks
