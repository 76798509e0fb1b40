#include "device/core_recording.h"

#include "device/drain_files.h"
#include "device/perfmon_rig.h"
#include "support/recording_playback.h"
#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

using perfmon::CoreState;
using perfmon::DrainMode;
using perfmon::Fault;
using tests::numbers;
using tests::PerfmonRig;
using tests::play_back;
using tests::small_options;

struct Recorder {
  explicit Recorder(PerfmonRig& rig, DrainMode mode = DrainMode::kReadOnly)
      : bus{rig.model},
        recording(rig.options.chip, bus, *rig.memory, rig.core, rig.ring,
                  {.base = rig.base, .ring_bytes = rig.ring_bytes, .mode = mode}) {}

  void drain() {
    recording.drain();
    EXPECT_TRUE(recording.write(folder.path()));
  }
  void stop() {
    recording.stop();
    EXPECT_TRUE(recording.write(folder.path()));
  }

  const tests::TemporaryFolder folder;
  WindowBus bus;
  CoreRecording recording;
};

TEST(CoreRecording, WhatWasRecordedPlaysBack) {
  for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
    PerfmonRig rig(small_options(), 64);
    const auto before = rig.settings();
    Recorder recorder(rig, mode);
    ASSERT_EQ(recorder.recording.start(), Fault::kNone);
    std::uint32_t made = 0;
    for (const std::uint32_t count : {1U, 15U, 16U, 0U, 7U, 13U, 0U}) {
      rig.make_words(made, count);
      made += count;
      recorder.drain();
    }
    rig.make_words(made, 5);
    made += 5;
    recorder.stop();
    EXPECT_EQ(recorder.recording.state(), CoreState::kStopped);
    EXPECT_EQ(rig.settings(), before);
    EXPECT_EQ(play_back(recorder.folder.path(), 0, mode, rig.options.chip).words, numbers(0, made));
    const CoreRecordingCounts counts = recorder.recording.counts();
    EXPECT_EQ(counts.drains, 8U);
    EXPECT_EQ(counts.files, 6U) << "drains without new bytes write nothing";
    EXPECT_EQ(counts.written_bytes, 4 * made);
    EXPECT_EQ(counts.copied_bytes, 4 * made);
    EXPECT_EQ(counts.lost_bytes, 0U);
    EXPECT_TRUE(counts.pointers_agree);
    EXPECT_TRUE(recorder.recording.ring_may_be_released());
  }
}

TEST(CoreRecording, LossesAreCountedAndPlayBackAsLosses) {
  PerfmonRig rig(small_options(), 64);
  Recorder recorder(rig);
  ASSERT_EQ(recorder.recording.start(), Fault::kNone);
  rig.make_words(0, 100);
  recorder.drain();
  rig.make_words(100, 3);
  recorder.stop();
  const CoreRecordingCounts counts = recorder.recording.counts();
  EXPECT_EQ(counts.written_bytes, 412U);
  EXPECT_EQ(counts.copied_bytes, 76U);
  EXPECT_EQ(counts.lost_bytes, 336U);
  const tests::PlayedBack played =
      play_back(recorder.folder.path(), 0, DrainMode::kReadOnly, rig.options.chip);
  EXPECT_EQ(played.words, numbers(84, 19));
  EXPECT_EQ(played.lost_bytes, 336U);
}

// What is in memory before it is counted could have been written over without showing: a bound of the chip.
TEST(CoreRecording, WhatMayHaveBeenOverwrittenCountsAsLost) {
  PerfmonModelOptions options = small_options();
  options.chip.behaviour.uncounted_bytes = 16;
  PerfmonRig rig(options, 64);
  Recorder recorder(rig);
  ASSERT_EQ(recorder.recording.start(), Fault::kNone);
  rig.make_words(0, 16);
  recorder.drain();
  const CoreRecordingCounts counts = recorder.recording.counts();
  EXPECT_EQ(counts.overwritten_bytes, 16U);
  EXPECT_EQ(counts.lost_bytes, 16U);
  EXPECT_EQ(counts.copied_bytes, 48U);
  EXPECT_EQ(counts.written_bytes, 64U);
}

// Hardware counts words where bytes are assumed: the account is wrong, and the files are not.
TEST(CoreRecording, TheWholeRingIsThereWhateverTheCountersMean) {
  PerfmonModelOptions counts_words = small_options();
  counts_words.chip.behaviour.samples_written_in = perfmon::Unit::kWords;
  counts_words.chip.behaviour.pointer_in = perfmon::Unit::kWords;
  PerfmonRig rig(counts_words, 256);
  WindowBus bus{rig.model};
  const tests::TemporaryFolder folder;
  const perfmon::PerfmonChip assumed = small_options().chip;
  CoreRecording recording(assumed, bus, *rig.memory, 0, rig.ring, {.base = rig.base, .ring_bytes = 256});
  ASSERT_EQ(recording.start(), Fault::kNone);
  rig.make_words(1, 40);
  recording.drain();
  ASSERT_TRUE(recording.write(folder.path()));
  EXPECT_EQ(recording.counts().copied_bytes, 40U);
  const std::string bytes = tests::read_file(drain_path(folder.path(), 0, 1));
  ASSERT_EQ(bytes.size(), 256U);
  for (std::uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(static_cast<unsigned char>(bytes[std::size_t{4} * i]), i < 40 ? i + 1 : 0) << i;
  recording.stop();
}

// The registers that made it so are kept with the ring.
TEST(CoreRecording, APointerThatLeavesTheRingLeavesEvidence) {
  PerfmonModelOptions total = small_options();
  total.chip.behaviour.pointer = perfmon::PointerKind::kTotal;
  PerfmonRig rig(total, 64);
  const auto before = rig.settings();
  WindowBus bus{rig.model};
  const tests::TemporaryFolder folder;
  const perfmon::PerfmonChip assumed = small_options().chip;
  CoreRecording recording(assumed, bus, *rig.memory, 0, rig.ring, {.base = rig.base, .ring_bytes = 64});
  ASSERT_EQ(recording.start(), Fault::kNone);
  rig.make_words(1, 20);
  recording.drain();
  ASSERT_TRUE(recording.write(folder.path()));
  EXPECT_EQ(recording.state(), CoreState::kPointerOutside);
  EXPECT_EQ(rig.settings(), before);
  const base::MappedFile beside = base::MappedFile::open(folder.file("core0.1.bin.regs.json")).value();
  EXPECT_EQ(formats::perfmon::read_registers(beside).value().wptr, 80U);
  recording.drain();
  recording.stop();
  ASSERT_TRUE(recording.write(folder.path()));
  EXPECT_EQ(recording.counts().files, 1U);
}

TEST(CoreRecording, OfARingThatIsNotOursNothingIsWritten) {
  for (const perfmon::Register taken : {perfmon::Register::kBaseLow, perfmon::Register::kBufferLength}) {
    PerfmonRig rig(small_options(), 64);
    Recorder recorder(rig);
    ASSERT_EQ(recorder.recording.start(), Fault::kNone);
    rig.make_words(0, 3);
    rig.write(taken, 0x100);
    recorder.drain();
    recorder.stop();
    EXPECT_EQ(recorder.recording.counts().files, 0U);
    EXPECT_EQ(rig.read(taken), 0x100U);
  }
}

TEST(CoreRecording, WhatCannotBeStartedIsNotDrained) {
  PerfmonRig rig(small_options(), 64);
  rig.write(perfmon::Register::kBufferLength, 0x100);
  rig.write(perfmon::Register::kBaseLow, 0x7000);
  Recorder recorder(rig);
  EXPECT_EQ(recorder.recording.start(), Fault::kOwnedBySomebody);
  recorder.drain();
  recorder.stop();
  EXPECT_EQ(recorder.recording.counts().drains, 0U);
  EXPECT_TRUE(recorder.folder.names().empty());
}

}  // namespace
}  // namespace accelscope::device
