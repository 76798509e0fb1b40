// Recordings in files: what is in them at each level and under each policy, and what is left of them when
// something fails. Every test reads back what was written.
#include "capture/file_recording.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <optional>

#include "base/hash.h"
#include "capture/recorded_chip.h"
#include "support/temporary_folder.h"
#include "support/without_root.h"

namespace accelscope::capture {
namespace {

using accelscope::tests::TemporaryFolder;
using accelscope::tests::WithoutRoot;
using recorder::CoreTaskRecord;
using recorder::DropReason;
using recorder::RecordKind;
using tests::Contents;
using tests::contents_of;
using tests::CountingPlatform;
using tests::run_chip;
using tests::writer_of;

FileRecordingPlan plan_for(std::string path, std::uint64_t flags, RunPolicy policy = RunPolicy::kBlock) {
  FileRecordingPlan plan;
  plan.path = std::move(path);
  plan.facts.dfx_flags = flags;
  // One count of CountingPlatform: no wait reaches its limit by counting.
  plan.facts.clock = base::Frequency::hz(1'000'000'000'000);
  plan.facts.generation = 1;
  plan.facts.cores = {formats::capture::CoreType::kCube, formats::capture::CoreType::kVector};
  plan.facts.scheduler_threads = 1;
  plan.facts.orchestrators = 1;
  plan.facts.phases = {"submit", "dispatch"};
  plan.options.policy = policy;
  return plan;
}

// Small buffers and chunks, so that little work has many of them.
FileRecordingPlan small_plan(std::string path, RunPolicy policy = RunPolicy::kBlock) {
  FileRecordingPlan plan = plan_for(std::move(path), kDfxCoreTiming, policy);
  plan.options.buffers = {{RecordKind::kCoreTask, {.records = 64, .per_lane = 2}}};
  plan.file.records_per_chunk = 256;
  return plan;
}

std::unique_ptr<FileRecording> begun(device::DeviceMemory& memory, const FileRecordingPlan& plan) {
  auto recording = FileRecording::begin(memory, plan);
  EXPECT_TRUE(recording) << recording.error().to_string();
  return recording ? *std::move(recording) : nullptr;
}

std::string refusal_of(const FileRecordingPlan& plan) {
  const auto memory = device::mapped_memory();
  const auto recording = FileRecording::begin(*memory, plan);
  EXPECT_EQ(memory->allocated_bytes(), 0U);
  return recording ? "" : recording.error().message;
}

// Records that no compression makes small.
void make_records(const FileRecording& recording, std::uint32_t core, std::uint64_t count,
                  const std::function<void(std::uint64_t)>& after_each = {}) {
  CountingPlatform platform;
  const auto writer = writer_of<CoreTaskRecord>(recording, core, platform);
  ASSERT_NE(writer, nullptr);
  for (std::uint64_t i = 0; i < count; ++i) {
    writer->put({.start = platform.now(),
                 .task = base::hash_of(core, i),
                 .duration = 0,
                 .receive_to_start = 0,
                 .sequence = static_cast<std::uint32_t>(i + 1),
                 .function = 0});
    if (after_each) after_each(i);
  }
  writer->flush();
}

// For a producer of small_plan() that would drop: before each of its buffers it waits until the host has an
// empty one for it.
std::function<void(std::uint64_t)> at_the_hosts_pace(const FileRecording& recording, std::uint32_t core) {
  const std::optional<ProducerParts> parts = recording.producer(RecordKind::kCoreTask, core);
  return [lane = parts->lane](std::uint64_t record) {
    if (record % 64 != 63) return;
    while (lane->free.size() == 0) std::this_thread::yield();
  };
}

// Whether these are the first records of a core, each as it was made.
bool is_a_beginning(const std::vector<CoreTaskRecord>& tasks, std::uint32_t core) {
  for (std::uint64_t i = 0; i < tasks.size(); ++i)
    if (tasks[i].task != base::hash_of(core, i) || tasks[i].sequence != i + 1) return false;
  return true;
}

std::uint64_t dropped_of(const formats::capture::LaneTotals& lane, DropReason reason) {
  return lane.dropped[static_cast<std::size_t>(reason)];
}

std::string errors_of(const Contents& contents) {
  std::string text;
  for (const trace::QualityRow& row : contents.quality.rows())
    if (row.severity == trace::Severity::kError) text += row.id + ": " + row.sentence + "\n";
  return text;
}

const formats::capture::LaneTotals& lane_of(const Contents& contents, RecordKind kind,
                                            std::uint32_t producer) {
  static const formats::capture::LaneTotals nothing;
  for (const auto& lane : contents.lanes)
    if (lane.kind == kind && lane.producer == producer) return lane;
  ADD_FAILURE() << "there is no such account";
  return nothing;
}

// A pipe with somebody at its other end who reads slowly: a disk that does not keep up.
class SlowReader {
 public:
  explicit SlowReader(const std::string& path) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    reader_ = std::thread([this, path] { read(path); });
  }
  SlowReader(const SlowReader&) = delete;
  SlowReader& operator=(const SlowReader&) = delete;
  ~SlowReader() { finish(); }

  // Everything, once the writer has closed its end.
  const std::string& finish() {
    if (reader_.joinable()) reader_.join();
    return bytes_;
  }

 private:
  void read(const std::string& path) {
    const base::FileDescriptor pipe(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    fcntl(pipe.get(), F_SETPIPE_SZ, 4096);
    char block[4096];
    for (;;) {
      const ssize_t got = ::read(pipe.get(), block, sizeof block);
      if (got <= 0) return;
      bytes_.append(block, static_cast<std::size_t>(got));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::string bytes_;
  std::thread reader_;
};

TEST(FileRecording, LevelsContainWhatTheyShouldAndNothingMore) {
  for (int level = 1; level <= kMaxChipSwimlaneLevel; ++level) {
    SCOPED_TRACE(level);
    const TemporaryFolder folder;
    const auto memory = device::mapped_memory();
    const std::string path = folder.file("run.astrace");
    const auto recording = begun(*memory, plan_for(path, dfx_flags_of_level(level)));
    ASSERT_NE(recording, nullptr);
    run_chip(*recording, 3000);
    const RecordingEnd ended = recording->end();
    EXPECT_TRUE(ended.file && ended.report.adds_up());
    EXPECT_TRUE(ended.report.remarks.empty());
    EXPECT_EQ(ended.file_bytes, std::filesystem::file_size(path));
    const Contents contents = contents_of(path);
    EXPECT_EQ(contents.records, tests::records_of_level(level, 3000));
    EXPECT_EQ(contents.facts.dfx_flags, dfx_flags_of_level(level));
    EXPECT_EQ(contents.facts.policy, "block");
    EXPECT_TRUE(contents.complete && contents.adds_up());
    EXPECT_EQ(errors_of(contents), "");
  }
}

TEST(FileRecording, ImpliedFlagsAreInTheFile) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun(*memory, plan_for(folder.file("run.astrace"), kDfxPhaseBuffers));
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(recording->dfx_flags(), dfx_flags_of_level(3));
  run_chip(*recording, 10);
  recording->end();
  const Contents contents = contents_of(folder.file("run.astrace"));
  EXPECT_EQ(contents.facts.dfx_flags, dfx_flags_of_level(3));
  EXPECT_EQ(contents.records, tests::records_of_level(3, 10));
}

TEST(FileRecording, LevelZeroAllocatesNothingAndMakesNoFile) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun(*memory, plan_for(folder.file("run.astrace"), 0));
  ASSERT_NE(recording, nullptr);
  EXPECT_EQ(memory->allocated_bytes(), 0U);
  EXPECT_FALSE(recording->producer(RecordKind::kCoreTask, 0));
  run_chip(*recording, 10);
  EXPECT_FALSE(recording->save(folder.file("saved.astrace")));
  const RecordingEnd ended = recording->end();
  EXPECT_TRUE(ended.file && ended.report.lanes.empty());
  EXPECT_EQ(ended.file_bytes, 0U);
  EXPECT_TRUE(folder.names().empty());
}

TEST(FileRecording, BlockWaitsForASlowReaderAndLosesNothing) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  SlowReader reader(folder.file("pipe"));
  FileRecordingPlan plan = small_plan(folder.file("pipe"));
  plan.replace = true;
  const auto recording = begun(*memory, plan);
  ASSERT_NE(recording, nullptr);
  make_records(*recording, 0, 20'000);
  const RecordingEnd ended = recording->end();
  EXPECT_TRUE(ended.file && ended.report.adds_up());
  const Contents contents = contents_of(base::MappedFile::from_memory("pipe", reader.finish()));
  EXPECT_EQ(contents.records.at(RecordKind::kCoreTask), 20'000U);
  EXPECT_TRUE(is_a_beginning(contents.core_tasks, 0));
  EXPECT_TRUE(contents.complete && contents.adds_up());
  EXPECT_GT(lane_of(contents, RecordKind::kCoreTask, 0).paused_ticks, 0U);
  EXPECT_GT(contents.quality.count("recording.paused"), 0U);
}

TEST(FileRecording, DropNeverWaitsAndCounts) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  SlowReader reader(folder.file("pipe"));
  FileRecordingPlan plan = small_plan(folder.file("pipe"), RunPolicy::kDrop);
  plan.replace = true;
  const auto recording = begun(*memory, plan);
  ASSERT_NE(recording, nullptr);
  make_records(*recording, 1, 200'000);
  const RecordingEnd ended = recording->end();
  EXPECT_TRUE(ended.file);
  const Contents contents = contents_of(base::MappedFile::from_memory("pipe", reader.finish()));
  const auto& lane = lane_of(contents, RecordKind::kCoreTask, 1);
  EXPECT_EQ(lane.produced, 200'000U);
  EXPECT_GT(lane.collected, 0U);
  EXPECT_GT(dropped_of(lane, DropReason::kNoBuffer), 0U);
  EXPECT_EQ(lane.paused_ticks, 0U);
  EXPECT_TRUE(contents.complete && contents.adds_up());
  EXPECT_EQ(contents.quality.count("recording.dropped"), lane.all_dropped());
  EXPECT_EQ(contents.facts.policy, "drop");
}

TEST(FileRecording, OverwriteHasTheLastRecordsInTheEnd) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  FileRecordingPlan plan = small_plan(folder.file("run.astrace"), RunPolicy::kOverwrite);
  plan.options.keep_bytes = base::Bytes{20'000};
  const auto recording = begun(*memory, plan);
  ASSERT_NE(recording, nullptr);
  make_records(*recording, 0, 20'000, at_the_hosts_pace(*recording, 0));
  recording->end();
  const Contents contents = contents_of(folder.file("run.astrace"));
  const auto& lane = lane_of(contents, RecordKind::kCoreTask, 0);
  EXPECT_EQ(lane.produced, 20'000U);
  EXPECT_LT(lane.collected, 20'000U / sizeof(CoreTaskRecord));
  EXPECT_EQ(dropped_of(lane, DropReason::kOverwritten), 20'000U - lane.collected);
  EXPECT_TRUE(contents.complete && contents.adds_up());
  ASSERT_FALSE(contents.core_tasks.empty());
  EXPECT_EQ(contents.core_tasks.front().sequence, 20'000U - lane.collected + 1);
  EXPECT_EQ(contents.core_tasks.back().sequence, 20'000U);
  EXPECT_GT(contents.quality.count("recording.begins_late"), 0U);
  EXPECT_EQ(errors_of(contents), "") << "what was to go is not lost";
}

// Saves while producers record, and while the recording ends.
TEST(FileRecording, OverwriteIsSavedByAnotherThreadAtAnyTime) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  FileRecordingPlan plan = small_plan(folder.file("run.astrace"), RunPolicy::kOverwrite);
  plan.options.keep_bytes = base::Bytes{30'000};
  const auto recording = begun(*memory, plan);
  ASSERT_NE(recording, nullptr);
  std::atomic<int> saves = 0;
  std::atomic<bool> over = false;
  std::thread saver([&] {
    while (!over.load() && saves < 200) {
      const auto saved = recording->save(folder.file("saved" + std::to_string(saves)));
      EXPECT_TRUE(saved && !saved->error);
      ++saves;
    }
  });
  std::thread other([&] { make_records(*recording, 1, 50'000); });
  make_records(*recording, 0, 1'000'000, [&](std::uint64_t i) {
    if (i % 64 == 0 && saves < 5) std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  other.join();
  recording->end();
  over = true;
  saver.join();
  ASSERT_GE(saves, 5);
  for (int i = 0; i < saves; ++i) {
    const Contents contents = contents_of(folder.file("saved" + std::to_string(i)));
    EXPECT_TRUE(contents.complete);
    EXPECT_TRUE(contents.adds_up() || contents.lanes.empty()) << "save " << i;
    EXPECT_EQ(contents.facts.policy, "overwrite");
  }
  EXPECT_TRUE(contents_of(folder.file("run.astrace")).adds_up());
}

TEST(FileRecording, SavesNothingUnderOtherPolicies) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun(*memory, plan_for(folder.file("run.astrace"), kDfxCoreTiming));
  ASSERT_NE(recording, nullptr);
  EXPECT_FALSE(recording->save(folder.file("saved")));
  recording->end();
  EXPECT_EQ(folder.names(), std::vector<std::string>{"run.astrace"});
}

TEST(FileRecording, AFileThatExistsIsLeftAloneUnlessItIsToBeReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.astrace");
  accelscope::tests::write_file(path, std::string(5000, 'x'));
  FileRecordingPlan plan = plan_for(path, kDfxCoreTiming);
  EXPECT_EQ(refusal_of(plan), "'" + path + "' exists, and was not to be replaced");
  EXPECT_EQ(accelscope::tests::read_file(path), std::string(5000, 'x'));
  plan.replace = true;
  const auto memory = device::mapped_memory();
  const auto recording = begun(*memory, plan);
  ASSERT_NE(recording, nullptr);
  run_chip(*recording, 10);
  const RecordingEnd ended = recording->end();
  EXPECT_EQ(ended.file_bytes, std::filesystem::file_size(path)) << "nothing is left of the old one";
  const Contents contents = contents_of(path);
  EXPECT_TRUE(contents.complete);
  EXPECT_EQ(contents.records, tests::records_of_level(1, 10));
}

TEST(FileRecording, AFolderThatCannotBeWrittenIsAnError) {
  const TemporaryFolder folder;
  chmod(folder.path().c_str(), 0555);
  const WithoutRoot user;
  if (!user.active()) GTEST_SKIP() << "root may write everything";
  const std::string refusal = refusal_of(plan_for(folder.file("run.astrace"), kDfxCoreTiming));
  EXPECT_NE(refusal.find("Permission denied"), std::string::npos) << refusal;
  EXPECT_NE(refusal_of(plan_for(folder.file("no/such/folder"), kDfxCoreTiming)), "");
}

TEST(FileRecording, AFullDiskIsAnErrorAtOnce) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  FileRecordingPlan plan = plan_for("/dev/full", kDfxCoreTiming);
  plan.replace = true;
  const std::string refusal = refusal_of(plan);
  EXPECT_NE(refusal.find("No space left on device"), std::string::npos) << refusal;
}

// For the life of this object, no file of the process grows beyond so many bytes.
class DiskOf {
 public:
  explicit DiskOf(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  DiskOf(const DiskOf&) = delete;
  DiskOf& operator=(const DiskOf&) = delete;
  ~DiskOf() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  void (*handler_)(int);
};

TEST(FileRecording, AFullDiskLeavesNoFile) {
  const TemporaryFolder folder;
  const DiskOf full_disk(0);
  EXPECT_NE(refusal_of(plan_for(folder.file("run.astrace"), kDfxCoreTiming)), "");
  EXPECT_TRUE(folder.names().empty());
}

TEST(FileRecording, ADiskThatFillsUpKeepsWhatIsOnIt) {
  for (const RunPolicy policy : {RunPolicy::kBlock, RunPolicy::kDrop, RunPolicy::kOverwrite}) {
    SCOPED_TRACE(name_of(policy));
    const TemporaryFolder folder;
    const auto memory = device::mapped_memory();
    FileRecordingPlan plan = small_plan(folder.file("run.astrace"), policy);
    const auto recording = begun(*memory, plan);
    ASSERT_NE(recording, nullptr);
    RecordingEnd ended;
    {
      const DiskOf small_disk(20'000);
      make_records(*recording, 0, 50'000, at_the_hosts_pace(*recording, 0));
      ended = recording->end();
    }
    ASSERT_FALSE(ended.file);
    EXPECT_NE(ended.file.error().to_string().find("run.astrace"), std::string::npos);
    EXPECT_TRUE(ended.report.sink_failed && ended.report.adds_up());
    EXPECT_TRUE(tests::has_remark(ended.report, "collector.sink_failed"));
    EXPECT_GT(ended.report.lanes[0].dropped[static_cast<std::size_t>(DropReason::kSinkFailed)], 0U);
    const Contents contents = contents_of(folder.file("run.astrace"));
    EXPECT_FALSE(contents.complete);
    EXPECT_GT(contents.core_tasks.size(), 500U);
    EXPECT_GT(contents.quality.count("astrace.ended_early"), 0U);
    EXPECT_TRUE(is_a_beginning(contents.core_tasks, 0));
  }
}

TEST(FileRecording, RefusesWhatMakesNoSenseAndLeavesNoFile) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.astrace");
  EXPECT_EQ(refusal_of(plan_for("", kDfxCoreTiming)),
            "a feature is recorded, but there is no path for its file");
  EXPECT_NE(refusal_of(plan_for(path, std::uint64_t{1} << 20U)).find("0x100000"), std::string::npos);
  FileRecordingPlan plan = plan_for(path, kDfxCoreTiming);
  plan.facts.clock = base::Frequency::unknown();
  EXPECT_NE(refusal_of(plan), "");
  plan = plan_for(path, kDfxCoreTiming);
  plan.facts.cores.clear();
  plan.facts.scheduler_threads = plan.facts.orchestrators = 0;
  EXPECT_NE(refusal_of(plan), "");
  plan = plan_for(path, kDfxCoreTiming);
  plan.facts.cores.resize(5000);
  EXPECT_NE(refusal_of(plan).find("buffers"), std::string::npos);
  EXPECT_TRUE(folder.names().empty());
}

// A clock that is set back now and then, between records and within one.
struct UnsteadyPlatform {
  std::uint64_t time = 1'000'000;
  std::uint64_t reads = 0;
  std::uint64_t now() {
    time += ++reads % 10 == 0 ? std::uint64_t{0} - 500 : 100;
    return time;
  }
  void relax() { std::this_thread::yield(); }
};

TEST(FileRecording, AClockThatGoesBackwardsIsSaid) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  const auto recording = begun(*memory, plan_for(folder.file("run.astrace"), kDfxCoreTiming));
  ASSERT_NE(recording, nullptr);
  UnsteadyPlatform platform;
  const auto writer = writer_of<CoreTaskRecord>(*recording, 0, platform);
  recorder::CoreTaskRecorder core(recording->dfx_flags(), writer.get(), platform);
  for (std::uint32_t i = 0; i < 1000; ++i) core.on_receive(), core.on_start(), core.on_end(i, i + 1, 0);
  writer->flush();
  EXPECT_TRUE(recording->end().file);
  const Contents contents = contents_of(folder.file("run.astrace"));
  EXPECT_EQ(contents.core_tasks.size(), 1000U);
  EXPECT_TRUE(contents.complete && contents.adds_up());
  EXPECT_GT(contents.quality.count("recording.clock_backwards"), 0U) << "within a record";
  EXPECT_GT(contents.quality.count("collector.clock_backwards"), 0U) << "from one to the next";
}

TEST(FileRecording, AProducerThatStopsInABufferIsNamedAndKeepsWhatItHandedOver) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  FileRecordingPlan plan = small_plan(folder.file("run.astrace"));
  plan.options.limits.flush = std::chrono::milliseconds(20);
  const auto recording = begun(*memory, plan);
  ASSERT_NE(recording, nullptr);
  CountingPlatform platform;
  const auto stops = writer_of<CoreTaskRecord>(*recording, 0, platform);
  for (std::uint32_t i = 0; i < 200; ++i)
    stops->put({platform.now(), base::hash_of(0U, std::uint64_t{i}), 0, 0, i + 1, 0});
  make_records(*recording, 1, 300);
  const RecordingEnd ended = recording->end();
  EXPECT_TRUE(ended.file);
  EXPECT_NE(tests::remark(ended.report, "collector.not_flushed").find("in the middle of a buffer"),
            std::string::npos);
  const Contents contents = contents_of(folder.file("run.astrace"));
  EXPECT_EQ(contents.of_lane.at({RecordKind::kCoreTask, 0}), 192U) << "three full buffers";
  EXPECT_EQ(contents.of_lane.at({RecordKind::kCoreTask, 1}), 300U);
  EXPECT_FALSE(lane_of(contents, RecordKind::kCoreTask, 0).flushed);
  EXPECT_TRUE(lane_of(contents, RecordKind::kCoreTask, 1).flushed);
  EXPECT_EQ(contents.quality.count("recording.not_flushed"), 1U);
  EXPECT_TRUE(contents.complete);
}

// A clock of the only thread, which collects while it waits for a buffer.
struct PollingPlatform {
  FileRecording* recording;
  std::uint64_t time = 0;

  std::uint64_t now() { return ++time; }
  void relax() { recording->poll(); }
};

TEST(FileRecording, ByPollingNeedsNoOtherThreadAndRepeatsItself) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  std::string files[2];
  for (std::string& bytes : files) {
    const std::string path = folder.file(&bytes == files ? "a" : "b");
    FileRecordingPlan plan = small_plan(path);
    plan.collecting = Collecting::kByPolling;
    const auto recording = begun(*memory, plan);
    ASSERT_NE(recording, nullptr);
    PollingPlatform platform{recording.get()};
    const auto first = writer_of<CoreTaskRecord>(*recording, 0, platform);
    const auto second = writer_of<CoreTaskRecord>(*recording, 1, platform);
    for (std::uint32_t i = 0; i < 1000; ++i) {
      first->put({platform.now(), i, 1, 1, i + 1, 0});
      if (i % 3 == 0) second->put({platform.now(), i, 1, 1, i / 3 + 1, 0});
      if (i % 400 == 0) recording->poll();  // too seldom: the buffers of a lane hold 128
    }
    first->flush();
    second->flush();
    const RecordingEnd ended = recording->end();
    EXPECT_TRUE(ended.file);
    const Contents contents = contents_of(path);
    EXPECT_TRUE(contents.complete);
    EXPECT_EQ(contents.of_lane.at({RecordKind::kCoreTask, 0}), 1000U);
    EXPECT_EQ(contents.of_lane.at({RecordKind::kCoreTask, 1}), 334U);
    bytes = accelscope::tests::read_file(path);
  }
  EXPECT_EQ(files[0], files[1]);
}

TEST(FileRecording, EndsOnceAndByItsDestructor) {
  const TemporaryFolder folder;
  const auto memory = device::mapped_memory();
  {
    const auto recording = begun(*memory, plan_for(folder.file("a"), kDfxCoreTiming));
    ASSERT_NE(recording, nullptr);
    run_chip(*recording, 10);
  }
  EXPECT_TRUE(contents_of(folder.file("a")).complete);
  {
    const auto recording = begun(*memory, plan_for(folder.file("b"), kDfxCoreTiming));
    ASSERT_NE(recording, nullptr);
    EXPECT_GT(recording->end().file_bytes, 0U);
    const RecordingEnd again = recording->end();
    EXPECT_TRUE(again.file && again.report.lanes.empty() && again.file_bytes == 0);
  }
  EXPECT_TRUE(contents_of(folder.file("b")).complete);
  EXPECT_EQ(memory->allocated_bytes(), 0U);
}

}  // namespace
}  // namespace accelscope::capture
