#include "isa/comment_labels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "isa/phrase_finder.h"

namespace accelscope::isa {
namespace {

// What a series of comments ends in.
std::string_view stage_after(std::initializer_list<std::string_view> comments) {
  CommentLabels labels;
  for (const std::string_view comment : comments) labels.take(comment);
  return name_of(labels.stage());
}

std::string_view kernel_after(std::initializer_list<std::string_view> comments) {
  CommentLabels labels;
  for (const std::string_view comment : comments) labels.take(comment);
  return labels.kernel();
}

TEST(CommentLabels, Stages) {
  EXPECT_EQ(stage_after({}), "other");
  EXPECT_EQ(stage_after({" anything"}), "other");
  EXPECT_EQ(stage_after({" ROUTER dot token 3"}), "router_topk");
  EXPECT_EQ(stage_after({" GPT-OSS VRAM scatter-add"}), "scatter_combine");
  EXPECT_EQ(stage_after({" Allocate VRAM Matrix step6_pair0_route"}), "expert_route_weight");
  EXPECT_EQ(stage_after({" Materialize route weight"}), "expert_route_weight");
  EXPECT_EQ(stage_after({" step6_device_routing_acc"}), "accumulator_init");
  EXPECT_EQ(stage_after({" true-zero VRAM rows"}), "accumulator_init");
  EXPECT_EQ(stage_after({" GPT-OSS gather token rows"}), "gather");
  EXPECT_EQ(stage_after({" allocate vram matrix step6_pair3_gather"}), "gather");
  EXPECT_EQ(stage_after({" dynamic expert bias add"}), "expert_bias");
  EXPECT_EQ(stage_after({" allocate vram matrix step6_pair3_sigmoid"}), "expert_activation");
  EXPECT_EQ(stage_after({" tile row max fp"}), "expert_activation");
  EXPECT_EQ(stage_after({" expert_id_to_weight_base"}), "expert_weight_address");
  EXPECT_EQ(stage_after({" SubBlock [1][2]"}), "expert_weight_prefetch");
  EXPECT_EQ(stage_after({" VRAM block add"}), "expert_projection");
  EXPECT_EQ(stage_after({" allocate vram matrix step6_pair3_up"}), "expert_projection");
  EXPECT_EQ(stage_after({" tile row max fp", " something else"}), "expert_activation");
}

TEST(CommentLabels, StagesThatDependOnTheOneBefore) {
  EXPECT_EQ(stage_after({" materialize route weight", " vram matrix mul"}), "expert_route_weight");
  EXPECT_EQ(stage_after({" materialize route weight", " true-zero vram rows"}), "expert_route_weight");
  EXPECT_EQ(stage_after({" tile row min fp", " vram matrix mul"}), "expert_activation");
  EXPECT_EQ(stage_after({" gather pair 1", " vram matrix mul"}), "gather");
}

TEST(CommentLabels, Pairs) {
  CommentLabels labels;
  EXPECT_EQ(labels.pair(), std::nullopt);
  labels.take(" Gather pair=7 of 8");
  EXPECT_EQ(labels.pair(), 7U);
  labels.take(" Allocate VRAM Matrix STEP6_PAIR12_up");
  EXPECT_EQ(labels.pair(), 12U);
  labels.take(" pair=none");
  EXPECT_EQ(labels.pair(), 12U);
  labels.take(" pair=99999999999999999999999");
  EXPECT_EQ(labels.pair(), 12U);
  labels.take(" router token 1");
  EXPECT_EQ(labels.pair(), std::nullopt);
}

TEST(CommentLabels, Kernels) {
  EXPECT_EQ(kernel_after({" im2col_out"}), "conv2d");
  EXPECT_EQ(kernel_after({" Load_Batch 1"}), "data_loading");
  EXPECT_EQ(kernel_after({" VRAM Matrix Add: a"}), "embedding_add");
  EXPECT_EQ(kernel_after({" RoPE", " unknown"}), "rope");
  EXPECT_EQ(kernel_after({" Init Online Softmax"}), "flash_attention");
  EXPECT_EQ(kernel_after({" vocab projection"}), "lm_head");
  EXPECT_EQ(kernel_after({" FFN Gate"}), "ffn");
  EXPECT_EQ(kernel_after({" Normalize (rms)", " ffn", " RMS Norm", " RMS Norm"}), "rms_norm_1");
  EXPECT_EQ(kernel_after({" property of Europe"}), "other");
}

TEST(CommentLabels, Annotations) {
  EXPECT_EQ(annotation_in(" @ section x"), std::nullopt);
  const auto found = annotation_in("@  section \t layer 3 ");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->word, "section");
  EXPECT_EQ(found->name, "layer 3");
  EXPECT_EQ(annotation_in("@")->word, "");
}

// Against a search for every phrase, on texts of few letters so that phrases overlap.
TEST(PhraseFinder, FindsWhatASearchForEachFinds) {
  constexpr std::array<std::string_view, 7> kPhrases{"aba", "ab", "babab", "c", "bc", "aabb", "ba_"};
  const PhraseFinder exact(kPhrases, PhraseFinder::Case::kMatters);
  const PhraseFinder any(kPhrases, PhraseFinder::Case::kIgnored);
  std::mt19937 random(3);  // NOLINT(cert-msc51-cpp): the same texts every time
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t i = random() % 12; i > 0; --i) text += "abABcC_\xff"[random() % 8];
    std::string small = text;
    for (char& c : small)
      if (c >= 'A' && c <= 'C') c = static_cast<char>(c - 'A' + 'a');
    std::uint64_t expected = 0;
    std::uint64_t expected_any = 0;
    for (std::size_t i = 0; i < kPhrases.size(); ++i) {
      if (text.find(kPhrases[i]) != std::string::npos) expected |= std::uint64_t{1} << i;
      if (small.find(kPhrases[i]) != std::string::npos) expected_any |= std::uint64_t{1} << i;
    }
    ASSERT_EQ(exact.find(text), expected) << text;
    ASSERT_EQ(any.find(text), expected_any) << text;
  }
}

}  // namespace
}  // namespace accelscope::isa
