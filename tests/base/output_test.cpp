#include "base/output.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include "base/file_descriptor.h"
#include "support/temporary_folder.h"

namespace accelscope::base {
namespace {

using tests::TemporaryFolder;

TEST(MemoryOutput, KeepsWhatIsAppended) {
  MemoryOutput out;
  EXPECT_EQ(out.bytes(), "");
  out.append("");
  out.append("one");
  out.append(' ');
  out.append(std::string_view("two\0three", 9));
  EXPECT_EQ(out.bytes(), std::string_view("one two\0three", 13));
  EXPECT_EQ(out.written(), 13U);
  EXPECT_TRUE(out.status().has_value());
}

TEST(MemoryOutput, TakesBytesThatArePlacedDirectly) {
  MemoryOutput out;
  std::string expected;
  for (std::size_t length = 0; length < 300; ++length) {
    char* place = out.reserve(length + 7);
    std::memset(place, static_cast<int>('a' + length % 26), length);
    out.advance(length);
    expected.append(length, static_cast<char>('a' + length % 26));
  }
  EXPECT_EQ(out.bytes(), expected);
}

TEST(MemoryOutput, ForgetsItsBytesAndKeepsItsMemory) {
  MemoryOutput out;
  out.append(std::string(100'000, 'x'));
  const char* place = out.bytes().data();
  out.clear();
  EXPECT_EQ(out.bytes(), "");
  out.append(std::string(100'000, 'y'));
  EXPECT_EQ(out.bytes().data(), place);
}

class DescriptorOutputTest : public testing::Test {
 protected:
  FileDescriptor create(const char* name) {
    return FileDescriptor(::open(folder_.file(name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  }
  TemporaryFolder folder_;
};

TEST_F(DescriptorOutputTest, DrainsWhatExceedsItsBuffer) {
  const FileDescriptor file = create("out");
  DescriptorOutput out(file.get(), "out");
  std::string expected;
  for (int i = 0; i < 300'000; ++i) {
    const std::string text = std::to_string(i) + "\n";
    out.append(text);
    expected += text;
  }
  out.append(std::string(3'000'000, 'x'));  // more than the buffer at once
  expected.append(3'000'000, 'x');
  out.append('y');
  expected += 'y';
  EXPECT_EQ(out.written(), expected.size());
  EXPECT_TRUE(out.flush().has_value());
  EXPECT_EQ(out.written(), expected.size());
  EXPECT_TRUE(tests::read_file(folder_.file("out")) == expected);
}

TEST_F(DescriptorOutputTest, NothingArrivesBeforeItIsFlushed) {
  const FileDescriptor file = create("out");
  {
    DescriptorOutput out(file.get(), "out");
    out.append("lost");
  }
  EXPECT_EQ(tests::read_file(folder_.file("out")), "");
}

TEST_F(DescriptorOutputTest, ErrorsStick) {
  tests::write_file(folder_.file("in"), "");
  const FileDescriptor read_only(::open(folder_.file("in").c_str(), O_RDONLY | O_CLOEXEC));
  DescriptorOutput out(read_only.get(), "the name");
  out.append("x");
  EXPECT_TRUE(out.status().has_value());
  const Status first = out.flush();
  ASSERT_FALSE(first.has_value());
  EXPECT_EQ(first.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(first.error().to_string(), "the name: cannot be written: Bad file descriptor");
  // The writer may go on; nothing grows and the first error stays the answer.
  for (int i = 0; i < 100; ++i) out.append(std::string(100'000, 'x'));
  EXPECT_EQ(out.status().error().message, first.error().message);
  EXPECT_EQ(out.written(), 10'000'001U);
  EXPECT_FALSE(out.flush().has_value());
}

TEST_F(DescriptorOutputTest, AFullDiskIsAnError) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!full.valid()) GTEST_SKIP() << "there is no /dev/full here";
  DescriptorOutput out(full.get(), "/dev/full");
  out.append("x");
  EXPECT_EQ(out.flush().error().message, "cannot be written: No space left on device");
}

TEST_F(DescriptorOutputTest, WaitsForAFullPipeThatDoesNotBlock) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const FileDescriptor reading(ends[0]);
  const FileDescriptor writing(ends[1]);
  const std::string sent(1'000'000, 'z');
  std::size_t received = 0;
  std::thread reader([&] {
    std::array<char, 4096> buffer{};
    while (received < sent.size()) {
      const ssize_t got = ::read(reading.get(), buffer.data(), buffer.size());
      if (got > 0)
        received += static_cast<std::size_t>(got);
      else
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  DescriptorOutput out(writing.get(), "pipe");
  out.append(sent);
  EXPECT_TRUE(out.flush().has_value());
  reader.join();
  EXPECT_EQ(received, sent.size());
}

}  // namespace
}  // namespace accelscope::base
