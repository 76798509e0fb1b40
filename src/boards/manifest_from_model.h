// A weight manifest straight from a model's description: where weights, keys and values and activations would
// lie if they were put into memory one behind the other, before anything is compiled.
//
// From address 0, each at a multiple of 64 bytes (docs/manifest.md):
//   activations   ACT_RESIDUAL, ACT_NORM, ACT_WORK: the hidden state of a prompt, its normalised copy, and
//   the
//                 wider of q, k and v and of what a feed-forward part holds
//   weights       the vision tower, its patches first and the connector last; the embedding; the layers, each
//                 with norm, q, k, v, o, norm, then gate, up and down, or router and experts, an expert in
//                 one piece; the last norm and the output layer. Biases follow their matrices.
//   keys, values  K_stored_<layer> and V_stored_<layer>, for all sequences
// Layers of the text model have their own numbers, those of the vision tower the ones behind them; the
// embedding is with the first layer, the output layer with the last, patches and connector with the first and
// last of the tower. Every tensor is rounded up to whole bytes.
//
// Plain data and functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const ModelManifest made, manifest_from_model(model, {.context = 4096}));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "boards/model.h"
#include "boards/number_format.h"
#include "boards/weight_manifest.h"

namespace accelscope::boards {

struct ModelManifestOptions {
  NumberFormat weights = kPlenaMx;
  NumberFormat kv = kPlenaMx;
  NumberFormat activations = kPlenaMx;
  std::uint64_t context = 2048;                        // tokens in the cache of a sequence
  std::uint64_t batch = 1;                             // sequences
  std::optional<std::uint64_t> prompt = std::nullopt;  // tokens that come in together; all of the context
};

struct ModelManifest {
  WeightManifest manifest;         // without a capacity
  std::vector<std::string> names;  // one a region
};

// Beyond these a file describes no model that could be listed tensor by tensor.
inline constexpr std::uint64_t kMaxManifestRegions = 10'000'000;

base::Result<ModelManifest> manifest_from_model(const Model& model, const ModelManifestOptions& options);

}  // namespace accelscope::boards
