#include "device/mmio_window.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>

#include "accelscope/perfmon/core_perfmon.h"
#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

using perfmon::kDefaultRegisters;
using perfmon::Register;

constexpr std::uint32_t kCores = 2;
constexpr std::uint64_t kStride = 0x10000;
constexpr std::uint32_t kWindowOffset = 0x1010;  // not on a page

// A file that answers as a device would whose registers are memory.
class FileDevice {
 public:
  FileDevice() {
    std::string bytes(kWindowOffset + kCores * kStride, '\0');
    for (std::uint32_t core = 0; core < kCores; ++core) {
      const auto set = [&](Register which, std::uint32_t value) {
        std::memcpy(bytes.data() + kWindowOffset + core * kStride + kDefaultRegisters.offset(which), &value,
                    4);
      };
      set(Register::kEnable, 0x4);
      set(Register::kGlobalEnable, core);
      set(Register::kBufferLength, perfmon::kA5Perfmon.firmware_length);
      set(Register::kGlitchFilter, 7);
      set(Register::kBaseLow, 0x1230);
      set(Register::kBaseHigh, 0x45);
      set(Register::kWritePointer, 64 + 4 * core);
    }
    tests::write_file(path(), bytes);
  }

  std::string path() const { return folder_.file("bar"); }
  std::string bytes() const { return tests::read_file(path()); }
  MmioOptions options() const {
    return {.path = path(), .offset = kWindowOffset, .core_bases = equally_spaced_cores(kCores, kStride)};
  }

 private:
  tests::TemporaryFolder folder_;
};

// Where two files differ, which are too long to be shown.
testing::AssertionResult same(const std::string& a, const std::string& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (a[i] != b[i]) return testing::AssertionFailure() << "byte " << i << " of the device differs";
  return a.size() == b.size() ? testing::AssertionSuccess() : testing::AssertionFailure() << "sizes differ";
}

// All cores record; nobody stops them.
bool start_all(MmioWindow& window, const perfmon::ProgrammingOrder& order = perfmon::kEnableLast) {
  WindowBus bus{window};
  bool all = true;
  for (std::uint32_t core = 0; core < window.cores(); ++core) {
    perfmon::CorePerfmon<WindowBus> perfmon(perfmon::kA5Perfmon, bus, core);
    all =
        all && perfmon.start({.base = 0x10000, .ring_bytes = 4096, .order = &order}) == perfmon::Fault::kNone;
    // As hardware would.
    std::uint32_t moved = 512;
    window.write32(core, kDefaultRegisters.offset(Register::kWritePointer), moved);
  }
  return all;
}

TEST(MmioWindow, IsNotOpenedWithoutAPath) {
  const auto none = MmioWindow::open({.core_bases = {0}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, base::ErrorCode::kUsage);
  EXPECT_EQ(none.error().message,
            "no device was named: registers are only written where the path of a device file or PCI resource "
            "is given");
  const auto missing = MmioWindow::open({.path = "/nowhere/bar", .core_bases = {0}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, base::ErrorCode::kNotFound);
}

TEST(MmioWindow, RefusesWhatCannotBe) {
  const FileDevice device;
  const auto code = [&](auto&& change) {
    MmioOptions options = device.options();
    change(options);
    const auto window = MmioWindow::open(options);
    return window ? base::ErrorCode::kInternal : window.error().code;
  };
  EXPECT_EQ(code([](MmioOptions& o) { o.core_bases.clear(); }), base::ErrorCode::kUsage);
  EXPECT_EQ(code([](MmioOptions& o) { o.core_bases[0] = 2; }), base::ErrorCode::kUsage);
  EXPECT_EQ(code([](MmioOptions& o) { o.core_bytes = 0x1000; }), base::ErrorCode::kUsage);
  EXPECT_EQ(code([](MmioOptions& o) { o.offset = 6; }), base::ErrorCode::kUsage);
  EXPECT_EQ(code([](MmioOptions& o) { o.chip.identification.mask = 0; }), base::ErrorCode::kUsage);
  EXPECT_EQ(code([](MmioOptions& o) { o.core_bases.push_back(kCores * kStride); }),
            base::ErrorCode::kTruncated);
}

TEST(MmioWindow, WritesNothingToADeviceThatDoesNotIdentifyItself) {
  const FileDevice device;
  const std::string before = device.bytes();
  MmioOptions options = device.options();
  options.offset += 4;
  options.core_bases.pop_back();
  const auto window = MmioWindow::open(options);
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().code, base::ErrorCode::kUnknownFormat);
  EXPECT_NE(window.error().message.find("core 0 reads 0x00000000 at 0xc4"), std::string::npos);
  EXPECT_TRUE(same(device.bytes(), before));
}

TEST(MmioWindow, CoresThatAreNotWantedNeedNotBeThere) {
  const FileDevice device;
  MmioOptions options = device.options();
  options.core_bases = {0x20000, 0, 0x400, kStride};  // two of them beyond the file or no core
  EXPECT_FALSE(MmioWindow::open(options));
  options.only = {4};
  EXPECT_EQ(MmioWindow::open(options).error().message, "there is no core 4 in a device of 4 cores");
  options.only = {1, 3};
  const auto window = MmioWindow::open(options).value();
  EXPECT_EQ(window->cores(), 4U);
  EXPECT_EQ(window->read32(3, 0xB01C), 68U);
  EXPECT_EQ(window->read32(0, 0xB01C), perfmon::kNoDevice);
  EXPECT_EQ(window->read32(2, 0xB01C), perfmon::kNoDevice);
  window->write32(2, 0xB01C, 5);
  EXPECT_EQ(window->read32(2, 0xB01C), perfmon::kNoDevice);
}

TEST(MmioWindow, ReadsAndWritesTheFile) {
  const FileDevice device;
  const auto window = MmioWindow::open(device.options()).value();
  EXPECT_EQ(window->cores(), kCores);
  EXPECT_EQ(window->read32(1, 0xB01C), 68U);
  window->write32(1, 0xB01C, 99);
  window->barrier();
  EXPECT_EQ(window->read32(1, 0xB01C), 99U);
  EXPECT_EQ(static_cast<unsigned char>(device.bytes()[kWindowOffset + kStride + 0xB01C]), 99U);
  EXPECT_EQ(window->read32(2, 0), perfmon::kNoDevice);
  EXPECT_EQ(window->read32(0, 0x10000), perfmon::kNoDevice);
  EXPECT_EQ(window->read32(0, 2), perfmon::kNoDevice);
  window->write32(2, 0, 1);
}

TEST(MmioWindow, RestoresEveryRegister) {
  for (const perfmon::ProgrammingOrder* order : {&perfmon::kEnableLast, &perfmon::kGlobalEnableLast}) {
    const FileDevice device;
    const std::string before = device.bytes();
    {
      const auto window = MmioWindow::open(device.options()).value();
      ASSERT_TRUE(start_all(*window, *order));
      EXPECT_FALSE(same(device.bytes(), before));
      window->restore();
      EXPECT_TRUE(same(device.bytes(), before));
      ASSERT_TRUE(start_all(*window, *order)) << "and works on";
    }
    EXPECT_TRUE(same(device.bytes(), before));
  }
}

TEST(MmioWindow, LeavesAloneWhatIsSomebodyElses) {
  const FileDevice device;
  std::string before = device.bytes();
  {
    const auto window = MmioWindow::open(device.options()).value();
    window->write32(0, 0xB00C, 0x77);
    window->write32(1, 0xB00C, 0x77);
    window->give_up(1);
    window->write32(1, 0xB00C, 0x78);
  }
  before[kWindowOffset + kStride + 0xB00C] = 0x77;
  before[kWindowOffset + kStride + 0xB00D] = 0;
  EXPECT_TRUE(same(device.bytes(), before));
}

TEST(MmioWindow, ARegisterThatCouldNotBePutBackIsNotWritten) {
  const FileDevice device;
  const auto window = MmioWindow::open(device.options()).value();
  for (std::uint32_t i = 0; i < 64; ++i) window->write32(0, 0x200 + 4 * i, 5);
  // One place is taken by the pointer, which hardware moves.
  EXPECT_EQ(window->read32(0, 0x200 + 4 * (RegisterJournal::kMostRegisters - 2)), 5U);
  EXPECT_EQ(window->read32(0, 0x200 + 4 * (RegisterJournal::kMostRegisters - 1)), 0U);
}

TEST(MmioWindow, OnlySoManyAreRestoredAfterASignal) {
  const FileDevice device;
  std::vector<std::unique_ptr<MmioWindow>> windows;
  for (std::size_t i = 0; i < RegisterJournal::kMostJournals; ++i)
    windows.push_back(MmioWindow::open(device.options()).value());
  EXPECT_FALSE(MmioWindow::open(device.options()));
  windows.pop_back();
  EXPECT_TRUE(MmioWindow::open(device.options()));
}

// A process that records and is ended in `how` it is ended.
int end_of_a_child(const FileDevice& device, const std::function<void()>& how,
                   const std::function<void()>& first = {}) {
  const std::string before = device.bytes();
  const pid_t child = ::fork();
  if (child == 0) {
    if (first) first();
    auto window = MmioWindow::open(device.options());
    if (!window || !start_all(**window)) ::_exit(77);
    if (device.bytes() == before) ::_exit(78);
    how();
    ::_exit(79);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TEST(MmioWindow, RestoresWhenASignalKillsTheProcess) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGPIPE}) {
    const FileDevice device;
    const std::string before = device.bytes();
    const int status = end_of_a_child(device, [&] {
      ::kill(::getpid(), number);
      ::pause();
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number << ": " << status;
    EXPECT_TRUE(same(device.bytes(), before)) << number;
  }
}

TEST(MmioWindow, RestoresWhenTheProcessCrashes) {
  const auto crash = [](int number) {
    const FileDevice device;
    const std::string before = device.bytes();
    const int status = end_of_a_child(device, [&] {
      ::close(STDERR_FILENO);  // where a sanitizer would tell the story
      if (number == SIGABRT) std::abort();
      ::raise(number);
    });
    // A sanitizer ends the process its own way.
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) < 77) << number << ": " << status;
    EXPECT_TRUE(same(device.bytes(), before)) << number;
  };
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) crash(number);
}

// At any moment of a busy life.
TEST(MmioWindow, RestoresWheneverTheSignalComes) {
  for (useconds_t after = 0; after < 3000; after += 150) {
    const FileDevice device;
    const std::string before = device.bytes();
    const pid_t child = ::fork();
    if (child == 0) {
      auto window = MmioWindow::open(device.options());
      while (window && start_all(**window)) (*window)->restore();
      ::_exit(77);
    }
    ::usleep(1000 + after);
    ::kill(child, SIGTERM);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_TRUE(same(device.bytes(), before)) << after;
  }
}

std::sig_atomic_t volatile calls_of_a_handler = 0;

// As programs do that end in order after the first signal and at once after the second.
void note_once(int number) {
  calls_of_a_handler = calls_of_a_handler + 1;
  std::signal(number, SIG_DFL);
}

TEST(MmioWindow, AHandlerOfTheProgramComesFirst) {
  const FileDevice device;
  const std::string before = device.bytes();
  const int status = end_of_a_child(
      device,
      [&] {
        ::raise(SIGINT);
        if (calls_of_a_handler != 1 || device.bytes() == before) ::_exit(80);
        ::raise(SIGINT);
      },
      [] { std::signal(SIGINT, note_once); });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  EXPECT_TRUE(same(device.bytes(), before));
}

TEST(MmioWindow, IgnoredSignalsStayIgnoredAndHandlersGoWithTheWindow) {
  const FileDevice device;
  const int status = end_of_a_child(
      device,
      [&] {
        ::raise(SIGHUP);
        ::_exit(0);
      },
      [] { std::signal(SIGHUP, SIG_IGN); });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  MmioWindow::open(device.options()).value().reset();
  struct sigaction now = {};
  ASSERT_EQ(::sigaction(SIGTERM, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST(MmioWindow, AForkedProcessRestoresNothing) {
  const FileDevice device;
  const auto window = MmioWindow::open(device.options()).value();
  ASSERT_TRUE(start_all(*window));
  const std::string recording = device.bytes();
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGTERM);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(same(device.bytes(), recording));
}

TEST(MmioWindow, CoresOfAChipLieAsItsClustersDo) {
  const Chip chip{.clusters = 2, .scheduler_threads = 1};
  constexpr std::uint64_t kMebi = 1U << 20U;
  EXPECT_EQ(core_bases_of(chip),
            (std::vector<std::uint64_t>{0, 3 * kMebi, kMebi, 2 * kMebi, 4 * kMebi, 5 * kMebi}));
}

}  // namespace
}  // namespace accelscope::device
