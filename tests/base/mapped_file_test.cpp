#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "support/temporary_folder.h"
#include "support/without_root.h"

namespace accelscope::base {
namespace {

using tests::TemporaryFolder;
using tests::write_file;

std::string bytes_of_length(std::size_t length) {
  std::string text(length, '\0');
  for (std::size_t i = 0; i < length; ++i) text[i] = static_cast<char>('a' + i % 26);
  return text;
}

bool padding_is_zero(const MappedFile& file) {
  const char* end = file.text().data() + file.size();
  return std::all_of(end, end + MappedFile::kPadding, [](char c) { return c == 0; });
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                                                std::filesystem::directory_iterator()));
}

TEST(MappedFile, HoldsTheBytesAndReadableZerosBehindThem) {
  const TemporaryFolder folder;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{64}, page - 65, page - 64,
                                   page - 63, page - 1, page, page + 1, 2 * page, 40 * page}) {
    const std::string content = bytes_of_length(length);
    write_file(folder.file("data"), content);
    const Result<MappedFile> file = MappedFile::open(folder.file("data"));
    ASSERT_TRUE(file.has_value()) << file.error().to_string();
    EXPECT_EQ(file->size(), length);
    EXPECT_TRUE(file->text() == content) << length;
    EXPECT_EQ(file->bytes().size(), length);
    EXPECT_NE(file->text().data(), nullptr);
    EXPECT_TRUE(padding_is_zero(*file)) << length;
    EXPECT_EQ(file->path(), folder.file("data"));
  }
}

TEST(MappedFile, SaysWhatIsMissing) {
  const TemporaryFolder folder;
  const Result<MappedFile> missing = MappedFile::open(folder.file("none"));
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().to_string(),
            folder.file("none") + ": cannot be opened: No such file or directory");

  write_file(folder.file("plain"), "x");
  EXPECT_EQ(MappedFile::open(folder.file("plain/below")).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(MappedFile::open("").error().code, ErrorCode::kNotFound);
}

TEST(MappedFile, RefusesAFolder) {
  const TemporaryFolder folder;
  const Result<MappedFile> file = MappedFile::open(folder.path());
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kNotReadable);
  EXPECT_EQ(file.error().message, "is a directory, not a file");
}

TEST(MappedFile, RefusesWhatMayNotBeRead) {
  const TemporaryFolder folder;
  write_file(folder.file("secret"), "x");
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(chmod(folder.file("secret").c_str(), 0), 0);
  const tests::WithoutRoot user;
  if (!user.active()) GTEST_SKIP() << "root may read everything, and this process cannot become another user";
  const Result<MappedFile> file = MappedFile::open(folder.file("secret"));
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kNotReadable);
  EXPECT_EQ(file.error().message, "cannot be opened: Permission denied");
}

// Feeds `content` to a named pipe from a second thread while the pipe is opened as a file.
Result<MappedFile> open_through_pipe(const std::string& content, std::size_t limit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("pipe");
  if (mkfifo(path.c_str(), 0600) != 0) return fail(ErrorCode::kInternal, "no pipe");
  std::thread writer([&] {
    std::ofstream pipe(path, std::ios::binary);
    pipe.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
  Result<MappedFile> file = MappedFile::open(path, limit);
  writer.join();
  return file;
}

TEST(MappedFile, ReadsAPipeWhole) {
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{5}, std::size_t{262'080}, std::size_t{262'144}, std::size_t{1'000'003}}) {
    const std::string content = bytes_of_length(length);
    const Result<MappedFile> file = open_through_pipe(content, MappedFile::kMaxPipeBytes);
    ASSERT_TRUE(file.has_value()) << file.error().to_string();
    EXPECT_TRUE(file->text() == content) << length;
    EXPECT_TRUE(padding_is_zero(*file)) << length;
  }
}

TEST(MappedFile, AStreamMayBeAsLongAsTheLimit) {
  const std::string content = bytes_of_length(1'000);
  EXPECT_TRUE(open_through_pipe(content, 1'000).has_value());
  const Result<MappedFile> longer = open_through_pipe(content, 999);
  ASSERT_FALSE(longer.has_value());
  EXPECT_EQ(longer.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(longer.error().message, "more than 999 bytes come from this stream; save it to a file first");
}

TEST(MappedFile, AnEndlessStreamEndsAtTheLimit) {
  const Result<MappedFile> file = MappedFile::open("/dev/zero", std::size_t{3} << 20);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::kTooLarge);
}

TEST(MappedFile, ReadsFilesThatDoNotKnowTheirSize) {
  const Result<MappedFile> file = MappedFile::open("/proc/self/status");
  ASSERT_TRUE(file.has_value()) << file.error().to_string();
  EXPECT_TRUE(file->text().starts_with("Name:"));
}

TEST(MappedFile, TakesBytesFromMemory) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{4'095}, std::size_t{4'096}}) {
    std::string content = bytes_of_length(length);
    const MappedFile file = MappedFile::from_memory("inside.json", content);
    const std::string expected = content;
    content.assign(length, '?');
    EXPECT_EQ(file.text(), expected);
    EXPECT_EQ(file.path(), "inside.json");
    EXPECT_TRUE(padding_is_zero(file));
  }
  const MappedFile empty = MappedFile::from_memory("empty", std::string_view());
  EXPECT_EQ(empty.size(), 0U);
  EXPECT_TRUE(padding_is_zero(empty));
}

TEST(MappedFile, MovesWithItsBytes) {
  MappedFile first = MappedFile::from_memory("first", "one");
  const char* place = first.text().data();
  MappedFile second(std::move(first));
  EXPECT_EQ(second.text().data(), place);
  MappedFile third = MappedFile::from_memory("third", "three");
  third = std::move(second);
  EXPECT_EQ(third.text(), "one");
  EXPECT_EQ(third.path(), "first");
}

TEST(MappedFile, LeavesNoDescriptorOpen) {
  const TemporaryFolder folder;
  write_file(folder.file("data"), "x");
  const std::size_t before = open_descriptors();
  const Result<MappedFile> kept = MappedFile::open(folder.file("data"));
  EXPECT_FALSE(MappedFile::open(folder.path()).has_value());
  EXPECT_FALSE(MappedFile::open("/dev/zero", 10).has_value());
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace accelscope::base
