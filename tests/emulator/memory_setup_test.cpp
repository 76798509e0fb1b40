#include "emulator/memory_setup.h"

#include <gtest/gtest.h>

#include "boards/board_file.h"

namespace accelscope::emulator {
namespace {

using base::Bytes;
using base::BytesPerSecond;

boards::WeightManifest manifest_of(std::int64_t weights, std::int64_t kv) {
  return {.activation_ceiling = 0,
          .regions = {{0, 0, {weights}, boards::RegionKind::kWeight},
                      {0, static_cast<std::uint64_t>(weights), {kv}, boards::RegionKind::kKv}}};
}

MemoryWishes wishes_for(std::string_view model) {
  MemoryWishes wishes;
  wishes.model = *memory_model_named(model);
  return wishes;
}

std::string failure_of(const MemoryWishes& wishes) {
  const auto setup = set_up_memory(wishes);
  return setup ? std::string() : setup.error().to_string();
}

TEST(MemorySetup, NamesAreThoseOfTheCommandLine) {
  for (const std::string_view name : memory_model_names()) {
    ASSERT_TRUE(memory_model_named(name)) << name;
    EXPECT_EQ(name_of(*memory_model_named(name)), name);
  }
  EXPECT_FALSE(memory_model_named("hbm2"));
}

TEST(MemorySetup, WithoutAnyWishItIsTheReferencesMemory) {
  const auto setup = *set_up_memory({});
  EXPECT_EQ(setup.description, "reference-hbm2-patched");
  EXPECT_EQ(setup.choices,
            std::vector<std::string>{"the DRAM is reference-hbm2-patched (nobody says, so the usual)"});
  EXPECT_FALSE(setup.capacity);
  EXPECT_TRUE(setup.warnings.empty());
}

TEST(MemorySetup, TheBoardsDramUnlessAnotherIsNamed) {
  const boards::Board nexys = *boards::load_board("nexys_video");
  MemoryWishes wishes;
  wishes.board = &nexys;
  EXPECT_EQ(set_up_memory(wishes)->description, "ddr3-1600-x16");
  EXPECT_EQ(set_up_memory(wishes)->peak_bandwidth, BytesPerSecond{3'200'000'000});
  wishes.dram = "naive";
  EXPECT_EQ(set_up_memory(wishes)->description, "naive");
  const boards::Board v80 = *boards::load_board("v80");
  wishes = {};
  wishes.board = &v80;
  const auto setup = *set_up_memory(wishes);
  EXPECT_EQ(setup.choices.front(),
            "the DRAM is hbm2 with 26 channels (the board v80 has an HBM of 819.2 GB/s, which 26 channels of "
            "hbm2 come closest to from above with 832 GB/s)");
}

TEST(MemorySetup, ABoardOfAnUnknownMemoryNeedsAName) {
  boards::Board board;
  board.name = "mine";
  board.memory.type = "ddr5";
  board.memory.spec = "DDR5-4800";
  board.memory.bus_width = "x32";
  MemoryWishes wishes;
  wishes.board = &board;
  EXPECT_EQ(
      failure_of(wishes),
      "no DRAM preset is known for the memory of the board mine (ddr5 DDR5-4800 x32): name one with --dram");
  wishes.dram = "ddr4-2400";
  EXPECT_EQ(failure_of(wishes), "");
}

TEST(MemorySetup, CapacityOfTheUserThenOfTheManifestThenOfTheBoard) {
  const boards::Board board = *boards::load_board("custom_a7");
  boards::WeightManifest manifest = manifest_of(1000, 1000);
  manifest.capacity = Bytes{4096};
  MemoryWishes wishes = wishes_for("resident");
  wishes.manifest = &manifest;
  wishes.board = &board;
  wishes.capacity = Bytes{8192};
  EXPECT_EQ(set_up_memory(wishes)->capacity, Bytes{8192});
  EXPECT_EQ(set_up_memory(wishes)->choices[1],
            "the memory holds 8 KiB (as asked for, before the manifest's 4 KiB)");
  wishes.semantics = Semantics::kReference;
  EXPECT_EQ(set_up_memory(wishes)->capacity, Bytes{4096});
  wishes.model = *memory_model_named("layer-swap");
  EXPECT_EQ(set_up_memory(wishes)->capacity, Bytes{8192})
      << "the reference's layer-swap never asks the manifest";
  wishes.semantics = Semantics::kRight;
  wishes.capacity.reset();
  EXPECT_EQ(set_up_memory(wishes)->capacity, Bytes{4096});
  manifest.capacity.reset();
  EXPECT_EQ(set_up_memory(wishes)->capacity, Bytes{536'870'912});
  EXPECT_EQ(set_up_memory(wishes)->choices[1], "the memory holds 512 MiB (the board custom_a7)");
  wishes.board = nullptr;
  EXPECT_EQ(set_up_memory(wishes)->choices[1], "the memory holds 512 MiB (nobody says, so the usual)");
}

TEST(MemorySetup, BandwidthOfTheUserThenOfTheBoard) {
  const boards::Board board = *boards::load_board("custom_a7");
  const boards::WeightManifest manifest = manifest_of(1000, 1000);
  MemoryWishes wishes = wishes_for("weight-stream");
  wishes.manifest = &manifest;
  EXPECT_EQ(set_up_memory(wishes)->host_bandwidth, BytesPerSecond{60'000'000});
  wishes.board = &board;
  EXPECT_EQ(set_up_memory(wishes)->host_bandwidth, BytesPerSecond{1'500'000'000});
  EXPECT_EQ(set_up_memory(wishes)->choices[2],
            "the host link carries 1.5 GB/s (pcie_gen2_x4 of the board custom_a7)");
  wishes.host_bandwidth = BytesPerSecond{38'000'000};
  EXPECT_EQ(set_up_memory(wishes)->host_bandwidth, BytesPerSecond{38'000'000});
}

TEST(MemorySetup, TheLatencyOfTheBoardsLinkCounts) {
  boards::Board board = *boards::load_board("custom_a7");
  board.host_link->latency = base::Nanoseconds{5000};
  const boards::WeightManifest manifest = manifest_of(4096, 64);
  MemoryWishes wishes = wishes_for("weight-stream");
  wishes.manifest = &manifest;
  wishes.board = &board;
  const auto setup = *set_up_memory(wishes);
  EXPECT_EQ(setup.choices.back(),
            "every transfer over the host link begins with 5000 ns (the board custom_a7)");
  setup.timing->submit({.address = 0});
  // 64 bytes at 1.5 GB/s are 42 2/3 ns.
  EXPECT_EQ(setup.timing->next(base::Picoseconds::max())->time.value, 5'042'667);
}

TEST(MemorySetup, AutoSaysWhatItBecame) {
  const boards::WeightManifest manifest = manifest_of(1000, 1000);
  MemoryWishes wishes = wishes_for("auto");
  wishes.manifest = &manifest;
  for (const auto& [capacity, model] :
       {std::pair{2000, "resident"}, std::pair{1999, "kv-swap"}, std::pair{999, "weight-stream"}}) {
    wishes.capacity = Bytes{capacity};
    EXPECT_EQ(name_of(set_up_memory(wishes)->model), model);
  }
  EXPECT_EQ(set_up_memory(wishes)->description, "weight-stream over reference-hbm2-patched");
  EXPECT_EQ(set_up_memory(wishes)->choices.back(),
            "the model is weight-stream: 1000 B of weights and 1.95 KiB in all, with room for 999 B");
}

TEST(MemorySetup, ReferenceSemanticsTakeTheReferencesMemoryBehindTheLink) {
  const boards::Board board = *boards::load_board("nexys_video");
  const boards::WeightManifest manifest = manifest_of(1000, 1000);
  MemoryWishes wishes = wishes_for("host-stream");
  wishes.semantics = Semantics::kReference;
  wishes.manifest = &manifest;
  wishes.board = &board;
  wishes.prefetch_depth = 2;
  const auto setup = *set_up_memory(wishes);
  EXPECT_EQ(setup.description, "reference host-stream over simple-window");
  EXPECT_EQ(setup.warnings, std::vector<std::string>{"a prefetch depth means nothing to the memory model "
                                                     "host-stream under reference semantics"});
}

TEST(MemorySetup, RefusesWhatMakesNoSense) {
  EXPECT_EQ(
      failure_of(wishes_for("kv-swap")),
      "the memory model kv-swap needs a weight manifest, which says what lies where: make one with "
      "`accelscope manifest MODEL --board BOARD -o weight_manifest.json`, or from a build directory with "
      "`accelscope manifest DIR --board BOARD`");
  MemoryWishes wishes;
  wishes.capacity = Bytes{0};
  EXPECT_EQ(failure_of(wishes), "a capacity of 0 bytes: expected at least 1");
  wishes = {};
  wishes.host_bandwidth = BytesPerSecond{-1};
  EXPECT_EQ(failure_of(wishes), "a host link of -1 bytes a second: expected at least 1");
  wishes = {};
  wishes.dram = "hbm9";
  EXPECT_NE(failure_of(wishes).find("hbm9"), std::string::npos);
  wishes = {};
  wishes.capacity = Bytes{1};
  EXPECT_EQ(set_up_memory(wishes)->warnings,
            std::vector<std::string>{"a capacity means nothing to the memory model hbm"});
}

}  // namespace
}  // namespace accelscope::emulator
