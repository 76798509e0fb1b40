// What `accelscope emulate` says of input that it cannot run: where, what and what to do, exit code 1, and
// nothing half written.
#include <gtest/gtest.h>

#include <chrono>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

using tests::TemporaryFolder;
using tests::write_file;

class BadEmulateInput : public testing::Test {
 protected:
  BadEmulateInput() {
    write_file(program_, "S_ADDI_INT gp1, gp0, 1\n");
    write_file(file("odd"), "abc");
    write_file(file("large"), std::string(4096, '\0'));
  }

  std::string file(std::string_view name) const { return folder_.file(name); }

  void expect_refused(std::vector<std::string> words, std::initializer_list<std::string_view> parts) {
    const std::vector<std::string> before = folder_.names();
    words.insert(words.begin(), "emulate");
    const ProgramResult result = accelscope(words);
    EXPECT_EQ(result.exit_code, 1) << result.standard_output;
    EXPECT_EQ(result.standard_output, "");
    for (const std::string_view part : parts)
      EXPECT_TRUE(contains(result.standard_error, part)) << part << '\n' << result.standard_error;
    EXPECT_EQ(folder_.names(), before);
  }
  void expect_program_refused(std::string_view listing, std::initializer_list<std::string_view> parts,
                              std::vector<std::string> more = {}) {
    write_file(file("bad.asm"), listing);
    more.insert(more.begin(), file("bad.asm"));
    expect_refused(more, parts);
  }

  TemporaryFolder folder_;
  std::string program_ = folder_.file("a.asm");
};

TEST_F(BadEmulateInput, Programs) {
  expect_program_refused("0x00200062\n0x00000033\n", {"bad.asm:2: pc 1", "0x33"});
  expect_program_refused("S_ADDI_INT gp1\nM_MN gp1\n", {"bad.asm:1", "bad.asm:2", "nothing was run"});
  expect_program_refused("; nothing\n", {"bad.asm: holds no instruction"});
  expect_program_refused("V_ADD_VV gp1, gp0, gp0\nS_ADDI_INT gp1, gp0, 3\nV_ADD_VV gp1, gp1, gp1\n",
                         {"bad.asm:", "pc "});
  expect_refused({file("none.asm")}, {"none.asm: cannot be opened"});
  expect_refused({folder_.path()}, {"is a folder without a program", "program.asm"});
  expect_refused({}, {"PROGRAM is missing"});
  expect_refused({program_, "--opcode", program_}, {"give one of them"});
}

TEST_F(BadEmulateInput, ProgramsThatNeverEnd) {
  expect_program_refused("C_LOOP_START gp1, 3\nS_ADDI_INT gp1, gp0, 3\nC_LOOP_END gp1\n",
                         {"bad.asm:3: pc 2: C_LOOP_END gp1", "as many instructions as it may"},
                         {"--compat", "--max-instructions", "1000"});
}

TEST_F(BadEmulateInput, Images) {
  expect_refused({program_, "--hbm", file("large"), "--hbm-size", "64"}, {"large: ", "4096 bytes", "64"});
  expect_refused({program_, "--fpsram", file("odd")}, {"odd: ", "3 bytes"});
  expect_refused({program_, "--intsram", file("odd")}, {"odd: ", "3 bytes"});
  expect_refused({program_, "--vram", file("odd")}, {"odd: ", "3 bytes"});
  expect_refused({program_, "--fpsram", file("large")}, {"large: ", "4096 bytes"});
  expect_refused({program_, "--hbm", file("none")}, {"none: cannot be opened"});
  expect_refused({program_, "--hbm-size", "100"}, {"100 bytes", "multiple"});
}

TEST_F(BadEmulateInput, Manifests) {
  expect_refused({program_, "--memory-model", "layer-swap"},
                 {"needs a weight manifest", "accelscope manifest"});
  write_file(file("m.json"),
             R"({"activation_ceiling": 0, "regions": [{"layer_id": 0, "offset": 0, "size": 128},
                              {"layer_id": 1, "offset": 64, "size": 128}]})");
  expect_refused({program_, "--memory-model", "auto", "--weight-manifest", file("m.json")},
                 {"m.json: byte ", "region 1 at offset 64 begins before region 0 ends"});
}

TEST_F(BadEmulateInput, SettingsListAllThatIsMissing) {
  write_file(file("s.toml"), "[TRANSACTIONAL.CONFIG]\nMLEN = {value = 16}\n");
  expect_refused(
      {program_, "--settings", file("s.toml")},
      {"s.toml:", "`TRANSACTIONAL.CONFIG.BLEN`: is missing", "`TRANSACTIONAL.CONFIG.HLEN`: is missing"});
}

TEST_F(BadEmulateInput, NamesAreListed) {
  expect_refused({program_, "--memory-model", "layer-swop"}, {"host-stream", "did you mean `layer-swap`?"});
  expect_refused({program_, "--board", "nexus"}, {"nexys_video", "v80"});
  expect_refused({program_, "--dram", "hbm9"}, {"reference-hbm2-patched"});
  expect_refused({program_, "--costs", "rt"}, {"reference, rtl, board", "did you mean `rtl`?"});
  expect_refused({program_, "--costs", "board"}, {"needs a --board"});
  expect_refused({program_, "--timing", "parallel"}, {"serial, overlap"});
  expect_refused({program_, "--timing", "serial,serial"}, {"given twice"});
  expect_refused({program_, "--policy", "random"}, {"fifo, lru, mru, pin, belady"});
  expect_refused({program_, "--board", "v80,v80"}, {"there is a board v80 already"});
  expect_refused({program_, "--compat", "--strict"}, {"exclude each other"});
}

TEST_F(BadEmulateInput, NumbersOutOfRange) {
  expect_refused({program_, "--host-bandwidth", "0"}, {"--host-bandwidth 0", "above zero"});
  expect_refused({program_, "--ddr3-capacity", "0"}, {"--ddr3-capacity 0", "above zero"});
  expect_refused({program_, "--channels", "0"}, {"--channels 0"});
  expect_refused({program_, "--max-instructions", "0"}, {"--max-instructions 0"});
  expect_refused({program_, "--mlen", "0"}, {"--mlen 0"});
  expect_refused({program_, "--clock", "0"}, {"--clock 0"});
  expect_refused({program_, "--clock", "1GHz", "--clock-mhz", "1"}, {"exclude each other"});
  expect_refused({program_, "--tolerance", "some"}, {"--tolerance some"});
  expect_refused({program_, "--prefetch-depth", "-1"}, {"--prefetch-depth -1"});
}

TEST_F(BadEmulateInput, OutputsThatCannotBe) {
  expect_refused({program_, "--dump-vram", "/dev/full:0+64"}, {"/dev/full", "No space left"});
  expect_refused({program_, "--dump-vram", file("x") + ":5-9"}, {"rows of 64 elements"});
  expect_refused({program_, "--dump-vram", file("x") + ":9-5"}, {"--dump-vram", "FIRST-END"});
  expect_refused({program_, "--dump-fpsram", file("x") + ":1000+30"}, {"which has 1024"});
  expect_refused({program_, "--dump-hbm", file("no/x") + ":0+64"}, {"no/x"});
  expect_refused({program_, "--trace", "units"}, {"--output"});
  expect_refused({program_, "-o", "-"}, {"give the trace a name"});
  expect_refused({program_, "-o", file("x.unknown")}, {"the ending does not tell the format"});
  expect_refused({program_, "-o", file("x.json"), "--board", "v80,nexys_video"}, {"2 combinations"});
  expect_refused({program_, "--dump-hbm", file("x"), "--costs", "rtl,reference"}, {"2 combinations"});
  expect_refused({program_, "--stage-profile-out", file("x")}, {"--stage-profile-asm"});
  expect_refused({program_, "--expect", file("none")}, {"none: cannot be opened"});
}

TEST_F(BadEmulateInput, CtrlCShowsWhatIsKnown) {
  write_file(file("long.asm"),
             "C_LOOP_START gp1, 4000000\nC_LOOP_START gp2, 90\nS_ADDI_INT gp3, gp0, 1\nC_LOOP_END gp2\n"
             "C_LOOP_END gp1\n");
  const auto begin = std::chrono::steady_clock::now();
  const ProgramResult result =
      accelscope({"emulate", file("long.asm")}, {.interrupt_when = [&] {
                   return std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(400);
                 }});
  EXPECT_EQ(result.exit_code, 130) << result.standard_error;
  EXPECT_TRUE(contains(result.standard_output, "was stopped after")) << result.standard_output;
  EXPECT_TRUE(contains(result.standard_output, "emulation.partial"));
  EXPECT_TRUE(contains(result.standard_error, "interrupted"));
}

}  // namespace
}  // namespace accelscope::cli
