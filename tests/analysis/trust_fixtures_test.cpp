// Latencies of known shapes, as the profiling kit writes them: what the trust box says of each.
#include <set>

#include "analysis/profile_samples.h"
#include "analysis/trust.h"

namespace accelscope::analysis {
namespace {

using Ids = std::set<std::string>;

struct Shape {
  std::string name;
  Ids expected;
  Ids absent;
};

TEST(TrustFixtures, TellTheShapeOfALatencySeries) {
  const std::vector<Shape> shapes = {
      {"n100_throttle", {"trust.drift", "trust.serial_correlation"}, {"trust.few_runs", "trust.warm_up"}},
      {"n30_bimodal",
       {"trust.two_modes", "trust.step", "trust.unreliable", "trust.spread"},
       {"trust.warm_up"}},
      {"n10_cold", {"trust.warm_up"}, {"trust.drift", "trust.unreliable", "trust.noisy"}},
      {"n100_lognormal_outliers", {"trust.outliers"}, {"trust.drift", "trust.step", "trust.two_modes"}},
      {"n20_lognormal",
       {},
       {"trust.drift", "trust.step", "trust.two_modes", "trust.noisy", "trust.few_runs"}},
      {"n5_equal", {"trust.few_runs"}, {"trust.noisy", "trust.spread", "trust.drift"}},
      {"n3_fixture", {"trust.few_runs"}, {"trust.one_run"}},
      {"n1", {"trust.one_run"}, {"trust.few_runs", "trust.no_executions"}},
  };
  for (const Shape& shape : shapes) {
    const auto trace =
        fixture_trace("executorch/case5_latency_stats/" + shape.name + "_exec_all_runs_timeline.csv");
    if (!trace) GTEST_SKIP() << kNoFixtures;
    trace::QualityTable quality;
    std::vector<CrossCheck> checks;
    check_experiment({.profile = profile_of_trace(shape.name, *trace)}, quality, checks);
    for (const std::string& id : shape.expected)
      EXPECT_NE(row_of(quality, id), nullptr) << shape.name << ": " << id;
    for (const std::string& id : shape.absent)
      EXPECT_EQ(row_of(quality, id), nullptr) << shape.name << ": " << id;
  }
}

// The kit's own figure adds every row of its table up; the end-to-end time is a third of it.
TEST(TrustFixtures, ASumOverNestedRowsIsRecognised) {
  const auto trace = fixture_trace("etdump/executorch_docs_tutorial.etdp");
  if (!trace) GTEST_SKIP() << kNoFixtures;
  Experiment experiment{.profile = profile_of_trace("docs", *trace)};
  const MethodProfile& method = experiment.profile.methods.front();
  experiment.references = {{.source = "metrics.json", .values = {to_unit(method, method.all_rows)}}};
  trace::QualityTable quality;
  std::vector<CrossCheck> checks;
  check_experiment(experiment, quality, checks);
  ASSERT_NE(row_of(quality, "trust.nested_rows_summed"), nullptr);
  EXPECT_NE(row_of(quality, "trust.nested_rows_summed")->sentence.find("3.0 times"), std::string::npos)
      << row_of(quality, "trust.nested_rows_summed")->sentence;
}

}  // namespace
}  // namespace accelscope::analysis
