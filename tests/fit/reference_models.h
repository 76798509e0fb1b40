// The shapes and settings for which the reference's figures are known.
#pragma once

#include "boards/model.h"
#include "boards/settings.h"

namespace accelscope::fit {

inline boards::SettingsTree analytic_settings() {
  boards::SettingsTree tree;
  tree.config.max_loop_instructions = 10'000;
  tree.config.blen = 128;
  tree.config.hlen = 128;
  tree.config.mlen = 2048;
  tree.config.vlen = 2048;
  tree.config.broadcast_amount = 16;
  tree.config.hbm_size = base::Bytes{137'438'953'472};
  tree.config.matrix_sram_rows = 256;
  tree.config.vector_sram_rows = 65'536;
  tree.config.matrix_prefetch_rows = 2048;
  tree.config.vector_prefetch_rows = 16;
  tree.config.vector_writeback_rows = 16;
  return tree;
}

struct DenseShape {
  std::uint64_t hidden;
  std::uint64_t intermediate;
  std::uint64_t heads;
  std::uint64_t kv_heads;
  std::uint64_t layers;
  std::uint64_t vocabulary = 128'256;
};

inline boards::TextModel dense(const DenseShape& shape) {
  boards::TextModel model;
  model.hidden = shape.hidden;
  model.intermediate = shape.intermediate;
  model.heads = shape.heads;
  model.kv_heads = shape.kv_heads;
  model.head_dim = shape.hidden / shape.heads;
  model.vocabulary = shape.vocabulary;
  model.layers.resize(shape.layers);
  return model;
}

inline boards::TextModel llama_8b() {
  return dense({4096, 14'336, 32, 8, 32});
}
inline boards::TextModel llama_1b() {
  boards::TextModel model = dense({2048, 8192, 32, 8, 16});
  model.tied_embeddings = true;
  return model;
}
inline boards::TextModel llama_70b() {
  return dense({8192, 28'672, 64, 8, 80});
}
inline boards::TextModel llada_8b() {
  boards::TextModel model = dense({4096, 12'288, 32, 32, 32, 126'464});
  model.diffusion = true;
  return model;
}

inline boards::TextModel gpt_oss_20b() {
  boards::TextModel model;
  model.hidden = 2880;
  model.intermediate = 2880;
  model.heads = 64;
  model.kv_heads = 8;
  model.head_dim = 64;
  model.vocabulary = 201'088;
  model.sliding_window = 128;
  model.experts = boards::Experts{.count = 32, .per_token = 4, .intermediate = 2880};
  for (int pair = 0; pair < 12; ++pair) {
    model.layers.push_back({boards::AttentionKind::kSliding, boards::FeedForwardKind::kExperts});
    model.layers.push_back({boards::AttentionKind::kFull, boards::FeedForwardKind::kExperts});
  }
  return model;
}

}  // namespace accelscope::fit
