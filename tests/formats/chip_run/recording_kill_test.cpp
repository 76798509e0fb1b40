// A recording process killed at random moments: each file opens, and what it holds of a producer is a
// beginning of what that one recorded.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "formats/capture/container_reader.h"
#include "formats/capture/record_codec.h"
#include "formats/chip_run/counting_run.h"
#include "formats/chip_run/recorded_tensors.h"
#include "formats/chip_run/recording_reader.h"
#include "support/temporary_folder.h"

namespace accelscope::formats::chip_run {
namespace {

using recorder::RecordKind;

// Starts the process, waits until it records, lets it go on for so long, and kills it.
bool record_and_kill(const std::string& file, std::uint32_t seed, std::chrono::microseconds time) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string program = RECORDING_PROCESS;
  std::string path = file;
  std::string number = std::to_string(seed);
  char* const arguments[] = {program.data(), path.data(), number.data(), nullptr};
  pid_t process = -1;
  const bool spawned = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char first = 0;
  const bool records = spawned && read(ends[0], &first, 1) == 1;
  close(ends[0]);
  if (records) std::this_thread::sleep_for(time);
  if (!spawned) return false;
  kill(process, SIGKILL);
  int status = 0;
  waitpid(process, &status, 0);
  return records && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

template <class Record>
bool follow(std::span<const Record> records, std::uint32_t producer, std::uint64_t first,
            Record (*make)(std::uint32_t, std::uint64_t)) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record expected = make(producer, first + i);
    if (std::memcmp(&expected, &records[i], sizeof expected) != 0) return false;
  }
  return true;
}

// How many records the file has, each of them the next of its producer; nothing when one is not.
class PrefixCheck {
 public:
  void take(std::string_view payload) {
    ASSERT_TRUE(decoder_.parse(payload));
    if (decoder_.kind() == RecordKind::kCoreTask)
      take_as<recorder::CoreTaskRecord>(tests::core_task);
    else if (decoder_.kind() == RecordKind::kTaskLifecycle)
      take_as<recorder::TaskLifecycleRecord>(tests::lifecycle);
    else if (decoder_.kind() == RecordKind::kTensor)
      take_as<recorder::TensorRecord>(tests::tensor);
    else if (decoder_.kind() == RecordKind::kTensorBlock)
      take_as<recorder::TensorBlockRecord>(tests::block);
    else
      take_as<recorder::SchedulerPhaseRecord>(tests::phase);
  }
  std::uint64_t records() const { return records_; }

 private:
  template <class Record>
  void take_as(Record (*make)(std::uint32_t, std::uint64_t)) {
    ASSERT_EQ(decoder_.kind(), Record::kKind);
    std::span<const Record> records = decoder_.decode_as<Record>();
    for (const capture::BufferFacts& buffer : decoder_.buffers()) {
      std::uint64_t& next = next_[{Record::kKind, buffer.producer}];
      ASSERT_EQ(buffer.first_record, next);
      ASSERT_TRUE(follow(records.first(buffer.count), buffer.producer, next, make));
      next += buffer.count;
      records = records.subspan(buffer.count);
    }
    records_ += decoder_.records();
  }

  capture::RecordsDecoder decoder_;
  std::map<std::pair<RecordKind, std::uint32_t>, std::uint64_t> next_;
  std::uint64_t records_ = 0;
};

void expect_prefix(const base::MappedFile& file, std::uint64_t& records) {
  auto reader = capture::ContainerReader::open(file);
  ASSERT_TRUE(reader) << reader.error().to_string();
  PrefixCheck check;
  while (const auto chunk = reader->next())
    if (chunk->header.kind == capture::ChunkKind::kRecords) {
      ASSERT_NO_FATAL_FAILURE(check.take(chunk->payload));
    }
  EXPECT_EQ(reader->ending(), capture::Ending::kEndedEarly);
  records = check.records();
}

// Every tensor is a beginning of itself, and says whether it is all of it. The answer is how many bytes there
// are.
std::uint64_t check_tensors(const base::MappedFile& file) {
  std::string binary;
  const auto put = [&](std::uint64_t offset, std::string_view bytes) -> base::Status {
    binary.resize(std::max<std::size_t>(binary.size(), offset + bytes.size()));
    binary.replace(offset, bytes.size(), bytes);
    return {};
  };
  const auto dump = read_recorded_tensors(file, put);
  EXPECT_TRUE(dump) << dump.error().to_string();
  if (!dump) return 0;
  for (const tensor_dump::Argument& argument : dump->manifest.arguments) {
    const auto thread = static_cast<std::uint32_t>(argument.task % tests::kCountingThreads);
    const std::uint64_t number = argument.task / tests::kCountingThreads;
    std::string expected;
    for (std::uint64_t block = 3 * number; expected.size() < argument.bin_size; ++block)
      expected.append(reinterpret_cast<const char*>(tests::block(thread, block).bytes), 64);
    expected.resize(argument.bin_size);
    EXPECT_EQ(binary.substr(argument.bin_offset, argument.bin_size), expected);
    EXPECT_EQ(argument.truncated, argument.bin_size < tests::tensor(thread, number).payload_bytes);
  }
  EXPECT_FALSE(check(dump->manifest, file.path(), binary.size()).has_errors());
  return binary.size();
}

TEST(RecordingKill, ACCELSCOPE_KILL_TEST) {
  const tests::TemporaryFolder folder;
  std::mt19937 random(2026);
  std::uint64_t all_records = 0;
  std::uint64_t all_bytes = 0;
  for (std::uint32_t moment = 0; moment < ACCELSCOPE_KILL_MOMENTS; ++moment) {
    SCOPED_TRACE(moment);
    const std::string path = folder.file("killed.astrace");
    const std::chrono::microseconds time(random() % 20'000);
    ASSERT_TRUE(record_and_kill(path, moment, time));
    {
      const auto file = base::MappedFile::open(path);
      ASSERT_TRUE(file);
      ASSERT_TRUE(is_recording(*file));
      std::uint64_t records = 0;
      ASSERT_NO_FATAL_FAILURE(expect_prefix(*file, records));
      const auto trace = read_recording(*file);
      ASSERT_TRUE(trace) << trace.error().to_string();
      EXPECT_EQ(trace->quality().count("astrace.ended_early"), 1U);
      EXPECT_EQ(trace->quality().count("recording.buffer_missing"), 0U);
      all_records += records;
      all_bytes += check_tensors(*file);
    }
    ASSERT_EQ(unlink(path.c_str()), 0);
  }
  EXPECT_GT(all_records, 0U);
  EXPECT_GT(all_bytes, 0U);
}

}  // namespace
}  // namespace accelscope::formats::chip_run
