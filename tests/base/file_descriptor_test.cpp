#include "base/file_descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace accelscope::base {
namespace {

bool is_open(int descriptor) {
  return fcntl(descriptor, F_GETFD) != -1;
}

int open_null() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

TEST(FileDescriptor, ClosesWhatItOwns) {
  int number = -1;
  {
    const FileDescriptor file(open_null());
    number = file.get();
    ASSERT_TRUE(file.valid());
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(FileDescriptor, OwnsNothingAtFirstAndAfterAMove) {
  EXPECT_FALSE(FileDescriptor().valid());
  FileDescriptor first(open_null());
  const int number = first.get();
  const FileDescriptor second(std::move(first));
  EXPECT_EQ(second.get(), number);
  EXPECT_TRUE(is_open(number));
}

TEST(FileDescriptor, AssignmentClosesTheOldOne) {
  FileDescriptor file(open_null());
  const int old = file.get();
  file = FileDescriptor(open_null());
  EXPECT_NE(file.get(), old);
  EXPECT_FALSE(is_open(old));
  EXPECT_TRUE(is_open(file.get()));
}

}  // namespace
}  // namespace accelscope::base
