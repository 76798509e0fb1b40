#include "device/drain_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "device/replay_window.h"
#include "support/temporary_folder.h"

namespace accelscope::device {
namespace {

constexpr std::array kRing{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}, std::byte{'d'}};

TEST(DrainFiles, AreWhatReplayFinds) {
  const tests::TemporaryFolder folder;
  const perfmon::RegistersSeen seen{
      .length = 4, .base_low = 0x10, .base_high = 2, .samples = 7, .samples_written = 28, .write_pointer = 3};
  EXPECT_FALSE(has_drains(folder.path()));
  ASSERT_TRUE(write_drain(folder.path(), 2, 10, kRing, registers_of(seen)));
  ASSERT_TRUE(write_drain(folder.path(), 2, 9, kRing, registers_of(seen)));
  EXPECT_TRUE(has_drains(folder.path()));
  EXPECT_EQ(drain_path(folder.path(), 2, 9), folder.file("core2.9.bin"));
  EXPECT_EQ(tests::read_file(folder.file("core2.9.bin")), "abcd");
  const ReplayFiles files = find_replay_files(folder.path()).value();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[2], (std::vector{folder.file("core2.9.bin"), folder.file("core2.10.bin")}));
  const base::MappedFile beside = base::MappedFile::open(folder.file("core2.10.bin.regs.json")).value();
  EXPECT_EQ(formats::perfmon::read_registers(beside).value(),
            (formats::perfmon::Registers{
                .wptr = 3, .samp_wrt = 28, .samp_crt = 7, .buf_len = 4, .base = 0x2'0000'0010}));
}

TEST(DrainFiles, AreRemovedAndNothingElse) {
  const tests::TemporaryFolder folder;
  ASSERT_TRUE(write_drain(folder.path(), 0, 1, kRing, {}));
  tests::write_file(folder.file("core0.txt"), "mine");
  ASSERT_TRUE(remove_drains(folder.path()));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"core0.txt"});
  EXPECT_TRUE(remove_drains(folder.path())) << "nothing is left";
}

TEST(DrainFiles, AFolderThatIsNotThere) {
  const tests::TemporaryFolder folder;
  const std::string nowhere = folder.file("nowhere");
  EXPECT_FALSE(has_drains(nowhere));
  EXPECT_FALSE(remove_drains(nowhere));
  const base::Status written = write_drain(nowhere, 0, 1, kRing, {});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().to_string().find("core0.1.bin.regs.json"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::device
