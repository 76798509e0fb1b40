#include "device/device_memory.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace accelscope::device {
namespace {

std::vector<std::unique_ptr<DeviceMemory>> all_kinds() {
  std::vector<std::unique_ptr<DeviceMemory>> kinds;
  for (const Sharing sharing : {Sharing::kThisProcess, Sharing::kForkedOnes}) {
    kinds.push_back(mapped_memory(sharing));
    kinds.push_back(copied_memory(sharing));
  }
  return kinds;
}

TEST(DeviceMemory, GivesZerosOnLinesOfTheirOwn) {
  for (const auto& memory : all_kinds()) {
    const auto block = memory->allocate(1000);
    const auto other = memory->allocate(1);
    ASSERT_TRUE(block && other);
    EXPECT_EQ(static_cast<std::uint64_t>(*block) % 64, 0U);
    EXPECT_EQ(static_cast<std::uint64_t>(*other) % 64, 0U);
    EXPECT_EQ(memory->allocated_bytes(), 1001U);
    EXPECT_EQ(memory->load64(*block + 992), 0U);
    memory->release(*other);
    EXPECT_EQ(memory->allocated_bytes(), 1000U);
    memory->release(*block);
    memory->release(*block);
    EXPECT_EQ(memory->allocated_bytes(), 0U);
  }
}

TEST(DeviceMemory, WordsAreWhatTheDeviceSees) {
  for (const auto& memory : all_kinds()) {
    const auto block = memory->allocate(64);
    ASSERT_TRUE(block);
    memory->store32(*block + 4, 7);
    const auto* words = static_cast<const std::uint32_t*>(memory->as_device_sees(*block));
    EXPECT_EQ(words[1], 7U);
    EXPECT_EQ(memory->load32(*block + 4), 7U);
    EXPECT_EQ(memory->load64(*block), std::uint64_t{7} << 32U);
  }
}

TEST(DeviceMemory, BlocksAreSeenInPlaceOrCopied) {
  std::vector<std::byte> copy;
  const auto mapped = mapped_memory();
  const auto there = mapped->allocate(64);
  ASSERT_TRUE(there);
  EXPECT_EQ(mapped->read(*there, 64, copy).data(), mapped->as_device_sees(*there));
  const auto copied = copied_memory();
  const auto elsewhere = copied->allocate(64);
  ASSERT_TRUE(elsewhere);
  std::memset(copied->as_device_sees(*elsewhere), 5, 64);
  const std::span<const std::byte> bytes = copied->read(*elsewhere, 64, copy);
  EXPECT_EQ(bytes.data(), copy.data());
  EXPECT_EQ(bytes[63], std::byte{5});
}

TEST(DeviceMemory, WordsAreCopiedOneByOne) {
  for (const auto& memory : all_kinds()) {
    const auto block = memory->allocate(64);
    ASSERT_TRUE(block);
    for (std::uint32_t i = 0; i < 16; ++i) memory->store32(*block + 4 * i, i);
    std::vector<std::uint32_t> words(3);
    memory->invalidate(*block + 20, 12);
    memory->copy_words(*block + 20, words);
    EXPECT_EQ(words, (std::vector<std::uint32_t>{5, 6, 7}));
    EXPECT_EQ(memory->invalidated_bytes(), 12U);
    memory->copy_words(*block, {});
  }
}

TEST(DeviceMemory, IsSharedWithAForkedDevice) {
  for (const auto& memory : {mapped_memory(Sharing::kForkedOnes), copied_memory(Sharing::kForkedOnes)}) {
    const auto block = memory->allocate(64);
    ASSERT_TRUE(block);
    const pid_t device = ::fork();
    ASSERT_GE(device, 0);
    if (device == 0) {
      memory->store32(*block + 8, 42);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(device, &status, 0), device);
    EXPECT_EQ(memory->load32(*block + 8), 42U);
  }
}

TEST(DeviceMemory, SaysWhenThereIsNone) {
  EXPECT_FALSE(mapped_memory(Sharing::kForkedOnes)->allocate(std::size_t{1} << 62U));
  const auto block = mapped_memory()->allocate(std::size_t{1} << 62U);
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().code, base::ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace accelscope::device
