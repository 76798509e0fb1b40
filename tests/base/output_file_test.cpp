#include "base/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.h"
#include "support/without_root.h"

namespace accelscope::base {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;
using Names = std::vector<std::string>;

void write_whole(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::create(path);
  ASSERT_TRUE(file.has_value()) << file.error().to_string();
  file->output().append(text);
  const Status committed = file->commit();
  ASSERT_TRUE(committed.has_value()) << committed.error().to_string();
}

TEST(OutputFile, AppearsWhenCommitted) {
  const TemporaryFolder folder;
  Result<OutputFile> file = OutputFile::create(folder.file("out"));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->path(), folder.file("out"));
  file->output().append("whole");
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
  EXPECT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(folder.file("out")), "whole");
  EXPECT_EQ(folder.names(), Names{"out"});
}

TEST(OutputFile, PartsMayComeInAnyOrder) {
  const TemporaryFolder folder;
  const std::string path = folder.file("parts");
  {
    auto file = OutputFile::create(path);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write_at(6, "world"));
    EXPECT_TRUE(file->write_at(0, "hello "));
    EXPECT_TRUE(file->write_at(4, ""));
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(file->commit());
  }
  EXPECT_EQ(read_file(path), "hello world");
  if (!std::filesystem::exists("/dev/full")) return;
  auto full = OutputFile::create("/dev/full");
  ASSERT_TRUE(full);
  EXPECT_FALSE(full->write_at(0, "x"));
}

TEST(OutputFile, ACommitMoreIsNoCommitLess) {
  const TemporaryFolder folder;
  Result<OutputFile> file = OutputFile::create(folder.file("out"));
  file->output().append("whole");
  EXPECT_TRUE(file->commit().has_value());
  EXPECT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(folder.file("out")), "whole");
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  {
    Result<OutputFile> file = OutputFile::create(folder.file("out"));
    file->output().append(std::string(3'000'000, 'x'));
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(OutputFile, KeepsTheOldFileUntilCommit) {
  const TemporaryFolder folder;
  write_file(folder.file("out"), "old");
  {
    Result<OutputFile> file = OutputFile::create(folder.file("out"));
    file->output().append(std::string(3'000'000, 'x'));
    EXPECT_EQ(read_file(folder.file("out")), "old");
  }
  EXPECT_EQ(read_file(folder.file("out")), "old");
  write_whole(folder.file("out"), "new");
  EXPECT_EQ(read_file(folder.file("out")), "new");
  EXPECT_EQ(folder.names(), Names{"out"});
}

TEST(OutputFile, IsMovedWhole) {
  const TemporaryFolder folder;
  {
    Result<OutputFile> created = OutputFile::create(folder.file("out"));
    OutputFile file(std::move(*created));
    file.output().append("moved");
    EXPECT_TRUE(file.commit().has_value());
  }
  EXPECT_EQ(read_file(folder.file("out")), "moved");
}

TEST(OutputFile, AKilledProcessLeavesNothing) {
  const TemporaryFolder folder;
  const FileDescriptor unnamed(::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (!unnamed.valid())
    GTEST_SKIP() << "the file system of " << folder.path() << " has no files without a name";
  write_file(folder.file("out"), "old");
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Result<OutputFile> file = OutputFile::create(folder.file("out"));
    file->output().append(std::string(3'000'000, 'x'));
    [[maybe_unused]] const ssize_t told = ::write(ends[1], "!", 1);
    while (true) pause();
  }
  ::close(ends[1]);
  char ready = 0;
  EXPECT_EQ(::read(ends[0], &ready, 1), 1);
  ::close(ends[0]);
  EXPECT_EQ(kill(child, SIGKILL), 0);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folder.names(), Names{"out"});
  EXPECT_EQ(read_file(folder.file("out")), "old");
}

TEST(OutputFile, RefusesAFolder) {
  const TemporaryFolder folder;
  const Result<OutputFile> file = OutputFile::create(folder.path());
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().to_string(), folder.path() + ": is a directory; name a file in it");
  EXPECT_FALSE(OutputFile::create(folder.path() + "/").has_value());
  EXPECT_FALSE(OutputFile::create("").has_value());
}

TEST(OutputFile, RefusesAFolderThatIsNotThere) {
  const TemporaryFolder folder;
  const Result<OutputFile> file = OutputFile::create(folder.file("none/out"));
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kWriteFailed);
  EXPECT_EQ(file.error().to_string(),
            folder.file("none/out") + ": cannot be created: No such file or directory");
  EXPECT_FALSE(OutputFile::create(folder.file("none/")).has_value());
}

TEST(OutputFile, RefusesWhatMayNotBeWritten) {
  const TemporaryFolder folder;
  write_file(folder.file("precious"), "old");
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  ASSERT_EQ(chmod(folder.file("precious").c_str(), 0444), 0);
  std::filesystem::create_directory(folder.file("closed"));
  ASSERT_EQ(chmod(folder.file("closed").c_str(), 0555), 0);
  const tests::WithoutRoot user;
  if (!user.active())
    GTEST_SKIP() << "root may write everything, and this process cannot become another user";
  const Result<OutputFile> file = OutputFile::create(folder.file("precious"));
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().message, "cannot be written: Permission denied");
  const Result<OutputFile> inside = OutputFile::create(folder.file("closed/out"));
  ASSERT_FALSE(inside.has_value());
  EXPECT_EQ(inside.error().message, "cannot be created: Permission denied");
}

TEST(OutputFile, KeepsThePermissionsOfTheFileItReplaces) {
  const TemporaryFolder folder;
  write_file(folder.file("out"), "old");
  ASSERT_EQ(chmod(folder.file("out").c_str(), 0640), 0);
  write_whole(folder.file("out"), "new");
  struct stat info = {};
  ASSERT_EQ(stat(folder.file("out").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
}

TEST(OutputFile, ANewFileHonoursTheMask) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_whole(folder.file("out"), "new");
  umask(before);
  struct stat info = {};
  ASSERT_EQ(stat(folder.file("out").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
}

TEST(OutputFile, FollowsLinksToFilesThatAreThereOrNot) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("runs"));
  write_file(folder.file("runs/1"), "old");
  std::filesystem::create_symlink("runs/1", folder.file("latest"));
  std::filesystem::create_symlink(folder.file("runs/2"), folder.file("next"));
  std::filesystem::create_symlink("next", folder.file("next-but-one"));
  write_whole(folder.file("latest"), "new");
  write_whole(folder.file("next-but-one"), "second");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("latest")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("next-but-one")));
  EXPECT_EQ(read_file(folder.file("runs/1")), "new");
  EXPECT_EQ(read_file(folder.file("runs/2")), "second");
}

TEST(OutputFile, ALinkInACircleIsAnError) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder.file("a"));
  std::filesystem::create_symlink("a", folder.file("b"));
  Result<OutputFile> file = OutputFile::create(folder.file("a"));
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().message, "cannot be created: Too many levels of symbolic links");
}

TEST(OutputFile, TheLongestNameIsNotTooLong) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  write_whole(folder.file(name), "x");
  EXPECT_EQ(folder.names(), Names{name});
}

TEST(OutputFile, TwoMayHaveTheSameTarget) {
  const TemporaryFolder folder;
  Result<OutputFile> first = OutputFile::create(folder.file("out"));
  Result<OutputFile> second = OutputFile::create(folder.file("out"));
  first->output().append("first");
  second->output().append("second");
  EXPECT_TRUE(first->commit().has_value());
  EXPECT_EQ(read_file(folder.file("out")), "first");
  EXPECT_TRUE(second->commit().has_value());
  EXPECT_EQ(read_file(folder.file("out")), "second");
  EXPECT_EQ(folder.names(), Names{"out"});
}

TEST(OutputFile, WhatCannotBeRenamedLeavesNothing) {
  const TemporaryFolder folder;
  {
    Result<OutputFile> file = OutputFile::create(folder.file("out"));
    file->output().append("x");
    std::filesystem::create_directory(folder.file("out"));
    const Status committed = file->commit();
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().message, "cannot be renamed into place: Is a directory");
  }
  EXPECT_EQ(folder.names(), Names{"out"});
}

TEST(OutputFile, DevicesAreWrittenInPlace) {
  write_whole("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
  Result<OutputFile> full = OutputFile::create("/dev/full");
  ASSERT_TRUE(full.has_value());
  full->output().append("x");
  const Status committed = full->commit();
  ASSERT_FALSE(committed.has_value());
  EXPECT_EQ(committed.error().to_string(), "/dev/full: cannot be written: No space left on device");
}

TEST(OutputFile, PipesAreWrittenInPlace) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_file(folder.file("pipe")); });
  write_whole(folder.file("pipe"), "through");
  reader.join();
  EXPECT_EQ(received, "through");
}

// Runs `write` with standard output going to a file that already holds "before ", and returns the file's
// content.
template <class Write>
std::string standard_output_of(const Write& write) {
  const TemporaryFolder folder;
  std::fflush(stdout);
  const FileDescriptor saved(dup(STDOUT_FILENO));
  {
    const FileDescriptor file(::open(folder.file("stdout").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    EXPECT_EQ(::write(file.get(), "before ", 7), 7);
    EXPECT_EQ(dup2(file.get(), STDOUT_FILENO), STDOUT_FILENO);
  }
  write();
  EXPECT_EQ(dup2(saved.get(), STDOUT_FILENO), STDOUT_FILENO);
  EXPECT_EQ(folder.names(), Names{"stdout"});
  return read_file(folder.file("stdout"));
}

TEST(OutputFile, StandardOutputIsContinuedAndStaysOpen) {
  EXPECT_EQ(standard_output_of([] {
              write_whole("-", "one ");
              write_whole("/dev/stdout", "two");
            }),
            "before one two");
}

TEST(OutputFile, ADescriptorIsNeverReplacedByAFile) {
  EXPECT_EQ(standard_output_of([] { write_whole("/dev/fd/1", "BEFORE"); }), "BEFORE ");
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/fd"));
}

}  // namespace
}  // namespace accelscope::base
