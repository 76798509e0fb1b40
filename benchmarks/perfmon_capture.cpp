// What recording performance monitors costs: a drain where a task ends, on the control CPU, and copying what
// 108 cores write, on the host, through the collector as runs use it.
//
// Hardware is a thread that writes words into the rings of all cores in turn and tells of every 4 KiB, as
// fast as it is asked to; it never waits for anybody. Every byte is copied or counted as lost, or this fails.
// The floors: as many reads of an atomic register as a drain makes, and memcpy of as many bytes.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <numeric>
#include <vector>

#include "accelscope/dfx_flags.h"
#include "accelscope/perfmon/core_perfmon.h"
#include "accelscope/recorder/perfmon_recorder.h"
#include "capture/file_recording.h"
#include "device/perfmon_model.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using perfmon::Register;
using Steady = std::chrono::steady_clock;

constexpr std::uint32_t kCores = 108;
constexpr std::uint32_t kRing = 64 * 1024;
constexpr std::uint32_t kChunk = 4096;  // of a task
constexpr std::uint32_t kThreads = 4;   // control CPUs, which share the cores
constexpr std::uint64_t kBytes = std::uint64_t{2} << 30U;
constexpr int kPasses = 5;

double seconds_since(Steady::time_point begin) {
  return std::chrono::duration<double>(Steady::now() - begin).count();
}

template <class T>
double median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return static_cast<double>(values[values.size() / 2]);
}

// --- A drain.

void measure_drains() {
  constexpr int kDrains = 200'000;
  const auto memory = device::mapped_memory();
  device::PerfmonModel model(*memory, {.cores = 1});
  const device::Address ring = memory->allocate(kRing).value();
  device::WindowBus bus{model};
  perfmon::CorePerfmon<device::WindowBus> perfmon(perfmon::kA5Perfmon, bus, 0);
  if (perfmon.start({.base = model.map(ring, kRing), .ring_bytes = kRing}) != perfmon::Fault::kNone)
    std::abort();
  std::vector<double> drains;
  std::vector<double> floors;
  std::uint64_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    auto begin = Steady::now();
    for (int i = 0; i < kDrains; ++i)
      sum += perfmon::drain_record_of(perfmon.drain(), 1, static_cast<std::uint32_t>(i), 1).written;
    drains.push_back(seconds_since(begin) / kDrains * 1e9);
    begin = Steady::now();
    const perfmon::RegisterTable& table = perfmon::kA5Perfmon.registers;
    for (int i = 0; i < kDrains; ++i)
      for (std::uint32_t reg = 0; reg < 9; ++reg) sum += model.read32(0, table.places[reg].offset);
    floors.push_back(seconds_since(begin) / kDrains * 1e9);
  }
  fmt::print(
      "a drain of one core, its record made: {:.0f} ns (floor: its 9 reads of registers {:.0f} ns){}\n",
      median(drains), median(floors), sum != 1 ? "" : " ");
}

// --- Copying.

// Registers like memory, and rings that are written as fast as stores go.
class Hardware final : public device::RegisterWindow {
 public:
  explicit Hardware(device::DeviceMemory& memory) : memory_(memory) {
    for (std::uint32_t core = 0; core < kCores; ++core)
      rings_.push_back({memory.allocate(kRing).value(), kRing});
  }

  std::uint32_t cores() const override { return kCores; }
  std::uint32_t read32(std::uint32_t core, std::uint32_t offset) override {
    return counter_of(offset) ? counts_[core].value.load(std::memory_order_acquire) : 0;
  }
  void write32(std::uint32_t, std::uint32_t, std::uint32_t) override {}
  void barrier() override { barriers_.fetch_add(1, std::memory_order_seq_cst); }
  void give_up(std::uint32_t) override {}

  const std::vector<capture::MonitorRing>& rings() const { return rings_; }

  // A task of the core has ended, which wrote a chunk.
  perfmon::Slice write_chunk(std::uint32_t core) {
    const std::uint32_t count = counts_[core].value.load(std::memory_order_relaxed);
    perfmon::Slice slice;
    slice.core = core;
    slice.from = count % kRing;
    slice.bytes = kChunk;
    slice.to = (count + kChunk) % kRing;
    slice.continues = true;
    slice.state = perfmon::CoreState::kRunning;
    auto* words = static_cast<std::uint32_t*>(memory_.as_device_sees(rings_[core].memory + slice.from));
    for (std::uint32_t i = 0; i < kChunk / 4; ++i)
      std::atomic_ref(words[i]).store(count + i, std::memory_order_relaxed);
    counts_[core].value.store(count + kChunk, std::memory_order_release);
    slice.seen.samples_written = count + kChunk;
    return slice;
  }

 private:
  struct alignas(64) Counter {
    std::atomic<std::uint32_t> value = 0;
  };
  static bool counter_of(std::uint32_t offset) {
    return offset == perfmon::kA5Perfmon.registers.offset(Register::kSamplesWritten);
  }

  device::DeviceMemory& memory_;
  std::vector<capture::MonitorRing> rings_;
  std::array<Counter, kCores> counts_ = {};
  std::atomic<std::uint64_t> barriers_ = 0;
};

struct Clock {
  std::uint64_t now() { return static_cast<std::uint64_t>(Steady::now().time_since_epoch().count()); }
  void relax() {}
};

struct Copied {
  double produced_rate = 0;  // GB/s
  std::uint64_t written = 0;
  std::uint64_t copied = 0;
  std::uint64_t lost = 0;
  std::uint64_t without_buffer = 0;  // drains whose record found none
  double seconds = 0;                // until all is copied
};

// `bytes_per_second` 0: as fast as it goes. `path` "": what is copied goes nowhere.
Copied copy(double bytes_per_second, const std::string& path) {
  const auto memory = device::mapped_memory();
  Hardware hardware(*memory);
  Copied result;
  capture::ChipSwimlaneOptions options{
      .dfx_flags = kDfxCoreSwimlane,
      .producers = {.cores = 0, .scheduler_threads = kThreads, .orchestrators = 0},
      .clock = base::Frequency::mhz(1000),
      .policy = capture::RunPolicy::kDrop};
  options.perfmon = capture::PerfmonSource{.window = &hardware, .rings = hardware.rings()};
  formats::capture::RecordingFacts facts;
  facts.dfx_flags = with_implied_dfx(kDfxCoreSwimlane);
  facts.clock = options.clock;
  facts.scheduler_threads = kThreads;
  base::FileDescriptor file(path.empty() ? -1 : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600));
  base::DescriptorOutput output(file.get(), path);
  std::unique_ptr<formats::capture::RecordingWriter> writer;
  if (!path.empty()) writer = std::make_unique<formats::capture::RecordingWriter>(output, facts);
  const auto take = [&](const recorder::BufferHeader& header, std::span<const std::byte> records) {
    if (header.kind == recorder::RecordKind::kPerfmonDrain)
      for (std::size_t at = 0; at < records.size(); at += sizeof(recorder::PerfmonDrainRecord)) {
        recorder::PerfmonDrainRecord drain;
        std::memcpy(&drain, records.data() + at, sizeof drain);
        result.written += drain.written;
        result.copied += drain.copied;
        result.lost += drain.lost;
      }
    return writer ? writer->take(header, records) : base::Status();
  };
  auto collector = capture::ChipSwimlaneCollector::make(*memory, options, take).value();
  if (!collector->start()) std::abort();
  Clock clock;
  std::deque<recorder::RecordWriter<recorder::PerfmonDrainRecord, Clock>> records;
  std::deque<recorder::PerfmonDrainRecorder<Clock>> drains;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
    const auto parts = collector->producer(recorder::RecordKind::kPerfmonDrain, thread).value();
    records.emplace_back(*parts.lane, *parts.gate, parts.buffers, parts.config, clock);
    drains.emplace_back(options.dfx_flags, &records.back());
  }
  std::vector<recorder::DrainAccount> accounts(kCores);
  const auto begin = Steady::now();
  std::uint64_t produced = 0;
  for (std::uint32_t core = 0; produced < kBytes; core = (core + 1) % kCores) {
    drains[core % kThreads].on_drain(accounts[core], hardware.write_chunk(core), 1, clock.now());
    drains[core % kThreads].publish();
    produced += kChunk;
    while (bytes_per_second > 0 && seconds_since(begin) * bytes_per_second < static_cast<double>(produced)) {
    }
  }
  result.produced_rate = static_cast<double>(produced) / seconds_since(begin) / 1e9;
  for (auto& writer_of_thread : records) writer_of_thread.flush();
  const capture::CollectorReport report = collector->stop();
  for (const capture::LaneReport& lane : report.lanes) result.without_buffer += lane.all_dropped();
  result.seconds = seconds_since(begin);
  // Drains whose records found no buffer, and that no later record tells of.
  for (const recorder::DrainAccount& account : accounts) {
    result.written += account.unrecorded;
    result.lost += account.unrecorded;
  }
  if (result.written != produced || result.copied + result.lost != result.written) {
    fmt::print(stderr, "bytes are missing: {} made, {} told of, {} copied, {} lost\n", produced,
               result.written, result.copied, result.lost);
    std::exit(1);
  }
  return result;
}

double memcpy_rate() {
  std::vector<std::byte> from(std::size_t{kCores} * kRing, std::byte{1});
  std::vector<std::byte> to(kRing);
  const auto begin = Steady::now();
  std::uint64_t bytes = 0;
  for (int pass = 0; pass < 200; ++pass)
    for (std::uint32_t core = 0; core < kCores; ++core) {
      std::memcpy(to.data(), from.data() + std::size_t{core} * kRing, kRing);
      bytes += kRing;
    }
  const double rate = static_cast<double>(bytes) / seconds_since(begin) / 1e9;
  return to[1] == std::byte{1} ? rate : 0;
}

void show(const std::string& what, const Copied& run) {
  fmt::print(
      "{:<44} made {:.2f} GB/s, copied {:.2f} GB/s, lost {:.2f} % ({} of {} bytes; {} drains "
      "found no buffer)\n",
      what, run.produced_rate, static_cast<double>(run.copied) / run.seconds / 1e9,
      100.0 * static_cast<double>(run.lost) / static_cast<double>(run.written), run.lost, run.written,
      run.without_buffer);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "/tmp/bench_perfmon_capture.astrace";
  measure_drains();
  fmt::print("floor: memcpy of all rings, one after the other, {:.1f} GB/s\n", memcpy_rate());
  fmt::print("{} cores with rings of {} KiB, a drain of {} KiB each; copied + lost = written in every run\n",
             kCores, kRing / 1024, kChunk / 1024);
  for (const double rate : {0.25e9, 0.5e9, 1e9, 2e9})
    show(fmt::format("at {:.2f} GB/s, into memory", rate / 1e9), copy(rate, ""));
  show("as fast as words can be written, into memory", copy(0, ""));
  for (const double rate : {0.25e9, 1e9})
    show(fmt::format("at {:.2f} GB/s, into a file", rate / 1e9), copy(rate, path));
  ::unlink(path.c_str());
  return 0;
}
