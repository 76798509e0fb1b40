#include "fit/reference_document.h"

#include <gtest/gtest.h>

#include "fit/reference_models.h"

namespace accelscope::fit {
namespace {

boards::Settings settings() {
  boards::Settings both;
  both.analytic = analytic_settings();
  return both;
}

boards::Model named(std::string nickname, boards::TextModel text) {
  boards::Model model;
  model.nickname = std::move(nickname);
  model.text = std::move(text);
  return model;
}

findings::Findings analysis(const boards::Model& model, const ReferenceWorkload& workload = {}) {
  const auto result = reference_analysis(model, settings(), workload);
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result.value_or(findings::Findings{});
}

double metric(const findings::Findings& in, std::string_view section, std::string_view id) {
  const findings::Section* found = find_section(in, section);
  const findings::Metric* one = found == nullptr ? nullptr : find_metric(*found, id);
  EXPECT_TRUE(one != nullptr && one->value) << section << " " << id;
  return one == nullptr ? 0 : one->value.value_or(0);
}

std::string json_of(const boards::Model& model, const ReferenceWorkload& workload = {}) {
  base::MemoryOutput out;
  EXPECT_TRUE(write_reference_json(model, settings(), workload, out));
  return std::string(out.bytes());
}

TEST(ReferenceDocument, DefaultsAreThoseOfTheReferencesScripts) {
  const findings::Findings found = analysis(named("llama-3.1-8b", llama_8b()));
  EXPECT_DOUBLE_EQ(metric(found, "reference.performance", "ttft"), 377.260931);
  EXPECT_EQ(metric(found, "reference.performance", "tokens_per_second"), 444.75577348588456);
  EXPECT_EQ(metric(found, "reference.utilisation", "overall"), 0.43507332568471757);
  EXPECT_EQ(metric(found, "reference.footprint", "weights"), 9034.039296);
  EXPECT_EQ(metric(found, "reference.footprint", "required"), 9232.22016);
  EXPECT_EQ(metric(found, "reference.footprint", "prefill_read"), 11170.086912);
  EXPECT_EQ(metric(found, "reference.footprint", "prefill_written"), 3482.320896);
  EXPECT_EQ(metric(found, "reference.footprint", "decode_bytes"), 8593956864);
  EXPECT_EQ(metric(found, "reference.footprint", "peak_bandwidth"), 64);
  EXPECT_EQ(found.quality.count("reference.left_out"), 1);
  EXPECT_EQ(found.quality.rows().size(), 1);
}

TEST(ReferenceDocument, ExpertsDecode128TokensByDefault) {
  const findings::Findings found = analysis(named("gpt-oss-20b", gpt_oss_20b()));
  EXPECT_NEAR(metric(found, "reference.performance", "tokens_per_second"), 226.03, 0.005);
  EXPECT_EQ(metric(found, "reference.performance", "prefill_cycles"), 263'298'918);
  const findings::Table* parts = find_table(*find_section(found, "reference.performance"), "parts");
  ASSERT_NE(parts, nullptr);
  EXPECT_EQ(parts->rows.size(), 8);
  for (const auto& row : parts->rows) EXPECT_EQ(row.size(), parts->columns.size());
}

TEST(ReferenceDocument, DiffusionHasATotalInsteadOfAFirstToken) {
  const findings::Findings found = analysis(named("llada-8b", llada_8b()), {.diffusion_steps = 32});
  EXPECT_DOUBLE_EQ(metric(found, "reference.performance", "total_time"), 31505.293696 / 2);
  EXPECT_EQ(find_metric(*find_section(found, "reference.performance"), "ttft"), nullptr);
}

TEST(ReferenceDocument, DoubtsAreInTheTrustBox) {
  boards::TextModel odd = llama_8b();
  odd.head_dim = 256;
  odd.gated = false;
  const findings::Findings found = analysis(named("odd", odd), {.batch = 5, .devices = 2});
  EXPECT_EQ(found.quality.count("reference.head_dim"), 1);
  EXPECT_EQ(found.quality.count("reference.two_matrices"), 1);
  EXPECT_EQ(found.quality.count("reference.batch_cut"), 1);
  EXPECT_EQ(found.quality.count("reference.shared_experts"), 0);
}

TEST(ReferenceDocument, WithoutAVocabularyThereIsNoFootprint) {
  boards::TextModel model = llama_8b();
  model.vocabulary = 0;
  const findings::Findings found = analysis(named("bare", model));
  EXPECT_TRUE(is_empty(*find_section(found, "reference.footprint")));
  EXPECT_FALSE(find_section(found, "reference.footprint")->empty_hint.empty());
}

TEST(ReferenceDocument, ErrorsAreHandedOn) {
  const auto none = reference_analysis(named("a", llama_8b()), settings(), {.devices = 0});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "the reference's analytic models need devices, and it is 0");
}

TEST(ReferenceDocument, TheReferencesJson) {
  EXPECT_EQ(json_of(named("llama-3.1-8b", llama_8b())),
            "{\n  \"model\": \"llama-3.1-8b\",\n  \"batch_size\": 4,\n  \"input_seq_len\": 2048,\n"
            "  \"output_seq_len\": 1024,\n  \"device_num\": 1,\n  \"ttft_seconds\": 0.377260931,\n"
            "  \"ttft_ms\": 377.260931,\n  \"tps\": 444.75577348588456\n}\n");
  boards::TextModel llama_as_llada = llama_8b();
  llama_as_llada.diffusion = true;
  EXPECT_EQ(json_of(named("llada-8b", llama_as_llada)),
            "{\n  \"model\": \"llada-8b\",\n  \"mode\": \"llada\",\n  \"batch_size\": 4,\n"
            "  \"seq_len\": 2048,\n  \"diffusion_steps\": 64,\n  \"device_num\": 1,\n"
            "  \"total_time_seconds\": 24.907784576,\n  \"total_time_ms\": 24907.784576000002,\n"
            "  \"output_tokens_per_second\": 328.8931608912916\n}\n");
}

}  // namespace
}  // namespace accelscope::fit
