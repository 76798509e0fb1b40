// accelscope perfmon, as a user runs it.
#include <gtest/gtest.h>
#include <simdjson.h>

#include "cli/shown_commands.h"
#include "formats/perfmon/sample_streams.h"

namespace accelscope::cli {
namespace {

using formats::perfmon::sample_stream;
using formats::perfmon::SampleStream;
using tests::TemporaryFolder;

constexpr std::string_view kExamples = ACCELSCOPE_SOURCE_DIR "/examples/perfmon";

ProgramResult perfmon(std::vector<std::string> words) {
  words.insert(words.begin(), "perfmon");
  return accelscope(words);
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string example(std::string_view name) {
  return std::string(kExamples) + "/" + std::string(name);
}

// As docs/perfmon.md shows it.
SampleStream example_ring() {
  return sample_stream(
      {.words = 3'000, .encoder = {.ratio = {50, 1650}, .stamp_after = 50, .block = 3}, .ring_bytes = 4096});
}

TEST(Perfmon, TheExamplesAreMadeByTheEncoder) {
  const SampleStream ring = example_ring();
  base::MemoryOutput registers;
  formats::perfmon::write_registers(ring.registers, registers);
  EXPECT_EQ(tests::read_file(example("ring.bin")), text_of(ring.bytes));
  EXPECT_EQ(tests::read_file(example("ring.bin.regs.json")), registers.bytes());
}

TEST(Perfmon, ThePageShowsWhatIsPrinted) {
  const std::vector<Shown> shown = commands_shown(ACCELSCOPE_SOURCE_DIR "/docs/perfmon.md");
  EXPECT_GE(shown.size(), 4U);
  expect_shown_as_printed(shown, std::string(kExamples));
}

TEST(Perfmon, DumpsEveryKindOfWord) {
  const TemporaryFolder folder;
  std::vector<std::byte> bytes;
  for (const formats::perfmon::Word word :
       {0xF0010005U, 0xE0050010U, 0xE1000000U, 0xE2000000U, 0xE3000000U, 0xF0050020U, 0x10070001U,
        0x90000002U, 0xEFFFFFFFU, 0xDDDDDDDDU}) {
    bytes.resize(bytes.size() + 4);
    formats::perfmon::store_word(formats::perfmon::kBiuPerf, word, bytes.data() + bytes.size() - 4);
  }
  bytes.push_back(std::byte{1});
  tests::write_file(folder.file("a.bin"), text_of(bytes));
  const ProgramResult result = perfmon({"dump", folder.file("a.bin")});
  EXPECT_EQ(result.exit_code, 0) << result.standard_error;
  EXPECT_EQ(
      result.standard_output,
      "00000000  f0010005  state                           ?          +5  SU\n"
      "00000004  e0050010  stamp 1/4\n"
      "00000008  e1000000  stamp 2/4\n"
      "0000000c  e2000000  stamp 3/4\n"
      "00000010  e3000000  stamp 4/4                      16              block 5\n"
      "00000014  f0050020  state                          48         +32  SU+CUBE\n"
      "00000018  10070001  mark                           49          +1  VEC 7\n"
      "0000001c  90000002  unknown                        51          +2  control code 9\n"
      "00000020  efffffff  end of block\n"
      "00000024  dddddddd  filler\n"
      "\n"
      "words 10, stamps 1, states 1, marks 1, ends of block 1, filler 1, unknown 1, undatable 1, losses 1, "
      "torn bytes 1\n");
  const ProgramResult few = perfmon({"dump", folder.file("a.bin"), "--limit", "2"});
  EXPECT_TRUE(contains(few.standard_output, "words 2, undatable 1, stamp fragments 1; 8 words left out\n"))
      << few.standard_output;
}

TEST(Perfmon, DumpsJson) {
  const ProgramResult result =
      perfmon({"dump", example("ring.bin"), "--layout", "biu_perf", "--clock-ratio", "50/1650", "--json"});
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  ASSERT_EQ(parser.parse(result.standard_output).get(json), simdjson::SUCCESS) << result.standard_error;
  EXPECT_EQ(std::string_view(json["schema"]), "accelscope.perfmon_dump/1");
  const simdjson::dom::array words = json["words"];
  EXPECT_EQ(words.size(), 1024U);
  EXPECT_EQ(std::uint64_t(json["counters"]["words"]), 1024U);
  EXPECT_EQ(std::uint64_t(json["counters"]["backward_stamps"]), 1U);
  std::uint64_t states = 0;
  for (const simdjson::dom::element word : words) {
    if (std::string_view(word["kind"]) != "state" || word["time"].is_null()) continue;
    ++states;
    EXPECT_EQ(static_cast<std::size_t>(std::popcount(std::uint64_t(word["mask"]))),
              simdjson::dom::array(word["busy"]).size());
  }
  EXPECT_EQ(states, std::uint64_t(json["counters"]["states"]));
  const TemporaryFolder folder;
  EXPECT_EQ(perfmon({"dump", example("golden.bin"), "--json", "-o", folder.file("a.json")}).standard_output,
            "");
  EXPECT_TRUE(contains(tests::read_file(folder.file("a.json")), R"("base":4181401573670,"block":0)"));
}

TEST(Perfmon, InfersFromFilesAndTheirRegisters) {
  const ProgramResult result = perfmon({"infer", example("ring.bin"), example("golden.bin"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.standard_error;
  const findings::Findings findings = findings_in(result);
  EXPECT_EQ(findings.kind, "perfmon infer");
  ASSERT_EQ(findings.sections.size(), 2U);
  EXPECT_EQ(findings.provenance.inputs.size(), 3U);
  std::vector<std::string> subjects;
  for (const findings::Statement& statement : findings.sections[0].statements)
    subjects.push_back(statement.subject);
  EXPECT_EQ(subjects, (std::vector<std::string>{"format", "clock", "buffer", "write_pointer", "samples",
                                                "produced", "length"}));
  EXPECT_TRUE(has_row(findings, "perfmon.layouts"));
}

TEST(Perfmon, AnswersAlsoWhenNothingFits) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("empty.bin"), "");
  tests::write_file(folder.file("text.bin"), std::string(999, 'x'));
  const ProgramResult empty = perfmon({"infer", folder.file("empty.bin")});
  EXPECT_EQ(empty.exit_code, 0) << empty.standard_error;
  EXPECT_TRUE(contains(empty.standard_output, "Cannot tell: 0 bytes are not a word."));
  const ProgramResult text = perfmon({"infer", folder.file("text.bin")});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(contains(text.standard_output, "No hypothesis fits"));
  EXPECT_EQ(perfmon({"dump", folder.file("empty.bin")}).standard_output, "words 0\n");
}

TEST(Perfmon, ExplainsMistakes) {
  const TemporaryFolder folder;
  tests::write_file(folder.file("a.bin"), "abcd");
  tests::write_file(folder.file("a.bin.regs.json"), R"({"wptr": "four"})");
  const auto mistake = [&](std::vector<std::string> words, std::string_view expected) {
    const ProgramResult result = perfmon(std::move(words));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.standard_output, "");
    EXPECT_TRUE(contains(result.standard_error, expected)) << result.standard_error;
  };
  mistake({"dump", folder.file("none.bin")}, "none.bin");
  mistake({"dump", folder.file("a.bin"), "--layout", "other"}, "other");
  mistake({"dump", folder.file("a.bin"), "--clock-ratio", "50/0"}, "--clock-ratio 50/0: expected ticks");
  mistake({"dump", folder.file("a.bin"), "--clock-ratio", "fast"}, "such as 50/1650");
  mistake({"dump", folder.file("a.bin"), "--limit", "-1"}, "--limit -1: expected a count of words");
  mistake({"infer", folder.file("a.bin")}, "a.bin.regs.json: byte 9");
  mistake({"infer"}, "FILE is missing");
  mistake({"dmp"}, "did you mean 'dump'?");
}

}  // namespace
}  // namespace accelscope::cli
