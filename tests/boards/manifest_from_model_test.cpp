#include "boards/manifest_from_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "boards/model_file.h"

namespace accelscope::boards {
namespace {

using base::Bytes;

Model model_preset(const std::string& name) {
  auto model = load_model(name);
  EXPECT_TRUE(model) << (model ? "" : model.error().to_string());
  return model.value_or(Model{});
}

ModelManifest manifest(const Model& model, const ModelManifestOptions& options = {}) {
  auto made = manifest_from_model(model, options);
  EXPECT_TRUE(made) << (made ? "" : made.error().to_string());
  return made.value_or(ModelManifest{});
}

const ManifestRegion& region(const ModelManifest& in, std::string_view name) {
  const auto found = std::find(in.names.begin(), in.names.end(), name);
  EXPECT_NE(found, in.names.end()) << name;
  return in.manifest.regions[static_cast<std::size_t>(found - in.names.begin())];
}

constexpr NumberFormat kPlainBf16{kBf16};

// Two bytes a parameter: the numbers that the models are published with.
TEST(ManifestFromModel, WeightsAreThePublishedParameters) {
  const ModelManifestOptions options{.weights = kPlainBf16};
  const auto parameters = [&](const std::string& name) {
    return bytes_of_kind(manifest(model_preset(name), options).manifest, RegionKind::kWeight).value / 2;
  };
  EXPECT_EQ(parameters("llama-3.1-8b"), 8'030'261'248);
  EXPECT_EQ(parameters("llama-3.2-1b"), 1'235'814'400);
  EXPECT_EQ(parameters("llama-3.3-70b"), 70'553'706'496);
  EXPECT_EQ(parameters("mixtral-8x7b"), 46'702'792'704);
}

TEST(ManifestFromModel, RegionsAreAlignedSortedAndReadBack) {
  for (const std::string name : {"smolvlm2", "gpt-oss-20b", "clm60m", "llada-8b"}) {
    const ModelManifest made = manifest(model_preset(name), {.context = 1000, .batch = 3});
    ASSERT_EQ(made.names.size(), made.manifest.regions.size());
    for (const ManifestRegion& one : made.manifest.regions) EXPECT_EQ(one.offset % 64, 0);
    base::MemoryOutput out;
    write_manifest(made.manifest, out);
    const auto back = read_manifest(base::MappedFile::from_memory(name, out.bytes()));
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_EQ(*back, made.manifest);
  }
}

TEST(ManifestFromModel, ActivationsComeFirstAndKeysLast) {
  const ModelManifest made =
      manifest(model_preset("llama-3.2-1b"), {.context = 100, .batch = 2, .prompt = 10});
  EXPECT_EQ(made.names[0], "ACT_RESIDUAL");
  EXPECT_EQ(made.manifest.regions[0].size, Bytes{10 * 2 * 2048 * 9 / 8});
  EXPECT_EQ(region(made, "ACT_WORK").size, Bytes{10 * 2 * 2 * 8192 * 9 / 8});
  EXPECT_EQ(made.manifest.activation_ceiling, region(made, "W_embedding").offset);
  EXPECT_EQ(made.names.back(), "V_stored_15");
  EXPECT_EQ(made.manifest.regions.back().size, Bytes{100 * 2 * 8 * 64 * 9 / 8});
  EXPECT_EQ(made.manifest.regions.back().layer, 15);
}

TEST(ManifestFromModel, AWindowKeepsNoMoreThanItself) {
  const ModelManifest made = manifest(model_preset("gpt-oss-20b"), {.context = 1000});
  EXPECT_EQ(region(made, "K_stored_0").size, Bytes{128 * 8 * 64 * 9 / 8});
  EXPECT_EQ(region(made, "K_stored_1").size, Bytes{1000 * 8 * 64 * 9 / 8});
  EXPECT_EQ(region(made, "W_expert_3_31").layer, 3);
}

TEST(ManifestFromModel, TheVisionTowerHasTheLayersBehind) {
  const ModelManifest made = manifest(model_preset("smolvlm2"));
  EXPECT_EQ(region(made, "V_PATCH_W").layer, 30);
  EXPECT_EQ(region(made, "V_W_q_11").layer, 41);
  EXPECT_EQ(region(made, "V_CONNECTOR_W").layer, 41);
  EXPECT_EQ(region(made, "W_embedding").layer, 0);
}

TEST(ManifestFromModel, ADiffusionModelHasNoCache) {
  EXPECT_EQ(bytes_of_kind(manifest(model_preset("llada-8b")).manifest, RegionKind::kKv), Bytes{0});
}

TEST(ManifestFromModel, WhatDoesNotFitIsRefused) {
  Model model = model_preset("llama-3.2-1b");
  const auto kv = manifest_from_model(model, {.context = std::uint64_t{1} << 60U, .prompt = 1});
  ASSERT_FALSE(kv);
  EXPECT_EQ(kv.error().message, "llama-3.2-1b: with K_stored_0, everything takes 2^63 bytes or more");
  EXPECT_FALSE(manifest_from_model(model, {.context = 0}));
  EXPECT_FALSE(manifest_from_model(model, {.prompt = 0}));
  model.text.hidden = std::uint64_t{1} << 63U;
  EXPECT_FALSE(manifest_from_model(model, {}));
  model = model_preset("gpt-oss-20b");
  model.text.experts->count = std::uint64_t{1} << 40U;
  EXPECT_EQ(
      manifest_from_model(model, {}).error().message,
      "gpt-oss-20b: its layers and experts would be more than 10000000 regions; no manifest is that long");
}

}  // namespace
}  // namespace accelscope::boards
