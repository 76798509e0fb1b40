#include "fit/sweep.h"

#include <gtest/gtest.h>

#include "findings/findings_json.h"
#include "fit/samples.h"

namespace accelscope::fit {
namespace {

SweepPlan plan_of(std::string_view text, std::vector<boards::Model> models = {samples::smolvlm2()},
                  std::vector<boards::Board> boards = {samples::custom_a7()}) {
  auto sweep = base::parse_sweep(text, sweep_kinds({}, {}), 100'000);
  EXPECT_TRUE(sweep) << (sweep ? "" : sweep.error().message);
  auto plan = plan_sweep(std::move(*sweep), std::move(models), std::move(boards), {});
  EXPECT_TRUE(plan) << (plan ? "" : plan.error().message);
  return std::move(*plan);
}

// Every pair, as the definition has it.
bool is_beaten(const SweepPoint& point, const std::vector<SweepPoint>& all) {
  for (const SweepPoint& other : all)
    if (other.skipped.empty() && other.tokens_per_second >= point.tokens_per_second &&
        other.on_chip <= point.on_chip && *other.watts <= *point.watts &&
        (other.tokens_per_second > point.tokens_per_second || other.on_chip < point.on_chip ||
         *other.watts < *point.watts))
      return true;
  return false;
}

TEST(FitSweep, APointIsTheFitOfItsCombination) {
  const SweepPlan plan =
      plan_of("mlen=64,128 context=1000,2000 weights=mxfp8/8,mxfp4 host_bandwidth=1GB/s capacity=64M,512M");
  const std::vector<SweepPoint> points = run_sweep(plan, {});
  ASSERT_EQ(points.size(), 16U);
  // The seventh: mlen 64, context 2000, mxfp4, 64M.
  const Machine machine =
      samples::machine_on(samples::custom_a7(), {.mlen = 64,
                                                 .capacity = base::Bytes{64 << 20},
                                                 .host_bandwidth = base::BytesPerSecond{1'000'000'000},
                                                 .weights = *boards::parse_number_format("mxfp4")});
  const Fit fit = samples::fitted(samples::smolvlm2(), machine, {.context = 2000, .batch = 1, .prompt = 512});
  EXPECT_EQ(points[6].tokens_per_second, fit.tokens_per_second());
  EXPECT_EQ(points[6].first_token, fit.first_token());
  EXPECT_EQ(points[6].regime, memory::Regime::kWeightStream);
}

TEST(FitSweep, CombinationsThatMakeNoSenseAreKeptWithTheReason) {
  const std::vector<SweepPoint> points = run_sweep(plan_of("mlen=64,96,1024 blen=4,12,64 context=100"), {});
  EXPECT_EQ(points[0].skipped, "");
  EXPECT_EQ(points[1].skipped, "MLEN 64 is no multiple of BLEN 12");
  EXPECT_EQ(points[4].skipped, "");
  EXPECT_NE(points[6].skipped.find("on the chip, which has 1.6 MiB"), std::string::npos) << points[6].skipped;
  const std::vector<SweepPoint> none = run_sweep(plan_of("context=0,10 batch=0,1"), {});
  EXPECT_EQ(none[0].skipped, "context and batch must be above zero");
  EXPECT_EQ(none[3].skipped, "");
}

TEST(FitSweep, TheFrontIsWhatNothingBeats) {
  const SweepPlan plan = plan_of("mlen=16..256*2 blen=2..64*2 batch=1,3,7 board=a,b", {samples::smolvlm2()},
                                 {samples::custom_a7(), samples::v80()});
  const std::vector<SweepPoint> points = run_sweep(plan, {});
  std::size_t in_front = 0;
  for (const SweepPoint& point : points) {
    if (!point.skipped.empty()) {
      EXPECT_FALSE(point.in_front);
      continue;
    }
    EXPECT_EQ(point.in_front, !is_beaten(point, points)) << point.index;
    in_front += point.in_front ? 1 : 0;
  }
  EXPECT_GT(in_front, 3U);
  EXPECT_LT(in_front, points.size() / 2);
}

TEST(FitSweep, TheFrontComparesOnlyAnswersToOneQuestion) {
  const std::vector<SweepPoint> points = run_sweep(plan_of("context=100,10000"), {});
  EXPECT_TRUE(points[0].in_front && points[1].in_front)
      << "a longer context is another question, not a worse answer";
}

TEST(FitSweep, ShardsTogetherAreTheSweep) {
  const SweepPlan plan = plan_of("mlen=64,128 blen=4..32*2 context=100..1000+100");
  const std::vector<SweepPoint> all = run_sweep(plan, {});
  std::vector<SweepPoint> together(all.size());
  for (std::uint64_t i = 0; i < 3; ++i)
    for (const SweepPoint& point : run_sweep(plan, {i, 3})) together[point.index] = point;
  for (std::size_t i = 0; i < all.size(); ++i) {
    SweepPoint alone = all[i];
    alone.in_front = together[i].in_front;  // of its shard
    EXPECT_EQ(alone, together[i]);
  }
}

TEST(FitSweep, IsTheSameDocumentEveryTime) {
  const SweepPlan plan = plan_of("mlen=64,128,256 blen=4..64*2 context=100..2000+100");
  const auto document = [&] {
    base::MemoryOutput out;
    findings::write_json(sweep_document(plan, {}, run_sweep(plan, {})), out);
    return std::string(out.bytes());
  };
  EXPECT_EQ(document(), document());
}

TEST(FitSweep, BadValuesAreNamed) {
  const auto problem = [](std::string_view text) {
    const auto plan = plan_sweep(*base::parse_sweep(text, sweep_kinds({}, {}), 100), {samples::clm60m()},
                                 {samples::v80()}, {});
    return plan ? std::string() : plan.error().message;
  };
  EXPECT_EQ(problem("host_bandwidth=0"), "sweep: host_bandwidth: 0 is not above zero");
  EXPECT_EQ(problem("capacity=0M"), "sweep: capacity: 0M is not above zero");
  EXPECT_NE(problem("weights=fp9").find("sweep: weights: unknown number format `fp9`"), std::string::npos);
}

TEST(Workload, FollowsFromWhatIsWished) {
  const auto plain = workload_for(samples::smolvlm2(), {});
  EXPECT_EQ(*plain, (Workload{.context = 640, .batch = 1, .prompt = 512}));
  const auto images = workload_for(samples::smolvlm2(), {.images = 3});
  EXPECT_EQ(*images, (Workload{.context = 640 + 192, .batch = 1, .prompt = 512 + 192, .images = 3}));
  const auto small = workload_for(samples::smolvlm2(), {.context = 100});
  EXPECT_EQ(*small, (Workload{.context = 100, .batch = 1, .prompt = 100}));
  EXPECT_FALSE(workload_for(samples::smolvlm2(), {.context = 100, .prompt = 101}));
  EXPECT_FALSE(workload_for(samples::smolvlm2(), {.images = UINT64_MAX}));
}

}  // namespace
}  // namespace accelscope::fit
