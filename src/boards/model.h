// A model: the shapes of a transformer that decide how large it is and how much it calculates. Read by
// model_file.h from YAML (docs/models.md) or from a `config.json` of Hugging Face.
//
// Plain data, safe from any thread.
//
//   ACCELSCOPE_TRY(const Model model, load_model("llama-3.1-8b"));
//   model.text.layers.size()
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accelscope::boards {

enum class AttentionKind : std::uint8_t { kFull, kSliding };
enum class FeedForwardKind : std::uint8_t { kDense, kExperts };

struct ModelLayer {
  AttentionKind attention = AttentionKind::kFull;
  FeedForwardKind feed_forward = FeedForwardKind::kDense;

  bool operator==(const ModelLayer&) const = default;
};

// A routed mixture of experts.
struct Experts {
  std::uint64_t count = 0;
  std::uint64_t per_token = 0;
  std::uint64_t intermediate = 0;         // of one expert
  std::uint64_t shared_intermediate = 0;  // of the experts that see every token, together; 0: none

  bool operator==(const Experts&) const = default;
};

struct TextModel {
  std::string model_type = {};
  std::uint64_t hidden = 0;
  std::uint64_t intermediate = 0;  // of dense layers
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;
  std::uint64_t head_dim = 0;
  std::uint64_t vocabulary = 0;      // 0: not said
  std::uint64_t max_context = 0;     // 0: not said
  std::uint64_t sliding_window = 0;  // of layers with AttentionKind::kSliding
  bool tied_embeddings = false;      // the output layer is the embedding
  bool gated = true;                 // three matrices in the feed-forward part, else two
  bool attention_bias = false;       // of q, k and v
  bool output_bias = false;          // of the output projection
  bool feed_forward_bias = false;
  bool diffusion = false;  // a whole sequence a step (LLaDA)
  double rope_theta = 0;
  double rms_norm_eps = 0;
  std::optional<Experts> experts = std::nullopt;
  std::vector<ModelLayer> layers = {};

  bool operator==(const TextModel&) const = default;
};

struct VisionTower {
  std::uint64_t hidden = 0;
  std::uint64_t intermediate = 0;
  std::uint64_t heads = 0;
  std::uint64_t head_dim = 0;
  std::uint64_t layers = 0;
  std::uint64_t image_size = 0;  // 0: the tower takes images of any size
  std::uint64_t patch_size = 0;
  std::uint64_t channels = 3;
  std::uint64_t tokens_merged = 1;  // patches that become one token of the text model; 1: all are kept

  bool operator==(const VisionTower&) const = default;
};

// How a program is compiled for the accelerator.
struct ModelHardware {
  std::string mode = {};  // "native", "sliced"
  std::uint64_t mlen = 0;
  std::uint64_t vlen = 0;
  std::uint64_t blen = 0;
  std::uint64_t batch = 1;
  std::uint64_t hlen = 0;
  std::uint64_t broadcast = 0;
  std::uint64_t mram_tile_capacity = 0;

  bool operator==(const ModelHardware&) const = default;
};

struct HardwarePreset {
  std::string name;
  ModelHardware hardware;

  bool operator==(const HardwarePreset&) const = default;
};

struct Model {
  std::string id;        // "meta-llama/Llama-3.1-8B"
  std::string nickname;  // "llama-3.1-8b"
  std::string family;
  bool trust_remote_code = false;
  TextModel text = {};
  std::optional<VisionTower> vision = std::nullopt;
  std::optional<ModelHardware> hardware = std::nullopt;
  std::vector<HardwarePreset> hardware_presets = {};

  bool operator==(const Model&) const = default;
};

}  // namespace accelscope::boards
