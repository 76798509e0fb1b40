// Chips in processes of their own: they do what chips in this one do, and kernels that crash, exit or hang
// are named, with everything that was recorded until then.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "runtime/recorded_run.h"

namespace accelscope::runtime {
namespace {

using namespace std::chrono_literals;

constexpr Platform kPlatforms[] = {Platform::kVirtual, Platform::kThreads};

int segfault(const accelscope_kernel_call*) {
  return ::raise(SIGSEGV);
}
int abort_all(const accelscope_kernel_call*) {
  std::abort();
}
int exit_all(const accelscope_kernel_call*) {
  ::_exit(3);
}
int close_everything(const accelscope_kernel_call*) {
  for (int file = 3; file < 1000; ++file) ::close(file);
  return 0;
}
// Into the chip's channel, whichever file that is.
int babble(const accelscope_kernel_call*) {
  const std::string noise(1000, '\xFF');
  for (int file = 3; file < 1000; ++file) ::send(file, noise.data(), noise.size(), MSG_NOSIGNAL);
  for (;;) ::pause();
}
int hang(const accelscope_kernel_call*) {
  for (;;) ::pause();
}
int nothing(const accelscope_kernel_call*) {
  return 0;
}

const KernelRegistry& bad_kernels() {
  static const KernelRegistry registry = [] {
    static const std::array<accelscope_kernel, 7> kernels = {{
        {.name = "segfault",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = segfault,
         .check = nullptr,
         .work = nullptr},
        {.name = "abort",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = abort_all,
         .check = nullptr,
         .work = nullptr},
        {.name = "exit",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = exit_all,
         .check = nullptr,
         .work = nullptr},
        {.name = "close",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = close_everything,
         .check = nullptr,
         .work = nullptr},
        {.name = "hang", .engine = ACCELSCOPE_ENGINE_VECTOR, .run = hang, .check = nullptr, .work = nullptr},
        {.name = "babble",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = babble,
         .check = nullptr,
         .work = nullptr},
        {.name = "nothing",
         .engine = ACCELSCOPE_ENGINE_VECTOR,
         .run = nothing,
         .check = nullptr,
         .work = nullptr},
    }};
    static const accelscope_kernel_table table = {ACCELSCOPE_KERNEL_ABI, kernels.size(), kernels.data()};
    KernelRegistry made;
    EXPECT_TRUE(made.add(table, "tests"));
    return made;
  }();
  return registry;
}

// `before` tasks one behind the other, then the bad one, and one that waits for it.
Graph chain_with(const char* bad, int before) {
  GraphBuilder build("bad");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  for (int i = 0; i < before; ++i) build.vector("nothing").inout(row(x, 1));
  build.vector(bad).inout(row(x, 1));
  build.vector("nothing").inout(row(x, 1));
  return build.finish();
}

struct BadRun {
  RunOutcome outcome = {};
  formats::chip_run::Recording recording = {};
  std::string remark = {};

  std::uint64_t core_rows() const {
    std::uint64_t rows = 0;
    for (const auto& core : recording.capture.cores) rows += core.task.size();
    return rows;
  }
};

BadRun run_bad(const Graph& graph, RunOptions options) {
  const tests::TemporaryFolder folder;
  options.recording.path = folder.file("run.astrace");
  options.dfx_flags = dfx_flags_of_level(3);
  options.in_process = false;
  BadRun bad;
  auto outcome = run(graph, bad_kernels(), small_chip(), {}, options);
  EXPECT_TRUE(outcome) << outcome.error().to_string();
  if (!outcome) return bad;
  bad.outcome = std::move(*outcome);
  EXPECT_TRUE(bad.outcome.recording.file);
  EXPECT_TRUE(bad.outcome.recording.report.adds_up());
  EXPECT_EQ(bad.outcome.left_behind, 0U);
  const auto file = base::MappedFile::open(options.recording.path);
  EXPECT_TRUE(file);
  auto rows = formats::chip_run::read_recorded_rows(*file);
  auto trace = formats::chip_run::read_recording(*file);
  EXPECT_TRUE(rows && trace);
  if (rows) bad.recording = std::move(*rows);
  if (trace)
    for (const trace::QualityRow& row : trace->quality().rows())
      if (row.id == "run.ended_early") bad.remark = row.sentence;
  return bad;
}

TEST(ChipProcess, GivesTheSameBytesAndResultsAsThisOne) {
  for (const int rounds : {1, 20, 300}) {
    const Graph graph = graph_of_everything(rounds);
    for (const Platform platform : kPlatforms) {
      RunOptions options{.platform = platform,
                         .dfx_flags = dfx_flags_of_level(3) | kDfxDependencyCapture | kDfxDumpTensor};
      const RecordedRun here = record_run(graph, small_chip(), options);
      options.in_process = false;
      const RecordedRun there = record_run(graph, small_chip(), options);
      EXPECT_FALSE(there.outcome.fault);
      EXPECT_EQ(here.outcome.buffers, there.outcome.buffers);
      EXPECT_EQ(here.outcome.edges, there.outcome.edges);
      EXPECT_EQ(here.outcome.submitted, there.outcome.submitted);
      EXPECT_EQ(here.outcome.dispatches, there.outcome.dispatches);
      if (platform != Platform::kVirtual) continue;
      EXPECT_EQ(here.outcome.makespan, there.outcome.makespan);
      EXPECT_TRUE(here.bytes == there.bytes);
    }
  }
}

TEST(ChipProcess, WorksWithMemoryThatIsCopiedAndKeepsTheLastRecords) {
  device::Chip chip = small_chip();
  chip.memory_is_mapped = false;
  for (const Platform platform : kPlatforms) {
    RunOptions options{.platform = platform, .dfx_flags = dfx_flags_of_level(3), .in_process = false};
    options.recording.options.policy = capture::RunPolicy::kOverwrite;
    const RecordedRun recorded = record_run(graph_of_everything(50), chip, options);
    EXPECT_FALSE(recorded.outcome.fault);
    EXPECT_TRUE(recorded.outcome.recording.report.adds_up());
  }
}

struct Crash {
  const char* kernel;
  const char* text;
};

class Crashes : public testing::TestWithParam<Crash> {};

TEST_P(Crashes, AreNamedAndTheProfileIsKept) {
  for (const Platform platform : kPlatforms)
    for (const int before : {0, 1, 300}) {
      const BadRun bad = run_bad(chain_with(GetParam().kernel, before), {.platform = platform});
      ASSERT_TRUE(bad.outcome.fault);
      const RunFault& fault = *bad.outcome.fault;
      EXPECT_EQ(fault.kind, RunFault::Kind::kKernel);
      EXPECT_EQ(fault.tasks, std::vector<std::uint32_t>{static_cast<std::uint32_t>(before)});
      EXPECT_NE(fault.text.find(GetParam().text), std::string::npos) << fault.text;
      EXPECT_NE(fault.text.find(fmt::format("while task {} ({}) ran on core", before, GetParam().kernel)),
                std::string::npos)
          << fault.text;
      EXPECT_NE(bad.remark.find(fault.text), std::string::npos) << bad.remark;
      EXPECT_FALSE(bad.outcome.has_counts);
      EXPECT_EQ(bad.core_rows(), static_cast<std::uint64_t>(before)) << "all that came to their ends";
      EXPECT_GT(bad.outcome.makespan, device::Picoseconds{});
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Crashes,
                         testing::Values(Crash{"segfault", "was ended by signal 11"},
                                         Crash{"abort", "was ended by signal 6"},
                                         Crash{"exit", "exited with code 3"}),
                         [](const auto& instance) { return std::string(instance.param.kernel); });

// Of several kernels that run at once, the one that the signal was for.
TEST(ChipProcess, NamesTheOneOfSeveral) {
  GraphBuilder build("two");
  const auto x = build.buffer("x", DataType::kFloat32, 4);
  build.vector("hang").inout(row(x, 1, 0));
  build.vector("hang").inout(row(x, 1, 1));
  build.vector("nothing").inout(row(x, 1, 2));
  build.vector("segfault").inout(row(x, 1, 2));
  const BadRun bad = run_bad(build.finish(), {.platform = Platform::kThreads});
  ASSERT_TRUE(bad.outcome.fault);
  EXPECT_EQ(bad.outcome.fault->tasks, std::vector<std::uint32_t>{3}) << bad.outcome.fault->text;
}

TEST(ChipProcess, AKernelThatNeverReturnsIsNamedAndGone) {
  for (const Platform platform : kPlatforms) {
    RunOptions options{.platform = platform};
    options.no_progress_limit = 3s;  // a busy machine takes its time to come to the one that hangs
    options.leave_after = 1s;
    const BadRun bad = run_bad(chain_with("hang", 20), options);
    ASSERT_TRUE(bad.outcome.fault);
    EXPECT_EQ(bad.outcome.fault->kind, RunFault::Kind::kNoProgress);
    EXPECT_EQ(bad.outcome.fault->tasks, std::vector<std::uint32_t>{20});
    EXPECT_NE(bad.outcome.fault->text.find("task 20 (hang) runs on core"), std::string::npos)
        << bad.outcome.fault->text;
    EXPECT_NE(bad.remark.find("task 20 (hang) runs on core"), std::string::npos) << bad.remark;
    EXPECT_EQ(bad.core_rows(), 20U);
  }
}

TEST(ChipProcess, AnInterruptEndsWhatHangs) {
  for (const Platform platform : kPlatforms) {
    const std::atomic<bool> stop = true;
    RunOptions options{.platform = platform};
    options.no_progress_limit = 0ms;
    options.leave_after = 50ms;
    options.stop = &stop;
    GraphBuilder build("hangs");
    const auto x = build.buffer("x", DataType::kFloat32, 1);
    build.vector("hang").inout(row(x, 1));
    const BadRun bad = run_bad(build.finish(), options);
    ASSERT_TRUE(bad.outcome.fault);
    EXPECT_EQ(bad.outcome.fault->kind, RunFault::Kind::kInterrupted);
  }
}

// A kernel that closes the chip's channel, or writes into it: the host hears nothing of sense any more.
TEST(ChipProcess, ALostChannelIsAFault) {
  for (const Platform platform : kPlatforms)
    for (const char* kernel : {"close", "babble"}) {
      RunOptions options{.platform = platform};
      options.leave_after = 100ms;
      const BadRun bad = run_bad(chain_with(kernel, 3), options);
      ASSERT_TRUE(bad.outcome.fault);
      EXPECT_NE(bad.outcome.fault->text.find("the chip's process"), std::string::npos);
      EXPECT_GE(bad.core_rows(), 3U);
    }
}

TEST(ChipProcess, FaultsThatTheChipFindsArriveAsTheyAre) {
  GraphBuilder build("fails");
  const auto x = build.buffer("x", DataType::kFloat32, 1);
  build.vector("add_one").inout(row(x, 1));
  build.vector("throw").inout(row(x, 1));
  const Graph failing = build.finish();
  GraphBuilder full("full");
  full.begin_scope("s");
  const auto y = full.buffer("y", DataType::kFloat32, 1);
  for (int i = 0; i < 9; ++i) full.vector("add_one").inout(row(y, 1));
  full.end_scope();
  const Graph deadlock = full.finish();
  for (const Graph* graph : {&failing, &deadlock}) {
    RunOptions options;
    options.rings[1].task_window = 4;
    const RunOutcome here = run_small(*graph, small_chip(), options);
    options.in_process = false;
    const RunOutcome there = run_small(*graph, small_chip(), options);
    ASSERT_TRUE(here.fault && there.fault);
    EXPECT_EQ(here.fault->kind, there.fault->kind);
    EXPECT_EQ(here.fault->text, there.fault->text);
    EXPECT_EQ(here.fault->tasks, there.fault->tasks);
  }
}

}  // namespace
}  // namespace accelscope::runtime
