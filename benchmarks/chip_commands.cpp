// Whole commands on the recordings of a chip, from the shell's point of view: started, read, drawn or
// explained, written. Beside the floors: starting the program, and reading and writing as many bytes with cp.
//
//   bench_chip_commands            96 001 tasks at level 2; 10 001 at level 4 with their dependencies
//   bench_chip_commands --large    10 million tasks at level 2: needs 4 GB of disk and of memory
#include <filesystem>

#include "base/output_file.h"
#include "command_times.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "synthetic_dependencies.h"

namespace {

namespace base = accelscope::base;
namespace chip_swimlane = accelscope::formats::chip_swimlane;
using accelscope::benchmarks::print_times;
using accelscope::benchmarks::write_synthetic_dependencies;
using chip_swimlane::SyntheticRun;

constexpr std::size_t kRuns = 41;
constexpr std::size_t kRunsOfLarge = 3;

// Writes DIR/chip_swimlane_records.json, and perhaps DIR/deps.json; returns the path of the first.
std::string make_run(const std::string& folder, const SyntheticRun& run, bool dependencies) {
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/chip_swimlane_records.json";
  base::Status written =
      base::write_file(path, [&](base::Output& out) { chip_swimlane::write_synthetic_run(run, out); });
  if (written && dependencies)
    written = base::write_file(folder + "/deps.json",
                               [&](base::Output& out) { write_synthetic_dependencies(run, out); });
  if (!written) {
    fmt::print(stderr, "{}\n", written.error().to_string());
    std::exit(1);
  }
  return path;
}

void print_floor(const std::string& from, const std::string& to, std::size_t runs) {
  print_times(fmt::format("floor: cp of {} MB", std::filesystem::file_size(from) / 1'000'000),
              {"/bin/cp", from, to}, runs, to);
}

void measure_usual(const std::string& folder) {
  print_times("floor: accelscope --version", {ACCELSCOPE_PROGRAM, "--version"}, kRuns);
  const std::string picture = folder + "/out.pftrace";
  const std::string many = make_run(folder + "/96001", {.tasks = 96'001, .level = 2}, false);
  print_times("convert, 96 001 tasks at level 2", {ACCELSCOPE_PROGRAM, "convert", many, "-o", picture}, kRuns,
              picture);
  print_floor(many, folder + "/copy", kRuns);
  print_floor(picture, folder + "/copy", kRuns);
  const std::string full = make_run(folder + "/10001", {.tasks = 10'001, .level = 4}, true);
  print_times("report, 10 001 tasks at level 4 and 15 000 edges", {ACCELSCOPE_PROGRAM, "report", full},
              kRuns);
  print_times("convert, the same", {ACCELSCOPE_PROGRAM, "convert", full, "-o", picture}, kRuns, picture);
  print_times("report --picture, the same: both at once",
              {ACCELSCOPE_PROGRAM, "report", full, "--picture", picture}, kRuns, picture);
  print_floor(std::filesystem::path(full).parent_path() / "deps.json", folder + "/copy", kRuns);
}

void measure_large(const std::string& folder) {
  const std::string large = make_run(folder + "/10M", {.tasks = 10'000'000, .level = 2}, false);
  const std::string picture = folder + "/out.pftrace";
  print_times("report, 10 million tasks at level 2", {ACCELSCOPE_PROGRAM, "report", large}, kRunsOfLarge);
  print_times("convert, the same", {ACCELSCOPE_PROGRAM, "convert", large, "-o", picture}, kRunsOfLarge,
              picture);
  print_floor(large, folder + "/copy", kRunsOfLarge);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder =
      std::filesystem::temp_directory_path() / fmt::format("accelscope-chip-{}", getpid());
  if (argc == 2 && std::string_view(argv[1]) == "--large")
    measure_large(folder);
  else
    measure_usual(folder);
  std::filesystem::remove_all(folder);
}
