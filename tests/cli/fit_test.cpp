// accelscope fit, as a user runs it.
#include <gtest/gtest.h>

#include "cli/analysis_program.h"
#include "report/plain_text.h"

namespace accelscope::cli {
namespace {

using tests::read_file;
using tests::TemporaryFolder;
using tests::write_file;

ProgramResult fit(std::vector<std::string> words) {
  words.insert(words.begin(), "fit");
  return accelscope(words);
}

TEST(Fit, ExplainsAModelOnABoardInLinesThatFit) {
  const ProgramResult result = fit({"smolvlm2", "--board", "nexys_video"});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  for (const std::string_view expected :
       {"smolvlm2 on nexys_video fits up to 18 985 tokens", "Decoding is bound by", "lm_head",
        "vision attention", "Last resident", "tokens/s", "What would make it faster", "fit.costs",
        "kv-swap beyond 18 985 tokens"})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected << '\n' << result.standard_output;
  for (std::string_view rest = result.standard_output; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    EXPECT_LE(report::display_width(line), 100U) << line;
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
}

// docs/fit.md shows what the program prints; "..." stands for lines left out.
TEST(Fit, TheExampleOfThePageIsWhatItPrints) {
  const std::string page = read_file(std::string(ACCELSCOPE_SOURCE_DIR) + "/docs/fit.md");
  const std::string command = "$ accelscope fit smolvlm2 --board nexys_video\n";
  const std::size_t begin = page.find(command) + command.size();
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  const std::string printed = fit({"smolvlm2", "--board", "nexys_video"}).standard_output;
  std::size_t lines = 0;
  for (std::string_view rest = example; !rest.empty(); ++lines) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    EXPECT_TRUE(line == "  ..." || contains(printed, std::string(line) + "\n")) << line;
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
  EXPECT_GT(lines, 50U);
}

TEST(Fit, IsFindingsThatAreShownAgain) {
  const TemporaryFolder folder;
  const ProgramResult result = fit({"llama-3.2-1b", "--board", "custom_a7", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings findings = findings_in(result);
  EXPECT_EQ(findings.kind, "fit");
  EXPECT_GT(*findings::find_metric(findings, "tokens_per_second")->value, 0);
  write_file(folder.file("fit.json"), result.standard_output);
  EXPECT_EQ(accelscope({"report", folder.file("fit.json"), "--json"}).standard_output,
            result.standard_output);
  EXPECT_EQ(fit({"llama-3.2-1b", "--board", "custom_a7", "--markdown"}).exit_code, 0);
}

TEST(Fit, SeveralModelsAndBoardsAreOneTable) {
  const TemporaryFolder folder;
  const ProgramResult result =
      fit({"smolvlm2,llama-3.1-8b", "--board", "*", "--csv", folder.file("fits.csv"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(rows_of(findings_in(result), "fits", "fits").size(), 8U);
  const std::string csv = read_file(folder.file("fits.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "model,board,total,of_capacity,regime,last_context,tokens_per_second,ttft,bound,note");
}

TEST(Fit, EveryModelFitsEveryBoardOneWayOrAnother) {
  const ProgramResult result = fit({"*", "--board", "*", "--host-bandwidth", "12GB/s", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  for (const auto& row : rows_of(findings_in(result), "fits", "fits"))
    EXPECT_EQ(std::get<std::string>(row.back()), "")
        << std::get<std::string>(row[0]) << ' ' << std::get<std::string>(row[1]);
}

TEST(Fit, SweepsAndWritesCsv) {
  const ProgramResult all =
      fit({"smolvlm2", "--sweep", "mlen=64,128,256 blen=4..64*2 board=*", "--csv", "-"});
  ASSERT_EQ(all.exit_code, 0) << all.standard_error;
  EXPECT_EQ(all.standard_output.substr(0, all.standard_output.find('\n')),
            "mlen,blen,board,tokens_per_second,ttft,regime,bound,on_chip,power,front");
  const findings::Findings part =
      findings_in(fit({"smolvlm2", "--sweep", "mlen=64,96 blen=4,64 board=v80", "--shard", "1/2", "--json"}));
  EXPECT_EQ(part.kind, "fit sweep");
  EXPECT_EQ(rows_of(part, "points", "points").size(), 2U);
  const findings::Findings skipped =
      findings_in(fit({"smolvlm2", "--board", "v80", "--sweep", "mlen=64,96 blen=4,64", "--json"}));
  ASSERT_EQ(rows_of(skipped, "skipped", "skipped").size(), 1U);
  EXPECT_EQ(std::get<std::string>(rows_of(skipped, "skipped", "skipped")[0].back()),
            "MLEN 96 is no multiple of BLEN 64");
}

TEST(Fit, GivesTheReferencesFigures) {
  const ProgramResult result = fit({"llama-3.1-8b", "--analytic", "reference", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_NEAR(*findings::find_metric(findings_in(result), "ttft")->value, 377.260931, 1e-6);
}

TEST(Fit, ListsWhatThereIs) {
  const ProgramResult result = fit({"--list"});
  EXPECT_EQ(result.exit_code, 0);
  for (const std::string_view expected : {"smolvlm2", "llama-3.1-8b", "nexys_video", "v80"})
    EXPECT_TRUE(contains(result.standard_output, expected)) << expected;
}

TEST(Fit, MistakesAreExplained) {
  const auto mistake = [](std::vector<std::string> words, std::string_view expected) {
    const ProgramResult result = fit(std::move(words));
    EXPECT_EQ(result.exit_code, 1) << expected;
    EXPECT_EQ(result.standard_output, "");
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  const auto option = [&](const std::string& name, const std::string& value, std::string_view expected) {
    mistake({"smolvlm2", "--board", "v80", name, value}, expected);
  };
  mistake({}, "which model?");
  mistake({"smolvlm2"}, "--board is missing");
  mistake({"smolvlm2", "--board", "v8"}, "did you mean `v80`?");
  mistake({"smolvml2", "--board", "v80"}, "did you mean `smolvlm2`?");
  for (const char* value : {"0", "-1", "many", "", "1.5", "99999999999999999999"}) {
    for (const char* name : {"--context", "--batch", "--prompt", "--output-tokens", "--buffers", "--mlen"})
      option(name, value, std::string(name) + " " + value + ": expected a whole number from 1 to ");
    option("--shard", value, "--shard is a part of a --sweep");
  }
  for (const char* value : {"0", "-1", "much", "", "0.1"}) {
    option("--capacity", value, "expected a size above zero, such as 512M");
    option("--bandwidth", value, "expected a rate above zero, such as 1.5GB/s");
    option("--host-bandwidth", value, "expected a rate above zero, such as 1.5GB/s");
  }
  option("--clock-mhz", "0", "--clock-mhz 0: expected megahertz above zero, such as 100");
  option("--clock-mhz", "-5", "expected megahertz above zero");
  option("--link-latency", "-1us", "--link-latency -1us: expected a time, such as 2us");
  option("--link-latency", "99h", "expected a time of 1000 s at most");
  option("--weights", "fp9", "--weights: unknown number format `fp9`");
  option("--mlen", "63", "MLEN 63 is no multiple of BLEN 4");
  option("--settings", "/nowhere.toml", "/nowhere.toml");
  option("--streaming", "fast", "--streaming");
  option("--sweep", "", "nothing to sweep");
  option("--sweep", "mlen=64 board=v80", "so that no board is given besides");
  option("--sweep", "context=1..2000000", "has more than 100 000 values");
  mistake({"smolvlm2", "--sweep", "mlen=64"},
          "a sweep needs one board, or board=... as a dimension; 0 were given");
  mistake({"llama-3.1-8b", "--board", "v80", "--images", "1"}, "has no vision tower");
  mistake({"smolvlm2", "--board", "v80", "--context", "100", "--prompt", "101"},
          "a prompt of 101 tokens does not fit a context of 100");
  mistake({"smolvlm2", "--board", "v80", "--context", "1099511627776", "--batch", "1099511627776"},
          "keys and values would need 2^63 bytes or more");
  mistake({"smolvlm2", "--board", "v80", "--json", "--markdown"}, "exclude each other");
  mistake({"smolvlm2", "--analytic", "reference", "--board", "v80"},
          "--board means nothing to --analytic reference");
  mistake({"smolvlm2", "--board", "v80", "--csv", "/nowhere/fits.csv"}, "/nowhere/fits.csv");
}

TEST(Fit, ABoardOfOnesOwnThatLacksSomethingSaysWhatGivesIt) {
  const TemporaryFolder folder;
  const ProgramResult preset = fit({"smolvlm2", "--board", "v80", "--capacity", "1"});
  EXPECT_EQ(preset.exit_code, 0) << preset.standard_error;
  EXPECT_TRUE(contains(preset.standard_output, "fit.no_link"));
  EXPECT_TRUE(contains(preset.standard_output, "--host-bandwidth gives it one"));
}

}  // namespace
}  // namespace accelscope::cli
