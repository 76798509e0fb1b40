// docs/streaming.md shows what commands print.
#include <gtest/gtest.h>

#include "cli/shown_commands.h"

namespace accelscope::cli {
namespace {

TEST(StreamingPage, ShowsWhatIsPrinted) {
  const std::vector<Shown> shown = commands_shown(ACCELSCOPE_SOURCE_DIR "/docs/streaming.md");
  EXPECT_GE(shown.size(), 8U);
  expect_shown_as_printed(shown);
}

}  // namespace
}  // namespace accelscope::cli
