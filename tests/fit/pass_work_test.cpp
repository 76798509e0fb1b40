// The closed forms of a pass against loops over blocks, tiles and tokens.
#include "fit/pass_work.h"

#include <gtest/gtest.h>

#include "fit/placement.h"
#include "fit/samples.h"

namespace accelscope::fit {
namespace {

using boards::Model;
using samples::machine_on;

PassWork work(const Model& model, const Machine& machine, const Pass& pass) {
  const auto weights = weights_of(model, machine.formats.weights);
  EXPECT_TRUE(weights);
  const auto done = work_of(model, *weights, machine, pass);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  return done.value_or(PassWork{});
}

const StageWork& stage_of(const PassWork& work, StageKind kind, boards::AttentionKind attention = {}) {
  for (const StageWork& stage : work.stages)
    if (stage.kind == kind && (kind != StageKind::kLayer || stage.layer.attention == attention)) return stage;
  ADD_FAILURE() << "no such stage";
  return work.stages.front();
}

std::uint64_t window_of(const Model& model, const boards::ModelLayer& layer) {
  return layer.attention == boards::AttentionKind::kSliding ? model.text.sliding_window : 0;
}

// Every block of queries against every tile of keys that it can see a token of.
UnitCycles attention_by_tiles(const Model& model, const Machine& machine, const Pass& pass,
                              std::uint64_t window) {
  const KernelCycles kernels(machine);
  const std::uint64_t group = model.text.heads / model.text.kv_heads;
  const std::uint64_t side = std::min(machine.mlen, pass.tokens);
  UnitCycles cycles;
  for (std::uint64_t sequence = 0; sequence < pass.batch; ++sequence) {
    for (std::uint64_t head = 0; head < model.text.kv_heads; ++head) {
      for (std::uint64_t first = 0; first < pass.tokens; first += side) {
        for (std::uint64_t key = 0; key < pass.tokens; key += side) {
          const bool later = pass.causal && key > first;
          // Whole tiles that the window of the block's first query has left behind; one tile more is kept.
          const bool forgotten = window > 0 && key + ((window + side - 1) / side) * side < first;
          if (!later && !forgotten) cycles += kernels.attention_tile(group * side, side, model.text.head_dim);
        }
      }
      for (std::uint64_t token = 0; token < pass.tokens; ++token)
        cycles += kernels.attention_end(group, model.text.head_dim);
    }
  }
  return cycles;
}

UnitCycles dense_layer_without_attention(const Model& model, const Machine& machine, std::uint64_t tokens) {
  const KernelCycles kernels(machine);
  const boards::TextModel& text = model.text;
  const std::uint64_t query = text.heads * text.head_dim;
  const std::uint64_t key = text.kv_heads * text.head_dim;
  UnitCycles cycles;
  for (int norm = 0; norm < 2; ++norm) cycles += kernels.rms_norm(tokens, text.hidden);
  cycles += kernels.product(tokens, text.hidden, query);
  for (int i = 0; i < 2; ++i) cycles += kernels.product(tokens, text.hidden, key);
  cycles += kernels.rotation(tokens, query + key);
  cycles += kernels.product(tokens, query, text.hidden);
  for (int i = 0; i < 2; ++i) cycles += kernels.addition(tokens, text.hidden);
  for (int i = 0; i < 2; ++i) cycles += kernels.product(tokens, text.hidden, text.intermediate);
  cycles +=
      kernels.silu(tokens, text.intermediate, true) + kernels.product(tokens, text.intermediate, text.hidden);
  return cycles;
}

void expect_same(const UnitCycles& got, const UnitCycles& expected) {
  EXPECT_EQ(got.matrix.value(), expected.matrix.value());
  EXPECT_EQ(got.vector.value(), expected.vector.value());
  EXPECT_EQ(got.scalar.value(), expected.scalar.value());
  EXPECT_EQ(got.macs.value(), expected.macs.value());
}

Model with_windows() {
  Model model = samples::smollm2();
  model.text.sliding_window = 200;
  for (std::size_t i = 0; i < 30; i += 2) model.text.layers[i].attention = boards::AttentionKind::kSliding;
  return model;
}

TEST(PassWork, PrefillIsItsProductsAndItsTiles) {
  const Machine machine = machine_on(samples::nexys_video());
  for (const std::uint64_t tokens : {2U, 63U, 64U, 65U, 500U, 1024U}) {
    const Model model = with_windows();
    const Pass pass{.tokens = tokens, .context = tokens, .batch = 2};
    const PassWork done = work(model, machine, pass);
    for (const boards::ModelLayer& layer : {model.text.layers[0], model.text.layers[1]}) {
      SCOPED_TRACE(tokens);
      expect_same(stage_of(done, StageKind::kLayer, layer.attention).cycles,
                  dense_layer_without_attention(model, machine, 2 * tokens) +
                      attention_by_tiles(model, machine, pass, window_of(model, layer)));
    }
  }
}

TEST(PassWork, AStepOfADiffusionModelSeesAllTokens) {
  const Machine machine = machine_on(samples::v80());
  const Model model = samples::llada_8b();
  const Pass pass = decode_pass(model, {.context = 300, .batch = 1});
  EXPECT_EQ(pass.tokens, 300U);
  expect_same(
      stage_of(work(model, machine, pass), StageKind::kLayer).cycles,
      dense_layer_without_attention(model, machine, 300) + attention_by_tiles(model, machine, pass, 0));
  EXPECT_EQ(stage_of(work(model, machine, pass), StageKind::kOutput).cycles.macs.value(),
            300ULL * 4096 * 126464);
}

TEST(PassWork, DecodeMeetsEveryKeyOnce) {
  const Machine machine = machine_on(samples::nexys_video());
  const KernelCycles kernels(machine);
  const Model model = with_windows();
  for (const std::uint64_t context : {1U, 64U, 199U, 201U, 1000U}) {
    const PassWork done = work(model, machine, {.tokens = 1, .context = context, .batch = 3});
    for (const boards::ModelLayer& layer : {model.text.layers[0], model.text.layers[1]}) {
      const std::uint64_t window = window_of(model, layer);
      const std::uint64_t seen = window == 0 ? context : std::min(window, context);
      UnitCycles attention;
      for (int head = 0; head < 3 * 3; ++head) {
        for (std::uint64_t key = 0; key < seen; key += 64)
          attention += kernels.attention_tile(3, std::min<std::uint64_t>(64, seen - key), 64);
        attention += kernels.attention_end(3, 64);
      }
      const StageWork& stage = stage_of(done, StageKind::kLayer, layer.attention);
      expect_same(stage.cycles, dense_layer_without_attention(model, machine, 3) + attention);
      EXPECT_EQ(stage.kv_read.value, static_cast<std::int64_t>((2 * 3 * 64 * seen * 3 * 9 + 7) / 8));
      EXPECT_EQ(stage.kv_written.value, 2 * 3 * 64 * 3 * 9 / 8);
    }
  }
}

TEST(PassWork, APromptLongerThanTheChipHoldsGoesThroughInBlocks) {
  const Machine machine = machine_on(samples::nexys_video());
  const Model model = with_windows();
  for (const std::uint64_t tokens : {100U, 137U, 138U, 500U, 1370U, 2000U}) {
    const PassWork done = work(model, machine, {.tokens = tokens, .context = tokens, .batch = 1});
    const std::uint64_t held = done.tokens_held;
    // 4224 elements of 2 bytes a token, in 1.1 MiB.
    EXPECT_EQ(held, (365U * 4608 - 4096 * 64 * 2) / (4224 * 2));
    for (const boards::ModelLayer& layer : {model.text.layers[0], model.text.layers[1]}) {
      const std::uint64_t window = window_of(model, layer);
      const std::uint64_t block = std::min(held, tokens);
      std::uint64_t rounds = 0;
      std::uint64_t read = 0;
      for (std::uint64_t end = block;; end += block) {
        ++rounds;
        const std::uint64_t seen = std::min(end, tokens);
        read += window == 0 ? seen : std::min(seen, window + block);
        if (end >= tokens) break;
      }
      const StageWork& stage = stage_of(done, StageKind::kLayer, layer.attention);
      EXPECT_EQ(stage.rounds, rounds) << tokens;
      EXPECT_EQ(stage.kv_read.value, static_cast<std::int64_t>((2 * 3 * 64 * read * 9 + 7) / 8)) << tokens;
      EXPECT_EQ(stage.activations.value,
                rounds == 1 ? 0 : static_cast<std::int64_t>(2 * tokens * 576 * 9 / 8));
    }
  }
}

TEST(PassWork, ExpertsThatNobodyAsksForAreNotRead) {
  const Machine machine = machine_on(samples::v80());
  const Model model = samples::gpt_oss_20b();
  const std::uint64_t expert = 3 * 2880 * 2880;
  const auto needed = [&](std::uint64_t batch) {
    const PassWork done = work(model, machine, {.tokens = 1, .context = 100, .batch = batch});
    const StageWork& stage = stage_of(done, StageKind::kLayer);
    return (stage.stored - stage.needed).value;
  };
  EXPECT_EQ(needed(1), static_cast<std::int64_t>(28 * expert * 9 / 8));
  EXPECT_EQ(needed(3), static_cast<std::int64_t>(20 * expert * 9 / 8));
  EXPECT_EQ(needed(8), 0);
  EXPECT_EQ(needed(100), 0);
}

TEST(PassWork, TheEmbeddingGivesRowsAndTheOutputIsReadWhole) {
  const Machine machine = machine_on(samples::v80());
  const PassWork tied = work(samples::smollm2(), machine, {.tokens = 10, .context = 10, .batch = 2});
  EXPECT_EQ(stage_of(tied, StageKind::kEmbedding).needed.value, 20 * 576 * 9 / 8);
  EXPECT_EQ(stage_of(tied, StageKind::kEmbedding).stored.value, 0) << "it lies with the output";
  EXPECT_EQ(stage_of(tied, StageKind::kOutput).needed.value, (49152 + 1) * 576 * 9 / 8);
  EXPECT_EQ(stage_of(tied, StageKind::kOutput).cycles.macs.value(), 2U * 576 * 49152)
      << "the last token of each";
}

TEST(PassWork, ATowerWorksForEveryImage) {
  const Machine machine = machine_on(samples::v80());
  const auto macs = [&](std::uint64_t images, StageKind kind) {
    const Pass pass{.tokens = 100, .context = 100, .batch = 2, .images = images};
    return *stage_of(work(samples::smolvlm2(), machine, pass), kind).cycles.macs.value();
  };
  EXPECT_EQ(macs(3, StageKind::kPatches), 6U * 1024 * 768 * 768);
  EXPECT_EQ(macs(1, StageKind::kConnector), 2U * 64 * 768 * 16 * 576);
  EXPECT_EQ(macs(1, StageKind::kVisionLayer),
            2ULL * (1024ULL * (4 * 768 * 768 + 2 * 768 * 3072) + 2ULL * 12 * 1024 * 1024 * 64));
}

TEST(PassWork, WorkThatDoesNotFitIsAnErrorThatNamesIt) {
  const Machine machine = machine_on(samples::v80());
  const auto weights = weights_of(samples::llama_8b(), machine.formats.weights);
  const std::uint64_t many = std::uint64_t{1} << 40;
  const auto done = work_of(samples::llama_8b(), *weights, machine, {.tokens = many, .context = many});
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().message.find("llama-3.1-8b: the work of "), std::string::npos)
      << done.error().message;
}

TEST(Placement, StreamedStagesAreSpreadEvenly) {
  const auto places = [](std::size_t count, std::size_t streamed) {
    std::vector<std::size_t> found;
    const std::vector<bool> chosen = spread_evenly(count, streamed);
    for (std::size_t i = 0; i < count; ++i)
      if (chosen[i]) found.push_back(i);
    return found;
  };
  EXPECT_EQ(places(8, 2), (std::vector<std::size_t>{2, 6}));
  EXPECT_EQ(places(9, 3), (std::vector<std::size_t>{1, 4, 7}));
  EXPECT_EQ(places(3, 0), std::vector<std::size_t>{});
  for (std::size_t count = 1; count < 40; ++count)
    for (std::size_t streamed = 0; streamed <= count; ++streamed)
      EXPECT_EQ(places(count, streamed).size(), streamed) << count;
}

TEST(KernelCycles, VectorAndScalarWorkIsCountedRowByRow) {
  // add 9, multiply 7, exp 15, reciprocal 8, maximum 4, sum 30; scalars 1, exp 2, root 2, reciprocal 2.
  const KernelCycles kernels(machine_on(samples::nexys_video()));
  EXPECT_EQ(kernels.rms_norm(2, 576).vector.value(), 2U * 9 * (3 * 7 + 30));
  EXPECT_EQ(kernels.rms_norm(2, 576).scalar.value(), 2U * (2 + 2 + 2));
  EXPECT_EQ(kernels.layer_norm(2, 576).vector.value(), 2U * 9 * (3 * 7 + 2 * 30 + 2 * 9));
  EXPECT_EQ(kernels.rotation(3, 100).vector.value(), 3U * 2 * (3 * 7 + 9));
  EXPECT_EQ(kernels.addition(3, 65).vector.value(), 3U * 2 * 9);
  EXPECT_EQ(kernels.silu(1, 1536, true).vector.value(), 24U * (3 * 7 + 9 + 15 + 8));
  EXPECT_EQ(kernels.silu(1, 1536, false).vector.value(), 24U * (2 * 7 + 9 + 15 + 8));
  EXPECT_EQ(kernels.gelu(1, 64).vector.value(), 4U * 7 + 2 * 9 + 15 + 8);
  EXPECT_EQ(kernels.routing(2, 32, 4, 128).vector.value(), 2U * (32 * 4 + 4 * 2 * (7 + 9)));
  EXPECT_EQ(kernels.attention_tile(3, 64, 64).vector.value(), 3U * (7 + 4 + 9 + 15 + 30 + 7 + 9));
  EXPECT_EQ(kernels.attention_tile(3, 64, 64).scalar.value(), 3U * (3 + 2) + 2 * 16 * 6);
  EXPECT_EQ(kernels.attention_end(3, 65).vector.value(), 3U * 2 * 7);
  EXPECT_EQ(kernels.attention_end(3, 65).scalar.value(), 3U * 2);
}

}  // namespace
}  // namespace accelscope::fit
