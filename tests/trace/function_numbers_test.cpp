#include "trace/function_numbers.h"

#include <gtest/gtest.h>

#include "support/chip_sketch.h"

namespace accelscope::trace {
namespace {

using Unnumbered = FunctionNumbers::Unnumbered;

// Functions 4 and 5 have facts, 9 says its number, MUL and SUB do not, and of one nothing is known.
Trace sketched() {
  tests::ChipSketch chip(0, 1);
  chip.builder.add_fact("function 4", Value::of_string(chip.builder.intern("ADD (func 4)")));
  chip.builder.add_fact("function 5", Value::of_string(chip.builder.intern("ADD (func 5)")));
  std::int64_t at = 0;
  for (const std::string_view name : {"SUB", "ADD (func 4)", "func_9", "MUL", "task", "SUB"}) {
    chip.run(0, chip.task(static_cast<std::uint64_t>(at), name, "AIV"), {.start = at, .end = at + 5});
    at += 10;
  }
  return chip.finish();
}

TEST(FunctionNumbers, AreThoseOfFactsAndNames) {
  const Trace trace = sketched();
  const FunctionNumbers functions(trace);
  EXPECT_EQ(functions.number_of_text("ADD (func 4)"), 4);
  EXPECT_EQ(functions.number_of_text("ADD (func 5)"), 5);
  EXPECT_EQ(functions.number_of_text("func_9"), 9);
  EXPECT_EQ(functions.number_of_text("func_12"), 12) << "also when no dispatch has it";
  EXPECT_EQ(functions.number_of_text("MUL"), -1);
  EXPECT_EQ(functions.number(trace.slices().name[4]), -1);
  EXPECT_EQ(functions.names(), (std::map<std::int32_t, std::string>{{4, "ADD"}, {5, "ADD"}}));
}

TEST(FunctionNumbers, AreGivenToNamesWithoutOneInTheirOrder) {
  const Trace trace = sketched();
  const FunctionNumbers functions(trace, Unnumbered::kNumbered);
  EXPECT_EQ(functions.number_of_text("SUB"), 10);
  EXPECT_EQ(functions.number_of_text("MUL"), 11);
  EXPECT_EQ(functions.number_of_text("task"), -1) << "of which nothing is known";
  EXPECT_EQ(functions.names(),
            (std::map<std::int32_t, std::string>{{4, "ADD"}, {5, "ADD"}, {10, "SUB"}, {11, "MUL"}}));
}

}  // namespace
}  // namespace accelscope::trace
