#include "base/shared_memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

namespace accelscope::base {
namespace {

TEST(SharedMemory, HasWhatAForkedProcessWroteAfterItsEnd) {
  const auto block = SharedMemory::make(10'000);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->size(), 10'000U);
  EXPECT_TRUE(std::all_of(block->data(), block->data() + block->size(),
                          [](std::byte byte) { return byte == std::byte{0}; }));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::fill(block->data(), block->data() + block->size(), std::byte{7});
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(std::all_of(block->data(), block->data() + block->size(),
                          [](std::byte byte) { return byte == std::byte{7}; }));
}

TEST(SharedMemory, OfNothingIsAPlaceToo) {
  const auto block = SharedMemory::make(0);
  ASSERT_TRUE(block);
  EXPECT_NE(block->data(), nullptr);
}

TEST(SharedMemory, TooMuchIsAnError) {
  const auto block = SharedMemory::make(std::numeric_limits<std::size_t>::max() / 2);
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace accelscope::base
