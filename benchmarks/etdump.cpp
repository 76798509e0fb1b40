// How fast an ETDump becomes a Trace with self times, beside floors measured in the same run: copying the
// file, and letting the FlatBuffers verifier look at it. Each figure is the best of several rounds, on one
// core.
//
//   bench_etdump [EVENTS] [ROUNDS]
//
// The growth of resident memory is measured around the first read of the process; the mapped file's own pages
// are part of it, as the kernel counts them. A read includes giving all memory back.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/mapped_file.h"
#include "formats/etdump/damage.h"
#include "formats/etdump/etdump_reader.h"
#include "formats/etdump/etdump_writer.h"
#include "formats/etdump/sample_dumps.h"
#include "trace/self_time.h"

namespace {

using namespace accelscope;
namespace etdump = formats::etdump;

// Of this process, so that others on the machine do not count.
double cpu_milliseconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

struct Milliseconds {
  double wall = 1e300;
  double cpu = 1e300;
};

template <class Work>
Milliseconds best_of(int rounds, Work&& work) {
  Milliseconds best;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    const double cpu_begin = cpu_milliseconds();
    work();
    best.cpu = std::min(best.cpu, cpu_milliseconds() - cpu_begin);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best.wall = std::min(best.wall, took.count());
  }
  return best;
}

// A line of /proc/self/status, in KiB.
std::size_t status_kib(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.compare(0, key.size(), key) == 0)
      return std::strtoull(line.c_str() + key.size() + 1, nullptr, 10);
  return 0;
}

void reset_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

// Reads the file and adds up self times by name, as a report's first table does.
std::int64_t read_and_summarise(const std::string& path) {
  const auto file = base::MappedFile::open(path);
  if (!file) return -1;
  const auto trace = etdump::read(*file, {.time_unit = etdump::TimeUnit::nanoseconds()});
  if (!trace) {
    fmt::print(stderr, "{}\n", trace.error().to_string());
    return -1;
  }
  std::vector<std::int64_t> self_of_name(trace->strings().size(), 0);
  const trace::RowRange rows = trace->slices_of(trace::TrackId{1});
  const std::vector<trace::Ticks> self = trace::self_times(*trace, rows);
  for (std::uint32_t row = rows.first; row < rows.end(); ++row)
    self_of_name[index(trace->slices().name[row])] += self[row - rows.first].value;
  std::int64_t total = 0;
  for (const std::int64_t value : self_of_name) total += value;
  return total;
}

// In a process of its own, so that memory the writer has touched does not hide what the reader touches.
bool write_in_child(const std::string& path, std::uint32_t events) {
  const pid_t child = fork();
  if (child == 0) {
    const std::string bytes = etdump::write_etdump(etdump::large_dump(events));
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    _exit(file ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

struct Memory {
  std::size_t peak_growth_kib = 0;
  std::size_t file_kib = 0;
};

Memory measure_memory(const std::string& path) {
  reset_peak();
  const std::size_t before = status_kib("VmRSS:");
  read_and_summarise(path);
  return {status_kib("VmHWM:") - before, std::filesystem::file_size(path) / 1024};
}

}  // namespace

int main(int argc, char** argv) {
  const auto events = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 173'201);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 15;
  const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("bench_etdump_{}.etdump", getpid());
  if (!write_in_child(path, events)) return 1;
  const Memory memory = measure_memory(path);
  const auto megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const auto file = base::MappedFile::open(path);
  if (!file) return 1;
  const std::string bytes(file->text());
  std::string copy(bytes.size(), '\0');
  volatile bool accepted = true;
  const Milliseconds copying = best_of(rounds, [&] { std::memcpy(copy.data(), bytes.data(), bytes.size()); });
  const Milliseconds verifying = best_of(
      rounds, [&] { accepted = accepted && etdump::library_accepts(file->text(), etdump::Prefix::kSize); });
  volatile std::int64_t total = 0;
  const Milliseconds reading = best_of(rounds, [&] { total = read_and_summarise(path); });
  std::filesystem::remove(path);

  fmt::print("{} events, {:.1f} MB\n", events, megabytes);
  const auto line = [&](const char* what, Milliseconds took) {
    fmt::print("{:<36} {:8.2f} ms ({:.2f} of CPU) {:9.0f} MB/s\n", what, took.wall, took.cpu,
               megabytes / took.wall * 1e3);
  };
  line("floor: memcpy of the file", copying);
  line("floor: FlatBuffers verifier alone", verifying);
  line("map, verify, read, nest, self times", reading);
  fmt::print("{:.1f} ns per event, {:.1f} times the verifier\n", reading.wall * 1e6 / events,
             reading.wall / verifying.wall);
  fmt::print("peak memory: {:.1f} times the file, its own mapped pages included\n",
             static_cast<double>(memory.peak_growth_kib) / static_cast<double>(memory.file_kib));
  return accepted && total > 0 ? 0 : 1;
}
