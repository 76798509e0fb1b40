// accelscope isa, as a user runs it.
#include <gtest/gtest.h>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace accelscope::cli {
namespace {

using tests::ProgramResult;
using tests::TemporaryFolder;

ProgramResult isa(std::vector<std::string> words) {
  words.insert(words.begin(), {ACCELSCOPE_PROGRAM, "isa"});
  return tests::run_program(words);
}

constexpr std::string_view kListing =
    "; scales 8 rows\n"
    "S_LD_FP f1, gp0, 1\n"
    "C_LOOP_START gp3, 8\n"
    "V_MUL_VF gp2, gp2, f1\n"
    "C_LOOP_END gp3\n";

TEST(Isa, AssemblesAndDisassembles) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"), kListing);
  const ProgramResult made = isa({"asm", folder.file("a.asm"), "-o", folder.file("a.mem")});
  EXPECT_EQ(made.exit_code, 0) << made.standard_error;
  EXPECT_EQ(made.standard_output + made.standard_error, "");
  EXPECT_EQ(tests::read_file(folder.file("a.mem")), "0x0000405E\n0x000020EF\n0x00004892\n0x000000F0\n");
  const ProgramResult back = isa({"disasm", folder.file("a.mem")});
  EXPECT_EQ(back.exit_code, 0) << back.standard_error;
  EXPECT_EQ(back.standard_output, kListing.substr(kListing.find('\n') + 1));
}

TEST(Isa, WarnsAndGoesOn) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"), "V_EXP_V gp2, gp1, 1\n");
  const ProgramResult strict = isa({"asm", folder.file("a.asm")});
  EXPECT_EQ(strict.exit_code, 0);
  EXPECT_EQ(strict.standard_output, "0x00040493\n");
  EXPECT_NE(strict.standard_error.find("a.asm:1:19: warning: the reference assembler encodes 0x00004493"),
            std::string::npos)
      << strict.standard_error;
  EXPECT_EQ(isa({"asm", folder.file("a.asm"), "--dialect", "reference"}).standard_output, "0x00004493\n");
}

TEST(Isa, ReportsAllErrorsAndWritesNothing) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"), "M_MN 0, gp1, gp2\nC_BREAK\nC_LOOP_END gp16\n");
  const ProgramResult made = isa({"asm", folder.file("a.asm"), "-o", folder.file("a.mem")});
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_NE(made.standard_error.find("a.asm:1:1: error: unknown instruction `M_MN`; did you mean `M_MM`?\n"
                                     "    M_MN 0, gp1, gp2\n    ^\n"),
            std::string::npos)
      << made.standard_error;
  EXPECT_NE(made.standard_error.find("a.asm:3:12: error: there is no register gp16"), std::string::npos);
  EXPECT_NE(made.standard_error.find("2 errors; nothing was written"), std::string::npos);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"a.asm"});
}

TEST(Isa, ExplainsMistakes) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"), kListing);
  EXPECT_NE(
      isa({"asn", folder.file("a.asm")}).standard_error.find("unknown action 'asn'; did you mean 'asm'?"),
      std::string::npos);
  EXPECT_EQ(isa({"asm", folder.file("none.asm")}).exit_code, 1);
  EXPECT_EQ(isa({"asm", folder.file("a.asm"), "--dialect", "other"}).exit_code, 1);
  const ProgramResult listing = isa({"disasm", folder.file("a.asm")});
  EXPECT_EQ(listing.exit_code, 1);
  EXPECT_NE(listing.standard_error.find("a.asm:1:1: error: expected one word a line"), std::string::npos);
}

}  // namespace
}  // namespace accelscope::cli
