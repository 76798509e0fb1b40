#include "capture/perfmon_copier.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "accelscope/perfmon/core_perfmon.h"
#include "accelscope/perfmon/drain_record.h"
#include "device/perfmon_model.h"

namespace accelscope::capture {
namespace {

using perfmon::CoreState;
using perfmon::Register;
using recorder::BufferHeader;
using recorder::PerfmonBlockRecord;
using recorder::PerfmonDrainRecord;
using recorder::RecordKind;

// Two cores with small rings, whose drains are told to a copier at once or later, and what it hands on.
class Copier : public testing::Test {
 protected:
  static constexpr std::uint32_t kRing = 256;

  explicit Copier(perfmon::DrainMode mode = perfmon::DrainMode::kReadOnly) {
    for (std::uint32_t core = 0; core < 2; ++core) {
      rings_.push_back({memory_->allocate(kRing).value(), kRing});
      const std::uint64_t base = model_.map(rings_.back().memory, kRing);
      EXPECT_EQ(perfmons_[core].start({.base = base, .ring_bytes = kRing, .mode = mode}),
                perfmon::Fault::kNone);
    }
    source_ = {.window = &model_, .chip = options_.chip, .rings = rings_, .acknowledged = answers_};
  }

  void write(std::uint32_t core, std::uint32_t words) {
    for (std::uint32_t i = 0; i < words; ++i) model_.make_word(core, next_word_[core]++);
  }
  PerfmonDrainRecord drain(std::uint32_t core) {
    last_ = perfmons_[core].drain();
    return drain_record_of(last_, 7, ++drains_[core], 100);
  }

  base::Status take(std::vector<PerfmonDrainRecord> drains) {
    if (!take_)
      take_ = copier().before([this](const auto& header, auto records) { return keep(header, records); });
    const BufferHeader header{.magic = recorder::kBufferMagic,
                              .kind = RecordKind::kPerfmonDrain,
                              .record_bytes = sizeof(PerfmonDrainRecord),
                              .producer = 0,
                              .buffer_number = buffers_++,
                              .generation = 9,
                              .first_record = 0,
                              .count = static_cast<std::uint32_t>(drains.size()),
                              .dropped_before = 0,
                              .paused_from = 0,
                              .paused_to = 0};
    return take_(header, std::as_bytes(std::span(drains)));
  }

  PerfmonCopier& copier() {
    if (!copier_) copier_.emplace(*memory_, source_, 9);
    return *copier_;
  }

  base::Status keep(const BufferHeader& header, std::span<const std::byte> records) {
    if (fails_) return base::fail(base::ErrorCode::kWriteFailed, "the disk is full");
    EXPECT_EQ(records.size(), std::size_t{header.count} * header.record_bytes);
    if (header.kind == RecordKind::kPerfmonDrain) {
      const std::size_t before = taken_.size();
      taken_.resize(before + header.count);
      std::memcpy(&taken_[before], records.data(), records.size());
      return {};
    }
    EXPECT_EQ(header.kind, RecordKind::kPerfmonBlock);
    EXPECT_EQ(header.generation, 9U);
    EXPECT_EQ(header.first_record * PerfmonBlockRecord::kBytes, blocks_[header.producer].size() * 4);
    const std::size_t before = blocks_[header.producer].size();
    blocks_[header.producer].resize(before + records.size() / 4);
    std::memcpy(&blocks_[header.producer][before], records.data(), records.size());
    return {};
  }

  // The words of the last drain, without what fills its last block up.
  std::vector<std::uint32_t> words(std::uint32_t core) const {
    const std::size_t count = taken_.back().copied / 4;
    const std::size_t from = blocks_[core].size() - (count + 15) / 16 * 16;
    return {blocks_[core].begin() + static_cast<std::ptrdiff_t>(from),
            blocks_[core].begin() + static_cast<std::ptrdiff_t>(from + count)};
  }

  static std::vector<std::uint32_t> numbers(std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = from; i < to; ++i) all.push_back(i);
    return all;
  }

  device::PerfmonModelOptions options_ = [] {
    device::PerfmonModelOptions options{.cores = 2};
    options.chip.behaviour.uncounted_bytes = 0;
    return options;
  }();
  std::unique_ptr<device::DeviceMemory> memory_ = device::copied_memory();
  device::PerfmonModel model_{*memory_, options_};
  device::WindowBus bus_{model_};
  std::vector<perfmon::CorePerfmon<device::WindowBus>> perfmons_{{options_.chip, bus_, 0},
                                                                 {options_.chip, bus_, 1}};
  std::vector<MonitorRing> rings_;
  device::Address answers_ = memory_->allocate(8).value();
  PerfmonSource source_;
  std::optional<PerfmonCopier> copier_;
  TakeRecords take_;
  perfmon::Slice last_;
  std::uint32_t next_word_[2] = {0, 1000};
  std::uint32_t drains_[2] = {0, 0};
  std::uint32_t buffers_ = 0;
  bool fails_ = false;
  std::vector<PerfmonDrainRecord> taken_;
  std::vector<std::uint32_t> blocks_[2];
};

class RestartingCopier : public Copier {
 protected:
  RestartingCopier() : Copier(perfmon::DrainMode::kRestart) {}
};

TEST_F(Copier, CopiesWhatIsNewOfEachCore) {
  write(0, 5);
  write(1, 20);
  const PerfmonDrainRecord first = drain(0);
  ASSERT_TRUE(take({first, drain(1)}));
  ASSERT_EQ(taken_.size(), 2U);
  EXPECT_EQ(taken_[0].copied, 20U);
  EXPECT_EQ(taken_[0].lost, 0U);
  EXPECT_EQ(taken_[1].copied, 80U);
  EXPECT_EQ(words(1), numbers(1000, 1020));
  EXPECT_EQ(blocks_[0].size(), 16U);  // one block, filled up with zeros
  EXPECT_EQ(blocks_[0][4], 4U);
  EXPECT_EQ(blocks_[0][5], 0U);
  EXPECT_GT(memory_->invalidated_bytes(), 0U);
}

TEST_F(Copier, FollowsTheRingAroundItsEnd) {
  std::uint32_t seen = 0;
  for (const std::uint32_t count : {40U, 63U, 1U, 0U, 64U, 30U, 50U}) {
    write(0, count);
    ASSERT_TRUE(take({drain(0)}));
    EXPECT_EQ(words(0), numbers(seen, seen + count));
    EXPECT_EQ(taken_.back().lost, 0U);
    seen += count;
  }
}

TEST_F(Copier, GivesUpWhatWasWrittenOverBeforeItWasCopied) {
  write(0, 40);
  const PerfmonDrainRecord late = drain(0);
  write(0, 34);  // 10 words more than there is room for
  ASSERT_TRUE(take({late}));
  EXPECT_EQ(taken_.back().written, 160U);
  EXPECT_EQ(taken_.back().lost, 40U);
  EXPECT_EQ(taken_.back().copied, 120U);
  EXPECT_EQ(taken_.back().from, 40U);
  EXPECT_EQ(words(0), numbers(10, 40));
}

TEST_F(Copier, GivesUpEverythingWhenTheRingWentRound) {
  write(0, 40);
  const PerfmonDrainRecord late = drain(0);
  write(0, 200);
  ASSERT_TRUE(take({late, drain(0)}));
  EXPECT_EQ(taken_[0].copied, 0U);
  EXPECT_EQ(taken_[0].lost, taken_[0].written);
  // Of the 200, the ring has the last 64.
  EXPECT_EQ(taken_[1].written, 800U);
  EXPECT_EQ(taken_[1].copied, kRing);
  EXPECT_EQ(words(0), numbers(176, 240));
}

// Whatever is written between drain and copy: what is handed on was written in this order, and the rest is
// counted.
TEST_F(Copier, AccountsForEveryByteInEveryOrder) {
  std::uint64_t written = 0;
  std::uint64_t copied = 0;
  std::uint64_t lost = 0;
  std::uint32_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    const auto random = [&](std::uint32_t below) {
      state = state * 1664525 + 1013904223;
      return (state >> 8U) % below;
    };
    write(0, random(50));
    const std::uint32_t end = next_word_[0];
    const PerfmonDrainRecord record = drain(0);
    write(0, random(70));
    ASSERT_TRUE(take({record}));
    const PerfmonDrainRecord& taken = taken_.back();
    ASSERT_EQ(taken.copied + taken.lost, taken.written);
    ASSERT_EQ(words(0), numbers(end - taken.copied / 4, end));
    written += taken.written;
    copied += taken.copied;
    lost += taken.lost;
  }
  const PerfmonDrainRecord last = drain(0);
  EXPECT_EQ(written + last.written, std::uint64_t{next_word_[0]} * 4);
  EXPECT_EQ(written, copied + lost);
  EXPECT_GT(lost, 0U);
  EXPECT_GT(copied, 0U);
}

TEST_F(Copier, TellsTheControlCpuWhenItIsDone) {
  write(1, 3);
  const PerfmonDrainRecord record = drain(1);
  EXPECT_EQ(memory_->load32(answers_ + 4), 0U);
  ASSERT_TRUE(take({record}));
  EXPECT_EQ(memory_->load32(answers_ + 4), 1U);
  EXPECT_EQ(memory_->load32(answers_), 0U);
}

TEST_F(RestartingCopier, CopiesFromAMonitorThatStands) {
  for (int i = 0; i < 5; ++i) {
    const std::uint32_t begin = next_word_[0];
    write(0, 30);
    ASSERT_TRUE(take({drain(0)}));
    EXPECT_EQ(words(0), numbers(begin, begin + 30));
    EXPECT_EQ(taken_.back().from, 0U);
    EXPECT_EQ((taken_.back().notes & recorder::kDrainRestarted) != 0, i > 0);
    perfmons_[0].confirm(last_);
  }
}

// The control CPU did not wait: nobody can tell which of the bytes are still those of the drain.
TEST_F(RestartingCopier, GivesUpWhatWasStartedAnewBeforeItWasCopied) {
  write(0, 30);
  const PerfmonDrainRecord late = drain(0);
  perfmons_[0].confirm(last_);
  write(0, 2);
  ASSERT_TRUE(take({late}));
  EXPECT_EQ(taken_.back().copied, 0U);
  EXPECT_EQ(taken_.back().lost, 120U);
}

// The same, and as many bytes were written again: only the control CPU can tell.
TEST_F(RestartingCopier, KnowsWhatWasReleasedByWhatTheControlCpuSays) {
  const device::Address released = memory_->allocate(8).value();
  source_.released = released;
  write(0, 30);
  const PerfmonDrainRecord late = drain(0);
  memory_->store32(released, late.sequence);
  perfmons_[0].confirm(last_);
  write(0, 30);
  ASSERT_EQ(model_.read32(0, options_.chip.registers.offset(Register::kSamplesWritten)), late.counted);
  const PerfmonDrainRecord next = drain(0);
  ASSERT_TRUE(take({late, next}));
  EXPECT_EQ(taken_[0].copied, 0U);
  EXPECT_EQ(taken_[0].lost, 120U);
  EXPECT_EQ(taken_[1].copied, 120U);
  EXPECT_EQ(words(0), numbers(30, 60));
  EXPECT_EQ(memory_->load32(answers_), next.sequence);
}

TEST_F(Copier, TakesTheRestOfAMonitorThatIsStopped) {
  write(0, 6);
  ASSERT_TRUE(take({drain_record_of(perfmons_[0].stop(), PerfmonDrainRecord::kNoTask, 1, 5)}));
  EXPECT_EQ(words(0), numbers(0, 6));
  EXPECT_NE(taken_.back().notes & recorder::kDrainIsLast, 0U);
}

TEST_F(Copier, DoesNotTrustRecords) {
  write(0, 4);
  const PerfmonDrainRecord good = drain(0);
  std::vector<PerfmonDrainRecord> bad(6, good);
  bad[0].core = 2;
  bad[1].from = kRing;
  bad[2].written = kRing + 4;
  bad[3].from = 2;
  bad[4].written = 7;
  bad[5].lost = good.written + 4;
  ASSERT_TRUE(take(bad));
  for (const PerfmonDrainRecord& taken : taken_) {
    EXPECT_EQ(taken.copied, 0U);
    EXPECT_EQ(taken.lost, taken.written);
  }
  EXPECT_TRUE(blocks_[0].empty());
  const std::vector<trace::QualityRow> remarks = copier().remarks();
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].id, "perfmon.impossible_drain");
  EXPECT_EQ(remarks[0].count, 6U);
  EXPECT_EQ(memory_->load32(answers_), good.sequence);  // nobody waits for what cannot be
}

TEST_F(Copier, LosesEverythingWhenTheDeviceIsGone) {
  write(0, 4);
  const PerfmonDrainRecord record = drain(0);
  model_.unplug();
  ASSERT_TRUE(take({record}));
  EXPECT_EQ(taken_.back().copied, 0U);
  EXPECT_EQ(taken_.back().lost, 16U);
}

TEST_F(Copier, LetsOtherRecordsPass) {
  write(0, 4);
  static_cast<void>(copier());
  bool passed = false;
  const TakeRecords take =
      copier().before([&](const BufferHeader& header, std::span<const std::byte> records) {
        passed = header.kind == RecordKind::kCoreTask && records.size() == 32;
        return base::Status();
      });
  const BufferHeader header{.magic = recorder::kBufferMagic,
                            .kind = RecordKind::kCoreTask,
                            .record_bytes = 32,
                            .producer = 0,
                            .buffer_number = 0,
                            .generation = 9,
                            .first_record = 0,
                            .count = 1,
                            .dropped_before = 0,
                            .paused_from = 0,
                            .paused_to = 0};
  const recorder::CoreTaskRecord record{};
  ASSERT_TRUE(take(header, std::as_bytes(std::span(&record, 1))));
  EXPECT_TRUE(passed);
}

TEST_F(Copier, CountsWhatTheSinkDidNotTake) {
  write(0, 40);
  fails_ = true;
  EXPECT_FALSE(take({drain(0)}));
  const std::vector<LaneReport> lanes = copier().lanes();
  ASSERT_EQ(lanes.size(), 1U);
  EXPECT_EQ(lanes[0].produced, 3U);
  EXPECT_EQ(lanes[0].collected, 0U);
  EXPECT_TRUE(lanes[0].adds_up());
}

TEST_F(Copier, KeepsRawBytesUntilThatFails) {
  int calls = 0;
  source_.raw = [&](const PerfmonDrainRecord& drain, std::span<const std::byte> ring) -> base::Status {
    EXPECT_EQ(ring.size(), kRing);
    EXPECT_EQ(drain.copied, 0U);
    if (++calls == 2) return base::fail(base::ErrorCode::kWriteFailed, "no room");
    return {};
  };
  for (int i = 0; i < 4; ++i) {
    write(0, 2);
    ASSERT_TRUE(take({drain(0)}));
    EXPECT_EQ(taken_.back().copied, 8U);
  }
  EXPECT_EQ(calls, 2);
  ASSERT_EQ(copier().remarks().size(), 1U);
  EXPECT_EQ(copier().remarks()[0].id, "perfmon.raw_not_kept");
}

}  // namespace
}  // namespace accelscope::capture
