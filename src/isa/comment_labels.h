// What the comments of a listing say about the instructions below them.
//
// Compilers name stages, kernels and pairs of token and expert in their comments; the words they use for that
// are known here (docs/isa.md lists them). Our own annotations say it outright: `;@ layer NAME`,
// `;@ section NAME` and `;@ tensor NAME`; without a name, they end what they began. One thread uses one
// object; the names it gives out are views of constants or of the comment.
//
//   CommentLabels labels;
//   labels.take(" GPT-OSS router token 3");
//   labels.stage()   // "router_topk"
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace accelscope::isa {

// The stages of a routed mixture of experts, in the order in which reports list them.
enum class Stage : std::uint8_t {
  kRouter,
  kAccumulatorInit,
  kGather,
  kWeightAddress,
  kWeightPrefetch,
  kProjection,
  kActivation,
  kBias,
  kRouteWeight,
  kScatter,
  kOther
};
inline constexpr std::size_t kStages = 11;
// "router_topk", ..., "other".
std::string_view name_of(Stage stage);

class CommentLabels {
 public:
  // Takes a comment, without its ';'. What it may have changed is asked for afterwards.
  void take(std::string_view comment);

  Stage stage() const { return stage_; }
  // Of a token and an expert.
  std::optional<std::uint64_t> pair() const { return pair_; }
  // "flash_attention", "ffn", ...; "other" before the first.
  std::string_view kernel() const { return kernel_; }

 private:
  void take_stage(std::string_view comment);
  void take_kernel(std::string_view comment);

  Stage stage_ = Stage::kOther;
  std::optional<std::uint64_t> pair_;
  std::string_view kernel_ = "other";
  std::uint64_t norms_ = 0;
};

// An annotation of our own: `@ section NAME`.
struct Annotation {
  std::string_view word;  // "section"
  std::string_view name;  // may be empty
};
// Nothing where the comment is none.
std::optional<Annotation> annotation_in(std::string_view comment);

}  // namespace accelscope::isa
