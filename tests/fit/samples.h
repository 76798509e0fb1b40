// Models and boards that the tests of fit share, written out so that they depend on no file.
#pragma once

#include <gtest/gtest.h>

#include "boards/board.h"
#include "boards/model.h"
#include "boards/settings.h"
#include "fit/fit.h"
#include "fit/machine.h"

namespace accelscope::fit::samples {

inline boards::Model dense(std::string name, std::uint64_t hidden, std::uint64_t intermediate,
                           std::uint64_t heads, std::uint64_t kv_heads, std::uint64_t head_dim,
                           std::size_t layers, std::uint64_t vocabulary) {
  boards::Model model;
  model.id = model.nickname = std::move(name);
  model.text.hidden = hidden;
  model.text.intermediate = intermediate;
  model.text.heads = heads;
  model.text.kv_heads = kv_heads;
  model.text.head_dim = head_dim;
  model.text.vocabulary = vocabulary;
  model.text.layers.resize(layers);
  return model;
}

inline boards::Model clm60m(std::size_t layers = 8) {
  return dense("clm60m", 384, 1408, 6, 2, 64, layers, 0);
}

inline boards::Model smollm2() {
  boards::Model model = dense("smollm2", 576, 1536, 9, 3, 64, 30, 49152);
  model.text.tied_embeddings = true;
  return model;
}

// As published: 49 280 words, and an output layer of its own.
inline boards::Model smolvlm2() {
  boards::Model model = dense("smolvlm2", 576, 1536, 9, 3, 64, 30, 49280);
  model.vision = boards::VisionTower{.hidden = 768,
                                     .intermediate = 3072,
                                     .heads = 12,
                                     .head_dim = 64,
                                     .layers = 12,
                                     .image_size = 512,
                                     .patch_size = 16,
                                     .channels = 3,
                                     .tokens_merged = 16};
  return model;
}

inline boards::Model llama_8b() {
  return dense("llama-3.1-8b", 4096, 14336, 32, 8, 128, 32, 128256);
}

inline boards::Model mixtral() {
  boards::Model model = dense("mixtral-8x7b", 4096, 14336, 32, 8, 128, 32, 32000);
  model.text.experts = boards::Experts{.count = 8, .per_token = 2, .intermediate = 14336};
  for (boards::ModelLayer& layer : model.text.layers) layer.feed_forward = boards::FeedForwardKind::kExperts;
  return model;
}

inline boards::Model gpt_oss_20b() {
  boards::Model model = dense("gpt-oss-20b", 2880, 2880, 64, 8, 64, 24, 201088);
  model.text.sliding_window = 128;
  model.text.attention_bias = model.text.output_bias = model.text.feed_forward_bias = true;
  model.text.experts = boards::Experts{.count = 32, .per_token = 4, .intermediate = 2880};
  for (std::size_t i = 0; i < model.text.layers.size(); ++i)
    model.text.layers[i] = {i % 2 == 0 ? boards::AttentionKind::kSliding : boards::AttentionKind::kFull,
                            boards::FeedForwardKind::kExperts};
  return model;
}

inline boards::Model llada_8b() {
  boards::Model model = dense("llada-8b", 4096, 12288, 32, 32, 128, 32, 126464);
  model.text.diffusion = true;
  return model;
}

inline boards::Board artix(std::string name) {
  boards::Board board;
  board.name = std::move(name);
  board.clock = base::Frequency::mhz(100);
  board.memory.capacity_size = base::Bytes{536'870'912};
  board.memory.effective_bandwidth = base::BytesPerSecond{1'000'000'000};
  board.latency = {false, 8, 9, 7, 15, 8, 4, 30, 1, 9, 1, 2, 2, 2, 1};
  board.resources.bram_36k = 365;
  board.power.tdp_watts = 7.5;
  return board;
}

inline boards::Board nexys_video() {
  boards::Board board = artix("nexys_video");
  board.host_link = boards::HostLink{"usb2", {38'000'000}, std::nullopt, std::nullopt};
  return board;
}

inline boards::Board custom_a7() {
  boards::Board board = artix("custom_a7");
  board.host_link = boards::HostLink{"pcie_gen2_x4", {1'500'000'000}, std::nullopt, std::nullopt};
  return board;
}

inline boards::Board v80() {
  boards::Board board;
  board.name = "v80";
  board.clock = base::Frequency::mhz(400);
  board.memory.hbm_size = base::Bytes{34'359'738'368};
  board.memory.hbm_bandwidth = base::BytesPerSecond{819'200'000'000};
  board.latency = {true, 0, 1, 1, 1, 2, 4, 8, 1, 9, 1, 1, 1, 1, 1};
  board.resources.bram_36k = 3741;
  board.resources.uram = 1925;
  board.power.tdp_watts = 75;
  return board;
}

inline Machine machine_on(const boards::Board& board, const Overrides& overrides = {}) {
  const base::Result<Machine> machine = machine_of(board, boards::SettingsTree{}, overrides);
  EXPECT_TRUE(machine) << (machine ? "" : machine.error().message);
  return machine.value_or(Machine{});
}

inline Fit fitted(const boards::Model& model, const Machine& machine, const Workload& workload) {
  base::Result<Fit> fit = fit_model(model, machine, workload);
  EXPECT_TRUE(fit) << (fit ? "" : fit.error().message);
  return fit ? std::move(*fit) : Fit{};
}

}  // namespace accelscope::fit::samples
