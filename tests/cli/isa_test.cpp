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
  EXPECT_NE(listing.standard_error.find("a.asm:1:1: error: expected words of up to eight"),
            std::string::npos);
}

// A program made to order, profiled on boards, as the page of instructions shows it.
TEST(Isa, ProfilesWhatItMakes) {
  const TemporaryFolder folder;
  const std::string program = folder.file("small.asm");
  ASSERT_EQ(isa({"gen", "linear:mlen=16,blen=4,rows=128,in=16,out=32", "-o", program}).exit_code, 0);
  const ProgramResult text = isa(
      {"profile", program, "--mlen", "16", "--blen", "4", "--board", "v80,nexys_video", "-b", "nexys_a7"});
  EXPECT_EQ(text.exit_code, 0) << text.standard_error;
  for (const std::string_view expected : {"trust box", "Memory not charged", "7330", "16578", "14530",
                                          "49152", "What to optimise", "small.asm on nexys_a7"})
    EXPECT_NE(text.standard_output.find(expected), std::string::npos) << expected;
  const ProgramResult json = isa({"profile", program, "--mlen", "16", "--board", "v80", "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.standard_error;
  EXPECT_NE(json.standard_output.find("\"kind\": \"isa profile\""), std::string::npos)
      << json.standard_output.substr(0, 400);
  EXPECT_EQ(isa({"profile", program, "--markdown"}).exit_code, 0);
  const ProgramResult reference =
      isa({"profile", program, "--mlen", "16", "--board", "nexys_video", "--compat"});
  EXPECT_EQ(reference.standard_output.find("=== small.asm (nexys_video @100MHz, MLEN=16) ===\n"), 0U);
  const ProgramResult keys = isa({"profile", program, "--compat", "--json"});
  EXPECT_NE(keys.standard_output.find("\"static_instruction_lines\": 486"), std::string::npos);
}

TEST(Isa, TheSameInputGivesTheSameBytes) {
  const TemporaryFolder folder;
  ASSERT_EQ(setenv("SOURCE_DATE_EPOCH", "1700000000", 1), 0);
  ASSERT_EQ(isa({"gen", "attention", "-o", folder.file("a.asm")}).exit_code, 0);
  const std::vector<std::string> words{"profile", folder.file("a.asm"), "--board", "v80,custom_a7", "--json"};
  EXPECT_EQ(isa(words).standard_output, isa(words).standard_output);
  unsetenv("SOURCE_DATE_EPOCH");
}

TEST(Isa, LintsAndSaysSoByItsExitCode) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("bad.asm"), "S_ADDI_INT gp1, gp0, 3\nV_MUL_VF gp1, gp1, f0\n");
  const ProgramResult bad = isa({"lint", folder.file("bad.asm")});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_NE(bad.standard_output.find("bad.asm:2:10: error: V_MUL_VF takes a multiple of VLEN = 64, not 3 "
                                     "[vector-alignment]\n    V_MUL_VF gp1, gp1, f0\n             ^\n"),
            std::string::npos)
      << bad.standard_output;
  EXPECT_NE(bad.standard_output.find("2 errors, 0 warnings, 1 note\n"), std::string::npos);
  EXPECT_EQ(bad.standard_error, "");
  tests::write_file(folder.file("odd.asm"), "S_ADDI_INT gp0, gp0, 3\n");
  EXPECT_EQ(isa({"lint", folder.file("odd.asm")}).exit_code, 0);
  EXPECT_EQ(isa({"lint", folder.file("odd.asm"), "--werror"}).exit_code, 1);
  const ProgramResult json = isa({"lint", folder.file("odd.asm"), folder.file("bad.asm"), "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_NE(json.standard_output.find("gp0-written"), std::string::npos);
  ASSERT_EQ(isa({"gen", "ffn", "-o", folder.file("ffn.asm")}).exit_code, 0);
  EXPECT_EQ(isa({"lint", folder.file("ffn.asm"), "--werror"}).standard_output,
            "0 errors, 0 warnings, 0 notes\n");
}

TEST(Isa, MakesWhatIsListed) {
  const ProgramResult list = isa({"gen", "--list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_NE(list.standard_output.find("attention: of each head"), std::string::npos);
  EXPECT_NE(isa({"gen"}).standard_error.find("PROGRAM is missing; `accelscope isa gen --list`"),
            std::string::npos);
  EXPECT_EQ(isa({"gen", "linar"}).exit_code, 1);
}

TEST(Isa, MakesProgramsWithAllThatIsNeededToRunThem) {
  const TemporaryFolder folder;
  const ProgramResult made = isa({"gen", "linear", "--mlen", "16", "--blen", "4", "--shape", "32x16x48",
                                  "--images", folder.file("run")});
  EXPECT_EQ(made.exit_code, 0) << made.standard_error;
  EXPECT_EQ(made.standard_output, "");
  const std::string listing = tests::read_file(folder.file("run/program.asm"));
  EXPECT_EQ(isa({"gen", "linear:mlen=16,blen=4,rows=32,in=16,out=48"}).standard_output, listing);
  EXPECT_EQ(isa({"asm", folder.file("run/program.asm")}).standard_output,
            tests::read_file(folder.file("run/program.mem")));
  EXPECT_EQ(tests::read_file(folder.file("run/hbm.bin")).size(), (32U * 16 + 16U * 48) * 9 / 8);
  EXPECT_EQ(tests::read_file(folder.file("run/expected.bin")).size(), 32U * 48 * 2);
  for (const char* const file : {"fp_sram.bin", "int_sram.bin"})
    EXPECT_EQ(tests::read_file(folder.file("run/") + file), "") << "a linear layer needs no scalars";
  EXPECT_NE(tests::read_file(folder.file("run/settings.toml")).find("\nMLEN = { value = 16 }\n"),
            std::string::npos);
  EXPECT_NE(tests::read_file(folder.file("run/tensors.json")).find("\"name\": \"W\""), std::string::npos);
  EXPECT_NE(tests::read_file(folder.file("run/weight_manifest.json")).find("\"offset\": 576"),
            std::string::npos);
  // The settings are right for the program.
  EXPECT_EQ(isa({"lint", folder.file("run/program.asm"), "--settings", folder.file("run/settings.toml")})
                .standard_output,
            "0 errors, 0 warnings, 0 notes\n");
  const ProgramResult random = isa({"gen", "linear", "--mlen", "16", "--blen", "4", "--shape", "32x16x48",
                                    "--images", folder.file("random"), "--inputs", "random", "--seed", "2"});
  EXPECT_EQ(random.exit_code, 0) << random.standard_error;
  EXPECT_NE(tests::read_file(folder.file("random/hbm.bin")), tests::read_file(folder.file("run/hbm.bin")));
}

TEST(Isa, MakesLayersOfModels) {
  const ProgramResult layer = isa({"gen", "decoder-layer", "--model", "smollm2-135m", "--rows", "128"});
  EXPECT_EQ(layer.exit_code, 0) << layer.standard_error;
  EXPECT_EQ(
      layer.standard_output,
      isa({"gen", "decoder-layer:rows=128,hidden=576,inter=1536,heads=9,kv_heads=3,dim=64"}).standard_output);
  const auto error = [](std::vector<std::string> words) {
    words.insert(words.begin(), "gen");
    const ProgramResult result = isa(words);
    EXPECT_EQ(result.exit_code, 1);
    return result.standard_error;
  };
  EXPECT_EQ(error({"ffn", "--model", "smollm2-135m"}),
            "accelscope: error: --model is for `decoder-layer`, not for `ffn`\n");
  EXPECT_EQ(error({"linear", "--shape", "64x64"}),
            "accelscope: error: --shape 64x64: the shape of `linear` is rows x in x out\n");
  EXPECT_EQ(error({"add", "--shape", "64x64x64"}),
            "accelscope: error: --shape 64x64x64: the shape of `add` is rows x hidden\n");
  EXPECT_EQ(error({"linear:rows=64", "--rows", "64"}),
            "accelscope: error: the program `linear:rows=64,rows=64`: `rows` is given twice\n");
  EXPECT_EQ(error({"linear", "--seed", "1"}), "accelscope: error: --inputs and --seed are for --images\n");
  EXPECT_EQ(error({"linear", "--images", "/dev/null/x", "--seed", "x"}),
            "accelscope: error: --seed x: expected a whole number\n");
}

// What is wrong with the input, word for word.
TEST(Isa, ExplainsBadInput) {
  const TemporaryFolder folder;
  const auto expect = [&](std::string_view listing, std::vector<std::string> words,
                          std::string_view expected) {
    tests::write_file(folder.file("a.asm"), listing);
    words.insert(words.begin() + 1, folder.file("a.asm"));
    const ProgramResult result = isa(words);
    EXPECT_EQ(result.exit_code, 1) << expected;
    const std::string said = result.standard_error + result.standard_output;
    EXPECT_NE(said.find(expected), std::string::npos) << expected << '\n' << said;
  };
  for (const std::string& action : {std::string("profile"), std::string("lint")}) {
    expect("S_ADDINT gp1, gp0, 1\n", {action},
           "a.asm:1:1: error: unknown instruction `S_ADDINT`; did you mean `S_ADD_INT`?");
    expect("S_ADDI_INT gp16, gp0, 1\n", {action},
           "a.asm:1:12: error: there is no register gp16: gp0 to gp15");
    expect("S_ADDI_INT x1, gp0, 1\n", {action},
           "a.asm:1:12: error: `x1` is neither a register (gp0 to gp15, f0 to f7, a0 to a15) nor a decimal "
           "number");
    expect("S_ADDI_INT gp1, gp0, 262144\n", {action},
           "a.asm:1:22: error: `262144` does not fit: the number of S_ADDI_INT is at most 262143 (18 bits)");
    expect("C_LOOP_START gp1, 0\nC_LOOP_END gp1\n", {action},
           "a.asm:1:19: error: a loop count of 0 is none: the hardware stops at it");
    expect("C_LOOP_START gp1, 2\n", {action},
           "a.asm:1:1: error: this loop is never closed: C_LOOP_END gp1 is missing");
    expect("C_LOOP_END gp1\n", {action}, "a.asm:1:1: error: C_LOOP_END gp1 closes no loop");
    expect("C_BREAK\n", {action, "--mlen", "0"}, "--mlen 0: expected a whole number from 1 to 65536");
    expect("C_BREAK\n", {action, "--clock-mhz", "-5"},
           "--clock-mhz -5: expected a number above 0, such as 150");
    expect("C_BREAK\n", {action, "--clock-mhz", "0"},
           "--clock-mhz 0: expected a number above 0, such as 150");
    expect("C_BREAK\n", {action, "--board", "nexys_vido"}, "nexys_video");
    tests::write_file(folder.file("board.yaml"), "name: mine\n");
    expect("C_BREAK\n", {action, "--board", folder.file("board.yaml")}, "clock_mhz");
    expect("C_BREAK\n", {action, "--settings", folder.file("none.toml")}, "none.toml");
    EXPECT_EQ(isa({action, folder.file("")}).exit_code, 1) << "a folder";
    EXPECT_EQ(isa({action, folder.file("none.asm")}).exit_code, 1);
    tests::write_file(folder.file("empty.asm"), "");
    EXPECT_EQ(isa({action, folder.file("empty.asm")}).exit_code, 0);
  }
  expect("M_MN\n", {"profile"}, "a.asm: 1 error; there is no profile");
  expect(
      "C_LOOP_START gp1, 4194303\nC_LOOP_START gp2, 4194303\nC_LOOP_START gp3, 4194303\nC_LOOP_END gp3\n"
      "C_LOOP_END gp2\nC_LOOP_END gp1\n",
      {"profile"}, "a.asm:4: is carried out more than 2^64 times: the loops around it multiply");
  expect("C_BREAK\n", {"lint", "--board", "v80,nexys_a7"},
         "--board is given 2 times; lint looks at one board");
  expect("C_BREAK\n", {"profile", "--compat", "--cycles", "emulator"},
         "--compat has its own rules; --cycles does not go with it");
}

TEST(Isa, AClosedPipeEndsItQuietly) {
  const TemporaryFolder folder;
  ASSERT_EQ(isa({"gen", "linear:rows=1024,in=128,out=256", "-o", folder.file("a.asm")}).exit_code, 0);
  const ProgramResult result = tests::run_program(
      {"/bin/sh", "-c",
       std::string(ACCELSCOPE_PROGRAM) + " isa profile " + folder.file("a.asm") + " --json | head -c 10"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.standard_error, "");
}

}  // namespace
}  // namespace accelscope::cli
