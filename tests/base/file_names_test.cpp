#include "base/file_names.h"

#include <gtest/gtest.h>

namespace accelscope::base {
namespace {

TEST(FileNames, AreWhatFollowsTheLastSlash) {
  EXPECT_EQ(file_name("out/toy.etdump"), "toy.etdump");
  EXPECT_EQ(file_name("toy"), "toy");
  EXPECT_EQ(file_name("out/"), "");
}

TEST(FileNames, StemsLoseTheLastEnding) {
  EXPECT_EQ(file_stem("a.b/toy.etdump"), "toy");
  EXPECT_EQ(file_stem("toy.tar.gz"), "toy.tar");
  EXPECT_EQ(file_stem("a.b/toy"), "toy");
  EXPECT_EQ(file_stem("out/.profile"), ".profile");
}

}  // namespace
}  // namespace accelscope::base
