// What raw bytes tell of hardware: every combination of hypotheses is made, and must be found again.
#include "formats/perfmon/infer.h"

#include <gtest/gtest.h>

#include "formats/perfmon/sample_streams.h"
#include "formats/perfmon/schedules.h"

namespace accelscope::formats::perfmon {
namespace {

const Question& question(const Inference& found, std::string_view id) {
  for (const Question& one : found.questions)
    if (one.id == id) return one;
  ADD_FAILURE() << "no question " << id;
  return found.questions.front();
}

std::string all_text(const Inference& found) {
  std::string text;
  for (const Question& one : found.questions) {
    text += one.title + " " + one.answer + "\n";
    for (const Hypothesis& hypothesis : one.hypotheses)
      text += "  " + hypothesis.claim + " [" + std::to_string(static_cast<int>(hypothesis.fit)) + "] " +
              hypothesis.evidence + "\n";
  }
  return text;
}

// At most one hypothesis of a question fits, exactly one where it is answered.
void expect_consistent(const Inference& found) {
  for (const Question& one : found.questions) {
    std::size_t fitting = 0;
    for (const Hypothesis& hypothesis : one.hypotheses) fitting += hypothesis.fit == Fit::kFits ? 1 : 0;
    EXPECT_EQ(fitting, one.answered ? 1U : 0U) << all_text(found);
    EXPECT_FALSE(one.answer.empty());
  }
}

TEST(PerfmonInfer, FindsEveryCombinationAgain) {
  std::uint64_t seed = 0;
  for (const ClockRatio ratio :
       {ClockRatio{1, 1}, ClockRatio{50, 1650}, ClockRatio{50, 800}, ClockRatio{1000, 1850}})
    for (const bool ring : {false, true})
      for (const bool words : {false, true})
        for (const std::uint64_t unwritten : {0U, 4096U}) {
          if (ring && unwritten > 0) continue;
          const SampleStream stream = sample_stream({.words = 9'000,
                                                     .encoder = {.ratio = ratio, .stamp_after = 200},
                                                     .ring_bytes = ring ? 16'384U : 0U,
                                                     .unwritten_bytes = unwritten,
                                                     .registers_count_words = words,
                                                     .seed = ++seed});
          const Inference found = infer(stream.bytes, stream.registers);
          SCOPED_TRACE(all_text(found));
          expect_consistent(found);
          ASSERT_TRUE(found.format);
          EXPECT_EQ(found.format->layout.name, "biu_perf");
          EXPECT_EQ(found.format->layout.byte_order, std::endian::little);
          EXPECT_EQ(found.format->offset, 0U);
          EXPECT_EQ(found.shape, ring ? BufferShape::kRing : BufferShape::kLinear);
          EXPECT_EQ(found.written_bytes.has_value(), unwritten > 0);
          ASSERT_TRUE(found.ticks_per_cycle);
          EXPECT_NEAR(*found.ticks_per_cycle * ratio.cycles / ratio.ticks, 1, 0.02);
          EXPECT_EQ(found.wptr_unit, words ? 4U : 1U);
          EXPECT_EQ(found.samp_wrt_unit, words ? 4U : 1U);
          EXPECT_EQ(question(found, "length").answer, "buf_len is the size in bytes.");
          EXPECT_EQ(found.counters.unknown + found.stray_states, 0U);
        }
}

TEST(PerfmonInfer, FindsOrderOfBytesAlignmentAndOtherLayouts) {
  const std::array<const WordLayout*, 2> known{&kBiuPerf, &kExampleOfAnotherChip};
  for (const WordLayout* layout : known)
    for (const std::endian order : {std::endian::little, std::endian::big})
      for (std::size_t offset = 0; offset < layout->word_bytes; ++offset) {
        WordLayout written = *layout;
        written.byte_order = order;
        SampleStream stream =
            sample_stream({.words = 500, .encoder = {.layout = &written, .stamp_after = 50}});
        stream.bytes.insert(stream.bytes.begin(), offset, std::byte{0x5A});
        stream.bytes.push_back(std::byte{0x11});
        const Inference found = infer(stream.bytes, std::nullopt, known);
        SCOPED_TRACE(all_text(found));
        expect_consistent(found);
        ASSERT_TRUE(found.format);
        EXPECT_EQ(found.format->layout.name, layout->name);
        EXPECT_EQ(found.format->layout.byte_order, order);
        EXPECT_EQ(found.format->offset, offset);
        EXPECT_EQ(found.counters.torn_bytes, 1U);
      }
}

TEST(PerfmonInfer, TheGoldenStreamIsEnoughForTheFormatAndNothingElse) {
  const Inference found = infer(golden_bytes(), std::nullopt);
  SCOPED_TRACE(all_text(found));
  expect_consistent(found);
  ASSERT_TRUE(found.format);
  EXPECT_EQ(found.shape, BufferShape::kCannotTell);
  EXPECT_FALSE(found.ticks_per_cycle);
  EXPECT_EQ(question(found, "clock").answer, "Cannot tell: needs 3 pairs of stamps.");
  EXPECT_EQ(question(found, "write_pointer").answer, "Cannot tell: the value of wptr is not known.");
}

TEST(PerfmonInfer, NothingFitsWhatIsNoStream) {
  const auto expect_none = [](const std::vector<std::byte>& bytes, std::string_view answer) {
    const Inference found = infer(bytes, Registers{.wptr = 4});
    SCOPED_TRACE(all_text(found));
    expect_consistent(found);
    EXPECT_FALSE(found.format);
    EXPECT_NE(found.questions.front().answer.find(answer), std::string::npos);
    EXPECT_EQ(found.questions.size(), 1U);
  };
  expect_none({}, "Cannot tell: 0 bytes are not a word.");
  expect_none(std::vector<std::byte>(3), "Cannot tell: 3 bytes are not a word.");
  Random random(5);
  std::vector<std::byte> noise(200'003);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(random.below(256));
  expect_none(noise, "No hypothesis fits");
  for (const unsigned constant : {0x00U, 0xFFU, 0xDDU, 0xF0U, 0x5AU})
    expect_none(std::vector<std::byte>(4096, static_cast<std::byte>(constant)), "No hypothesis fits");
  const std::string text(4000, 'x');
  const auto chars = std::as_bytes(std::span(text));
  expect_none({chars.begin(), chars.end()}, "No hypothesis fits");
  // Half of a word too little.
  expect_none({golden_bytes().begin(), golden_bytes().begin() + 18}, "Cannot tell: perhaps biu_perf");
}

TEST(PerfmonInfer, SeesAStreamThroughNoise) {
  SampleStream stream = sample_stream({.words = 4'000});
  Random random(9);
  for (std::size_t at = 0; at + 4 <= stream.bytes.size(); at += 4)
    if (random.below(10) == 0)
      for (std::size_t i = 0; i < 4; ++i) stream.bytes[at + i] = static_cast<std::byte>(random.below(256));
  const Inference found = infer(stream.bytes, std::nullopt);
  SCOPED_TRACE(all_text(found));
  ASSERT_TRUE(found.format);
  EXPECT_EQ(found.format->offset, 0U);
  EXPECT_GT(found.counters.unknown, 50U);
  EXPECT_GT(found.stray_states, 10U);
}

// Stamps only after pauses: how long those were is in no delta.
TEST(PerfmonInfer, SaysWhenTheClockCannotBeTold) {
  for (const ClockRatio ratio : {ClockRatio{1, 1}, ClockRatio{50, 1650}}) {
    std::vector<std::byte> bytes;
    Encoder encoder({.ratio = ratio});
    Random random(3);
    std::int64_t now = 1'000'000;
    for (unsigned i = 0; i < 1'000; ++i) {
      const std::uint64_t pause = i % 20 == 0 ? 70'000 + random.below(10'000'000) : random.below(20'000);
      now += static_cast<std::int64_t>(pause);
      ASSERT_TRUE(encoder.state({now}, i % 2 == 0 ? 0x10 : 0x01, appends_to(bytes)));
    }
    const Inference found = infer(bytes, std::nullopt);
    SCOPED_TRACE(all_text(found));
    expect_consistent(found);
    EXPECT_FALSE(found.ticks_per_cycle);
    const std::string& answer = question(found, "clock").answer;
    if (ratio.is_one())
      EXPECT_EQ(answer, "Cannot tell: too much of the time between two stamps is in no delta.");
    else
      EXPECT_EQ(answer.find("Deltas count a faster clock than the stamps, at least "), 0U);
  }
}

// Deltas of a cycle between stamps that are hours apart, or that do not move at all.
TEST(PerfmonInfer, BelievesInNoClockThatCannotBe) {
  for (const std::int64_t pause : {std::int64_t{0}, std::int64_t{1} << 50U}) {
    std::vector<std::byte> bytes;
    for (std::int64_t i = 0; i < 20; ++i) {
      Encoder encoder;
      ASSERT_TRUE(encoder.stamp({1'000 + i * pause}, appends_to(bytes)));
      ASSERT_TRUE(encoder.state({1'000 + i * pause + 60'000}, i % 2 == 0 ? 0x10 : 0x01, appends_to(bytes)));
    }
    const Inference found = infer(bytes, std::nullopt);
    SCOPED_TRACE(all_text(found));
    expect_consistent(found);
    EXPECT_FALSE(found.ticks_per_cycle);
  }
}

TEST(PerfmonInfer, TellsSeveralRecordingsFromARing) {
  SampleStream first = sample_stream({.words = 600});
  const SampleStream second = sample_stream({.words = 900, .seed = 2});
  first.bytes.insert(first.bytes.end(), second.bytes.begin(), second.bytes.end());
  const Inference found = infer(first.bytes, first.registers);
  SCOPED_TRACE(all_text(found));
  expect_consistent(found);
  EXPECT_EQ(found.shape, BufferShape::kSeveral);
  EXPECT_EQ(found.counters.backward_stamps, 1U);
  EXPECT_EQ(question(found, "write_pointer").answer, "Cannot tell: it is not known where the words end.");
}

TEST(PerfmonInfer, SaysWhenRegistersFitNothingOrEverything) {
  const SampleStream stream = sample_stream({.words = 600});
  const auto answer = [&](const Registers& registers, std::string_view id) {
    const Inference found = infer(stream.bytes, registers);
    expect_consistent(found);
    return question(found, id).answer;
  };
  EXPECT_EQ(answer({.wptr = 7}, "write_pointer"), "Cannot tell: wptr = 7 fits neither bytes nor words.");
  EXPECT_EQ(answer({.samp_crt = stream.bytes.size() / 4}, "produced"), "samp_crt counts words.");
  EXPECT_EQ(answer({.buf_len = stream.bytes.size() - 4}, "length"),
            "buf_len is the offset of the last word.");
  EXPECT_EQ(answer({.buf_len = stream.bytes.size() / 4}, "length"), "buf_len is the size in words.");
  EXPECT_EQ(answer({.buf_len = 11}, "length"),
            "Cannot tell: the file is not the whole buffer, or something else is meant.");
}

TEST(PerfmonRegisters, AreReadAsTheyWereWritten) {
  const Registers registers{.wptr = 1, .samp_wrt = std::uint64_t{1} << 63U, .base = 0};
  base::MemoryOutput out;
  write_registers(registers, out);
  EXPECT_EQ(out.bytes(), "{\"wptr\":1,\"samp_wrt\":9223372036854775808,\"base\":0}\n");
  const auto read = [](std::string_view text) {
    return read_registers(base::MappedFile::from_memory("a.bin.regs.json", text));
  };
  EXPECT_EQ(read(out.bytes()).value(), registers);
  EXPECT_EQ(read(R"({"core": {"id": 3}, "buf_len": 64})").value(), (Registers{.buf_len = 64}));
  for (const std::string_view bad : {"", "[]", R"({"wptr": -1})", R"({"wptr": "4"})", "{} x"}) {
    const auto failed = read(bad);
    ASSERT_FALSE(failed) << bad;
    EXPECT_EQ(failed.error().where.file, "a.bin.regs.json");
  }
  EXPECT_EQ(registers_path("core3.bin"), "core3.bin.regs.json");
}

}  // namespace
}  // namespace accelscope::formats::perfmon
