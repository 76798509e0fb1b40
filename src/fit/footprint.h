// How many bytes a model needs: its weights by part and by stage, its keys and values, its activations. All
// in whole bytes, exactly; what does not fit 63 bits is an error that names the part.
//
// docs/fit.md says what each part counts. Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const Weights weights, weights_of(model, formats.weights));
//   ACCELSCOPE_TRY(const Footprint footprint, footprint_of(model, formats, {.context = 4096}));
//   footprint.total()
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "boards/model.h"
#include "boards/number_format.h"

namespace accelscope::fit {

struct Formats {
  boards::NumberFormat weights = boards::kPlenaMx;
  boards::NumberFormat kv = boards::kPlenaMx;
  boards::NumberFormat activations = boards::kPlenaMx;

  bool operator==(const Formats&) const = default;
};

// What is asked of the model. Counts of tokens are of one sequence.
struct Workload {
  std::uint64_t context = 0;  // tokens in the cache, prompt included
  std::uint64_t batch = 1;    // sequences
  std::uint64_t prompt = 0;   // tokens that come in together, those of images included
  std::uint64_t images = 0;   // pictures in each sequence's prompt
  std::uint64_t steps = 64;   // of a diffusion model, for all tokens of a sequence

  bool operator==(const Workload&) const = default;
};

enum class Part : std::uint8_t {
  kEmbedding,
  kQuery,
  kKey,
  kValue,
  kOutputProjection,
  kFeedForward,
  kRouter,
  kExperts,
  kSharedExperts,
  kNorms,
  kBiases,
  kLmHead,
  kVisionPatches,
  kVisionAttention,
  kVisionFeedForward,
  kVisionNormsAndBiases,
  kConnector,
};
inline constexpr std::size_t kParts = 17;
std::string_view name_of(Part part);

template <class Value>
class ByPart : public std::array<Value, kParts> {
 public:
  Value& operator[](Part part) { return this->at(static_cast<std::size_t>(part)); }
  const Value& operator[](Part part) const { return this->at(static_cast<std::size_t>(part)); }
};

// A piece of a pass through the model whose weights are needed together.
enum class StageKind : std::uint8_t { kPatches, kVisionLayer, kConnector, kEmbedding, kLayer, kOutput };
std::string_view name_of(StageKind kind);

struct StageWeights {
  StageKind kind = StageKind::kLayer;
  boards::ModelLayer layer = {};  // of kLayer
  std::uint64_t count = 1;        // how many stages of the model are like this one
  ByPart<std::uint64_t> elements = {};
  ByPart<base::Bytes> bytes = {};
  base::Bytes total{};
};

struct Weights {
  std::vector<StageWeights> stages;   // in the order of a pass; layers that are alike once
  std::vector<std::uint32_t> layers;  // for each layer of the text model, which of the stages it is
  ByPart<std::uint64_t> elements = {};
  ByPart<base::Bytes> bytes = {};
  std::uint64_t all_elements = 0;
  base::Bytes total{};

  // nullptr where the model has none.
  const StageWeights* find(StageKind kind) const;
};

base::Result<Weights> weights_of(const boards::Model& model, const boards::NumberFormat& format);

// Keys and values of all layers; layers with a sliding window keep no more than it. None of a diffusion
// model, which has no cache.
base::Result<base::Bytes> kv_bytes(const boards::Model& model, const boards::NumberFormat& format,
                                   std::uint64_t context, std::uint64_t batch);

// Elements of activations that live at once for a token, at the widest place of a layer: the residual, its
// normalised copy, and the wider of queries, keys and values and of what the feed-forward part holds.
std::uint64_t live_elements(const boards::Model& model);
// At the peak of prefill, or of the output layer, whichever is larger.
base::Result<base::Bytes> activation_bytes(const boards::Model& model, const boards::NumberFormat& format,
                                           std::uint64_t prompt, std::uint64_t batch);

// Of the text model that an image becomes; 0 without a vision tower.
std::uint64_t tokens_of_image(const boards::Model& model);
std::uint64_t patches_of_image(const boards::VisionTower& vision);

struct Footprint {
  base::Bytes weights{};
  base::Bytes kv{};
  base::Bytes activations{};
  base::Bytes kv_of_next_token{};  // that one more token adds, of all sequences together

  base::Bytes total() const { return weights + kv + activations; }
  bool operator==(const Footprint&) const = default;
};

base::Result<Footprint> footprint_of(const boards::Model& model, const Formats& formats,
                                     const Workload& workload);
// The same, for weights that are known.
base::Result<Footprint> footprint_of(const boards::Model& model, const Formats& formats,
                                     const Workload& workload, base::Bytes weights);

}  // namespace accelscope::fit
