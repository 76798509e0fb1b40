// The run loop: loops as the reference has them, what strict rules forbid, limits, and messages.
#include "emulator/run_loop.h"

#include <gtest/gtest.h>

#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

EmulationOptions options_for(Rules rules) {
  EmulationOptions options;
  options.machine = small_timed_machine();
  options.rules = rules;
  return options;
}

base::Result<Emulation> attempt(const isa::Program& program, const EmulationOptions& options) {
  return emulate(program, options, {}, std::make_unique<FixedMemory>(100));
}

std::string failure(std::string_view listing, const EmulationOptions& options) {
  // Words, because a listing with such loops is refused when it is read.
  isa::Program program = isa::read_program("a.asm", listing, isa::Dialect::kStrict).program;
  const base::Result<Emulation> done = attempt(program, options);
  return done ? std::string() : done.error().to_string();
}

std::uint32_t gp(const Emulation& done, std::size_t number) {
  return done.core->state().registers.gp[number];
}

TEST(RunLoop, ACounterHoldsTheRoundsThatAreLeft) {
  const Emulation done = run(program_of("C_LOOP_START gp1, 4\n"
                                        "S_ADD_INT gp2, gp2, gp1\n"
                                        "C_LOOP_START gp3, 3\n"
                                        "S_ADDI_INT gp4, gp4, 1\n"
                                        "C_LOOP_END gp3\n"
                                        "C_LOOP_END gp1\n"),
                             options_for(Rules::kStrict), std::make_unique<FixedMemory>(1));
  EXPECT_EQ(gp(done, 2), 4U + 3 + 2 + 1);
  EXPECT_EQ(gp(done, 4), 12U);
  EXPECT_EQ(gp(done, 1), 0U);
  EXPECT_EQ(done.instructions, 1U + 4 * (1 + 1 + 3 * 2 + 1));
  EXPECT_EQ(done.latency.value, 37'000);
  EXPECT_EQ(done.by_instruction[3].count, 12U);
}

TEST(RunLoop, LoopsOfOneCounterEndInnermostFirst) {
  // gp1 counts both: the inner end leaves 0, so the outer one ends after its first round.
  const EmulationOptions options = options_for(Rules::kCompat);
  const isa::Program program = isa::read_program("a.asm",
                                                 "C_LOOP_START gp1, 5\n"
                                                 "C_LOOP_START gp1, 2\n"
                                                 "S_ADDI_INT gp2, gp2, 1\n"
                                                 "C_LOOP_END gp1\n"
                                                 "C_LOOP_END gp1\n",
                                                 isa::Dialect::kStrict)
                                   .program;
  const auto done = attempt(program, options);
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(gp(*done, 2), 2U);
  EXPECT_EQ(failure("C_LOOP_START gp1, 5\nC_LOOP_START gp1, 2\nC_LOOP_END gp1\nC_LOOP_END gp1\n",
                    options_for(Rules::kStrict)),
            "a.asm:2: pc 1: C_LOOP_START gp1, 2: writes gp1, which counts the rounds of the loop that began "
            "at pc 0");
}

TEST(RunLoop, ABreakClosesTheInnermostLoopAndGoesOn) {
  const std::string listing = "C_LOOP_START gp1, 5\nC_BREAK\nS_ADDI_INT gp2, gp0, 7\n";
  const isa::Program program = isa::read_program("a.asm", listing, isa::Dialect::kStrict).program;
  const auto done = attempt(program, options_for(Rules::kCompat));
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(gp(*done, 1), 0U);
  EXPECT_EQ(gp(*done, 2), 7U);
  EXPECT_EQ(failure(listing + "C_LOOP_END gp1\n", options_for(Rules::kCompat)),
            "a.asm:4: pc 3: C_LOOP_END gp1: ends a loop of gp1, but none is open");
  EXPECT_EQ(failure("C_BREAK\n", options_for(Rules::kCompat)),
            "a.asm:1: pc 0: C_BREAK: leaves a loop, but none is open");
  EXPECT_NE(failure(listing, options_for(Rules::kStrict)).find("a.asm:2: pc 1: C_BREAK: "),
            std::string::npos);
}

TEST(RunLoop, StrictRulesKeepHandsOffCounters) {
  const std::string written = "C_LOOP_START gp1, 2\nS_ADDI_INT gp1, gp1, 1\nC_LOOP_END gp1\n";
  EXPECT_EQ(
      failure(written, options_for(Rules::kStrict)),
      "a.asm:2: pc 1: S_ADDI_INT gp1, gp1, 1: writes gp1, which counts the rounds of the loop that began at "
      "pc 0");
  EXPECT_EQ(failure("C_LOOP_START gp0, 2\nC_LOOP_END gp0\n", options_for(Rules::kStrict)),
            "a.asm:1: pc 0: C_LOOP_START gp0, 2: counts rounds in gp0, which is always 0");
  EXPECT_EQ(failure("C_LOOP_START gp1, 2\n", options_for(Rules::kStrict)),
            "a.asm:1: pc 0: C_LOOP_START gp1, 2: the program ends inside the loop of gp1 that began at pc 0");
  EXPECT_EQ(
      failure("C_LOOP_START gp1, 2\nC_LOOP_START gp2, 2\nC_LOOP_END gp1\nC_LOOP_END gp2\n",
              options_for(Rules::kStrict)),
      "a.asm:3: pc 2: C_LOOP_END gp1: ends the loop that began at pc 0 while one inside it, that of gp2 at "
      "pc 1, is open");
}

TEST(RunLoop, NoRoundsAreAFaultForBoth) {
  for (const Rules rules : {Rules::kStrict, Rules::kCompat}) {
    isa::Program program = program_of("C_LOOP_START gp1, 1\nC_LOOP_END gp1\n");
    program.words[0] &= 0x3FFU;
    const auto done = attempt(program, options_for(rules));
    ASSERT_FALSE(done);
    EXPECT_NE(done.error().message.find("a loop of 0 rounds: expected at least 1"), std::string::npos);
  }
}

TEST(RunLoop, ARoundMayNotBeTooLong) {
  EmulationOptions options = options_for(Rules::kCompat);
  options.machine.max_loop_instructions = 8;
  const auto listing = [](int rounds) {
    return fmt::format(
        "C_LOOP_START gp1, 2\nC_LOOP_START gp2, {}\nS_ADDI_INT gp3, gp3, 1\nC_LOOP_END gp2\nC_LOOP_END gp1\n",
        rounds);
  };
  EXPECT_EQ(failure(listing(3), options), "");  // 1 + 3 * 2 + 1 instructions
  EXPECT_EQ(
      failure(listing(4), options),
      "a.asm:4: pc 3: C_LOOP_END gp2: a round of the loop that began at pc 0 has carried out 9 instructions, "
      "more than the 8 that MAX_LOOP_INSTRUCTIONS allows");
}

TEST(RunLoop, AWordThatIsNoInstructionIsAFaultWhereItIsCarriedOut) {
  isa::Program program = program_of("S_ADDI_INT gp1, gp0, 1\nS_ADDI_INT gp1, gp0, 2\n");
  program.words[1] = 0x33;
  const auto done = attempt(program, options_for(Rules::kCompat));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().where.to_string(), "a.asm:2");
  EXPECT_EQ(done.error().message.find("pc 1: .word 0x00000033"), 0U);
}

TEST(RunLoop, AProgramThatGoesOnAndOnIsStopped) {
  const isa::Program program = program_of(
      "C_LOOP_START gp1, 4000000\nC_LOOP_START gp2, 10\nS_ADDI_INT gp3, gp3, 1\nC_LOOP_END gp2\nC_LOOP_END "
      "gp1\n");
  EmulationOptions options = options_for(Rules::kStrict);
  options.most_instructions = 100'000;
  const auto done = attempt(program, options);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("as many instructions as it may"), std::string::npos);
}

TEST(RunLoop, AFlagStopsIt) {
  const isa::Program program =
      program_of("C_LOOP_START gp1, 4000000\nS_ADDI_INT gp3, gp3, 1\nC_LOOP_END gp1\n");
  const std::atomic<bool> stop{true};
  std::uint64_t told = 0;
  EmulationOptions options = options_for(Rules::kStrict);
  options.stop = &stop;
  options.progress = [](void* context, std::uint64_t instructions) {
    *static_cast<std::uint64_t*>(context) = instructions;
  };
  options.progress_context = &told;
  for (const TimingMode timing : {TimingMode::kSerial, TimingMode::kOverlap}) {
    options.timing = timing;
    const Emulation done = run(program, options, std::make_unique<FixedMemory>(1));
    EXPECT_TRUE(done.partial);
    EXPECT_EQ(done.instructions, kLookAround);
    EXPECT_EQ(told, kLookAround);
    EXPECT_TRUE(accounts_close(done.accounts));
  }
}

TEST(RunLoop, ALimitOfExactlyTheProgramIsEnough) {
  const isa::Program program = program_of("S_ADDI_INT gp1, gp0, 1\nS_ADDI_INT gp1, gp0, 2\n");
  EmulationOptions options = options_for(Rules::kStrict);
  options.most_instructions = 2;
  EXPECT_TRUE(attempt(program, options));
  options.most_instructions = 1;
  EXPECT_FALSE(attempt(program, options));
}

TEST(RunLoop, ClocksWithoutWholePicosecondsAreRoundedAndSaid) {
  const isa::Program program = program_of("S_ADDI_INT gp1, gp0, 1\n");
  EmulationOptions options = options_for(Rules::kStrict);
  options.machine.clock = base::Frequency::mhz(300);
  const Emulation done = run(program, options, std::make_unique<FixedMemory>(1));
  EXPECT_EQ(done.period.value, 3333);
  EXPECT_EQ(done.notes,
            std::vector<std::string>{
                "a cycle of this clock is 3333.333333 ps; the run counts whole picoseconds, 3333 of "
                "them a cycle"});
  options.machine.clock = base::Frequency::mhz(100);
  EXPECT_TRUE(run(program, options, std::make_unique<FixedMemory>(1)).notes.empty());
  options.machine.clock = base::Frequency::unknown();
  EXPECT_FALSE(attempt(program, options));
}

}  // namespace
}  // namespace accelscope::emulator
