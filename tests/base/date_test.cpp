#include "base/date.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace accelscope::base {
namespace {

class SourceDate : public ::testing::Test {
 protected:
  void TearDown() override { unsetenv("SOURCE_DATE_EPOCH"); }
};

TEST_F(SourceDate, IsWhatTheEnvironmentSays) {
  setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
  EXPECT_EQ(iso_date(report_time()), "2023-11-14T22:13:20Z");
}

TEST_F(SourceDate, IgnoresWhatIsNoNumberOfSeconds) {
  for (const char* text : {"", "tomorrow", "12x", "-5", "999999999999999"}) {
    setenv("SOURCE_DATE_EPOCH", text, 1);
    const auto before = std::chrono::system_clock::now();
    EXPECT_GE(report_time(), before) << text;
  }
}

TEST(IsoDate, PadsItsNumbers) {
  EXPECT_EQ(iso_date({}), "1970-01-01T00:00:00Z");
}

}  // namespace
}  // namespace accelscope::base
