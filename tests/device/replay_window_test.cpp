#include "device/replay_window.h"

#include "base/output_file.h"
#include "device/perfmon_rig.h"
#include "device/pipe_patterns.h"
#include "formats/perfmon/decoder.h"
#include "formats/perfmon/intervals.h"
#include "formats/perfmon/registers_file.h"
#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

using base::Cycles;
using formats::perfmon::BusyInterval;
using tests::CorePerfmon;
using tests::PerfmonRig;
using tests::Slice;
using tests::small_options;

class Decoded {
 public:
  void feed(const Slice& slice, const std::vector<std::uint32_t>& words) {
    if (!slice.continues) decoder_.resynchronise(builder_);
    decoder_.feed(std::as_bytes(std::span(words)), builder_);
  }
  const std::vector<BusyInterval>& intervals() const { return list_.intervals; }

 private:
  formats::perfmon::IntervalList list_ = {};
  formats::perfmon::IntervalBuilder<formats::perfmon::IntervalList> builder_{list_};
  formats::perfmon::Decoder<> decoder_ = formats::perfmon::Decoder<>();
};

// The whole ring and the registers, as somebody with a debugger would save them.
void save(const tests::TemporaryFolder& folder, PerfmonRig& rig, std::uint32_t drain, const Slice& slice,
          bool with_pointer = true, bool with_count = true) {
  std::vector<std::uint32_t> words(rig.ring_bytes / 4);
  rig.memory->copy_words(rig.ring, words);
  const std::string path = folder.file("core1." + std::to_string(drain) + ".bin");
  tests::write_file(path, {reinterpret_cast<const char*>(words.data()), rig.ring_bytes});
  formats::perfmon::Registers registers{.buf_len = slice.seen.length, .base = slice.seen.base()};
  if (with_pointer) registers.wptr = slice.seen.write_pointer;
  if (with_count) registers.samp_wrt = slice.seen.samples_written;
  base::MemoryOutput out;
  formats::perfmon::write_registers(registers, out);
  tests::write_file(formats::perfmon::registers_path(path), out.bytes());
}

// What a model recorded, decoded at once and once more from the files.
void expect_the_same_twice(perfmon::DrainMode mode, bool with_pointer, bool with_count,
                           std::uint32_t first_pointer) {
  const tests::TemporaryFolder folder;
  PerfmonRig rig(small_options(), 1024);
  rig.write(perfmon::Register::kWritePointer, first_pointer);
  perfmon::StartConfig config = rig.config();
  config.mode = mode;
  if (first_pointer != 0) config.order = &perfmon::kGlobalEnableLast;
  ASSERT_EQ(rig.perfmon.start(config), perfmon::Fault::kNone);
  Decoded direct;
  for (std::uint32_t drain = 0; drain < 12; ++drain) {
    ASSERT_TRUE(
        rig.model.run(0, Cycles{std::int64_t{5000} * (drain + 1)}, vector_schedule({.tiles = 3 + drain})));
    const Slice slice = rig.perfmon.drain();
    save(folder, rig, drain, slice, with_pointer, with_count);
    direct.feed(slice, rig.copy(slice));
    rig.perfmon.confirm(slice);
  }

  const auto memory = mapped_memory();
  const auto window =
      ReplayWindow::open(*memory, find_replay_files(folder.path()).value(), small_options().chip).value();
  ASSERT_EQ(window->cores(), 2U);
  ASSERT_EQ(window->ring_bytes(1), 1024U);
  EXPECT_EQ(window->ring_bytes(0), 0U);
  const Address ring = memory->allocate(1024).value();
  WindowBus bus{*window};
  CorePerfmon<WindowBus> perfmon(rig.options.chip, bus, 1);
  config.base = window->attach(1, ring);
  EXPECT_FALSE(window->next(1)) << "not started yet";
  ASSERT_EQ(perfmon.start(config), perfmon::Fault::kNone);
  Decoded replayed;
  while (window->next(1)) {
    const Slice slice = perfmon.drain();
    std::vector<std::uint32_t> words(slice.bytes / 4);
    memory->copy_words(ring + slice.from, std::span(words).first(slice.first_piece(1024) / 4));
    memory->copy_words(ring, std::span(words).subspan(slice.first_piece(1024) / 4));
    replayed.feed(slice, words);
    EXPECT_EQ(slice.lost_bytes, 0U);
    EXPECT_EQ(perfmon.confirm(slice).state, perfmon::CoreState::kRunning);
  }
  EXPECT_EQ(window->drains_left(1), 0U);
  EXPECT_EQ(replayed.intervals(), direct.intervals());
  EXPECT_GT(direct.intervals().size(), 100U);
  EXPECT_EQ(perfmon.stop().state, perfmon::CoreState::kStopped);
}

TEST(ReplayWindow, GivesWhatWasRecorded) {
  for (const perfmon::DrainMode mode : {perfmon::DrainMode::kReadOnly, perfmon::DrainMode::kRestart})
    expect_the_same_twice(mode, true, true, 0);
}

TEST(ReplayWindow, WithoutTheCounterOrThePointerToo) {
  expect_the_same_twice(perfmon::DrainMode::kReadOnly, true, false, 0);
  expect_the_same_twice(perfmon::DrainMode::kReadOnly, false, true, 0);
}

TEST(ReplayWindow, BeginsWhereTheRecordingBegan) {
  expect_the_same_twice(perfmon::DrainMode::kReadOnly, true, true, 500);
}

TEST(ReplayWindow, OfACopyWithoutCountersEverythingIsNew) {
  const tests::TemporaryFolder folder;
  tests::write_file(folder.file("core0.bin"), "abcdefgh");
  tests::write_file(folder.file("core0.bin.regs.json"), "{}");
  const auto memory = mapped_memory();
  const auto window =
      ReplayWindow::open(*memory, find_replay_files(folder.path()).value(), small_options().chip).value();
  const Address ring = memory->allocate(8).value();
  WindowBus bus{*window};
  const perfmon::PerfmonChip chip = small_options().chip;
  CorePerfmon<WindowBus> perfmon(chip, bus, 0);
  ASSERT_EQ(perfmon.start({.base = window->attach(0, ring), .ring_bytes = 8}), perfmon::Fault::kNone);
  EXPECT_EQ(perfmon.drain().bytes, 0U);
  ASSERT_TRUE(window->next(0));
  EXPECT_EQ(perfmon.drain().bytes, 8U);
  EXPECT_EQ(memory->load32(ring), 0x64636261U);
}

TEST(ReplayWindow, FindsItsFilesInTheOrderOfDrains) {
  const tests::TemporaryFolder folder;
  for (const char* name : {"core2.10.bin", "core2.9.bin", "core0.bin", "core.bin", "core1.x.bin", "notes.txt",
                           "core0.bin.regs.json", "core99999999.bin"})
    tests::write_file(folder.file(name), "");
  const ReplayFiles files = find_replay_files(folder.path()).value();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0], std::vector<std::string>{folder.file("core0.bin")});
  EXPECT_TRUE(files[1].empty());
  EXPECT_EQ(files[2], (std::vector<std::string>{folder.file("core2.9.bin"), folder.file("core2.10.bin")}));
  EXPECT_FALSE(find_replay_files(folder.file("nowhere")));
  const tests::TemporaryFolder empty;
  EXPECT_EQ(find_replay_files(empty.path()).error().code, base::ErrorCode::kNotFound);
}

TEST(ReplayWindow, RefusesFilesThatAreNoBuffers) {
  const tests::TemporaryFolder folder;
  const auto memory = mapped_memory();
  const auto error = [&](std::vector<std::string> paths) {
    return ReplayWindow::open(*memory, {std::move(paths)}).error().to_string();
  };
  tests::write_file(folder.file("a.bin"), "abcdefgh");
  tests::write_file(folder.file("b.bin"), "abcd");
  tests::write_file(folder.file("c.bin"), "abc");
  for (const char* name : {"a.bin.regs.json", "b.bin.regs.json", "c.bin.regs.json"})
    tests::write_file(folder.file(name), "{}");
  EXPECT_EQ(error({folder.file("c.bin")}),
            folder.file("c.bin") + ": has 3 bytes: no buffer of words of 4 bytes");
  EXPECT_EQ(error({folder.file("a.bin"), folder.file("b.bin")}),
            folder.file("b.bin") + ": has 4 bytes, and the first copy of this buffer has 8");
  tests::write_file(folder.file("d.bin"), "abcd");
  EXPECT_NE(error({folder.file("d.bin")}).find("d.bin.regs.json"), std::string::npos);
  tests::write_file(folder.file("d.bin.regs.json"), "{\"wptr\": -1}");
  EXPECT_NE(error({folder.file("d.bin")}).find("d.bin.regs.json: byte"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::device
