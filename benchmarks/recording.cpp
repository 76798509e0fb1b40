// Recordings of a run of four million tasks at level 2: records per second into the compressed file and out
// of it again, bytes per record on disk, and tasks per second from the file to a Trace.
//
// Floors in the same run: copying the records, packing them as they are with zstd's fastest level, and making
// the Trace from rows that are there already.
#include <fmt/core.h>
#include <chrono>

#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "formats/capture/container_reader.h"
#include "formats/capture/packing.h"
#include "formats/capture/record_codec.h"
#include "formats/capture/recording_writer.h"
#include "formats/chip_run/recording_reader.h"
#include "formats/chip_run/sample_recordings.h"
#include "formats/chip_swimlane/sample_captures.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
namespace capture = formats::capture;
namespace chip_run = formats::chip_run;
namespace chip_swimlane = formats::chip_swimlane;

constexpr std::uint32_t kTasks = 4'000'000;
constexpr std::uint32_t kRecordsPerBuffer = 1024;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The best of five.
double seconds_of(const std::function<void()>& work, double (*now)() = processor_seconds) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double start = now();
    work();
    best = std::min(best, now() - start);
  }
  return best;
}

void report(std::string_view what, double seconds, std::size_t records, std::string_view unit) {
  fmt::print("{:<58} {:7.3f} s  {:7.1f} M {}/s\n", what, seconds,
             static_cast<double>(records) / seconds / 1e6, unit);
}

// The project's synthetic run is more regular than a chip: here gaps vary, tasks are dealt out in another
// order and have functions.
void make_irregular(std::uint32_t core, chip_swimlane::CoreRows& rows) {
  for (std::size_t row = 0; row < rows.task.size(); ++row) {
    const std::uint64_t hash = base::hash_of(core, row);
    const auto late = static_cast<std::int64_t>(hash % 40);
    for (auto* times : {&rows.start, &rows.end, &rows.receive, &rows.finish}) (*times)[row] += late;
    if (row > 0 && hash / 64 % 2 == 0) std::swap(rows.task[row], rows.task[row - 1]);
    rows.function.push_back(static_cast<std::int32_t>(hash / 4096 % 50));
  }
}

chip_swimlane::Capture synthetic_capture() {
  const chip_swimlane::SyntheticRun run{.tasks = kTasks, .level = 2, .cores = 72};
  chip_swimlane::Capture rows = chip_swimlane::synthetic_facts(run);
  for (std::uint32_t core = 0; core < run.cores; ++core) {
    rows.cores[core] = chip_swimlane::synthetic_core(run, core);
    make_irregular(core, rows.cores[core]);
    rows.core_to_thread.push_back(static_cast<std::int32_t>(core % 3));
  }
  return rows;
}

template <class Record>
std::size_t count_of(const std::vector<chip_run::RecordedLane<Record>>& lanes) {
  std::size_t count = 0;
  for (const auto& lane : lanes) count += lane.records.size();
  return count;
}

template <class Record>
void encode(const std::vector<chip_run::RecordedLane<Record>>& lanes, base::Output& out) {
  capture::RecordingWriter writer(out, {}, {.flush_chunks = false});
  std::vector<capture::LaneTotals> totals;
  if (!chip_run::take_lanes(lanes, kRecordsPerBuffer, writer, totals) || !writer.finish(totals))
    fmt::print("cannot be written\n");
}

template <class Record>
void decode(const base::MappedFile& file) {
  auto reader = capture::ContainerReader::open(file);
  capture::RecordsDecoder decoder;
  std::uint64_t sum = 0;
  while (const auto chunk = reader->next()) {
    if (chunk->header.kind != capture::ChunkKind::kRecords) continue;
    if (!decoder.parse(chunk->payload)) fmt::print("cannot be read\n");
    sum += decoder.decode_as<Record>().size();
  }
  if (sum == 0) fmt::print("nothing there\n");
}

template <class Record>
void measure_floors(const std::vector<chip_run::RecordedLane<Record>>& lanes) {
  const std::size_t records = count_of(lanes);
  std::string plain;
  for (const auto& lane : lanes)
    plain.append(reinterpret_cast<const char*>(lane.records.data()), lane.records.size() * sizeof(Record));
  std::string copy(plain.size(), '\1');
  report("floor: memcpy of the records",
         seconds_of([&] { std::memcpy(copy.data(), plain.data(), plain.size()); }), records, "records");
  capture::Packer packer;
  std::size_t packed = 0;
  report("floor: zstd 1 of the records as they are",
         seconds_of([&] { packed = packer.pack(plain).value_or("").size(); }), records, "records");
  fmt::print("  {:.1f} bytes per record\n", static_cast<double>(packed) / static_cast<double>(records));
}

template <class Record>
void measure(std::string_view name, const std::vector<chip_run::RecordedLane<Record>>& lanes) {
  const std::size_t records = count_of(lanes);
  fmt::print("{} {}, {} bytes each in memory\n", records, name, sizeof(Record));
  measure_floors(lanes);
  base::MemoryOutput out;
  report("encoded, packed, checksummed: the whole file", seconds_of([&] {
           out.clear();
           encode(lanes, out);
         }),
         records, "records");
  fmt::print("  {:.2f} bytes per record on disk\n",
             static_cast<double>(out.bytes().size()) / static_cast<double>(records));
  const base::MappedFile file = base::MappedFile::from_memory("recorded", out.bytes());
  report("read, unpacked, decoded to records", seconds_of([&] { decode<Record>(file); }), records, "records");
}

void measure_trace(const chip_swimlane::Capture& rows) {
  base::MemoryOutput out;
  if (!chip_run::record(rows, out)) fmt::print("cannot be written\n");
  const base::MappedFile file = base::MappedFile::from_memory("recorded", out.bytes());
  fmt::print("{} tasks at level 2, both records: {:.1f} MB, {:.2f} bytes per task\n", kTasks,
             static_cast<double>(out.bytes().size()) / 1e6, static_cast<double>(out.bytes().size()) / kTasks);
  fmt::print("from here on as a user waits: two threads, not their sum\n");
  const auto report_wall = [](std::string_view what, const std::function<void()>& work) {
    report(what, seconds_of(work, wall_seconds), kTasks, "tasks");
  };
  report_wall("recording to rows", [&] { (void)chip_run::read_recorded_rows(file); });
  report_wall("recording to Trace", [&] { (void)chip_run::read_recording(file); });
  report_wall("floor: rows to Trace, a copy of the rows included",
              [&] { (void)chip_run::make_chip_trace(rows, {}, {}); });
}

}  // namespace

int main() {
  const chip_swimlane::Capture rows = synthetic_capture();
  const chip_run::RecordedRun run = chip_run::records_of(rows);
  measure("core tasks", run.cores);
  measure("task lifecycles", run.lifecycles);
  measure_trace(rows);
}
