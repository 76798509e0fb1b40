#include "experiments/schedule.h"

#include <gtest/gtest.h>

namespace accelscope::experiments {
namespace {

Config two_experiments() {
  Config config;
  config.model = "m/toy.pte";
  config.experiments = {{.name = "a", .runs = 10, .warmup = 3}, {.name = "b", .runs = 10, .warmup = 3}};
  return config;
}

// "a1.0" is experiment a on one thread, round 0.
std::vector<std::string> words_of(const Config& config, const std::vector<Step>& steps) {
  std::vector<std::string> words;
  words.reserve(steps.size());
  for (const Step& step : steps)
    words.push_back(config.experiments[step.experiment].name + std::to_string(step.threads) + "." +
                    std::to_string(step.round));
  return words;
}

using Words = std::vector<std::string>;

TEST(Schedule, TakesTurnsForwardsAndBackwards) {
  const Config config = two_experiments();
  const std::vector<Step> steps = make_schedule(config, {});
  EXPECT_EQ(words_of(config, steps),
            (Words{"a1.0", "b1.0", "b1.1", "a1.1", "a1.2", "b1.2", "b1.3", "a1.3", "a1.4", "b1.4"}));
  for (const Step& step : steps) {
    EXPECT_EQ(step.rounds, 5);
    EXPECT_EQ(step.runs, 2);
    EXPECT_EQ(step.warmup, 3);
    EXPECT_EQ(step.separate_warmup, 0);
  }
}

TEST(Schedule, IsTheKitsWhenAskedTo) {
  Config config = two_experiments();
  config.experiments[0].threads = {1, 4};
  const std::vector<Step> steps =
      make_schedule(config, {.order = Order::kSequential, .warm_up = WarmUp::kSeparateProcess});
  EXPECT_EQ(words_of(config, steps), (Words{"a1.0", "a4.0", "b1.0"}));
  for (const Step& step : steps) {
    EXPECT_EQ(step.rounds, 1);
    EXPECT_EQ(step.runs, 10);
    EXPECT_EQ(step.warmup, 0);
    EXPECT_EQ(step.separate_warmup, 3);
  }
}

TEST(Schedule, SplitsRunsWithoutLosingOne) {
  Config config = two_experiments();
  config.experiments[0].runs = 13;
  config.experiments[1].runs = 2;
  std::vector<std::int64_t> runs(2, 0);
  const std::vector<Step> steps = make_schedule(config, {.rounds = 4});
  for (const Step& step : steps) runs[step.experiment] += step.runs;
  EXPECT_EQ(runs, (std::vector<std::int64_t>{13, 2}));
  EXPECT_EQ(words_of(config, steps), (Words{"a1.0", "b1.0", "b1.1", "a1.1", "a1.2", "a1.3"}));
  EXPECT_EQ(steps[0].runs, 4);  // 4 + 3 + 3 + 3
}

TEST(Schedule, GroupsWhatIsCompared) {
  Config config = two_experiments();
  config.experiments.push_back({.name = "c", .runs = 10});
  config.experiments.push_back({.name = "d", .runs = 10});
  config.compare_pairs = {{{"a", 1}, {"c", 1}, {}}};
  EXPECT_EQ(words_of(config, make_schedule(config, {.rounds = 2})),
            (Words{"a1.0", "c1.0", "c1.1", "a1.1", "b1.0", "d1.0", "d1.1", "b1.1"}));
}

TEST(Schedule, GroupsEqualThreadsWhenNothingIsCompared) {
  Config config = two_experiments();
  for (Experiment& experiment : config.experiments) experiment.threads = {1, 4};
  EXPECT_EQ(words_of(config, make_schedule(config, {.rounds = 2})),
            (Words{"a1.0", "b1.0", "b1.1", "a1.1", "a4.0", "b4.0", "b4.1", "a4.1"}));
}

TEST(Schedule, TracesAfterAllTiming) {
  Config config = two_experiments();
  config.experiments.insert(config.experiments.begin(), {.name = "t", .mode = Mode::kXnntrace, .warmup = 4});
  const std::vector<Step> inside = make_schedule(config, {.rounds = 1});
  EXPECT_EQ(words_of(config, inside), (Words{"a1.0", "b1.0", "t1.0"}));
  EXPECT_EQ(inside.back().runs, 1);
  EXPECT_EQ(inside.back().separate_warmup, 0);
  const ScheduleOptions kit{.order = Order::kSequential, .warm_up = WarmUp::kSeparateProcess};
  EXPECT_EQ(make_schedule(config, kit).back().separate_warmup, 4);
  config.platform = Platform::kAndroid;
  EXPECT_EQ(make_schedule(config, kit).back().separate_warmup, 0);
}

TEST(Schedule, NamesFilesAsTheKitAndRoundsBehind) {
  const Config config = two_experiments();
  EXPECT_EQ(file_prefix(config, {.experiment = 1, .threads = 4}), "toy_b_t4");
  EXPECT_EQ(file_prefix(config, {.experiment = 0, .round = 2, .rounds = 5}), "toy_a_t1_r3");
}

TEST(Schedule, SelectsByNameWithASuggestion) {
  Config config = two_experiments();
  config.path = "toy.json";
  config.experiments[0].name = "mac_sme2_on";
  EXPECT_EQ(selected_experiments(config, {}).value(), (std::vector<bool>{true, true}));
  EXPECT_EQ(selected_experiments(config, {"b"}).value(), (std::vector<bool>{false, true}));
  const auto wrong = selected_experiments(config, {"mac_sme2_no"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "no experiment of toy.json is called mac_sme2_no; did you mean `mac_sme2_on`?");
}

TEST(Schedule, OfNothingIsEmpty) {
  EXPECT_TRUE(make_schedule(Config{}, {}).empty());
}

}  // namespace
}  // namespace accelscope::experiments
