#include "isa/program.h"

#include <gtest/gtest.h>

#include "isa/assembler.h"
#include "isa/words.h"

namespace accelscope::isa {
namespace {

ReadProgram good(std::string_view text) {
  ReadProgram read = read_program("a.asm", text, Dialect::kStrict);
  EXPECT_TRUE(read.diagnostics.ok()) << read.diagnostics.to_string();
  return read;
}

std::string complaints(std::string_view text, Dialect dialect = Dialect::kStrict) {
  std::string all;
  for (const Diagnostic& one : read_program("a.asm", text, dialect).diagnostics.in_order())
    all += fmt::format("{}: {}\n", one.line, one.message);
  return all;
}

// "0:name 3:other" for one kind of labels.
std::string labels(const Program& program, LabelKind kind) {
  std::string text;
  for (const LabelChange& change : program.labels_of(kind))
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", change.first, program.names.text(change.name));
  return text;
}

TEST(Program, KeepsWordsAndLines) {
  const Program program = good("; one\nC_BREAK\n\nC_LOOP_START gp1, 2\n// x\nC_LOOP_END gp1 ; y\n").program;
  EXPECT_EQ(program.words, (std::vector<std::uint32_t>{0x34, 0x0000086F, 0x00000070}));
  EXPECT_EQ(program.lines, (std::vector<std::uint32_t>{2, 4, 6}));
  EXPECT_EQ(program.source_lines, 6U);
  EXPECT_EQ(program.comment_lines, 1U);
}

TEST(Program, HasLoopsAsATree) {
  const Program program = good(
                              "C_LOOP_START gp1, 4194303\nC_LOOP_START gp2, 3\nC_LOOP_END gp2\n"
                              "C_LOOP_START gp2, 5\nC_BREAK\nC_LOOP_END gp2\nC_LOOP_END gp1\n"
                              "C_LOOP_START gp2, 1\nC_LOOP_END gp2\n")
                              .program;
  const std::vector<Loop> expected{
      {0, 6, kNoLoop, 4194303, 0, 1}, {1, 2, 0, 3, 1, 2}, {3, 5, 0, 5, 1, 2}, {7, 8, kNoLoop, 1, 0, 2}};
  EXPECT_EQ(program.loops, expected);
}

TEST(Program, RefusesLoopsThatDoNotNest) {
  EXPECT_EQ(complaints("C_LOOP_END gp3\n"), "1: C_LOOP_END gp3 closes no loop\n");
  EXPECT_EQ(complaints("C_LOOP_START gp3, 2\nC_LOOP_START gp4, 2\n"),
            "1: this loop is never closed: C_LOOP_END gp3 is missing\n"
            "2: this loop is never closed: C_LOOP_END gp4 is missing\n");
  EXPECT_EQ(complaints("C_LOOP_START gp3, 2\nC_LOOP_END gp4\nC_LOOP_END gp3\n"),
            "2: C_LOOP_END gp4 closes no loop: the one of line 1 counts in gp3\n");
  EXPECT_EQ(complaints("C_LOOP_START gp3, 2\nC_LOOP_START gp4, 2\nC_LOOP_END gp3\nC_LOOP_END gp4\n"),
            "3: C_LOOP_END gp3 closes the loop of line 1 while that of line 2 is open\n"
            "4: C_LOOP_END gp4 closes no loop\n");
}

TEST(Program, RefusesCountsThatAreNone) {
  EXPECT_EQ(
      complaints("C_LOOP_START gp3, 0\nC_LOOP_END gp3\n", Dialect::kReference),
      "1: a loop count of 0 stops the hardware\n1: a loop count of 0 is none: the hardware stops at it\n");
  EXPECT_EQ(complaints(".word 0x0000002F\nC_LOOP_END gp0\n"),
            "1: a loop count of 0 is none: the hardware stops at it\n");
  EXPECT_EQ(complaints("C_LOOP_START gp3, 4194304\n"),
            "1: `4194304` does not fit: the loop count of C_LOOP_START is at most 4194303 (22 bits)\n");
}

TEST(Program, WarnsOfACounterThatIsTaken) {
  EXPECT_EQ(complaints("C_LOOP_START gp3, 2\nC_LOOP_START gp3, 2\nC_LOOP_END gp3\nC_LOOP_END gp3\n"),
            "2: gp3 already counts the loop of line 1, which ends after its first round\n");
  EXPECT_EQ(complaints("C_LOOP_START gp3, 2\nC_LOOP_END gp3\nC_LOOP_START gp3, 2\nC_LOOP_END gp3\n"), "");
}

TEST(Program, ComesFromWordsToo) {
  const ReadProgram read = read_program("a.mem", "\n0x0000086F\n0x00000034\n0x00000070\n", Dialect::kStrict);
  EXPECT_TRUE(read.diagnostics.ok());
  EXPECT_EQ(read.program.words.size(), 3U);
  EXPECT_EQ(read.program.lines.front(), 2U);
  EXPECT_EQ(read.program.loops, (std::vector<Loop>{{0, 2, kNoLoop, 2, 0, 1}}));
  EXPECT_FALSE(read_program("a.mem", "0x0000086F\nC_BREAK\n", Dialect::kStrict).diagnostics.ok());
  EXPECT_EQ(read_program("a.mem", "0x0000086F\n", Dialect::kStrict).diagnostics.first_error().to_string(),
            "a.mem:1: this loop is never closed: C_LOOP_END gp1 is missing");
}

TEST(Program, TakesAnnotations) {
  const ReadProgram read = good(
      "C_BREAK\n;@ section layer 0\n;@ tensor W_q\nC_BREAK\n;@ section layer 1\n;@ section layer 2 "
      "\n;@ layer 2\nC_BREAK\n"
      "  ;@section\nC_BREAK\n;@ sektion x\n;@ section\n");
  EXPECT_EQ(labels(read.program, LabelKind::kSection), "1:layer 0 2:layer 2 3:");
  EXPECT_EQ(labels(read.program, LabelKind::kTensor), "1:W_q");
  EXPECT_EQ(labels(read.program, LabelKind::kLayer), "2:2");
  ASSERT_EQ(read.diagnostics.warnings(), 1U);
  EXPECT_EQ(read.diagnostics.in_order().front().message,
            "unknown annotation `;@ sektion`: layer, section or tensor; did you mean `section`?");
}

TEST(Program, TakesTheCompilersComments) {
  const Program program =
      good(
          "C_BREAK\n; GPT-OSS Router scores\nC_BREAK\n"
          "; Allocate VRAM Matrix step6_pair12_gather\nC_BREAK\n; RMS Norm\nC_BREAK\n"
          "; Dynamic expert bias add\nC_BREAK\n; true-zero vram rows\nC_BREAK\n; RMS Norm\n"
          "C_BREAK\n")
          .program;
  EXPECT_EQ(labels(program, LabelKind::kStage),
            "0:other 1:router_topk 2:gather 4:expert_bias 5:accumulator_init");
  EXPECT_EQ(labels(program, LabelKind::kPair), "2:12 5:");
  EXPECT_EQ(labels(program, LabelKind::kKernel), "0:other 3:rms_norm_1 6:rms_norm_2");
}

TEST(Program, DeepNestsAreNoTrouble) {
  std::string text;
  constexpr int kDeep = 50000;
  for (int i = 0; i < kDeep; ++i) text += fmt::format("C_LOOP_START gp{}, 2\n", i % 15 + 1);
  for (int i = 0; i < kDeep; ++i) text += "C_LOOP_START gp0, 1\nC_LOOP_END gp0\n";
  for (int i = kDeep; i-- > 0;) text += fmt::format("C_LOOP_END gp{}\n", i % 15 + 1);
  const ReadProgram read = read_program("a.asm", text, Dialect::kStrict);
  EXPECT_TRUE(read.diagnostics.ok());
  EXPECT_EQ(read.program.loops.size(), 2U * kDeep);
  EXPECT_EQ(read.program.loops[kDeep].depth, static_cast<std::uint32_t>(kDeep));
}

}  // namespace
}  // namespace accelscope::isa
