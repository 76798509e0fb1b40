// Whole commands on the recordings of a chip, from the shell's point of view: started, read, drawn or
// explained, written. Beside the floors: starting the program, and reading and writing as many bytes with cp.
//
//   bench_chip_commands            96 001 tasks at level 2; 10 001 at level 4 with their dependencies
//   bench_chip_commands --large    10 million tasks at level 2: needs 4 GB of disk and of memory
//   bench_chip_commands --recorded the same and 15 million edges as a recording: 8 GB of memory
#include <filesystem>

#include "base/output_file.h"
#include "command_times.h"
#include "formats/chip_run/sample_recordings.h"
#include "formats/chip_swimlane/sample_captures.h"
#include "synthetic_dependencies.h"

namespace {

namespace base = accelscope::base;
namespace chip_swimlane = accelscope::formats::chip_swimlane;
namespace capture = accelscope::formats::capture;
namespace chip_run = accelscope::formats::chip_run;
namespace recorder = accelscope::recorder;
using accelscope::benchmarks::for_each_synthetic_edge;
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

// The same run as our recorder would have written it, with its edges; returns its path.
base::Result<std::string> make_recording(const std::string& folder, const SyntheticRun& run) {
  chip_swimlane::Capture rows = chip_swimlane::synthetic_facts(run);
  for (std::uint32_t core = 0; core < run.cores; ++core)
    rows.cores[core] = chip_swimlane::synthetic_core(run, core);
  chip_run::RecordedRun records = chip_run::records_of(rows);
  chip_run::RecordedLane<recorder::EdgeRecord> edges;
  for_each_synthetic_edge(run, [&](std::uint64_t from, std::uint64_t to) {
    edges.records.push_back({from, to, recorder::EdgeReason::kFanout, 0});
  });
  const std::string path = folder + "/run.astrace";
  base::Status recorded;
  const auto write = [&](base::Output& out) {
    constexpr std::uint32_t kRecordsPerBuffer = 1024;
    capture::RecordingWriter writer(out, chip_run::recording_facts(rows), {.flush_chunks = false});
    std::vector<capture::LaneTotals> totals;
    recorded = chip_run::take_lanes(records.cores, kRecordsPerBuffer, writer, totals);
    if (recorded) recorded = chip_run::take_lanes(records.lifecycles, kRecordsPerBuffer, writer, totals);
    if (recorded)
      recorded = chip_run::take_lanes<recorder::EdgeRecord>({edges}, kRecordsPerBuffer, writer, totals);
    if (recorded) recorded = writer.finish(totals);
  };
  ACCELSCOPE_CHECK(base::write_file(path, write));
  ACCELSCOPE_CHECK(recorded);
  return path;
}

void measure_recording(const std::string& folder) {
  std::filesystem::create_directories(folder);
  const base::Result<std::string> recording = make_recording(folder, {.tasks = 10'000'000, .level = 2});
  if (!recording) {
    fmt::print(stderr, "{}\n", recording.error().to_string());
    std::exit(1);
  }
  print_times("report, 10 million tasks and 15 million edges, recorded",
              {ACCELSCOPE_PROGRAM, "report", *recording}, kRunsOfLarge);
  print_floor(*recording, folder + "/copy", kRunsOfLarge);
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
  const std::string_view wanted = argc == 2 ? argv[1] : "";
  if (wanted == "--large")
    measure_large(folder);
  else if (wanted == "--recorded")
    measure_recording(folder);
  else
    measure_usual(folder);
  std::filesystem::remove_all(folder);
}
