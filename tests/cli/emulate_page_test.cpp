// docs/emulate.md shows what commands print.
#include <gtest/gtest.h>

#include "cli/shown_commands.h"

namespace accelscope::cli {
namespace {

TEST(EmulatePage, ShowsWhatIsPrinted) {
  const tests::TemporaryFolder folder;
  const std::string program = "decoder-layer:rows=16,hidden=64,inter=128,heads=4,kv_heads=2,dim=16,mlen=16";
  const std::string page = ACCELSCOPE_SOURCE_DIR "/docs/emulate.md";
  EXPECT_TRUE(contains(tests::read_file(page), "accelscope isa gen " + program + " --images layer"));
  ASSERT_EQ(tests::run_program({ACCELSCOPE_PROGRAM, "isa", "gen", program, "--images", "layer"},
                               {.folder = folder.path()})
                .exit_code,
            0);
  const std::vector<Shown> shown = commands_shown(page);
  EXPECT_EQ(shown.size(), 1U);
  expect_shown_as_printed(shown, folder.path());
}

}  // namespace
}  // namespace accelscope::cli
