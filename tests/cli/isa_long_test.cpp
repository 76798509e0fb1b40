// A listing of 200 MB: every action takes it, in memory that grows with its instructions and not with more.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {
namespace {

constexpr std::size_t kBytes = 200'000'000;

TEST(IsaLong, AListingOf200Megabytes) {
  const tests::TemporaryFolder folder;
  const std::string path = folder.file("large.asm");
  {
    std::ofstream file(path);
    for (std::size_t written = 0; written < kBytes;) {
      const std::string block = fmt::format(
          "; Allocate VRAM Matrix Y[{0}], SubBlock [{0}]\nS_ADDI_INT gp1, gp0, {1}\nC_LOOP_START gp9, 4\n"
          "  M_MM 0, gp1, gp0\n  C_LOOP_END gp9\nM_MM_WO gp0, gp0, 0\n",
          written, written % 1024 * 256);
      file << block;
      written += block.size();
    }
  }
  for (const std::vector<std::string>& action :
       {std::vector<std::string>{"profile", "--board", "v80,nexys_a7,nexys_video,custom_a7"},
        {"lint"},
        {"asm", "-o", "/dev/null"}}) {
    std::vector<std::string> words{ACCELSCOPE_PROGRAM, "isa"};
    words.insert(words.end(), action.begin(), action.end());
    words.push_back(path);
    const tests::ProgramResult result = tests::run_program(words);
    EXPECT_EQ(result.exit_code, 0) << result.standard_error << result.standard_output.substr(0, 1000);
    // The file is mapped; beside it there are some 16 bytes an instruction, and findings are few.
    EXPECT_LT(result.peak_kilobytes, 500'000) << action.front();
  }
}

}  // namespace
}  // namespace accelscope::cli
