// How long the program takes to start: --help, and the conversion of a small ETDump, beside the cost of
// starting any program.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "formats/etdump/sample_dumps.h"

namespace {

using Clock = std::chrono::steady_clock;

double run_once(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = Clock::now();
  pid_t child = 0;
  int status = -1;
  if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0) waitpid(child, &status, 0);
  const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) {
    fmt::print(stderr, "{} failed\n", words[0]);
    std::exit(1);
  }
  return milliseconds;
}

void report(std::string_view what, const std::vector<std::string>& words) {
  constexpr int kRuns = 101;
  std::vector<double> times;
  for (int run = 0; run < kRuns; ++run) times.push_back(run_once(words));
  std::sort(times.begin(), times.end());
  fmt::print("{:<40} median {:6.2f} ms, worst of {} {:6.2f} ms\n", what, times[kRuns / 2], kRuns,
             times.back());
}

}  // namespace

int main() {
  namespace etdump = accelscope::formats::etdump;
  const std::string folder =
      std::filesystem::temp_directory_path() / fmt::format("accelscope-startup-{}", getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder + "/toy.etdump", std::ios::binary)
      << etdump::write_etdump(etdump::toy_dump(etdump::ToySpeed::kFast));
  report("floor: /bin/true", {"/bin/true"});
  report("accelscope --help", {ACCELSCOPE_PROGRAM, "--help"});
  report("accelscope convert toy.etdump (10 KB)",
         {ACCELSCOPE_PROGRAM, "convert", folder + "/toy.etdump", "-o", folder + "/toy.pftrace", "-q"});
  std::filesystem::remove_all(folder);
}
