// What the parts of the emulation's job make of words and folders.
#include "jobs/emulate.h"

#include <gtest/gtest.h>

#include "isa/generators.h"
#include "jobs/program_files.h"
#include "support/temporary_folder.h"

namespace accelscope::jobs {
namespace {

using tests::TemporaryFolder;

EmulateOutcome done(const EmulateOptions& options) {
  base::Result<EmulateOutcome> outcome = emulate(options);
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().to_string());
  return outcome ? *std::move(outcome) : EmulateOutcome{};
}

void make_folder_of(const std::string& program, const std::string& folder) {
  const auto written = write_program_files({.program = program, .folder = folder});
  ASSERT_TRUE(written) << written.error().to_string();
}

TEST(EmulateDumps, AreAskedForByFileAndRange) {
  const auto parsed = [](std::string_view text) { return *parse_dump(DumpedMemory::kVectors, text); };
  EXPECT_EQ(parsed("a.bin"), (DumpWish{DumpedMemory::kVectors, "a.bin", std::nullopt}));
  EXPECT_EQ(parsed("a.bin:0-256"), (DumpWish{DumpedMemory::kVectors, "a.bin", DumpedRange{0, 256}}));
  EXPECT_EQ(parsed("a.bin:64+32"), (DumpWish{DumpedMemory::kVectors, "a.bin", DumpedRange{64, 32}}));
  // A colon that no range follows is part of the name.
  EXPECT_EQ(parsed("c:a.bin").file, "c:a.bin");
  EXPECT_EQ(parsed("12:30:run.bin:0+1").file, "12:30:run.bin");
  for (const std::string_view bad : {"a.bin:5-5", "a.bin:7-3", "a.bin:5+0", "a.bin:5", "a.bin:-5",
                                     "a.bin:1-2-3", ":0-1", "", "-", "a.bin:99999999999999999999+1"})
    EXPECT_FALSE(parse_dump(DumpedMemory::kVectors, bad)) << bad;
}

TEST(EmulateDumps, MustLieInTheMemory) {
  isa::Machine machine = *isa::make_machine({});
  machine.vector_rows = 4;
  const auto fits = [&](DumpedMemory memory, std::string_view text) {
    return check_dump(*parse_dump(memory, text), machine).has_value();
  };
  EXPECT_TRUE(fits(DumpedMemory::kVectors, "a"));
  EXPECT_TRUE(fits(DumpedMemory::kVectors, "a:64-256"));
  EXPECT_FALSE(fits(DumpedMemory::kVectors, "a:64-320"));
  EXPECT_FALSE(fits(DumpedMemory::kVectors, "a:1-65"));
  EXPECT_FALSE(fits(DumpedMemory::kFloats, "a:1000+30"));
  EXPECT_TRUE(fits(DumpedMemory::kFloats, "a:1000+24"));
  EXPECT_FALSE(fits(DumpedMemory::kExternal, "a:17179869184+1"));
  EXPECT_TRUE(fits(DumpedMemory::kExternal, "a:17179869183+1"));
}

TEST(EmulateTolerance, IsANumberOrSteps) {
  EXPECT_EQ(parse_tolerance("0.5")->absolute, 0.5);
  EXPECT_EQ(parse_tolerance("0.5")->relative, 0.5);
  EXPECT_EQ(parse_tolerance("2steps")->steps, 2);
  EXPECT_EQ(parse_tolerance("2steps")->absolute, 0);
  for (const std::string_view bad : {"", "steps", "-1", "x", "nan", "1 step"})
    EXPECT_FALSE(parse_tolerance(bad)) << bad;
}

TEST(EmulateFolder, GivesAllThatItHolds) {
  const TemporaryFolder folder;
  const std::string made = folder.file("made");
  make_folder_of("linear:rows=16,in=16,out=16,mlen=16", made);
  const auto files = with_files_of_folder({.program = made + "/", .manifest = "mine.json"});
  ASSERT_TRUE(files) << files.error().to_string();
  EXPECT_EQ(files->program, made + "/program.asm");
  EXPECT_EQ(files->external, made + "/hbm.bin");
  EXPECT_EQ(files->floats, made + "/fp_sram.bin");
  EXPECT_EQ(files->settings, made + "/settings.toml");
  EXPECT_EQ(files->expectation, made + "/expected.json");
  EXPECT_EQ(files->manifest, "mine.json");
  EXPECT_EQ(with_files_of_folder({.program = made, .expectation = "none"})->expectation, "");
}

TEST(EmulateFolder, TakesTheReferencesNames) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("generated_machine_code.mem"), "0x00200062\n");
  tests::write_file(folder.file("hbm_for_behave_sim.bin"), std::string(64, 'a'));
  tests::write_file(folder.file("fp_sram.bin"), std::string(4, '\0'));
  tests::write_file(folder.file("int_sram.bin"), std::string(4, '\1'));
  tests::write_file(folder.file("vram_preload.bin"), std::string(128, '\0'));
  tests::write_file(folder.file("hbm_size.txt"), "128K\n");
  const EmulateOutcome outcome = done({.files = {.program = folder.path()}});
  EXPECT_EQ(outcome.findings.provenance.inputs.size(), 5U);
  std::size_t taken = 0;
  for (const findings::KeyValue& option : outcome.findings.provenance.options)
    taken += option.key == "from the folder" ? 1 : 0;
  EXPECT_EQ(taken, 6U);
  tests::write_file(folder.file("hbm_size.txt"), "much\n");
  EXPECT_FALSE(emulate({.files = {.program = folder.path()}}));
  tests::write_file(folder.file("hbm_size.txt"), "100\n");
  EXPECT_FALSE(emulate({.files = {.program = folder.path()}}));
}

TEST(EmulateCombinations, AreInTheOrderOfTheWords) {
  const TemporaryFolder folder;
  make_folder_of("linear:rows=16,in=16,out=16,mlen=16", folder.file("made"));
  EmulateOptions options{.files = {.program = folder.file("made")}};
  options.machine.boards = {"v80", "nexys_video"};
  options.memory.models = {*emulator::memory_model_named("layer-swap"), {}};
  options.timings = {emulator::TimingMode::kOverlap, emulator::TimingMode::kSerial};
  options.costs = {emulator::CostTable::kRtl, emulator::CostTable::kReference};
  std::uint64_t told = 0;
  options.progress = [&](std::uint64_t instructions) { told = instructions; };
  const EmulateOutcome outcome = done(options);
  EXPECT_TRUE(outcome.differences.empty());
  const findings::Section* section = findings::find_section(outcome.findings, "runs");
  ASSERT_NE(section, nullptr);
  const findings::Table* table = findings::find_table(*section, "runs");
  ASSERT_NE(table, nullptr);
  ASSERT_EQ(table->rows.size(), 16U);
  std::size_t row = 0;
  for (const std::string_view board : {"v80", "nexys_video"})
    for (const std::string_view memory : {"layer-swap", "hbm"})
      for (const std::string_view timing : {"overlap", "serial"})
        for (const std::string_view costs : {"rtl", "reference"}) {
          EXPECT_EQ(std::get<std::string>(table->rows[row][0]), board);
          EXPECT_EQ(std::get<std::string>(table->rows[row][1]), memory);
          EXPECT_EQ(std::get<std::string>(table->rows[row][2]), timing);
          EXPECT_EQ(std::get<std::string>(table->rows[row][3]), costs);
          EXPECT_EQ(std::get<std::string>(table->rows[row].back()), "yes");
          ++row;
        }
  // The same again, whatever order the threads took.
  const EmulateOutcome again = done(options);
  EXPECT_EQ(findings::find_table(*findings::find_section(again.findings, "runs"), "runs")->rows, table->rows);
}

TEST(EmulateStop, KeepsWhatIsKnown) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.asm"),
                    "C_LOOP_START gp1, 4000000\nC_LOOP_START gp2, 90000\nS_ADDI_INT gp3, gp0, 1\n"
                    "C_LOOP_END gp2\nC_LOOP_END gp1\n");
  const std::atomic<bool> stop = true;
  const EmulateOutcome outcome = done({.files = {.program = folder.file("a.asm")}, .stop = &stop});
  EXPECT_TRUE(outcome.partial);
  EXPECT_EQ(outcome.findings.quality.count("emulation.partial"), 1U);
  EXPECT_GT(*findings::find_metric(outcome.findings, "instructions")->value, 0);
}

}  // namespace
}  // namespace accelscope::jobs
