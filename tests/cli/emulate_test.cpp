// `accelscope emulate` as a user runs it.
#include <gtest/gtest.h>

#include "cli/analysis_program.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

ProgramResult emulate(std::vector<std::string> words, const tests::ProgramOptions& options = {}) {
  words.insert(words.begin(), "emulate");
  return accelscope(words, options);
}

// A folder with a program and its images.
std::string made(const TemporaryFolder& folder, const std::string& program,
                 const std::string& name = "made") {
  const ProgramResult result = accelscope({"isa", "gen", program, "--images", folder.file(name)});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  return folder.file(name);
}

const char* const kPublished = "linear:rows=128,in=16,out=32,mlen=16,blen=4";
const char* const kSmall = "linear:rows=16,in=16,out=16,mlen=16,blen=4";

double metric(const findings::Findings& findings, std::string_view id) {
  const findings::Metric* found = find_metric(findings, id);
  EXPECT_NE(found, nullptr) << id;
  return found == nullptr ? 0 : found->value.value_or(-1);
}

TEST(Emulate, ReproducesWhatWasPublished) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kPublished);
  const ProgramResult result = emulate({program, "--compat", "--dram", "reference-hbm2"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(result.standard_error,
            "HBM Statistics - Bytes read: 49152 | Bytes written: 0 | Utilization: 5.22e9 bytes/sec\n"
            "Simulation completed. Latency 9410.000ns\n");
  for (const std::string_view expected :
       {"took 9410.000 ns", "bound by the matrix unit", "is as expected", "emulation.compat", "49152 B",
        "M_MM", "activations", "BLEN x BLEN multipliers", "if transfers took no time", "the DRAM is",
        "What to optimise"})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected << '\n' << result.standard_output;
  // Without a choice, the library that the reference uses now.
  EXPECT_TRUE(contains(emulate({program, "--compat"}).standard_error, "Latency 8674.000ns"));
}

TEST(Emulate, ReproducesThePublishedRegimes) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kPublished);
  write_file(folder.file("all.json"),
             R"({"activation_ceiling": 0, "regions": [{"layer_id": 0, "offset": 0, "size": 2880}]})");
  const ProgramResult streamed = emulate(
      {program, "--compat", "--memory-model", "weight-stream", "--weight-manifest", folder.file("all.json")});
  EXPECT_EQ(streamed.exit_code, 0) << streamed.standard_error;
  EXPECT_TRUE(
      contains(streamed.standard_error,
               "\nCapacity model [weight-stream] - resident bytes: 0 | kv swapped bytes: 0 (swaps: 0) "
               "| weight streamed bytes: 49152\nSimulation completed. Latency 849688.528ns\n"))
      << streamed.standard_error;
  const ProgramResult resident = emulate(
      {program, "--compat", "--memory-model", "resident", "--weight-manifest", folder.file("all.json")});
  EXPECT_TRUE(contains(resident.standard_error, "Latency 13454.216ns")) << resident.standard_error;
}

TEST(Emulate, LevelsAndFilesOfTheLogAreTheReferences) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kSmall);
  const ProgramResult quiet = emulate({program, "--compat", "--log-level", "warn"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.standard_error, "");
  const ProgramResult logged = emulate({program, "--log-file", folder.file("log"), "--log-level", "debug"});
  EXPECT_EQ(logged.exit_code, 0);
  EXPECT_EQ(logged.standard_error, "");
  EXPECT_TRUE(contains(read_file(folder.file("log")), "Simulation completed. Latency "));
  EXPECT_EQ(emulate({program, "--log-file", folder.file("no/log")}).exit_code, 1);
  EXPECT_EQ(emulate({program, "--log-level", "loud"}).exit_code, 1);
}

TEST(Emulate, WordsAndListingAreTheSameProgram) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kSmall);
  const auto latency = [&](const std::string& file) {
    return metric(
        findings_in(emulate({"--opcode", program + "/" + file, "--hbm", program + "/hbm.bin", "--fpsram",
                             program + "/fp_sram.bin", "--settings", program + "/settings.toml", "--json"})),
        "latency");
  };
  EXPECT_EQ(latency("program.asm"), latency("program.mem"));
}

TEST(Emulate, FindingsSumUp) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kPublished);
  for (const std::string timing : {"serial", "overlap"}) {
    const findings::Findings findings =
        findings_in(emulate({program, "--timing", timing, "--board", "nexys_video", "--json"}));
    EXPECT_EQ(findings.kind, "emulation");
    double sum = 0;
    for (const std::string_view share : {"matrix", "vector", "scalar", "memory", "link", "drain"})
      sum += metric(findings, "time_" + std::string(share));
    EXPECT_NEAR(sum, metric(findings, "latency"), 1e-6) << timing;
    EXPECT_LE(metric(findings, "bound_overlap"), metric(findings, "latency"));
    EXPECT_FALSE(has_row(findings, "emulation.accounts"));
    EXPECT_FALSE(has_row(findings, "emulation.counts"));
    EXPECT_EQ(find_section(findings, "critical_path") != nullptr, timing == "overlap");
  }
}

TEST(Emulate, TablesOfCombinations) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kSmall);
  const std::vector<std::string> words{
      program,          "--board", "nexys_video,custom_a7", "--memory-model", "hbm,weight-stream",
      "--memory-model", "auto"};
  const ProgramResult result = emulate(words);
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected : {"6 combinations", "Bound by", "auto (resident)", "Relative",
                                          "1.000x", "the host link carries 1.5 GB/s", "Costs: board."})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected << '\n' << result.standard_output;
  std::vector<std::string> json = words;
  json.push_back("--json");
  const auto rows = rows_of(findings_in(emulate(json)), "runs", "runs");
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(std::get<std::string>(rows[1][1]), "weight-stream");
  EXPECT_EQ(std::get<std::string>(rows[1][5]), "link");
  EXPECT_EQ(emulate(json).standard_output, emulate(json).standard_output);
}

TEST(Emulate, ChecksWhatIsExpected) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kSmall);
  EXPECT_EQ(emulate({program, "--expect", program + "/expected.json"}).exit_code, 0);
  std::string image = read_file(program + "/hbm.bin");
  image[0] = static_cast<char>(image[0] ^ 0x08);
  write_file(program + "/hbm.bin", image);
  const ProgramResult differs = emulate({program});
  EXPECT_EQ(differs.exit_code, 2);
  EXPECT_TRUE(contains(differs.standard_error, "not as expected: ")) << differs.standard_error;
  EXPECT_TRUE(contains(differs.standard_error, " elements differ")) << differs.standard_error;
  EXPECT_TRUE(contains(differs.standard_output, "NOT as expected"));
  EXPECT_EQ(emulate({program, "--tolerance", "1e6"}).exit_code, 0);
  const ProgramResult unasked = emulate({program, "--expect", "none"});
  EXPECT_EQ(unasked.exit_code, 0);
  EXPECT_FALSE(contains(unasked.standard_output, "as expected"));
  EXPECT_EQ(emulate({program, "--board", "v80,nexys_video"}).exit_code, 2);
}

TEST(Emulate, DumpsMemoriesByRange) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kSmall);
  const ProgramResult result =
      emulate({program, "--dump-hbm", folder.file("hbm:0-320"), "--dump-hbm", folder.file("part:64+32"),
               "--dump-vram", folder.file("rows:0+512"), "--dump-mram", folder.file("tile:0-256"),
               "--dump-fpsram", folder.file("floats"), "--dump-intsram", folder.file("ints:0+4")});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string image = read_file(program + "/hbm.bin");
  EXPECT_EQ(read_file(folder.file("hbm")), image.substr(0, 320));
  EXPECT_EQ(read_file(folder.file("part")), image.substr(64, 32));
  EXPECT_EQ(read_file(folder.file("rows")).size(), 1024U);
  EXPECT_NE(read_file(folder.file("rows")), std::string(1024, '\0'));
  EXPECT_EQ(read_file(folder.file("tile")).size(), 512U);
  EXPECT_EQ(read_file(folder.file("floats")).size(), 2048U);
  EXPECT_EQ(read_file(folder.file("ints")), std::string(16, '\0'));
}

TEST(Emulate, WritesTracesThatCanBeReadAgain) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kSmall);
  for (const std::string detail : {"sections", "units", "instructions"}) {
    const std::string path = folder.file(detail + ".astrace");
    const ProgramResult result = emulate({program, "--trace", detail, "-o", path});
    EXPECT_EQ(result.exit_code, 0) << result.standard_error;
    EXPECT_TRUE(contains(result.standard_error, "wrote " + path));
    const ProgramResult checked = accelscope({"validate", path});
    EXPECT_EQ(checked.exit_code, 0) << checked.standard_error;
    EXPECT_TRUE(contains(checked.standard_output, "1 execution")) << checked.standard_output;
    EXPECT_EQ(accelscope({"report", path}).exit_code, 0);
  }
  EXPECT_EQ(
      emulate({program, "--timing", "overlap", "--costs", "rtl", "-o", folder.file("a.pftrace")}).exit_code,
      0);
  EXPECT_EQ(
      emulate({program, "--timing", "overlap", "--costs", "rtl", "-o", folder.file("a.json")}).exit_code, 0);
  const std::string picture = read_file(folder.file("a.json"));
  for (const std::string_view lane :
       {"\"sections\"", "\"matrix\"", "\"DMA\"", "\"DRAM channel 0\"", "\"M_MM\""})
    EXPECT_TRUE(contains(picture, lane)) << lane;
  EXPECT_EQ(accelscope({"convert", folder.file("units.astrace"), "-o", folder.file("b.pftrace")}).exit_code,
            0);
}

TEST(Emulate, ProfilesStages) {
  const TemporaryFolder folder;
  write_file(folder.file("moe.asm"),
             "; GPT-OSS router token 0\nS_ADDI_INT gp1, gp0, 1\n; gather pair=3\nS_ADDI_INT gp2, gp0, 1\n");
  const ProgramResult result = emulate(
      {folder.file("moe.asm"), "--stage-profile-asm", folder.file("moe.asm")}, {.folder = folder.path()});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  const std::string profile = read_file(folder.file("stage_profile.json"));
  EXPECT_TRUE(contains(profile, "\"total_instructions_executed\": 2")) << profile;
  EXPECT_TRUE(contains(profile, "\"total_profiled_seconds\": 2e-09")) << profile;
  write_file(folder.file("other.asm"), "S_ADDI_INT gp1, gp0, 1\n");
  const ProgramResult shorter =
      emulate({folder.file("moe.asm"), "--stage-profile-asm", folder.file("other.asm"), "--stage-profile-out",
               folder.file("p.json"), "--json"});
  EXPECT_TRUE(has_row(findings_in(shorter), "emulation.stage_labels"));
}

TEST(Emulate, CanBeComparedAndGated) {
  const TemporaryFolder folder;
  const std::string program = made(folder, kPublished);
  write_file(folder.file("a.json"), emulate({program, "--json", "--dram", "reference-hbm2"}).standard_output);
  write_file(folder.file("b.json"), emulate({program, "--json", "--timing", "overlap"}).standard_output);
  const ProgramResult better = accelscope({"compare", folder.file("a.json"), folder.file("b.json")});
  EXPECT_EQ(better.exit_code, 0) << better.standard_error;
  for (const std::string_view expected :
       {"better, a speedup of 1.", "Numbers that changed", "latency", "H_PREFETCH_M", "What was asked for"})
    EXPECT_TRUE(contains(better.standard_output, expected)) << expected << '\n' << better.standard_output;
  const auto gated = [&](const char* first, const char* second) {
    return accelscope({"compare", folder.file(first), folder.file(second), "--gate", "3%"}).exit_code;
  };
  EXPECT_EQ(gated("a.json", "b.json"), 0);
  EXPECT_EQ(gated("a.json", "a.json"), 0);
  EXPECT_EQ(gated("b.json", "a.json"), 2);
  const findings::Findings compared =
      findings_in(accelscope({"compare", folder.file("a.json"), folder.file("b.json"), "--json"}));
  const findings::Findings before = findings_from(read_file(folder.file("a.json")));
  const findings::Findings after = findings_from(read_file(folder.file("b.json")));
  EXPECT_NEAR(metric(compared, "speedup"), metric(before, "latency") / metric(after, "latency"), 1e-12);
  // What was modelled is not compared with what was measured, nor with something else.
  write_file(folder.file("profile.json"),
             accelscope({"isa", "profile", program + "/program.asm", "--json"}).standard_output);
  const ProgramResult kinds = accelscope({"compare", folder.file("a.json"), folder.file("profile.json")});
  EXPECT_EQ(kinds.exit_code, 1);
  EXPECT_TRUE(contains(kinds.standard_error, "of kind `isa profile`, and")) << kinds.standard_error;
  EXPECT_EQ(accelscope({"compare", folder.file("a.json"), program + "/program.asm"}).exit_code, 1);
  EXPECT_EQ(accelscope({"report", folder.file("a.json")}).exit_code, 0);
}

}  // namespace
}  // namespace accelscope::cli
