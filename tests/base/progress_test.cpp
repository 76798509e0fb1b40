#include "base/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/file_descriptor.h"

namespace accelscope::base {
namespace {

using Display = Progress::Display;

std::string read_available(const FileDescriptor& file) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

struct Pipe {
  FileDescriptor reading;
  FileDescriptor writing;

  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    reading = FileDescriptor(ends[0]);
    writing = FileDescriptor(ends[1]);
  }
};

// A terminal of our own: what is written to `line` can be read from `screen`.
struct Terminal {
  FileDescriptor screen;
  FileDescriptor line;

  explicit Terminal(std::size_t width) : screen(posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
    if (!screen.valid() || grantpt(screen.get()) != 0 || unlockpt(screen.get()) != 0) return;
    line = FileDescriptor(::open(ptsname(screen.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
    winsize size = {};
    size.ws_col = static_cast<unsigned short>(width);
    ioctl(screen.get(), TIOCSWINSZ, &size);
  }
};

// The variable TERM for the life of one test.
class TerminalKind {
 public:
  explicit TerminalKind(const char* kind) {
    if (const char* before = std::getenv("TERM")) before_ = before;
    setenv("TERM", kind, 1);
  }
  TerminalKind(const TerminalKind&) = delete;
  TerminalKind& operator=(const TerminalKind&) = delete;
  ~TerminalKind() { setenv("TERM", before_.c_str(), 1); }

 private:
  std::string before_;
};

std::string drawn(std::string_view label, std::uint64_t total, std::uint64_t done) {
  const Pipe pipe;
  Progress progress(label, total, pipe.writing.get(), Display::kAlways);
  progress.advance_to(done);
  return read_available(pipe.reading);
}

std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

constexpr std::size_t kControlColumns = 4;  // \r and ESC [ K

TEST(Progress, DrawsTheShareThatIsDone) {
  EXPECT_EQ(drawn("reading", 100, 0), "\rreading  [........................]   0 %\x1b[K");
  EXPECT_TRUE(drawn("reading", 100, 50).starts_with("\rreading  [############............]  50 %  "));
  EXPECT_TRUE(drawn("reading", 100, 50).ends_with(" left\x1b[K"));
  EXPECT_EQ(drawn("reading", 100, 100), "\rreading  [########################] 100 %\x1b[K");
  EXPECT_EQ(drawn("reading", 100, 500), "\rreading  [########################] 100 %\x1b[K");
}

TEST(Progress, SaysHundredPercentOnlyAtTheEnd) {
  EXPECT_NE(drawn("reading", 1'000, 999).find(" 99 %"), std::string::npos);
}

TEST(Progress, CountsWhenTheEndIsNotKnown) {
  EXPECT_EQ(drawn("events", 0, 173'201), "\revents  173 201\x1b[K");
}

TEST(Progress, WipesItsLine) {
  const Pipe pipe;
  {
    Progress progress("reading", 10, pipe.writing.get(), Display::kAlways);
    progress.advance_to(1);
    read_available(pipe.reading);
  }
  EXPECT_EQ(read_available(pipe.reading), "\r\x1b[K");
}

TEST(Progress, WipesNothingThatItDidNotDraw) {
  const Pipe pipe;
  { const Progress progress("reading", 10, pipe.writing.get(), Display::kAlways); }
  EXPECT_EQ(read_available(pipe.reading), "");
}

TEST(Progress, IsSilentWhenNotOnATerminal) {
  const Pipe pipe;
  {
    Progress progress("reading", 10, pipe.writing.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(350));
    progress.advance_to(5);
  }
  EXPECT_EQ(read_available(pipe.reading), "");
}

TEST(Progress, DrawsTenTimesASecondAtMost) {
  const Pipe pipe;
  const auto start = std::chrono::steady_clock::now();
  {
    Progress progress("reading", 1'000'000, pipe.writing.get(), Display::kAlways);
    for (std::uint64_t i = 0; i < 200'000; ++i) progress.advance_to(i);
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  const std::string text = read_available(pipe.reading);
  const auto draws = std::count(text.begin(), text.end(), '\r') - 1;  // one \r wipes
  EXPECT_GE(draws, 1);
  EXPECT_LE(static_cast<double>(draws), elapsed.count() * 10 + 1);
}

TEST(Progress, FitsTheLine) {
  const std::string path(300, 'p');
  EXPECT_LT(columns(drawn(path, 100, 50)), 80 + kControlColumns);
  EXPECT_LT(columns(drawn(path, 0, 50)), 80 + kControlColumns);
  const std::string accents = drawn(std::string(500, 'x') + "\xC3\xA9", 0, 5);
  EXPECT_TRUE(accents.ends_with("x\xE2\x80\xA6  5\x1b[K")) << accents;
  std::string greek;
  for (int i = 0; i < 200; ++i) greek += "\xCE\xBB";
  EXPECT_TRUE(drawn(greek, 0, 5).ends_with("\xCE\xBB\xE2\x80\xA6  5\x1b[K"));
}

TEST(Progress, ShowsNoControlCharactersOfALabel) {
  EXPECT_EQ(drawn("a\x1b[2Jb\nc\xFF", 0, 1), "\ra?[2Jb?c\xEF\xBF\xBD  1\x1b[K");
}

TEST(Progress, DrawsOnATerminalOfAnyWidthAfterAMoment) {
  for (const std::size_t width : {1U, 20U, 200U}) {
    const TerminalKind kind("xterm");
    const Terminal terminal(width);
    if (!terminal.line.valid()) GTEST_SKIP() << "no terminal can be made here";
    Progress progress("reading trace.json", 100, terminal.line.get());
    progress.advance_to(10);
    EXPECT_EQ(read_available(terminal.screen), "") << "work that may end at once shows nothing";
    std::this_thread::sleep_for(std::chrono::milliseconds(310));
    progress.advance_to(50);
    const std::string text = read_available(terminal.screen);
    EXPECT_TRUE(text.starts_with("\r")) << text;
    EXPECT_LT(columns(text), width + kControlColumns) << text;
  }
}

TEST(Progress, IsSilentOnATerminalThatCannotRedraw) {
  const TerminalKind kind("dumb");
  const Terminal terminal(80);
  if (!terminal.line.valid()) GTEST_SKIP() << "no terminal can be made here";
  Progress progress("reading", 100, terminal.line.get());
  std::this_thread::sleep_for(std::chrono::milliseconds(310));
  progress.advance_to(50);
  EXPECT_EQ(read_available(terminal.screen), "");
}

}  // namespace
}  // namespace accelscope::base
