// What the host can take: records of producers through the manager and the collector thread into a sink that
// does nothing, beside copying the same bytes. Producers do nothing but record, and wait when the host falls
// behind (block), so the figure is the sustained speed of the whole way. A flight recorder's part of it is
// measured alone: producers that never wait would lose most of what they make here.
#include <fmt/core.h>

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "capture/chip_swimlane_collector.h"

namespace {

using namespace accelscope;
using recorder::CoreTaskRecord;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kRecords = 40'000'000;

// Time stands still, which costs nothing.
struct NoClock {
  std::uint64_t now() { return 0; }
  void relax() { std::this_thread::yield(); }
};

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

void produce(const capture::ChipSwimlaneCollector& collector, std::uint32_t core, std::uint64_t records) {
  const auto parts = collector.producer(recorder::RecordKind::kCoreTask, core);
  NoClock clock;
  recorder::RecordWriter<CoreTaskRecord, NoClock> writer(*parts->lane, *parts->gate, parts->buffers,
                                                         parts->config, clock);
  for (std::uint64_t i = 0; i < records; ++i)
    writer.put({.start = i,
                .task = i,
                .duration = 1,
                .receive_to_start = 1,
                .sequence = static_cast<std::uint32_t>(i),
                .function = 0});
  writer.flush();
}

void measure(const std::string& what, device::DeviceMemory& memory, std::uint32_t cores) {
  std::uint64_t seen = 0;
  const auto collector =
      capture::ChipSwimlaneCollector::make(memory,
                                           {.dfx_flags = kDfxCoreTiming,
                                            .producers = {.cores = cores},
                                            .clock = base::Frequency::nanoseconds(),
                                            .policy = capture::RunPolicy::kBlock},
                                           [&](const recorder::BufferHeader& header, auto) {
                                             seen += header.count;
                                             return base::Status();
                                           });
  if (!collector || !(*collector)->start()) return;
  const auto from = Clock::now();
  std::vector<std::thread> threads;
  for (std::uint32_t core = 0; core < cores; ++core)
    threads.emplace_back([&, core] { produce(**collector, core, kRecords / cores); });
  for (std::thread& thread : threads) thread.join();
  const capture::CollectorReport report = (*collector)->stop();
  const double seconds = seconds_since(from);
  std::uint64_t collected = 0;
  for (const capture::LaneReport& lane : report.lanes) collected += lane.collected;
  fmt::print("{:46} {:7.1f} M records/s; {} freezes{}\n", what,
             static_cast<double>(collected) / seconds / 1e6, report.freezes,
             report.adds_up() && collected == seen ? "" : "; DOES NOT ADD UP");
}

void measure_flight_recorder() {
  const std::vector<CoreTaskRecord> records(1024);
  capture::FlightRecorder flight({});
  recorder::BufferHeader header = {.magic = recorder::kBufferMagic,
                                   .kind = recorder::RecordKind::kCoreTask,
                                   .record_bytes = sizeof(CoreTaskRecord),
                                   .producer = 0,
                                   .buffer_number = 0,
                                   .generation = 1,
                                   .first_record = 0,
                                   .count = 1024,
                                   .dropped_before = 0,
                                   .paused_from = 0,
                                   .paused_to = 0};
  const auto from = Clock::now();
  for (; header.first_record < kRecords; header.first_record += header.count)
    if (!flight.take(header, std::as_bytes(std::span(records)))) return;
  fmt::print("{:46} {:7.1f} M records/s\n", "overwrite: the last 64 MiB kept",
             static_cast<double>(kRecords) / seconds_since(from) / 1e6);
}

// The same bytes, buffer by buffer, from memory that is as large as the pools.
void measure_floor() {
  const std::size_t bytes = 4 * 1024 * sizeof(CoreTaskRecord);
  std::vector<std::byte> from_there(bytes, std::byte{1});
  std::vector<std::byte> to_here(bytes);
  const auto from = Clock::now();
  for (std::uint64_t done = 0; done < kRecords; done += bytes / sizeof(CoreTaskRecord)) {
    std::memcpy(to_here.data(), from_there.data(), bytes);
    asm volatile("" : : "r"(to_here.data()) : "memory");
  }
  fmt::print("{:46} {:7.1f} M records/s\n", "floor: memcpy of the records, in cache",
             static_cast<double>(kRecords) / seconds_since(from) / 1e6);
}

}  // namespace

int main() {
  measure_floor();
  const auto mapped = device::mapped_memory();
  const auto copied = device::copied_memory();
  measure("block, 1 producer, mapped", *mapped, 1);
  measure("block, 4 producers, mapped", *mapped, 4);
  measure("block, 24 producers, mapped", *mapped, 24);
  measure("block, 4 producers, copied", *copied, 4);
  measure_flight_recorder();
}
