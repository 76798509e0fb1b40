#include "isa/comment_labels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "isa/phrase_finder.h"

namespace accelscope::isa {
namespace {

// The phrases of stages, one bit each, in any case of letters.
enum StagePhrase : std::uint8_t {
  kRouter,
  kRouterToken,
  kRouterDot,
  kScatterAdd,
  kScattered,
  kAllocatePair,
  kRoute,
  kMaterialize,
  kMatrixMul,
  kTrueZero,
  kRoutingAccumulator,
  kGatherRows,
  kGatherPair,
  kClearPadding,
  kGathered,
  kBiasAdd,
  kSigmoid,
  kRowMin,
  kRowMax,
  kFillZero,
  kMatrixAdd,
  kDynamicPrefetch,
  kExpertBase,
  kSubblock,
  kSubProjection,
  kBlock,
  kPairName,
  kPairIs,
  kStagePhrases
};

constexpr std::array<std::string_view, kStagePhrases> kStageTexts{"gpt-oss router",
                                                                  "router token",
                                                                  "router dot token",
                                                                  "gpt-oss vram scatter-add",
                                                                  "_scatter",
                                                                  "allocate vram matrix step6_pair",
                                                                  "_route",
                                                                  "materialize route weight",
                                                                  "vram matrix mul",
                                                                  "true-zero vram rows",
                                                                  "step6_device_routing_acc",
                                                                  "gpt-oss gather token rows",
                                                                  "gather pair",
                                                                  "clear gather padding",
                                                                  "_gather",
                                                                  "dynamic expert bias add",
                                                                  "_sigmoid",
                                                                  "tile row min fp",
                                                                  "tile row max fp",
                                                                  "vram fill zero",
                                                                  "vram matrix add",
                                                                  "dynamic hbm weight prefetch",
                                                                  "expert_id_to_weight_base",
                                                                  "subblock [",
                                                                  "sub projection",
                                                                  "vram block",
                                                                  "step6_pair",
                                                                  "pair="};

// The kernels, in the order in which they are tried.
struct KernelPhrase {
  std::string_view kernel;
  std::string_view text;
};
constexpr std::string_view kNorm = "rms_norm";
constexpr auto kKernelPhrases = std::to_array<KernelPhrase>({{"conv2d", "im2col"},
                                                             {"conv2d", "linear_out"},
                                                             {"conv2d", "W_2d"},
                                                             {"data_loading", "Load_Batch"},
                                                             {"embedding_add", "VRAM Matrix Add"},
                                                             {"embedding_add", "embedding_add"},
                                                             {kNorm, "Normalize (rms)"},
                                                             {kNorm, "RMS Norm"},
                                                             {"rope", "RoPE"},
                                                             {"flash_attention", "Online Softmax"},
                                                             {"flash_attention", "PV Multiply"},
                                                             {"flash_attention", "Final Scale O"},
                                                             {"flash_attention", "Load SubMatrix Row K"},
                                                             {"flash_attention", "Reset VRAM rows"},
                                                             {"flash_attention", "Reset MRAM"},
                                                             {"lm_head", "LM head"},
                                                             {"lm_head", "lm_head"},
                                                             {"lm_head", "vocab projection"},
                                                             {"ffn", "FFN Generation"},
                                                             {"ffn", "FFN Gate"},
                                                             {"ffn", "FFN Upsize"},
                                                             {"ffn", "FFN Downsize"}});

const PhraseFinder& stage_finder() {
  static const PhraseFinder kFinder(kStageTexts, PhraseFinder::Case::kIgnored);
  return kFinder;
}

const PhraseFinder& kernel_finder() {
  static const PhraseFinder kFinder = [] {
    std::array<std::string_view, kKernelPhrases.size()> texts;
    for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = kKernelPhrases[i].text;
    return PhraseFinder(texts, PhraseFinder::Case::kMatters);
  }();
  return kFinder;
}

// The reference's rules, of which the first that applies decides.
Stage stage_after(std::uint64_t found, Stage now) {
  const auto has = [found](auto... phrases) { return ((((found >> phrases) & 1U) != 0) || ...); };
  if (has(kRouter, kRouterToken, kRouterDot)) return Stage::kRouter;
  if (has(kScatterAdd, kScattered)) return Stage::kScatter;
  if (has(kAllocatePair) && has(kRoute)) return Stage::kRouteWeight;
  if (has(kMaterialize)) return Stage::kRouteWeight;
  if (now == Stage::kRouteWeight && has(kMatrixMul, kTrueZero)) return Stage::kRouteWeight;
  if (has(kRoutingAccumulator, kTrueZero)) return Stage::kAccumulatorInit;
  if (has(kGatherRows, kGatherPair, kClearPadding)) return Stage::kGather;
  if (has(kAllocatePair) && has(kGathered)) return Stage::kGather;
  if (has(kBiasAdd)) return Stage::kBias;
  if (has(kAllocatePair) && has(kSigmoid)) return Stage::kActivation;
  if (has(kRowMin, kRowMax)) return Stage::kActivation;
  if (now == Stage::kActivation && has(kFillZero, kMatrixAdd, kMatrixMul)) return Stage::kActivation;
  if (has(kDynamicPrefetch, kExpertBase)) return Stage::kWeightAddress;
  if (has(kSubblock)) return Stage::kWeightPrefetch;
  if (has(kSubProjection, kBlock, kAllocatePair)) return Stage::kProjection;
  return now;
}

// The first number behind a phrase, which is written in small letters.
std::optional<std::uint64_t> number_behind(std::string_view comment, std::string_view phrase) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == static_cast<unsigned char>(b);
  };
  const auto* at = std::search(comment.begin(), comment.end(), phrase.begin(), phrase.end(), same);
  if (at == comment.end()) return std::nullopt;
  at = std::find_if(at + phrase.size(), comment.end(), [](char c) { return c >= '0' && c <= '9'; });
  std::uint64_t value = 0;
  if (std::from_chars(at, comment.end(), value).ec != std::errc{}) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, kStages> kNames{"router_topk",
                                                         "accumulator_init",
                                                         "gather",
                                                         "expert_weight_address",
                                                         "expert_weight_prefetch",
                                                         "expert_projection",
                                                         "expert_activation",
                                                         "expert_bias",
                                                         "expert_route_weight",
                                                         "scatter_combine",
                                                         "other"};
  return kNames[static_cast<std::size_t>(stage)];
}

void CommentLabels::take(std::string_view comment) {
  take_stage(comment);
  take_kernel(comment);
}

void CommentLabels::take_stage(std::string_view comment) {
  const std::uint64_t found = stage_finder().find(comment);
  if (found == 0) return;
  for (const StagePhrase phrase : {kPairName, kPairIs})
    if (((found >> phrase) & 1U) != 0)
      if (const auto number = number_behind(comment, kStageTexts[phrase])) {
        pair_ = number;
        break;
      }
  const Stage before = stage_;
  stage_ = stage_after(found, stage_);
  if (stage_ != before && (stage_ == Stage::kRouter || stage_ == Stage::kAccumulatorInit)) pair_.reset();
}

void CommentLabels::take_kernel(std::string_view comment) {
  const std::uint64_t found = kernel_finder().find(comment);
  if (found == 0) return;
  for (std::size_t i = 0; i < kKernelPhrases.size(); ++i) {
    if (((found >> i) & 1U) == 0) continue;
    kernel_ = kKernelPhrases[i].kernel;
    // A layer has two of them, one before attention and one before the rest.
    if (kernel_ == kNorm) kernel_ = ++norms_ % 2 == 1 ? "rms_norm_1" : "rms_norm_2";
    return;
  }
}

std::optional<Annotation> annotation_in(std::string_view comment) {
  if (!comment.starts_with('@')) return std::nullopt;
  const std::string_view text = trimmed(comment.substr(1));
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  return Annotation{text.substr(0, end), trimmed(text.substr(end))};
}

}  // namespace accelscope::isa
