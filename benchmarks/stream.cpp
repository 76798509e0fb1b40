// The whole way of a record, sustained: producers that do nothing but record, through the one collector
// thread, delta-coded, packed and checksummed, into the capture file. Producers wait when the host falls
// behind (block), so nothing may be lost, and the time per record is what a producer pays in the long run.
//
//   bench_stream [--records N] [--producers N] [--discard-output]
//
// Without arguments, 20 million records each from 1, 4 and 24 producers into a temporary file. With
// --discard-output the bytes are made and counted but not kept, so that a billion records need no disk:
//
//   bench_stream --records 1000000000 --producers 4 --discard-output
//
// The floors: the same buffers straight into the writer of the file, without threads; and their bytes copied.
#include <fmt/core.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/number_in.h"
#include "base/progress.h"
#include "capture/file_recording.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using recorder::CoreTaskRecord;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBufferRecords = 1024;

struct Options {
  std::uint64_t records = 20'000'000;
  std::vector<std::uint32_t> producers = {1, 4, 24};
  bool discard_output = false;
};

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

// Time limits are on the system's clock; records bring their own times.
struct WaitingPlatform {
  std::uint64_t now() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
  }
  void relax() { std::this_thread::yield(); }
};

// Tasks as irregular as a chip's: lengths and gaps vary, functions change. One step of a random sequence for
// each, because a producer has to be faster than what is measured.
class Tasks {
 public:
  explicit Tasks(std::uint32_t core) : state_(core * std::uint64_t{0x9E3779B97F4A7C15} + 1) {}

  CoreTaskRecord next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    const auto duration = static_cast<std::uint32_t>(800 + state_ % 256);
    ++sequence_;
    end_ += duration + 20 + (state_ >> 16U) % 64;
    return {.start = end_ - duration,
            .task = sequence_ * 4 + (state_ >> 24U) % 4,
            .duration = duration,
            .receive_to_start = static_cast<std::uint32_t>(5 + (state_ >> 32U) % 16),
            .sequence = sequence_,
            .function = static_cast<std::uint32_t>((state_ >> 40U) % 50)};
  }

 private:
  std::uint64_t state_;
  std::uint64_t end_ = 0;
  std::uint32_t sequence_ = 0;
};

capture::FileRecordingPlan plan_for(std::uint32_t producers, const std::string& path) {
  return {.path = path,
          .replace = true,
          .facts = {.dfx_flags = kDfxCoreTiming,
                    .clock = base::Frequency::nanoseconds(),
                    .generation = 1,
                    .cores = std::vector(producers, formats::capture::CoreType::kVector)},
          .options = {.policy = capture::RunPolicy::kBlock, .wait_limit = std::chrono::seconds(30)}};
}

void produce(const capture::FileRecording& recording, std::uint32_t core, std::uint64_t records,
             std::atomic<std::uint64_t>& done) {
  const auto parts = recording.producer(recorder::RecordKind::kCoreTask, core);
  WaitingPlatform platform;
  recorder::RecordWriter<CoreTaskRecord, WaitingPlatform> writer(*parts->lane, *parts->gate, parts->buffers,
                                                                 parts->config, platform);
  Tasks tasks(core);
  for (std::uint64_t i = 0; i < records; ++i) {
    writer.put(tasks.next());
    if ((i & 0xFFFFFU) == 0xFFFFFU) done.fetch_add(0x100000, std::memory_order_relaxed);
  }
  writer.flush();
}

// False when a record is missing.
bool measure(const Options& options, std::uint32_t producers, const std::string& path) {
  const auto memory = device::mapped_memory();
  const auto recording = capture::FileRecording::begin(*memory, plan_for(producers, path));
  if (!recording) {
    fmt::print("{}\n", recording.error().to_string());
    return false;
  }
  const std::uint64_t each = options.records / producers;
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::uint32_t> running = producers;
  const auto from = Clock::now();
  std::vector<std::thread> threads;
  for (std::uint32_t core = 0; core < producers; ++core)
    threads.emplace_back([&, core] {
      produce(**recording, core, each, done);
      --running;
    });
  {
    base::Progress progress("recording", options.records);
    while (running.load() > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      progress.advance_to(done.load(std::memory_order_relaxed));
    }
  }
  for (std::thread& thread : threads) thread.join();
  const double producing = seconds_since(from);
  const capture::RecordingEnd end = (*recording)->end();
  const double seconds = seconds_since(from);
  std::uint64_t produced = 0;
  std::uint64_t collected = 0;
  for (const capture::LaneReport& lane : end.report.lanes) {
    produced += lane.produced;
    collected += lane.collected;
  }
  const bool whole = end.file && produced == each * producers && collected == produced;
  fmt::print(
      "{:<2} producers {}  {:7.1f} M records/s  {:6.1f} ns a record sustained, {:.2f} bytes; {:.2f} s\n",
      producers, options.discard_output ? "(discarded)" : "into a file",
      static_cast<double>(collected) / seconds / 1e6, producing * 1e9 / static_cast<double>(collected),
      static_cast<double>(end.file_bytes) / static_cast<double>(collected), seconds);
  fmt::print("   produced {} {} collected {}; {} freezes, {:.2f} s in sum\n", produced, whole ? "=" : "BUT",
             collected, end.report.freezes, std::chrono::duration<double>(end.report.frozen).count());
  return whole;
}

// Buffers as they come from four cores in turn.
std::vector<std::pair<recorder::BufferHeader, std::vector<CoreTaskRecord>>> sample_buffers() {
  constexpr std::uint32_t kCores = 4;
  constexpr std::uint32_t kBuffersEach = 64;
  std::vector<Tasks> cores;
  for (std::uint32_t core = 0; core < kCores; ++core) cores.emplace_back(core);
  std::vector<std::pair<recorder::BufferHeader, std::vector<CoreTaskRecord>>> buffers;
  for (std::uint32_t number = 0; number < kBuffersEach; ++number)
    for (std::uint32_t core = 0; core < kCores; ++core) {
      std::vector<CoreTaskRecord> records(kBufferRecords);
      for (CoreTaskRecord& record : records) record = cores[core].next();
      buffers.emplace_back(recorder::BufferHeader{.magic = recorder::kBufferMagic,
                                                  .kind = recorder::RecordKind::kCoreTask,
                                                  .record_bytes = sizeof(CoreTaskRecord),
                                                  .producer = core,
                                                  .buffer_number = number,
                                                  .generation = 1,
                                                  .first_record = std::uint64_t{number} * kBufferRecords,
                                                  .count = kBufferRecords,
                                                  .dropped_before = 0,
                                                  .paused_from = 0,
                                                  .paused_to = 0},
                           std::move(records));
    }
  return buffers;
}

void print_floor(std::string_view what, double seconds, std::size_t records) {
  fmt::print("floor: {:<52} {:7.1f} M records/s\n", what, static_cast<double>(records) / seconds / 1e6);
}

void measure_floors() {
  constexpr int kTimes = 20;
  const auto buffers = sample_buffers();
  const std::size_t records = kTimes * buffers.size() * kBufferRecords;
  std::vector<std::byte> copy(kBufferRecords * sizeof(CoreTaskRecord), std::byte{1});
  auto from = Clock::now();
  for (int i = 0; i < kTimes; ++i)
    for (const auto& [header, content] : buffers) {
      std::memcpy(copy.data(), content.data(), copy.size());
      asm volatile("" : : "r"(copy.data()) : "memory");
    }
  print_floor("the records copied", seconds_since(from), records);
  base::MemoryOutput out;
  from = Clock::now();
  for (int i = 0; i < kTimes; ++i) {
    out.clear();
    formats::capture::RecordingWriter writer(out, plan_for(4, "").facts, {.flush_chunks = false});
    for (const auto& [header, content] : buffers)
      if (!writer.take(header, std::as_bytes(std::span(content)))) fmt::print("cannot be written\n");
    if (!writer.finish({})) fmt::print("cannot be finished\n");
  }
  print_floor("straight into the writer, without threads", seconds_since(from), records);
}

std::optional<Options> options_in(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--discard-output") {
      options.discard_output = true;
      continue;
    }
    const auto number = i + 1 < argc ? base::number_in<std::uint64_t>(argv[++i]) : std::nullopt;
    if (!number || *number == 0) return std::nullopt;
    if (word == "--records")
      options.records = *number;
    else if (word == "--producers" && *number <= 256)
      options.producers = {static_cast<std::uint32_t>(*number)};
    else
      return std::nullopt;
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = options_in(argc, argv);
  if (!options) {
    fmt::print(stderr, "usage: bench_stream [--records N] [--producers N] [--discard-output]\n");
    return 1;
  }
  measure_floors();
  std::error_code ignored;
  const std::string path =
      options->discard_output
          ? "/dev/null"
          : (std::filesystem::temp_directory_path() / fmt::format("bench_stream.{}.astrace", getpid()))
                .string();
  bool whole = true;
  for (const std::uint32_t producers : options->producers) whole &= measure(*options, producers, path);
  if (!options->discard_output) std::filesystem::remove(path, ignored);
  return whole ? 0 : 1;
}
