// The bytes of a tensor dump: copied by the hook in bursts that fit the pool, without gaps and gathered;
// sustained, by two scheduler threads that do nothing else, through the collector into the capture file; and
// from there to the files of a dump.
//
//   bench_tensor_dump [--megabytes N]      so many through the collector, each way; 2000 without
//
// The floors: memcpy of the same bytes between the same places; and of the files, their bytes copied by the
// system. Beside the whole way, what its one collector thread does, alone.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "accelscope/recorder/counter_platform.h"
#include "accelscope/recorder/tensor_dump.h"
#include "base/number_in.h"
#include "base/output_file.h"
#include "capture/file_recording.h"
#include "formats/chip_run/recorded_tensors.h"

namespace {

using namespace accelscope;  // NOLINT(google-build-using-namespace): one short program
using recorder::CounterPlatform;
using recorder::DataType;
using recorder::TensorBlockRecord;
using recorder::TensorDescription;
using recorder::TensorDumpRecorder;
using recorder::TensorRecord;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kElements = 1U << 18U;  // of a tensor: a megabyte
constexpr std::size_t kTensorBytes = kElements * sizeof(float);
constexpr std::uint32_t kTensors = 32;  // that differ; a chunk of the file has four
constexpr std::uint32_t kThreads = 2;

double seconds_since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

// Of this process, all threads: what others do on the machine does not count.
double processor_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double gigabytes(double bytes, double seconds) {
  return bytes / seconds / 1e9;
}

// As activations are: what no packer makes much of.
std::vector<float> activations() {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(std::size_t{kTensors} * kElements);
  for (float& value : values) value = normal(random);
  return values;
}

TensorDescription matrix(std::uint32_t row_stride, std::uint32_t column_stride) {
  return {.data_type = DataType::kFloat32,
          .dimensions = 2,
          .shape = {512, 512},
          .strides = {row_stride, column_stride}};
}

// Two processors for producers, manager and collector: who waits lets others work.
struct YieldingPlatform : CounterPlatform {
  void relax() { std::this_thread::yield(); }
};

// A lane with the buffers that a run has, and a host that gives them back at once.
template <class Record>
struct Lane {
  Lane(std::uint32_t records, std::uint32_t count) {
    const std::uint64_t stride = recorder::buffer_bytes<Record>(records);
    memory.resize(stride * count / sizeof(recorder::BufferHeader));
    std::memset(static_cast<void*>(memory.data()), 1, stride * count);
    buffers = {reinterpret_cast<unsigned char*>(memory.data()), stride, records};
    for (std::uint32_t buffer = 0; buffer < count; ++buffer) lane.free.push(buffer);
    writer = std::make_unique<recorder::RecordWriter<Record, CounterPlatform>>(
        lane, gate, buffers, recorder::WriterConfig{}, platform);
  }
  void give_back() {
    std::uint32_t buffer = 0;
    while (lane.ready.pop(buffer)) lane.free.push(buffer);
  }

  std::vector<recorder::BufferHeader> memory;
  recorder::Lane<> lane;
  recorder::Gate<> gate;
  recorder::BufferArray buffers;
  CounterPlatform platform;
  std::unique_ptr<recorder::RecordWriter<Record, CounterPlatform>> writer;
};

// The median of many bursts of one tensor each.
template <class Burst, class Between>
double median_seconds(Burst&& burst, Between&& between) {
  std::vector<double> times(401);
  for (double& time : times) {
    const auto from = Clock::now();
    burst();
    time = seconds_since(from);
    between();
  }
  std::nth_element(times.begin(), times.begin() + 200, times.end());
  return times[200];
}

void measure_hook(const std::vector<float>& values) {
  Lane<TensorRecord> tensors(256, 8);
  Lane<TensorBlockRecord> blocks(4096, 8);
  TensorDumpRecorder<CounterPlatform> recorder(kDfxDumpTensor, tensors.writer.get(), blocks.writer.get());
  const auto give_back = [&] {
    tensors.give_back();
    blocks.give_back();
  };
  // The pool holds two tensors: the copy goes to and fro in as much memory.
  auto* pool = reinterpret_cast<unsigned char*>(blocks.memory.data());
  bool second = false;
  const double copied = median_seconds(
      [&] {
        std::memcpy(pool + (second ? kTensorBytes : 0), values.data(), kTensorBytes);
        asm volatile("" : : "r"(pool) : "memory");
        second = !second;
      },
      [] {});
  fmt::print("floor: memcpy of a tensor of 1 MiB into the pool          {:6.2f} GB/s\n",
             gigabytes(kTensorBytes, copied));
  const auto dump = [&](std::string_view what, const TensorDescription& tensor) {
    const double seconds = median_seconds([&] { recorder.on_tensor(tensor, values.data()); }, give_back);
    fmt::print("{:<56}  {:6.2f} GB/s, {:.2f} of the floor\n", what, gigabytes(kTensorBytes, seconds),
               copied / seconds);
  };
  dump("the hook: a tensor without gaps", matrix(512, 1));
  dump("the hook: rows of 2 KiB cut out of longer ones", matrix(1024, 1));
  dump("the hook: every second element", matrix(1024, 2));
  dump("the hook: transposed", matrix(1, 512));
}

capture::FileRecordingPlan plan_for(const std::string& path) {
  return {.path = path,
          .replace = true,
          .facts = {.dfx_flags = kDfxDumpTensor,
                    .clock = base::Frequency::hz(2'000'000'000),  // for time limits, about
                    .generation = 1,
                    .scheduler_threads = kThreads},
          .options = {.policy = capture::RunPolicy::kBlock, .wait_limit = std::chrono::seconds(30)}};
}

void dump_tensors(const capture::FileRecording& recording, std::uint32_t thread,
                  const std::vector<float>& values, std::uint64_t count) {
  YieldingPlatform platform;
  const auto writer_of = [&]<class Record>(std::type_identity<Record>) {
    const auto parts = recording.producer(Record::kKind, thread);
    return std::make_unique<recorder::RecordWriter<Record, YieldingPlatform>>(
        *parts->lane, *parts->gate, parts->buffers, parts->config, platform);
  };
  const auto tensors = writer_of(std::type_identity<TensorRecord>());
  const auto blocks = writer_of(std::type_identity<TensorBlockRecord>());
  TensorDumpRecorder<YieldingPlatform> recorder(kDfxDumpTensor, tensors.get(), blocks.get());
  TensorDescription tensor = matrix(512, 1);
  for (std::uint64_t i = 0; i < count; ++i) {
    tensor.task = i * kThreads + thread;
    tensor.start_offset = tensor.task % kTensors * kElements;
    recorder.on_tensor(tensor, values.data());
  }
  blocks->flush();
  tensors->flush();
}

// What the collector thread does with blocks, without producers that wait for it.
void measure_writer(const std::vector<float>& values) {
  constexpr std::uint32_t kBlocks = 4096;
  const base::FileDescriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  base::DescriptorOutput out(nowhere.get(), "/dev/null");
  formats::capture::RecordingWriter writer(out, plan_for("").facts);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
  std::uint32_t number = 0;
  const double from = processor_seconds();
  for (std::size_t at = 0; at < bytes.size(); at += kBlocks * sizeof(TensorBlockRecord), ++number) {
    const recorder::BufferHeader header{.magic = recorder::kBufferMagic,
                                        .kind = TensorBlockRecord::kKind,
                                        .record_bytes = sizeof(TensorBlockRecord),
                                        .producer = 0,
                                        .buffer_number = number,
                                        .generation = 1,
                                        .first_record = std::uint64_t{number} * kBlocks,
                                        .count = kBlocks,
                                        .dropped_before = 0,
                                        .paused_from = 0,
                                        .paused_to = 0};
    if (!writer.take(header, bytes.subspan(at, kBlocks * sizeof(TensorBlockRecord))))
      fmt::print("cannot be written\n");
  }
  if (!writer.finish({})) fmt::print("cannot be finished\n");
  fmt::print("straight into the writer, one thread, processor time       {:6.2f} GB/s\n",
             gigabytes(static_cast<double>(bytes.size()), processor_seconds() - from));
}

// False when a byte is missing.
bool measure_recording(const std::vector<float>& values, std::uint64_t megabytes, const std::string& path) {
  const auto memory = device::mapped_memory();
  const auto recording = capture::FileRecording::begin(*memory, plan_for(path));
  if (!recording) {
    fmt::print("{}\n", recording.error().to_string());
    return false;
  }
  const std::uint64_t each = std::max<std::uint64_t>(megabytes / kThreads, 1);
  const auto from = Clock::now();
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] { dump_tensors(**recording, thread, values, each); });
  for (std::thread& thread : threads) thread.join();
  const capture::RecordingEnd end = (*recording)->end();
  const double seconds = seconds_since(from);
  std::uint64_t collected = 0;
  for (const capture::LaneReport& lane : end.report.lanes)
    if (lane.kind == TensorBlockRecord::kKind) collected += lane.collected;
  const double bytes = static_cast<double>(collected) * TensorBlockRecord::kBytes;
  fmt::print(
      "sustained, {} threads, through the collector into a file   {:6.2f} GB/s; {:.2f} bytes on disk a "
      "byte\n",
      kThreads, gigabytes(bytes, seconds), static_cast<double>(end.file_bytes) / bytes);
  return end.file && collected == each * kThreads * kTensorBytes / TensorBlockRecord::kBytes;
}

bool measure_files(const std::string& path) {
  const auto file = base::MappedFile::open(path);
  auto binary = base::OutputFile::create(path + ".bin");
  if (!file || !binary) return false;
  const auto put = [&](std::uint64_t offset, std::string_view bytes) {
    return binary->write_at(offset, bytes);
  };
  auto from = Clock::now();
  const double processor_from = processor_seconds();
  const auto dump = formats::chip_run::read_recorded_tensors(*file, put);
  if (!dump || !binary->commit()) return false;
  const double seconds = seconds_since(from);
  const double processor = processor_seconds() - processor_from;
  from = Clock::now();
  std::error_code error;
  std::filesystem::copy_file(path + ".bin", path + ".copy", error);
  const double copied = seconds_since(from);
  std::filesystem::remove(path + ".bin", error);
  std::filesystem::remove(path + ".copy", error);
  const auto bytes = static_cast<double>(dump->binary_bytes);
  fmt::print("floor: the binary of a dump copied                         {:6.2f} GB/s\n",
             gigabytes(bytes, copied));
  fmt::print(
      "a recording to manifest and binary                         {:6.2f} GB/s, {:.2f} in processor time\n",
      gigabytes(bytes, seconds), gigabytes(bytes, processor));
  return dump->manifest.counts.truncated == 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t megabytes = 2000;
  if (argc != 1) {
    const auto number = argc == 3 && std::string_view(argv[1]) == "--megabytes"
                            ? base::number_in<std::uint64_t>(argv[2])
                            : std::nullopt;
    if (!number || *number == 0) {
      fmt::print(stderr, "usage: bench_tensor_dump [--megabytes N]\n");
      return 1;
    }
    megabytes = *number;
  }
  const std::vector<float> values = activations();
  measure_hook(values);
  measure_writer(values);
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("bench_tensor_dump.{}.astrace", getpid()))
          .string();
  const bool whole = measure_recording(values, megabytes, path) && measure_files(path);
  if (!whole) fmt::print("bytes are missing\n");
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return whole ? 0 : 1;
}
