#include "experiments/runner_log.h"

#include <gtest/gtest.h>

namespace accelscope::experiments {
namespace {

TEST(RunnerLog, ReadsTheRunnersLines) {
  const RunnerLog log = parse_runner_log(
      "I 00:00:00.000400 executorch:executor_runner.cpp:210] Model loaded in 1.25 ms\r\n"
      "I executorch:executor_runner.cpp:340] Iteration 1 of 2: 0.350000 ms\n"
      "I executorch:executor_runner.cpp:340] Iteration 2 of 2: 0.25 ms\n"
      "I executorch:executor_runner.cpp:357] MODEL executed successfully 2 time(s) in 0.6 ms.\n");
  EXPECT_EQ(log.load_ms, 1.25);
  EXPECT_EQ(log.iteration_ms, (std::vector<double>{0.35, 0.25}));
  EXPECT_EQ(log.executions, 2);
  EXPECT_EQ(log.total_ms, 0.6);
  EXPECT_FALSE(log.mentions_nan);
  EXPECT_FALSE(log.empty());
}

TEST(RunnerLog, TakesTheLastTotal) {
  const RunnerLog log = parse_runner_log(
      "Model executed successfully 1 time(s) in 9 ms.\nModel executed successfully 10 time(s) in 2.760345 "
      "ms.");
  EXPECT_EQ(log.executions, 10);
  EXPECT_EQ(log.total_ms, 2.760345);
}

TEST(RunnerLog, PassesOverWhatOnlyLooksLikeIt) {
  for (const std::string_view text :
       {"", "\n\n", "Model executed successfully", "Model executed successfully x time(s) in 3 ms",
        "Model executed successfully 3 time(s) in 4 s", "Iteration 1 of", "Iteration 1 of 2: -3 ms",
        "Iteration 1 of 2: inf ms", "Model loaded in ms",
        "Model executed successfully 99999999999999999999 time(s) in 1 ms"})
    EXPECT_TRUE(parse_runner_log(text).empty()) << text;
}

TEST(RunnerLog, NoticesNanAsAWord) {
  EXPECT_TRUE(parse_runner_log("Output 0: [NaN, 1]").mentions_nan);
  EXPECT_TRUE(parse_runner_log("nan").mentions_nan);
  EXPECT_FALSE(parse_runner_log("banana nanosecond _nan nan_").mentions_nan);
}

}  // namespace
}  // namespace accelscope::experiments
