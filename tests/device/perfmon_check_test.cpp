// Everything that can happen in between: every order of words made, words landing, drains, copies and stops,
// up to a depth, on rings of a few words. No word is there twice, none is another than it should be, and what
// is missing is what was said to be lost.
#include <algorithm>
#include <functional>

#include "device/perfmon_rig.h"
#include "formats/perfmon/decoder.h"
#include "formats/perfmon/intervals.h"

namespace accelscope::perfmon {
namespace {

using base::Cycles;
using device::CountedWhen;
using device::PerfmonModelOptions;
using device::Pipe;
using formats::perfmon::bit_of;

// Time passes between two reads only where the reader waits for words on their way.
struct WaitingBus {
  device::PerfmonModel& model;
  bool waits = false;

  uint32_t read_reg(uint32_t core, uint32_t offset) {
    if (waits) model.land(core, 1);
    return model.read32(core, offset);
  }
  void write_reg(uint32_t core, uint32_t offset, uint32_t value) { model.write32(core, offset, value); }
  void barrier() {}
  void give_up(uint32_t core) { model.give_up(core); }
};

struct Case {
  uint32_t ring_words = 4;
  DrainMode mode = DrainMode::kReadOnly;
  CountedWhen counted = CountedWhen::kLanded;
  uint32_t most_in_flight = 0;  // 0: words are in memory at once

  PerfmonModelOptions options() const {
    PerfmonModelOptions options = tests::small_options();
    options.counted_when = counted;
    if (most_in_flight > 0) options.dma_delay = Cycles::max();
    options.most_in_flight = most_in_flight;
    if (counted == CountedWhen::kIssued) options.chip.behaviour.unlanded_bytes = 4 * most_in_flight;
    return options;
  }
};

// A chip in mid-run: carries out actions, and keeps what a collector would.
class Run {
 public:
  explicit Run(const Case& given)
      : case_(given),
        rig_(given.options(), 4 * given.ring_words),
        bus_{rig_.model},
        perfmon_(rig_.options.chip, bus_, 0) {
    StartConfig config = rig_.config();
    config.mode = given.mode;
    config.stable_reads = 8;
    started_ = perfmon_.start(config) == Fault::kNone;
  }

  bool paused() const { return perfmon_.state() == CoreState::kPaused; }
  bool make(uint32_t words) {
    if (paused()) return false;  // a monitor that is off makes none
    rig_.make_words(made_ + 1, words);
    made_ += words;
    return true;
  }
  bool land() {
    if (rig_.model.in_flight(0) == 0) return false;
    rig_.model.land(0, 1);
    return true;
  }
  bool drain() {
    if (open_) return false;
    bus_.waits = case_.mode == DrainMode::kRestart;
    slice_ = perfmon_.drain();
    bus_.waits = false;
    open_ = true;
    copied_.clear();
    return true;
  }
  // One half of it, so that words are made in mid-copy.
  bool copy() {
    const std::size_t all = slice_.bytes / 4;
    if (!open_ || copied_.size() == all) return false;
    const std::size_t upto = copied_.empty() && all > 1 ? all / 2 : all;
    const std::vector<uint32_t> now = rig_.copy(slice_);
    copied_.insert(copied_.end(), now.begin() + static_cast<std::ptrdiff_t>(copied_.size()),
                   now.begin() + static_cast<std::ptrdiff_t>(upto));
    return true;
  }
  bool confirm() {
    if (!open_ || copied_.size() != slice_.bytes / 4) return false;
    keep(perfmon_.confirm(slice_).overwritten_bytes);
    open_ = false;
    return true;
  }

  // Whatever was open is ended as a collector would end it.
  void finish() {
    ASSERT_TRUE(started_);
    while (open_ && copy()) {
    }
    if (open_) confirm();
    bus_.waits = true;
    slice_ = perfmon_.stop();
    copied_ = rig_.copy(slice_);
    keep(0);
    EXPECT_TRUE(slice_.settled && slice_.pointer_agrees && slice_.torn_bytes == 0);
    EXPECT_EQ(perfmon_.state(), CoreState::kStopped);
    EXPECT_EQ(perfmon_.counted_bytes(), 4U * made_);
    EXPECT_EQ(4 * kept_ + perfmon_.lost_bytes(), 4U * made_);
  }
  bool consistent() const { return consistent_; }
  uint64_t lost() const { return perfmon_.lost_bytes(); }

 private:
  void keep(uint32_t overwritten_bytes) {
    const std::size_t dropped = overwritten_bytes / 4;
    const uint64_t first = slice_.first_byte / 4 + 1;
    for (std::size_t i = dropped; i < copied_.size(); ++i)
      consistent_ = consistent_ && copied_[i] == first + i;
    if (!copied_.empty()) {
      consistent_ = consistent_ && (first > last_);
      consistent_ = consistent_ && (!slice_.continues || first == last_ + 1);
      last_ = first + copied_.size() - 1;
    }
    kept_ += copied_.size() - dropped;
  }

  Case case_;
  tests::PerfmonRig rig_;
  WaitingBus bus_;
  CorePerfmon<WaitingBus> perfmon_;
  bool started_ = false;
  bool open_ = false;
  bool consistent_ = true;
  Slice slice_ = {};
  std::vector<uint32_t> copied_ = {};
  uint32_t made_ = 0;
  uint64_t kept_ = 0;
  uint64_t last_ = 0;  // word of the last slice
};

using Action = std::function<bool(Run&)>;

struct Explored {
  std::size_t runs = 0;
  std::size_t with_losses = 0;
};

// Every sequence of actions of at most this length, each followed by the end of the run. False: an action was
// not possible there, so nothing that begins so has to be tried.
Explored explore(const Case& given, const std::vector<Action>& actions, std::size_t depth) {
  Explored explored;
  std::vector<std::size_t> sequence;
  const std::function<void()> visit = [&] {
    Run run(given);
    for (const std::size_t action : sequence)
      if (!actions[action](run)) return;
    run.finish();
    ++explored.runs;
    explored.with_losses += run.lost() > 0 ? 1 : 0;
    if (!run.consistent() || testing::Test::HasFailure()) {
      ADD_FAILURE() << "after " << testing::PrintToString(sequence);
      return;
    }
    if (sequence.size() == depth) return;
    for (std::size_t action = 0; action < actions.size(); ++action) {
      sequence.push_back(action);
      visit();
      sequence.pop_back();
      if (testing::Test::HasFailure()) return;
    }
  };
  visit();
  return explored;
}

std::vector<Action> actions_of(const Case& given) {
  std::vector<Action> actions{[](Run& run) { return run.make(1); }, [](Run& run) { return run.make(3); },
                              [](Run& run) { return run.drain(); }, [](Run& run) { return run.copy(); },
                              [](Run& run) { return run.confirm(); }};
  if (given.most_in_flight > 0) actions.emplace_back([](Run& run) { return run.land(); });
  return actions;
}

constexpr std::size_t kDepth = 9;

TEST(PerfmonCheck, NothingIsLostWithoutNoticeInAnyOrder) {
  std::size_t runs = 0;
  for (const uint32_t ring_words : {2U, 3U, 4U})
    for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
      const Case given{.ring_words = ring_words, .mode = mode};
      const Explored explored = explore(given, actions_of(given), kDepth);
      EXPECT_GT(explored.with_losses, 0U);
      EXPECT_GT(explored.runs, explored.with_losses);
      runs += explored.runs;
    }
  RecordProperty("runs", static_cast<int>(runs));
  EXPECT_GT(runs, 10'000U);
}

TEST(PerfmonCheck, NorWhileWordsAreOnTheirWay) {
  std::size_t runs = 0;
  for (const CountedWhen counted : {CountedWhen::kLanded, CountedWhen::kIssued})
    for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
      const Case given{.ring_words = 4, .mode = mode, .counted = counted, .most_in_flight = 2};
      const Explored explored = explore(given, actions_of(given), kDepth - 1);
      EXPECT_GT(explored.with_losses, 0U);
      runs += explored.runs;
    }
  RecordProperty("runs", static_cast<int>(runs));
  EXPECT_GT(runs, 10'000U);
}

// A counter that runs ahead of memory, and nobody waits: stale words are taken for new ones. This is what
// `unlanded_bytes` is for, and that it is noticed here shows that the check can fail.
TEST(PerfmonCheck, WithoutHoldingBackWordsOnTheirWayAreWrong) {
  PerfmonModelOptions options = tests::small_options();
  options.counted_when = CountedWhen::kIssued;
  options.dma_delay = Cycles::max();
  tests::PerfmonRig rig(options, 16);
  ASSERT_EQ(rig.start(), Fault::kNone);
  rig.make_words(1, 2);
  EXPECT_NE(rig.collect(), tests::numbers(1, 2));
}

// The same for intervals: pipes that are busy or not, through encoder, ring and decoder.
class PipeRun {
 public:
  explicit PipeRun(DrainMode mode) : rig_(tests::small_options(), 4 * 9), mode_(mode) {
    StartConfig config = rig_.config();
    config.mode = mode;
    started_ = rig_.perfmon.start(config) == Fault::kNone;
  }

  void toggle(int64_t later) {
    now_ += later;
    on_ = !on_;
    if (on_) begin_ = now_;
    if (!on_) truth_.push_back({{begin_}, {now_}, Pipe::kVec});
    ok_ = ok_ && rig_.model.set_busy(0, Cycles{now_}, on_ ? bit_of(Pipe::kVec) : device::PipeMask{0});
  }
  void drain() {
    if (!open_) slice_ = rig_.perfmon.drain();
    open_ = true;
  }
  void take() {
    if (!open_) return;
    const std::vector<uint32_t> words = rig_.copy(slice_);
    feed(words, rig_.perfmon.confirm(slice_).overwritten_bytes);
    open_ = false;
  }
  void finish() {
    if (on_) toggle(1);
    take();
    slice_ = rig_.perfmon.stop();
    feed(rig_.copy(slice_), 0);
    decoder_.finish(builder_);
    builder_.finish(decoder_.time());
    ASSERT_TRUE(started_ && ok_);
    const auto& found = list_.intervals;
    for (const auto& interval : found) {
      if (interval.begin_unknown || interval.end_unknown) continue;
      EXPECT_NE(std::find(truth_.begin(), truth_.end(), interval), truth_.end());
    }
    const bool all = rig_.perfmon.lost_bytes() == 0 && rig_.model.counts(0).unsampled == 0;
    if (all && mode_ == DrainMode::kReadOnly) {
      EXPECT_EQ(found, truth_);
    }
    complete_ = all;
  }
  bool complete() const { return complete_; }

 private:
  void feed(const std::vector<uint32_t>& words, uint32_t overwritten_bytes) {
    if (words.empty()) return;
    if (!slice_.continues || overwritten_bytes > 0) decoder_.resynchronise(builder_);
    decoder_.feed(std::as_bytes(std::span(words)).subspan(overwritten_bytes), builder_);
  }

  tests::PerfmonRig rig_;
  DrainMode mode_;
  formats::perfmon::IntervalList list_ = {};
  formats::perfmon::IntervalBuilder<formats::perfmon::IntervalList> builder_{list_};
  formats::perfmon::Decoder<> decoder_ = formats::perfmon::Decoder<>();
  std::vector<formats::perfmon::BusyInterval> truth_ = {};
  Slice slice_ = {};
  int64_t now_ = 0;
  int64_t begin_ = 0;
  bool on_ = false;
  bool open_ = false;
  bool ok_ = true;
  bool started_ = false;
  bool complete_ = false;
};

TEST(PerfmonCheck, NoIntervalIsMadeUpOrSilentlyMissing) {
  constexpr int kActions = 4;
  constexpr int kLength = 8;
  for (const DrainMode mode : {DrainMode::kReadOnly, DrainMode::kRestart}) {
    std::size_t complete = 0;
    std::size_t runs = 0;
    int all = 1;
    for (int i = 0; i < kLength; ++i) all *= kActions;
    for (int number = 0; number < all && !HasFailure(); ++number) {
      PipeRun run(mode);
      for (int i = 0, rest = number; i < kLength; ++i, rest /= kActions) {
        if (rest % kActions == 0) run.toggle(10);
        if (rest % kActions == 1) run.toggle(100'000);  // more than a delta holds: another stamp
        if (rest % kActions == 2) run.drain();
        if (rest % kActions == 3) run.take();
      }
      run.finish();
      complete += run.complete() ? 1 : 0;
      ++runs;
    }
    EXPECT_GT(complete, 0U);
    EXPECT_LT(complete, runs);
  }
}

}  // namespace
}  // namespace accelscope::perfmon
