#include "boards/weight_manifest.h"

#include <gtest/gtest.h>

namespace accelscope::boards {
namespace {

using base::Bytes;

base::Result<WeightManifest> manifest_of_text(std::string_view json) {
  return read_manifest(base::MappedFile::from_memory("m.json", json));
}

std::string manifest_error(std::string_view regions) {
  const auto result =
      manifest_of_text(R"({"activation_ceiling": 0, "regions": [)" + std::string(regions) + "]}");
  return result ? "no error" : result.error().message;
}

WeightManifest sample() {
  return {.activation_ceiling = 64,
          .regions = {{0, 0, Bytes{64}, RegionKind::kActivation},
                      {0, 64, Bytes{100}, RegionKind::kWeight},
                      {1, 192, Bytes{8}, RegionKind::kKv}},
          .capacity = Bytes{1024}};
}

TEST(WeightManifest, IsReadBackAsWritten) {
  for (const bool with_capacity : {true, false}) {
    WeightManifest manifest = sample();
    if (!with_capacity) manifest.capacity.reset();
    base::MemoryOutput out;
    write_manifest(manifest, out);
    const auto back = manifest_of_text(out.bytes());
    ASSERT_TRUE(back) << back.error().to_string();
    EXPECT_EQ(*back, manifest);
  }
}

TEST(WeightManifest, OldFilesHaveNoKindsAndNoCapacity) {
  const auto manifest = manifest_of_text(
      R"({"regions": [{"size": 5, "offset": 10, "layer_id": 3, "name": [1]}], "ddr_capacity_bytes": null,
          "made by": {}, "activation_ceiling": 10})");
  ASSERT_TRUE(manifest) << manifest.error().to_string();
  EXPECT_EQ(manifest->regions, (std::vector<ManifestRegion>{{3, 10, Bytes{5}, RegionKind::kWeight}}));
  EXPECT_EQ(manifest->capacity, std::nullopt);
  EXPECT_EQ(manifest->activation_ceiling, 10);
}

TEST(WeightManifest, SumsByKind) {
  EXPECT_EQ(bytes_of_kind(sample(), RegionKind::kWeight), Bytes{100});
  EXPECT_EQ(bytes_of_kind(sample(), RegionKind::kKv), Bytes{8});
  EXPECT_EQ(total_bytes(sample()), Bytes{172});
}

TEST(WeightManifest, FindsTheRegionOfAnAddress) {
  const WeightManifest manifest = sample();
  EXPECT_EQ(region_at(manifest, 0), manifest.regions.data());
  EXPECT_EQ(region_at(manifest, 63), manifest.regions.data());
  EXPECT_EQ(region_at(manifest, 64), &manifest.regions[1]);
  EXPECT_EQ(region_at(manifest, 163), &manifest.regions[1]);
  EXPECT_EQ(region_at(manifest, 164), nullptr);
  EXPECT_EQ(region_at(manifest, 199), &manifest.regions[2]);
  EXPECT_EQ(region_at(manifest, 200), nullptr);
  EXPECT_EQ(region_at({}, 0), nullptr);
}

TEST(WeightManifest, FaultsNameTheRegion) {
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":0,"size":100},{"layer_id":0,"offset":99,"size":1})"),
            "region 1 at offset 99 begins before region 0 ends, which is at 100 (offset 0, 100 bytes)");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":50,"size":1},{"layer_id":0,"offset":49,"size":1})"),
            "region 1 at offset 49 comes behind region 0 at offset 50; regions are sorted by offset");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":0,"size":0})"),
            "region 0 has a size of 0; a region holds something");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":18446744073709551615,"size":1})"),
            "region 0 at offset 18446744073709551615 of 1 bytes ends beyond 64 bits");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":0,"size":9223372036854775808})"),
            "region 0 has a size of 9223372036854775808 bytes, more than 9223372036854775807");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":0,"size":9223372036854775807},
                        {"layer_id":0,"offset":9223372036854775807,"size":1})"),
            "regions 0 to 1 hold more than 9223372036854775807 bytes together");
  EXPECT_EQ(manifest_error(R"({"layer_id":4294967296,"offset":0,"size":1})"),
            "region 0 has the layer_id 4294967296, more than 32 bits hold");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"offset":0,"size":1,"kind":"weights"})"),
            "region 0 is of the kind 'weights'; expected weight, kv, activation; did you mean `weight`?");
  EXPECT_EQ(manifest_error(R"({"layer_id":0,"size":1})"), "region 0 has no \"offset\"");
}

TEST(WeightManifest, FaultsOfTheFile) {
  EXPECT_EQ(manifest_of_text(R"({"activation_ceiling": 0})").error().message,
            "a weight manifest has \"activation_ceiling\" and \"regions\", and \"regions\" is missing");
  EXPECT_EQ(
      manifest_of_text(R"({"regions": []})").error().message,
      "a weight manifest has \"activation_ceiling\" and \"regions\", and \"activation_ceiling\" is missing");
  EXPECT_EQ(
      manifest_of_text(R"({"activation_ceiling":0,"regions":[],"ddr_capacity_bytes":0})").error().message,
      "ddr_capacity_bytes is 0; expected 1 to 9223372036854775807, or null");
  EXPECT_FALSE(
      manifest_of_text(R"({"activation_ceiling":0,"regions":[{"layer_id":0,"offset":-1,"size":1}]})"));
  EXPECT_FALSE(
      manifest_of_text(R"({"activation_ceiling":0,"regions":[{"layer_id":0,"offset":1.5,"size":1}]})"));
  EXPECT_FALSE(manifest_of_text(R"({"activation_ceiling":0,"regions":[]} more)"));
  EXPECT_FALSE(manifest_of_text("[]"));
  EXPECT_FALSE(manifest_of_text(""));
}

TEST(WeightManifest, ManyRegions) {
  WeightManifest manifest;
  constexpr std::uint64_t kRegions = 200'000;
  for (std::uint64_t i = 0; i < kRegions; ++i)
    manifest.regions.push_back({static_cast<std::uint32_t>(i / 100), i * 64, Bytes{63}, RegionKind::kWeight});
  base::MemoryOutput out;
  write_manifest(manifest, out);
  const auto back = manifest_of_text(out.bytes());
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, manifest);
  EXPECT_EQ(region_at(*back, (kRegions - 1) * 64 + 62)->layer, 1999);
}

}  // namespace
}  // namespace accelscope::boards
