#include "formats/perfmon/layout.h"

#include <gtest/gtest.h>

#include "formats/perfmon/schedules.h"

namespace accelscope::formats::perfmon {
namespace {

TEST(PerfmonLayout, FindsTablesByName) {
  EXPECT_EQ(layout_of("biu_perf").value(), &kBiuPerf);
  EXPECT_EQ(layout_of("biu").error().message, "there is no layout `biu`; there is biu_perf");
  for (const WordLayout* layout : layouts()) EXPECT_EQ(fault_in(*layout), "");
}

TEST(PerfmonLayout, TranslatesMasksBothWays) {
  for (const WordLayout* layout : {&kBiuPerf, &kExampleOfAnotherChip})
    for (unsigned mask = 0; mask <= kAllPipes; ++mask)
      EXPECT_EQ(pipes_of(*layout, events_of(*layout, static_cast<PipeMask>(mask))), mask);
  EXPECT_EQ(events_of(kExampleOfAnotherChip, bit_of(Pipe::kSu)), 1U << 9U);
  EXPECT_EQ(pipes_text(0x11), "SU+MTE2");
  EXPECT_EQ(pipes_text(0), "-");
}

TEST(PerfmonLayout, SaysWhatIsWrongWithATable) {
  const auto fault = [](auto change) {
    WordLayout layout = kBiuPerf;
    change(layout);
    return fault_in(layout);
  };
  EXPECT_EQ(fault([](WordLayout& l) { l.word_bytes = 3; }), "words have 4 or 8 bytes");
  EXPECT_EQ(fault([](WordLayout& l) { l.ctrl = {29, 4}; }), "ctrl does not fit");
  EXPECT_EQ(fault([](WordLayout& l) { l.events = {15, 12}; }), "ctrl, events and delta overlap");
  EXPECT_EQ(fault([](WordLayout& l) { l.stamp.words = 5; }), "a stamp's index or time does not fit");
  EXPECT_EQ(fault([](WordLayout& l) { l.stamp.block_piece = {16, 9}; }), "the pieces of a stamp overlap");
  EXPECT_EQ(fault([](WordLayout& l) { l.stamp.block_words = 5; }), "a stamp's block does not fit");
  EXPECT_EQ(fault([](WordLayout& l) { l.state_ctrl = 3; }), "two kinds of words have the same control code");
  EXPECT_EQ(fault([](WordLayout& l) { l.mark_ctrl[2] = 16; }),
            "two kinds of words have the same control code");
  EXPECT_EQ(fault([](WordLayout& l) { l.mask_bit[2] = 12; }), "a pipe's bit lies outside of the events");
  EXPECT_EQ(fault([](WordLayout& l) { l.mask_bit[2] = 3; }), "two pipes have the same bit");
  EXPECT_EQ(fault([](WordLayout& l) { l.filler = 0xF0000000; }),
            "end of block or filler look like a state or a mark");
}

}  // namespace
}  // namespace accelscope::formats::perfmon
