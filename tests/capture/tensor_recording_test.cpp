// Tensors through the whole recorder: from memory by hooks, lanes, collector and file to the bytes of a dump,
// under every policy, with threads that record at once.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "accelscope/accelscope_recorder.h"
#include "accelscope/recorder/tensor_dump.h"
#include "base/hash.h"
#include "capture/file_recording.h"
#include "capture/recorded_chip.h"
#include "formats/chip_run/recorded_tensors.h"
#include "support/temporary_folder.h"

namespace accelscope::capture {
namespace {

using accelscope::tests::TemporaryFolder;
using formats::tensor_dump::Argument;
using recorder::DataType;
using recorder::RecordKind;
using recorder::TensorDescription;
using recorder::TensorDumpRecorder;
using tests::contents_of;
using tests::CountingPlatform;
using tests::writer_of;

constexpr std::uint32_t kThreads = 3;

FileRecordingPlan plan_for(const std::string& path, RunPolicy policy) {
  FileRecordingPlan plan;
  plan.path = path;
  plan.facts.dfx_flags = kDfxDumpTensor;
  plan.facts.clock = base::Frequency::hz(1'000'000'000'000);
  plan.facts.generation = 1;
  plan.facts.scheduler_threads = kThreads;
  plan.options.policy = policy;
  plan.options.wait_limit = std::chrono::minutes(10);  // of a clock that counts
  plan.options.buffers = {{RecordKind::kTensorBlock, {.records = 16, .per_lane = 3}},
                          {RecordKind::kTensor, {.records = 4, .per_lane = 3}}};
  plan.file.records_per_chunk = 100;
  return plan;
}

// Tensor `number` of a thread: its size, and every byte of it.
std::uint32_t elements_of(std::uint32_t thread, std::uint64_t number) {
  return static_cast<std::uint32_t>(1 + base::hash_of(thread, number) % 3000);
}
std::string bytes_of(std::uint32_t thread, std::uint64_t number) {
  std::string bytes;
  for (std::uint32_t i = 0; i < elements_of(thread, number); ++i) {
    const auto value = static_cast<std::uint16_t>(base::hash_of(number * kThreads + thread, i));
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

// A producer that would drop waits, before each tensor, until the host has buffers for all of it.
enum class Pace { kOwn, kOfTheHost };

// Every second tensor has gaps: element i is at i * 3.
void dump_tensors(const FileRecording& recording, std::uint32_t thread, std::uint64_t count,
                  std::uint64_t limit = 0, Pace pace = Pace::kOwn) {
  CountingPlatform platform;
  const auto tensors = writer_of<recorder::TensorRecord>(recording, thread, platform);
  const auto blocks = writer_of<recorder::TensorBlockRecord>(recording, thread, platform);
  TensorDumpRecorder recorder(recording.dfx_flags(), tensors.get(), blocks.get(), limit);
  const auto waits = [&](RecordKind kind) { return recording.producer(kind, thread)->lane->free.size() < 2; };
  for (std::uint64_t number = 0; number < count; ++number) {
    while (pace == Pace::kOfTheHost && (waits(RecordKind::kTensor) || waits(RecordKind::kTensorBlock)))
      std::this_thread::yield();
    const std::string bytes = bytes_of(thread, number);
    const std::uint32_t stride = number % 2 == 0 ? 1 : 3;
    std::vector<std::uint16_t> memory(elements_of(thread, number) * std::size_t{stride});
    for (std::size_t i = 0; i * stride < memory.size(); ++i)
      std::memcpy(&memory[i * stride], &bytes[2 * i], 2);
    recorder.on_tensor({.task = thread * std::uint64_t{1'000'000} + number,
                        .data_type = DataType::kUint16,
                        .dimensions = 1,
                        .shape = {elements_of(thread, number)},
                        .strides = {stride}},
                       memory.data());
  }
  blocks->flush();
  tensors->flush();
}

void dump_with_threads(const FileRecording& recording, std::uint64_t each) {
  std::vector<std::thread> threads;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] { dump_tensors(recording, thread, each); });
  for (std::thread& thread : threads) thread.join();
}

struct ReadDump {
  formats::chip_run::TensorDump dump;
  std::string binary;

  std::string bytes(const Argument& argument) const {
    return binary.substr(argument.bin_offset, argument.bin_size);
  }
};

ReadDump read_dump(const std::string& path) {
  ReadDump read;
  const auto file = base::MappedFile::open(path);
  EXPECT_TRUE(file);
  const auto put = [&](std::uint64_t offset, std::string_view bytes) -> base::Status {
    read.binary.resize(std::max<std::size_t>(read.binary.size(), offset + bytes.size()));
    read.binary.replace(offset, bytes.size(), bytes);
    return {};
  };
  auto dump = formats::chip_run::read_recorded_tensors(*file, put);
  EXPECT_TRUE(dump) << dump.error().to_string();
  if (dump) read.dump = *std::move(dump);
  EXPECT_EQ(read.binary.size(), read.dump.binary_bytes);
  EXPECT_FALSE(check(read.dump.manifest, path, read.binary.size()).has_errors());
  return read;
}

// Every tensor is whole, or a beginning of itself that says so. The answer is how many are whole.
std::uint64_t whole_ones(const ReadDump& read) {
  std::uint64_t whole = 0;
  for (const Argument& argument : read.dump.manifest.arguments) {
    const auto thread = static_cast<std::uint32_t>(argument.task / 1'000'000);
    const std::string expected = bytes_of(thread, argument.task % 1'000'000);
    const std::string bytes = read.bytes(argument);
    EXPECT_EQ(bytes, expected.substr(0, bytes.size())) << argument.task;
    EXPECT_EQ(argument.truncated || argument.overwritten, bytes.size() < expected.size()) << argument.task;
    whole += bytes.size() == expected.size() ? 1U : 0U;
  }
  return whole;
}

std::unique_ptr<FileRecording> begun_with_tensors(device::DeviceMemory& memory,
                                                  const FileRecordingPlan& plan) {
  auto recording = FileRecording::begin(memory, plan);
  EXPECT_TRUE(recording) << recording.error().to_string();
  return *std::move(recording);
}

TEST(TensorRecording, BlockLosesNothing) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun_with_tensors(*memory, plan_for(folder.file("x"), RunPolicy::kBlock));
  dump_with_threads(*recording, 200);
  EXPECT_TRUE(recording->end().file);
  EXPECT_TRUE(contents_of(folder.file("x")).adds_up());
  const ReadDump read = read_dump(folder.file("x"));
  EXPECT_EQ(read.dump.manifest.arguments.size(), 200 * kThreads);
  EXPECT_EQ(whole_ones(read), 200 * kThreads);
  EXPECT_EQ(read.dump.quality.count("tensor_dump.unclaimed_blocks"), 0U);
}

TEST(TensorRecording, CopiedMemoryIsAsGood) {
  const TemporaryFolder folder;
  const auto memory = device::copied_memory();
  const auto recording = begun_with_tensors(*memory, plan_for(folder.file("x"), RunPolicy::kBlock));
  dump_with_threads(*recording, 20);
  EXPECT_TRUE(recording->end().file);
  EXPECT_EQ(whole_ones(read_dump(folder.file("x"))), 20 * kThreads);
}

TEST(TensorRecording, DropLosesEndsAndSaysWhich) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun_with_tensors(*memory, plan_for(folder.file("x"), RunPolicy::kDrop));
  dump_with_threads(*recording, 500);
  const RecordingEnd end = recording->end();
  EXPECT_TRUE(end.file);
  EXPECT_TRUE(contents_of(folder.file("x")).adds_up());
  const ReadDump read = read_dump(folder.file("x"));
  std::uint64_t dropped = 0;
  for (const LaneReport& lane : end.report.lanes)
    if (lane.kind == RecordKind::kTensor) dropped += lane.all_dropped();
  EXPECT_EQ(read.dump.manifest.dropped_records, dropped);
  EXPECT_EQ(read.dump.manifest.arguments.size() + dropped, 500 * kThreads);
  const std::uint64_t whole = whole_ones(read);
  EXPECT_EQ(read.dump.quality.count("tensor_dump.bytes_missing"), 0U) << "a record knows what was dropped";
  EXPECT_EQ(read.dump.quality.count("tensor_dump.cut"), read.dump.manifest.arguments.size() - whole);
}

TEST(TensorRecording, OverwriteKeepsTheLast) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  FileRecordingPlan plan = plan_for(folder.file("x"), RunPolicy::kOverwrite);
  plan.options.keep_bytes = base::Bytes{200'000};
  plan.options.buffers = {{RecordKind::kTensorBlock, {.records = 128, .per_lane = 8}},
                          {RecordKind::kTensor, {.records = 4, .per_lane = 8}}};
  const auto recording = begun_with_tensors(*memory, plan);
  dump_tensors(*recording, 0, 200, 0, Pace::kOfTheHost);
  dump_tensors(*recording, 1, 0);
  dump_tensors(*recording, 2, 0);
  EXPECT_TRUE(recording->end().file);
  EXPECT_TRUE(contents_of(folder.file("x")).adds_up());
  const ReadDump read = read_dump(folder.file("x"));
  EXPECT_GT(whole_ones(read), 10U);
  EXPECT_EQ(read.dump.manifest.arguments.back().task, 199U);
  EXPECT_FALSE(read.dump.manifest.arguments.back().overwritten);
  EXPECT_LT(read.dump.binary_bytes, 200'000U);
  EXPECT_EQ(read.dump.quality.count("tensor_dump.cut"), 0U);
  EXPECT_EQ(read.dump.quality.count("tensor_dump.bytes_missing"), 0U);
  EXPECT_EQ(read.dump.manifest.dropped_records, 0U);
  EXPECT_EQ(read.dump.manifest.arguments.size() + read.dump.manifest.dropped_overwrite,
            200U + read.dump.quality.count("tensor_dump.overwritten"));
}

TEST(TensorRecording, ALimitIsSaidAndKept) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun_with_tensors(*memory, plan_for(folder.file("x"), RunPolicy::kBlock));
  dump_tensors(*recording, 0, 50, 1001);
  dump_tensors(*recording, 1, 50, 0);
  dump_tensors(*recording, 2, 0, 0);
  EXPECT_TRUE(recording->end().file);
  const ReadDump read = read_dump(folder.file("x"));
  whole_ones(read);
  for (const Argument& argument : read.dump.manifest.arguments)
    EXPECT_LE(argument.bin_size, argument.task < 1'000'000 ? 1000U : 6000U);
}

TEST(TensorRecording, WhoDoesNotFlushHasABeginning) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  FileRecordingPlan plan = plan_for(folder.file("x"), RunPolicy::kBlock);
  plan.options.limits.flush = std::chrono::milliseconds(20);
  const auto recording = begun_with_tensors(*memory, plan);
  CountingPlatform platform;
  const auto tensors = writer_of<recorder::TensorRecord>(*recording, 0, platform);
  const auto blocks = writer_of<recorder::TensorBlockRecord>(*recording, 0, platform);
  TensorDumpRecorder recorder(recording->dfx_flags(), tensors.get(), blocks.get());
  for (std::uint64_t number = 0; number < 40; ++number) {
    const std::string bytes = bytes_of(0, number);
    recorder.on_tensor({.task = number,
                        .data_type = DataType::kUint16,
                        .dimensions = 1,
                        .shape = {elements_of(0, number)},
                        .strides = {1}},
                       bytes.data());
  }
  EXPECT_TRUE(recording->end().file);
  const ReadDump read = read_dump(folder.file("x"));
  EXPECT_EQ(read.dump.manifest.arguments.size(), 36U) << "the last four wait for the next one";
  EXPECT_EQ(whole_ones(read), 36U);
  EXPECT_GT(read.dump.quality.count("tensor_dump.unclaimed_blocks"), 0U);
  EXPECT_GT(read.dump.quality.count("recording.not_flushed"), 0U);
}

// By the C functions, with strides and without.
TEST(TensorRecording, ByTheCFunctions) {
  const TemporaryFolder folder;
  const std::string path = folder.file("x");
  accelscope_config config = ACCELSCOPE_CONFIG_INIT;
  config.path = path.c_str();
  config.dfx_flags = ACCELSCOPE_DUMP_TENSOR;
  config.scheduler_threads = 1;
  config.tensor_bytes = 40;
  accelscope_recording* recording = accelscope_begin(&config, nullptr, 0);
  ASSERT_NE(recording, nullptr);
  accelscope_scheduler* scheduler = accelscope_scheduler_of(recording, 0);
  const float matrix[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // three rows of four
  const std::uint32_t transposed[2] = {1, 4};
  accelscope_argument tensor = {};
  tensor.task = 5;
  tensor.data_type = ACCELSCOPE_TYPE_FLOAT32;
  tensor.dimensions = 2;
  tensor.shape[0] = 3;
  tensor.shape[1] = 3;
  tensor.strides = transposed;
  tensor.start_offset = 1;
  tensor.role = ACCELSCOPE_INOUT;
  tensor.stage = ACCELSCOPE_AFTER;
  accelscope_scheduler_tensor(scheduler, &tensor, matrix);
  tensor.argument = 1;
  tensor.strides = nullptr;
  tensor.start_offset = 0;
  tensor.shape[1] = 4;
  accelscope_scheduler_tensor(scheduler, &tensor, matrix);
  tensor.argument = 2;
  accelscope_scheduler_tensor(scheduler, &tensor, nullptr);
  tensor.argument = 3;
  tensor.dimensions = 1000;
  accelscope_scheduler_tensor(scheduler, &tensor, matrix);
  accelscope_scheduler_scalar(scheduler, 5, 4, ACCELSCOPE_TYPE_INT64, ~UINT64_C(0));
  accelscope_scheduler_flush(scheduler);
  EXPECT_EQ(accelscope_end(recording, nullptr), 0);
  const ReadDump read = read_dump(path);
  const std::vector<Argument>& arguments = read.dump.manifest.arguments;
  ASSERT_EQ(arguments.size(), 4U) << "one has too many dimensions";
  EXPECT_EQ(read.dump.quality.count("tensor_dump.impossible"), 1U);
  EXPECT_EQ(arguments[0].value, "-1");
  const float columns[9] = {1, 5, 9, 2, 6, 10, 3, 7, 11};
  EXPECT_EQ(read.bytes(arguments[1]), std::string(reinterpret_cast<const char*>(columns), sizeof columns));
  EXPECT_FALSE(arguments[1].is_contiguous);
  EXPECT_EQ(arguments[1].role, recorder::TensorRole::kInOut);
  EXPECT_EQ(read.bytes(arguments[2]), std::string(reinterpret_cast<const char*>(matrix), 40));
  EXPECT_TRUE(arguments[2].truncated);
  EXPECT_EQ(arguments[2].strides, (std::vector<std::uint64_t>{4, 1}));
  EXPECT_EQ(arguments[3].bin_size, 0U);
}

}  // namespace
}  // namespace accelscope::capture
