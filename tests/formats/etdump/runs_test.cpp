// Blocks become runs, runs become methods.
#include "formats/etdump/helpers.h"
#include "formats/etdump/sample_dumps.h"

namespace accelscope::formats::etdump {
namespace {

using trace::Run;
using trace::RunKind;
using trace::RunStatus;
using trace::Trace;

std::int64_t end_to_end(const Trace& trace, std::size_t run) {
  const trace::SliceId root = trace.runs()[run].root;
  return root == trace::SliceId::kNone ? -1 : trace.slices().duration[index(root)].value;
}

std::string method(const Trace& trace, std::size_t run) {
  return std::string(trace.text(trace.runs()[run].method));
}

ProfileEvent method_level(std::string name, std::uint64_t start, std::uint64_t end) {
  return {.name = std::move(name), .chain = -1, .instruction = 0, .start = start, .end = end};
}

TEST(Runs, TheToyModelIsColdAtFirstAndSpikesOnce) {
  const Trace trace = read_dump(toy_dump(ToySpeed::kFast));
  ASSERT_EQ(trace.runs().size(), 11U);
  EXPECT_EQ(trace.runs()[0].kind, RunKind::kLoad);
  EXPECT_EQ(method(trace, 0), "load");
  for (std::size_t run = 1; run <= 10; ++run) {
    EXPECT_EQ(trace.runs()[run].kind, RunKind::kExecution);
    EXPECT_EQ(trace.runs()[run].status, RunStatus::kComplete);
    EXPECT_EQ(trace.runs()[run].index, run - 1);
    EXPECT_EQ(method(trace, run), "method 1");
  }
  EXPECT_GT(end_to_end(trace, 1), end_to_end(trace, 2) * 5 / 4);
  EXPECT_GT(end_to_end(trace, 7), end_to_end(trace, 6) * 11 / 10);
  EXPECT_EQ(quality_count(trace, "etdump.methods_inferred"), 0U);
  EXPECT_GT(end_to_end(read_dump(toy_dump(ToySpeed::kSlow)), 3), end_to_end(trace, 3) * 2);
}

TEST(Runs, TwoMethodsOneAbortedOneEmpty) {
  const Trace trace = read_dump(wrap_dump());
  ASSERT_EQ(trace.runs().size(), 7U);
  EXPECT_EQ(end_to_end(trace, 0), 9300);
  std::vector<std::string> methods;
  std::vector<std::uint32_t> indices;
  for (std::size_t run = 0; run < 7; ++run) {
    methods.push_back(method(trace, run));
    indices.push_back(trace.runs()[run].index);
  }
  EXPECT_EQ(methods, (std::vector<std::string>{"method 1", "method 2", "method 2", "method 1", "method 1", "",
                                               "method 2"}));
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 0, 2}));
  EXPECT_EQ(trace.runs()[3].status, RunStatus::kAborted);
  EXPECT_EQ(trace.runs()[3].root, trace::SliceId::kNone);
  EXPECT_EQ(trace.runs()[5].status, RunStatus::kEmpty);
  EXPECT_EQ(quality_count(trace, "etdump.aborted_run"), 1U);
  EXPECT_EQ(quality_count(trace, "etdump.empty_run"), 1U);
  EXPECT_EQ(quality_count(trace, "etdump.methods_inferred"), 2U);
}

TEST(Runs, ABlockWithoutTimedEventsIsEmpty) {
  const Trace trace =
      read_dump({{Block{.name = "Execute", .allocators = {"a"}, .events = {AllocationEvent{1, 64}}}}});
  ASSERT_EQ(trace.runs().size(), 1U);
  EXPECT_EQ(trace.runs()[0].status, RunStatus::kEmpty);
  EXPECT_EQ(trace.instants().size(), 1U);
}

TEST(Runs, StepsOfAMethodAreOneRun) {
  const Trace trace = read_dump(
      {{Block{.name = "Default",
              .events = {method_level("Program::load_method", 0, 100), event("OPERATOR_CALL", 0, 210, 220),
                         method_level("Method::step", 200, 230), event("OPERATOR_CALL", 1, 250, 260),
                         method_level("Method::step", 240, 280)}}}});
  ASSERT_EQ(trace.runs().size(), 2U);
  EXPECT_EQ(trace.runs()[0].kind, RunKind::kLoad);
  EXPECT_EQ(end_to_end(trace, 0), 100);
  EXPECT_EQ(trace.runs()[1].kind, RunKind::kExecution);
  EXPECT_EQ(end_to_end(trace, 1), 80) << "from the first step to the last";
  const std::uint32_t root = index(trace.runs()[1].root);
  EXPECT_TRUE(trace::has_flag(trace.slices().flags[root], trace::SliceFlag::kSynthetic));
  EXPECT_EQ(sum_of_self_times(trace, trace.runs()[1].root), 80);
  EXPECT_EQ(quality_count(trace, "etdump.stepped_run"), 1U);
  EXPECT_EQ(quality_count(trace, "etdump.split_block"), 1U);
}

TEST(Runs, OneStepIsItsOwnRoot) {
  const Trace trace = read_dump({{execute_block({method_level("Method::step", 200, 230)})}});
  EXPECT_EQ(end_to_end(trace, 0), 30);
  EXPECT_EQ(trace.slices().size(), 1U);
}

TEST(Runs, SeveralExecutionsInOneBlockAreSeveralRuns) {
  const Trace trace = read_dump({{execute_block({event("OPERATOR_CALL", 0, 2, 4), execute(0, 10),
                                                 event("OPERATOR_CALL", 0, 12, 14), execute(10, 25)})}});
  ASSERT_EQ(trace.runs().size(), 2U);
  EXPECT_EQ(end_to_end(trace, 0), 10);
  EXPECT_EQ(end_to_end(trace, 1), 15);
  const trace::SliceTable& slices = trace.slices();
  for (std::uint32_t slice = 0; slice < slices.size(); ++slice)
    EXPECT_EQ(slices.run[slice], trace::RunId{slices.start[slice].value < 10 ? 0U : 1U});
}

TEST(Runs, ABlockOfTheUsersOwnNeedsNoMethod) {
  const Trace trace = read_dump({{Block{.name = "mine", .events = {method_level("preprocess", 5, 9)}}}});
  EXPECT_EQ(trace.runs()[0].kind, RunKind::kOther);
  EXPECT_EQ(trace.runs()[0].status, RunStatus::kComplete);
  EXPECT_EQ(end_to_end(trace, 0), 4);
}

TEST(Runs, NoBlocksAtAllIsAnEmptyTrace) {
  const Trace trace = read_dump({});
  EXPECT_TRUE(trace.runs().empty());
  EXPECT_EQ(trace.slices().size(), 0U);
}

TEST(Runs, ABundledInputIndexIsMentioned) {
  const Trace trace =
      read_dump({{Block{.name = "Execute", .bundled_input_index = 3, .events = {execute(0, 10)}}}});
  EXPECT_EQ(quality_count(trace, "etdump.bundled_input_index"), 1U);
}

TEST(Runs, SlicesAreInTheOrderOfTime) {
  const Trace trace = read_dump(large_dump(3000));
  const trace::SliceTable& slices = trace.slices();
  ASSERT_EQ(slices.size(), 3000U);
  for (std::uint32_t slice = 1; slice < slices.size(); ++slice)
    ASSERT_LE(slices.start[slice - 1], slices.start[slice]);
}

TEST(Samples, TheLargeOneHasTheSizeItIsSaidToHave) {
  const std::string bytes = write_etdump(large_dump(173'201));
  EXPECT_GT(bytes.size(), 13'000'000U);
  EXPECT_LT(bytes.size(), 14'500'000U);
  EXPECT_EQ(write_etdump(toy_dump(ToySpeed::kFast)), write_etdump(toy_dump(ToySpeed::kFast)));
}

}  // namespace
}  // namespace accelscope::formats::etdump
