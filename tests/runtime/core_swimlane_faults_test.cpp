// Faults of performance monitors, and of what is around them: the run itself is never harmed, what is not
// known is said, and every register reads afterwards as it did before.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>

#include "runtime/piped_runs.h"

namespace accelscope::runtime {
namespace {

using device::PerfmonModel;
using perfmon::Register;

constexpr Register kSettings[] = {Register::kEnable,       Register::kGlobalEnable, Register::kBufferLength,
                                  Register::kGlitchFilter, Register::kBaseLow,      Register::kBaseHigh,
                                  Register::kWritePointer, Register::kSamplesClear};

std::uint32_t read(PerfmonModel& model, std::uint32_t core, Register which) {
  return model.read32(core, perfmon::kA5Perfmon.registers.offset(which));
}
void write(PerfmonModel& model, std::uint32_t core, Register which, std::uint32_t value) {
  model.write32(core, perfmon::kA5Perfmon.registers.offset(which), value);
}

std::vector<std::uint32_t> settings(PerfmonModel& model) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t core = 0; core < model.cores(); ++core)
    for (const Register which : kSettings) values.push_back(read(model, core, which));
  return values;
}

// A run that looks at all registers before and after, and what "interfering" can reach of it.
class CoreSwimlaneFaults : public testing::TestWithParam<Platform> {
 protected:
  RunOptions options() {
    RunOptions options{.platform = GetParam()};
    options.core_swimlane.before_run = [this](PerfmonModel& model) {
      if (prepare_) prepare_(model);
      model_ = &model;
      before_ = settings(model);
    };
    options.core_swimlane.after_run = [this](PerfmonModel& model) { after_ = settings(model); };
    options.core_swimlane.model.armed_cores = {0, 2};
    return options;
  }

  void TearDown() override { interference = nullptr; }

  // Rounds of a vector task that does what `act` says, once.
  RecordedRun run_interfered(std::function<void(PerfmonModel&)> act, RunOptions options) {
    static std::atomic<bool> done;
    done = false;
    interference = [this, act = std::move(act)] {
      if (!done.exchange(true)) act(*model_);
      return 0;
    };
    const device::Chip chip = small_chip(1, 1);
    return record_pipes(piped_graph(chip, 6, "multiply", "interfering"), chip, options);
  }

  std::function<void(PerfmonModel&)> prepare_;
  PerfmonModel* model_ = nullptr;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> after_;
};
INSTANTIATE_TEST_SUITE_P(Platforms, CoreSwimlaneFaults,
                         testing::Values(Platform::kVirtual, Platform::kThreads),
                         [](const auto& platform) { return std::string(name_of(platform.param)); });

TEST_P(CoreSwimlaneFaults, RegistersAreRestoredAfterANormalRun) {
  for (const bool in_process : {true, false})
    for (const perfmon::DrainMode mode : {perfmon::DrainMode::kReadOnly, perfmon::DrainMode::kRestart}) {
      RunOptions asked = options();
      asked.in_process = in_process;
      asked.core_swimlane.drain = mode;
      asked.core_swimlane.glitch_filter = 3;
      const RecordedRun run = record_pipes(piped_graph(small_chip(), 3), small_chip(), asked);
      ASSERT_FALSE(run.outcome.fault);
      EXPECT_EQ(after_, before_);
      EXPECT_TRUE(run.outcome.monitors.empty());
    }
}

TEST_P(CoreSwimlaneFaults, RegistersAreRestoredWhenAKernelFails) {
  interference = [] { return 7; };
  const RecordedRun run =
      record_pipes(piped_graph(small_chip(), 3, "multiply", "interfering"), small_chip(), options());
  ASSERT_TRUE(run.outcome.fault);
  EXPECT_EQ(after_, before_);
}

TEST_P(CoreSwimlaneFaults, RegistersAreRestoredWhenTheRunIsInterrupted) {
  std::atomic<bool> stop = false;
  interference = [&] {
    stop = true;
    return 0;
  };
  RunOptions asked = options();
  asked.stop = &stop;
  const RecordedRun run =
      record_pipes(piped_graph(small_chip(), 2000, "multiply", "interfering"), small_chip(), asked);
  ASSERT_TRUE(run.outcome.fault);
  EXPECT_EQ(run.outcome.fault->kind, RunFault::Kind::kInterrupted);
  EXPECT_EQ(after_, before_);
}

// The chip's process is gone, and cannot: the host does.
TEST_P(CoreSwimlaneFaults, RegistersAreRestoredWhenASignalEndsTheChipsProcess) {
  interference = []() -> int {
    raise(SIGKILL);
    return 0;
  };
  RunOptions asked = options();
  asked.in_process = false;
  const RecordedRun run =
      record_pipes(piped_graph(small_chip(), 3, "multiply", "interfering"), small_chip(), asked);
  ASSERT_TRUE(run.outcome.fault);
  EXPECT_EQ(after_, before_);
  EXPECT_TRUE(says(run.trace(), "perfmon.restored_late"));
}

// The disk is full: nothing is recorded any more, and the rest is as ever.
TEST_P(CoreSwimlaneFaults, RegistersAreRestoredWhenTheCollectorFails) {
  for (const perfmon::DrainMode mode : {perfmon::DrainMode::kReadOnly, perfmon::DrainMode::kRestart}) {
    RunOptions asked = options();
    asked.dfx_flags = kDfxCoreSwimlane;
    asked.core_swimlane.drain = mode;
    // A sink that fails as a full disk does; nobody copies or answers from then on.
    const tests::TemporaryFolder folder;
    asked.recording.path = folder.path() + "/run.astrace";
    asked.recording.file.records_per_chunk = 16;
    struct rlimit before = {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto ignored = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit little = {4096, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
    const auto outcome = run(piped_graph(small_chip(), 400), piped_kernels(), small_chip(), {}, asked);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, ignored);
    ASSERT_TRUE(outcome) << outcome.error().to_string();
    EXPECT_FALSE(outcome->fault);
    EXPECT_FALSE(outcome->recording.file);
    EXPECT_EQ(after_, before_);
  }
}

TEST_P(CoreSwimlaneFaults, SomebodyElsesMonitorIsLeftAlone) {
  constexpr std::uint32_t kTheirs = 0x7000;
  prepare_ = [](PerfmonModel& model) {
    write(model, 1, Register::kBaseLow, kTheirs);
    write(model, 1, Register::kBufferLength, 4096);
    model.kickstart(2, true);  // a channel of the driver is registered for it
  };
  const device::Chip chip = small_chip(1, 1);
  const Graph graph = piped_graph(chip, 3);
  const RecordedRun run = record_pipes(graph, chip, options());
  ASSERT_FALSE(run.outcome.fault);
  // Theirs goes on, and its pointer with it.
  constexpr std::size_t kPointerOfCore2 = 2 * std::size(kSettings) + 6;
  before_[kPointerOfCore2] = after_[kPointerOfCore2];
  EXPECT_EQ(after_, before_);
  ASSERT_EQ(run.outcome.monitors.size(), 2U);
  for (const trace::QualityRow& row : run.outcome.monitors) EXPECT_EQ(row.id, "perfmon.not_started");
  EXPECT_TRUE(says(run.trace(), "perfmon.not_started"));
  EXPECT_TRUE(says(run.trace(), "perfmon.task_without"));
  if (GetParam() == Platform::kVirtual) {
    EXPECT_EQ(busy_in(run.trace(), 0), prescribed(run, graph, 0));
  }
  for (const std::size_t core : {1U, 2U}) EXPECT_EQ(busy_in(run.trace(), core), PipeTimes{});
}

TEST_P(CoreSwimlaneFaults, AnEnableThatIsTakenAway) {
  const RecordedRun run = run_interfered(
      [](PerfmonModel& model) {
        for (const std::uint32_t core : {1U, 2U}) write(model, core, Register::kEnable, 0);
      },
      options());
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_TRUE(says(run.trace(), "perfmon.unit_state"));
  EXPECT_TRUE(says(run.trace(), "perfmon.task_without") || says(run.trace(), "perfmon.task_partial"));
  // Whoever took it finds it as it was: the ring's address and all.
  EXPECT_TRUE(run.outcome.monitors.empty());
  constexpr std::size_t kCore1 = std::size(kSettings);
  EXPECT_EQ(after_[kCore1], 4U);
  EXPECT_NE(after_[kCore1 + 2], before_[kCore1 + 2]);
}

TEST_P(CoreSwimlaneFaults, AnotherBaseUnderneathIsNotFought) {
  constexpr std::uint32_t kTheirs = 0x1234000;
  std::uint32_t left = 0;
  RunOptions asked = options();
  asked.core_swimlane.after_run = [&](PerfmonModel& model) { left = read(model, 1, Register::kBaseLow); };
  const RecordedRun run =
      run_interfered([](PerfmonModel& model) { write(model, 1, Register::kBaseLow, kTheirs); }, asked);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(left, kTheirs);
  EXPECT_TRUE(says(run.trace(), "perfmon.unit_state"));
}

TEST_P(CoreSwimlaneFaults, ADeviceThatIsGone) {
  const RecordedRun run = run_interfered([](PerfmonModel& model) { model.unplug(); }, options());
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_TRUE(says(run.trace(), "perfmon.unit_state"));
}

TEST_P(CoreSwimlaneFaults, ADeviceThatIsGoneFromTheBeginning) {
  prepare_ = [](PerfmonModel& model) { model.unplug(); };
  const RecordedRun run = record_pipes(piped_graph(small_chip(), 2), small_chip(), options());
  ASSERT_FALSE(run.outcome.fault);
  ASSERT_EQ(run.outcome.monitors.size(), 1U);
  EXPECT_EQ(run.outcome.monitors[0].count, small_chip().cores());
  EXPECT_NE(run.outcome.monitors[0].sentence.find("device is gone"), std::string::npos);
}

// Monitors that write where nothing is: counters go on, and what is in the ring is not what was written.
TEST_P(CoreSwimlaneFaults, ABaseThatIsNotMapped) {
  RunOptions asked = options();
  asked.core_swimlane.model.stream = device::MemoryStream::kItsOwn;
  prepare_ = [](PerfmonModel& model) {
    for (std::uint64_t base = 0x0010'0000'0000; base < 0x0010'0100'0000; base += 0x10000) model.unmap(base);
  };
  const RecordedRun run = record_pipes(piped_graph(small_chip(), 3), small_chip(), asked);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(after_, before_);
  for (std::size_t core = 0; core < 2; ++core) EXPECT_EQ(busy_in(run.trace(), core), PipeTimes{});
  EXPECT_TRUE(says(run.trace(), "perfmon.undatable") || says(run.trace(), "perfmon.task_without"));
}

TEST_P(CoreSwimlaneFaults, MonitorsThatNeverWrite) {
  RunOptions asked = options();
  asked.core_swimlane.marks = false;
  const device::Chip chip = small_chip(1, 1);
  GraphBuilder build("one");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  build.cube("multiply").inout(row(x, 1));
  // Core 0 runs a task and is silent: nothing lands in memory.
  asked.core_swimlane.model.dma_delay = base::Cycles::max();
  asked.core_swimlane.model.counted_when = device::CountedWhen::kLanded;
  const RecordedRun run = record_pipes(build.finish(), chip, asked);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_TRUE(says(run.trace(), "perfmon.silent_core"));
}

// Words that are counted before they are in memory, and a counter that wraps at 32 bits: both parameters of
// the chip, and both are known to it.
TEST_P(CoreSwimlaneFaults, WordsInFlightWaitForTheNextDrain) {
  RunOptions asked = options();
  asked.core_swimlane.model.counted_when = device::CountedWhen::kIssued;
  asked.core_swimlane.model.dma_delay = base::Cycles{500};
  asked.core_swimlane.model.most_in_flight = 16;
  asked.core_swimlane.model.landing_per_read = GetParam() == Platform::kVirtual ? 1 : 0;
  asked.core_swimlane.model.chip.behaviour.unlanded_bytes = 64;
  const device::Chip chip = small_chip(1, 1);
  const Graph graph = piped_graph(chip, 5);
  const RecordedRun run = record_pipes(graph, chip, asked);
  ASSERT_FALSE(run.outcome.fault);
  EXPECT_EQ(after_, before_);
  if (GetParam() == Platform::kVirtual) {
    EXPECT_EQ(busy_in(run.trace(), 0), prescribed(run, graph, 0));
  }
}

}  // namespace
}  // namespace accelscope::runtime
