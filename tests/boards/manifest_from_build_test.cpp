#include "boards/manifest_from_build.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "boards/clm60m_build.h"
#include "support/temporary_folder.h"

namespace accelscope::boards {
namespace {

using base::Bytes;
using Remark = BuildRemark::Kind;

base::MappedFile file(std::string_view json) {
  return base::MappedFile::from_memory("f.json", json);
}

base::Result<BuildManifest> build(std::string_view addresses, std::string_view sizes = "{}",
                                  std::string_view layouts = "{}") {
  const base::MappedFile a = file(addresses);
  const base::MappedFile s = file(sizes);
  const base::MappedFile l = file(layouts);
  return manifest_from_files({.addresses = &a, .sizes = &s, .layouts = &l});
}

std::uint64_t count_of(const BuildManifest& built, Remark kind) {
  for (const BuildRemark& remark : built.remarks)
    if (remark.kind == kind) return remark.count;
  return 0;
}

std::ptrdiff_t regions_of(const WeightManifest& manifest, RegionKind kind) {
  return std::count_if(manifest.regions.begin(), manifest.regions.end(),
                       [&](const ManifestRegion& region) { return region.kind == kind; });
}

TEST(ManifestFromBuild, KindsByName) {
  for (const std::string_view name : {"K_stored_0", "V_stored_3_h1", "layer_K_stored_1", "W_K_stored_1"})
    EXPECT_EQ(kind_of_tensor(name), RegionKind::kKv) << name;
  for (const std::string_view name :
       {"W_q_0", "V_PATCH_W", "V_PATCH_BIAS_POS", "V_CONNECTOR_W", "V_CONNECTOR_B", "V_W_fc1_2", "V_B_q_0",
        "V_LN1_w_0", "V_LN2_b_0", "V_POST_LN_w"})
    EXPECT_EQ(kind_of_tensor(name), RegionKind::kWeight) << name;
  for (const std::string_view name : {"X", "xK_stored_0", "K_stored", "V_PATCH_WX", "w_q_0", "V_LN3_0", ""})
    EXPECT_EQ(kind_of_tensor(name), RegionKind::kActivation) << name;
}

TEST(ManifestFromBuild, LayersByName) {
  EXPECT_EQ(layer_of_tensor("W_q_7"), 7);
  EXPECT_EQ(layer_of_tensor("K_stored_12_h3"), 12);
  EXPECT_EQ(layer_of_tensor("X_h3"), 0);
  EXPECT_EQ(layer_of_tensor("V_W_FC1_4"), 4);
  EXPECT_EQ(layer_of_tensor("V_LN2_b_9"), 9);
  EXPECT_EQ(layer_of_tensor("ln1"), 0);
  EXPECT_EQ(layer_of_tensor("fc3_5"), 3);
  EXPECT_EQ(layer_of_tensor(""), 0);
  EXPECT_EQ(layer_of_tensor("W_99999999999"), std::nullopt);
}

TEST(ManifestFromBuild, ABuildOfOneLayer) {
  const tests::TemporaryFolder folder;
  write_clm60m_build(folder.path());
  const auto built = manifest_from_build(folder.path());
  ASSERT_TRUE(built) << built.error().to_string();
  EXPECT_EQ(regions_of(built->manifest, RegionKind::kWeight), 9);
  EXPECT_EQ(regions_of(built->manifest, RegionKind::kKv), 4);
  EXPECT_EQ(regions_of(built->manifest, RegionKind::kActivation), 6);
  EXPECT_EQ(bytes_of_kind(built->manifest, RegionKind::kWeight), Bytes{2'268'000});
  EXPECT_EQ(bytes_of_kind(built->manifest, RegionKind::kKv), Bytes{4 * 18'432});
  EXPECT_EQ(built->manifest.activation_ceiling, 442'368);
  EXPECT_EQ(built->manifest.capacity, std::nullopt);
  EXPECT_EQ(built->sources, (SizeSources{.sizes_file = 18, .layouts_file = 1}));
  EXPECT_TRUE(built->remarks.empty());
  base::MemoryOutput out;
  write_manifest(built->manifest, out);
  EXPECT_TRUE(read_manifest(base::MappedFile::from_memory("out", out.bytes())));
}

TEST(ManifestFromBuild, SizesOfThreeSources) {
  const auto built = build(R"({"W_c": 300, "W_a": 0, "W_b": 100, "W_d": 400})", R"({"W_a": 50, "W_b": 0})",
                           R"({"W_a": {"storage_shape": [9]}, "W_b": {"storage_shape": [3, 5]}})");
  ASSERT_TRUE(built);
  // 15 elements of 9 bits are 16 bytes, rounded down; W_c reaches to W_d, and nothing follows W_d.
  const std::vector<ManifestRegion> expected{{0, 0, Bytes{50}}, {0, 100, Bytes{16}}, {0, 300, Bytes{100}}};
  EXPECT_EQ(built->manifest.regions, expected);
  EXPECT_EQ(built->names, (std::vector<std::string>{"W_a", "W_b", "W_c"}));
  EXPECT_EQ(built->sources, (SizeSources{1, 1, 1}));
  EXPECT_EQ(count_of(*built, Remark::kNoSize), 1);
}

TEST(ManifestFromBuild, OverlapsAreCutAtTheNextOne) {
  const auto built = build(R"({"W_a": 0, "W_b": 100, "W_c": 100})", R"({"W_a": 101, "W_b": 7, "W_c": 8})");
  ASSERT_TRUE(built);
  const std::vector<ManifestRegion> expected{{0, 0, Bytes{100}}, {0, 100, Bytes{8}}};
  EXPECT_EQ(built->manifest.regions, expected);
  EXPECT_EQ(count_of(*built, Remark::kClamped), 2);
  EXPECT_EQ(count_of(*built, Remark::kNoSize), 1);  // W_b: nothing is left of it
}

TEST(ManifestFromBuild, OffsetsThatAreNoneAreLeftOut) {
  const auto built =
      build(R"({"W_a": 1.5, "W_b": "7", "W_c": -1, "W_d": null, "W_e": 64, "W_f": true})", R"({"W_e": 64})");
  ASSERT_TRUE(built);
  EXPECT_EQ(built->manifest.regions.size(), 1);
  ASSERT_EQ(built->remarks.size(), 1);
  EXPECT_EQ(built->remarks[0].kind, Remark::kBadOffset);
  EXPECT_EQ(built->remarks[0].count, 5);
  EXPECT_EQ(built->remarks[0].first, "W_a");
}

TEST(ManifestFromBuild, AbsurdSizesDoNotOverflow) {
  const auto last = build(R"({"W_a": 18446744073709551000})", R"({"W_a": 9223372036854775807})");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->manifest.regions[0].end(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(count_of(*last, Remark::kClamped), 1);
  const auto shape = build(R"({"W_a": 0})", "{}", R"({"W_a": {"storage_shape": [9223372036854775807, 3]}})");
  ASSERT_TRUE(shape);
  EXPECT_TRUE(shape->manifest.regions.empty());
  const auto both =
      build(R"({"W_a": 0, "W_b": 9223372036854775807})", R"({"W_a": 9223372036854775807, "W_b": 1})");
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().message,
            "the tensors up to offset 9223372036854775807 hold more than 9223372036854775807 bytes together");
}

TEST(ManifestFromBuild, FilesThatAreMissingOrBroken) {
  const tests::TemporaryFolder folder;
  const auto none = manifest_from_build(folder.path());
  ASSERT_FALSE(none);
  EXPECT_EQ(
      none.error().message,
      "there is no hbm_addrs.json in this directory; the compiler's runner leaves it in a build directory");
  std::ofstream(folder.path() + "/hbm_addrs.json") << R"({"W_a": 0, "W_b": 64})";
  const auto alone = manifest_from_build(folder.path());
  ASSERT_TRUE(alone);
  EXPECT_EQ(count_of(*alone, Remark::kNoSizesFile), 1);
  std::ofstream(folder.path() + "/tensor_layouts.json") << R"({"W_a": )";
  EXPECT_FALSE(manifest_from_build(folder.path()));
  EXPECT_FALSE(build("[1]"));
  EXPECT_TRUE(build(R"({"W_a": 0})", "{}", R"({"W_a": 5, "W_b": {"storage_shape": 3}})"));
}

TEST(ManifestFromBuild, OfANameThatComesTwiceTheLastCounts) {
  const auto built = build(R"({"W_a": 0, "W_b": 64, "W_a": 128})", R"({"W_a": 5, "W_b": 7, "W_a": 6})");
  ASSERT_TRUE(built);
  const std::vector<ManifestRegion> expected{{0, 64, Bytes{7}}, {0, 128, Bytes{6}}};
  EXPECT_EQ(built->manifest.regions, expected);
}

TEST(ManifestFromBuild, WithoutWeightsTheCeilingIs0) {
  const auto built = build(R"({"X": 64})", R"({"X": 64})");
  ASSERT_TRUE(built);
  EXPECT_EQ(built->manifest.activation_ceiling, 0);
}

}  // namespace
}  // namespace accelscope::boards
