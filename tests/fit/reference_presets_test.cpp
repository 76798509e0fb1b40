// The reference's figures from the models and settings that are part of the program.
#include <gtest/gtest.h>

#include "boards/model_file.h"
#include "boards/settings.h"
#include "fit/reference_document.h"
#include "fit/reference_models.h"
#include "fit/reference_performance.h"

namespace accelscope::fit {
namespace {

findings::Findings analysis(const std::string& name, const ReferenceWorkload& workload = {}) {
  const auto model = boards::load_model(name);
  EXPECT_TRUE(model) << name;
  if (!model) return {};
  auto found = reference_analysis(*model, boards::default_settings(), workload);
  EXPECT_TRUE(found) << (found ? "" : found.error().to_string());
  return found.value_or(findings::Findings{});
}

double metric(const findings::Findings& in, std::string_view id) {
  const findings::Metric* one = find_metric(in, id);
  return one == nullptr ? -1 : one->value.value_or(-1);
}

TEST(ReferencePresets, TheShippedSettingsAreTheReferences) {
  EXPECT_EQ(boards::default_settings().analytic.config, analytic_settings().config);
  EXPECT_EQ(boards::default_settings().analytic.latency, analytic_settings().latency);
  EXPECT_EQ(boards::default_settings().analytic.precision, analytic_settings().precision);
}

TEST(ReferencePresets, Llamas) {
  const findings::Findings found = analysis("llama-3.1-8b");
  EXPECT_DOUBLE_EQ(metric(found, "ttft"), 377.260931);
  EXPECT_EQ(metric(found, "tokens_per_second"), 444.75577348588456);
  EXPECT_EQ(metric(found, "overall"), 0.43507332568471757);
  EXPECT_EQ(metric(found, "weights"), 9034.039296);
  EXPECT_EQ(metric(found, "decode_bytes"), 8593956864);
  EXPECT_EQ(metric(analysis("llama-3.2-1b"), "tokens_per_second"), 1741.7582178329915);
  EXPECT_EQ(metric(analysis("llama-3.3-70b"), "tokens_per_second"), 54.45707319098708);
}

TEST(ReferencePresets, GptOss) {
  const findings::Findings found = analysis("gpt-oss-20b");
  EXPECT_EQ(metric(found, "prefill_cycles"), 263'298'918);
  EXPECT_EQ(metric(found, "weights"), 23521.41504);
  EXPECT_EQ(metric(found, "kv"), 60.162048);
}

TEST(ReferencePresets, Llada) {
  EXPECT_DOUBLE_EQ(metric(analysis("llada-8b"), "total_time"), 31505.293696);
}

TEST(ReferencePresets, EveryModelHasAnAnswer) {
  for (const base::EmbeddedFile& file : boards::model_presets()) {
    const findings::Findings found = analysis(std::string(file.name));
    EXPECT_GT(metric(found, "tokens_per_second"), 0) << file.name;
    EXPECT_GT(metric(found, "overall"), 0) << file.name;
  }
}

}  // namespace
}  // namespace accelscope::fit
