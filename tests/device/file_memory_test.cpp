#include "device/file_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

constexpr std::uint64_t kOffset = 0x1010;  // not on a page
constexpr std::uint64_t kAddress = 0x0012'3456'7010;
constexpr std::size_t kFileBytes = 0x3000;

class FileOfOnes {
 public:
  FileOfOnes() { tests::write_file(path(), std::string(kFileBytes, '\1')); }
  std::string path() const { return folder_.file("memory"); }
  std::string bytes() const { return tests::read_file(path()); }
  FileMemoryOptions options() const {
    return {.path = path(), .offset = kOffset, .address = kAddress, .bytes = 0x200};
  }

 private:
  tests::TemporaryFolder folder_;
};

TEST(FileMemory, GivesOutAddressesOfTheDevice) {
  const FileOfOnes file;
  const auto memory = file_memory(file.options()).value();
  const Address first = memory->allocate(100).value();
  const Address second = memory->allocate(64).value();
  EXPECT_EQ(first, static_cast<Address>(0x0012'3456'7040));
  EXPECT_EQ(second, static_cast<Address>(0x0012'3456'70C0));
  EXPECT_EQ(memory->allocated_bytes(), 164U);
  memory->store32(second, 0xAABBCCDD);
  EXPECT_EQ(memory->load32(second), 0xAABBCCDDU);
  EXPECT_EQ(memory->load64(second), 0xAABBCCDDU);
  std::uint32_t there = 0;
  std::memcpy(&there, file.bytes().data() + kOffset + 0xB0, sizeof there);
  EXPECT_EQ(there, 0xAABBCCDDU);
  memory->release(first);
  memory->release(Address::kNowhere);
  EXPECT_EQ(memory->allocated_bytes(), 64U);
}

TEST(FileMemory, OnlyWhatIsAllocatedIsTouched) {
  const FileOfOnes file;
  std::string expected = file.bytes();
  {
    const auto memory = file_memory(file.options()).value();
    EXPECT_EQ(file.bytes(), expected);
    ASSERT_TRUE(memory->allocate(100));
  }
  std::memset(expected.data() + kOffset + 0x30, 0, 100);
  EXPECT_TRUE(file.bytes() == expected);
}

TEST(FileMemory, CopiesWords) {
  const FileOfOnes file;
  const auto memory = file_memory(file.options()).value();
  const Address block = memory->allocate(64).value();
  auto* device = static_cast<std::uint32_t*>(memory->as_device_sees(block));
  for (std::uint32_t i = 0; i < 16; ++i) device[i] = i;
  std::array<std::uint32_t, 4> words = {};
  memory->invalidate(block + 8, 16);
  memory->copy_words(block + 8, words);
  EXPECT_EQ(words, (std::array<std::uint32_t, 4>{2, 3, 4, 5}));
  EXPECT_EQ(memory->invalidated_bytes(), 16U);
  std::vector<std::byte> copy;
  EXPECT_EQ(memory->read(block + 4, 4, copy)[0], std::byte{1});
}

TEST(FileMemory, KnowsWhatBlocksNeed) {
  EXPECT_EQ(file_memory_bytes(kAddress, 0, 100), 0U);
  EXPECT_EQ(file_memory_bytes(kAddress, 1, 100), 148U);
  EXPECT_EQ(file_memory_bytes(0x1000, 3, 100), 356U);
  for (const std::uint64_t blocks : {1U, 2U, 3U}) {
    const FileOfOnes file;
    FileMemoryOptions options = file.options();
    options.bytes = file_memory_bytes(kAddress, blocks, 100);
    const auto memory = file_memory(options).value();
    for (std::uint64_t i = 0; i < blocks; ++i) EXPECT_TRUE(memory->allocate(100));
    const auto more = memory->allocate(1);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().code, base::ErrorCode::kTooLarge);
  }
}

TEST(FileMemory, RefusesWhatCannotBe) {
  const FileOfOnes file;
  const auto code = [&](auto&& change) {
    FileMemoryOptions options = file.options();
    change(options);
    const auto memory = file_memory(options);
    return memory ? base::ErrorCode::kInternal : memory.error().code;
  };
  using base::ErrorCode;
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.path = ""; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.path = "/nowhere/memory"; }), ErrorCode::kNotFound);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.path = "/"; }), ErrorCode::kNotReadable);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.offset = 6; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.address = 0; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.address = 6; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.address = ~std::uint64_t{3}; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.bytes = 0; }), ErrorCode::kUsage);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.bytes = kFileBytes; }), ErrorCode::kTruncated);
  EXPECT_EQ(code([](FileMemoryOptions& o) { o.bytes = kFileBytes - kOffset; }), ErrorCode::kInternal)
      << "fits";
}

}  // namespace
}  // namespace accelscope::device
