// What must hold for any program on any memory, tried with programs made at random.
#include <gtest/gtest.h>

#include <cstring>

#include "emulator/test_runs.h"

namespace accelscope::emulator {
namespace {

using base::Bytes;
using base::BytesPerSecond;
using base::Picoseconds;

constexpr Bytes kSixLayers{std::int64_t{6} * 4096};

EmulationOptions small_options() {
  EmulationOptions options;
  options.machine = small_timed_machine();
  options.rules = Rules::kCompat;
  return options;
}

// Sixteen layers of one size: weights below, keys and values above.
boards::WeightManifest layers() {
  boards::WeightManifest manifest;
  for (std::uint32_t layer = 0; layer < 16; ++layer)
    manifest.regions.push_back({layer,
                                std::uint64_t{layer} * 4096,
                                {4096},
                                layer < 2 ? boards::RegionKind::kWeight : boards::RegionKind::kKv});
  return manifest;
}

MemoryWishes on_demand(std::string_view model, const boards::WeightManifest& manifest) {
  MemoryWishes wishes;
  wishes.model = *memory_model_named(model);
  wishes.manifest = &manifest;
  wishes.dram = "naive";
  wishes.capacity = kSixLayers;
  wishes.prefetch_depth = 0;
  return wishes;
}

std::int64_t latency(const isa::Program& program, const MemoryWishes& wishes) {
  return run(program, small_options(), std::move(set_up_memory(wishes)->timing)).latency.value;
}

// All that a program can change.
bool same_contents(const State& a, const State& b) {
  const auto same = [](const auto& x, const auto& y) {
    return std::memcmp(x.data(), y.data(), x.size() * sizeof(*x.data())) == 0;
  };
  std::vector<std::byte> of_a(1 << 16);
  std::vector<std::byte> of_b(1 << 16);
  return a.external.read(0, of_a) && b.external.read(0, of_b) && of_a == of_b &&
         same(a.registers.gp, b.registers.gp) && same(a.registers.f, b.registers.f) &&
         same(a.vectors.elements, b.vectors.elements) && same(a.matrices.elements, b.matrices.elements) &&
         same(a.scalars.floats, b.scalars.floats) && same(a.scalars.integers, b.scalars.integers);
}

std::vector<std::byte> random_image(std::uint64_t seed) {
  Dice dice(seed);
  std::vector<std::byte> image(1 << 16);
  // Small exponents, so that nothing overflows.
  for (std::byte& byte : image) byte = static_cast<std::byte>(dice.below(64) + 64 * (dice.below(2) * 2));
  return image;
}

TEST(Sanity, AFasterLinkIsNeverSlower) {
  const boards::WeightManifest manifest = layers();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const isa::Program program = program_of(RandomProgram(seed).listing());
    for (const std::string_view model : {"layer-swap", "kv-swap", "weight-stream", "host-stream"}) {
      MemoryWishes wishes = on_demand(model, manifest);
      std::int64_t before = std::numeric_limits<std::int64_t>::max();
      for (const std::int64_t rate : {10'000'000, 38'000'000, 60'000'000, 1'500'000'000}) {
        wishes.host_bandwidth = BytesPerSecond{rate};
        const std::int64_t now = latency(program, wishes);
        EXPECT_LE(now, before) << "seed " << seed << ' ' << model << ' ' << rate;
        before = now;
      }
    }
  }
}

TEST(Sanity, MoreCapacityIsNeverSlower) {
  const boards::WeightManifest manifest = layers();
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const isa::Program program = program_of(RandomProgram(seed).listing());
    for (const std::string_view model : {"layer-swap", "kv-swap"}) {
      MemoryWishes wishes = on_demand(model, manifest);
      std::int64_t before = std::numeric_limits<std::int64_t>::max();
      for (const std::int64_t held : {3, 4, 6, 9, 16}) {
        wishes.capacity = Bytes{held * 4096};
        const std::int64_t now = latency(program, wishes);
        EXPECT_LE(now, before) << "seed " << seed << ' ' << model << ' ' << held;
        before = now;
      }
    }
  }
}

TEST(Sanity, AFasterClockCostsAtMostATickOfTheMemoryForEachTransfer) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const isa::Program program = program_of(RandomProgram(seed).listing());
    for (const std::string_view dram : {"naive", "simple", "reference-hbm2"}) {
      EmulationOptions options = small_options();
      std::int64_t before = std::numeric_limits<std::int64_t>::max() / 2;
      for (const std::int64_t mhz : {100, 250, 300, 1000}) {
        options.machine.clock = base::Frequency::mhz(mhz);
        const Emulation done = run(program, options, memory_of(std::string(dram)));
        const auto transfers =
            static_cast<std::int64_t>(done.accounts.units[index(isa::Unit::kMemory)].operations);
        EXPECT_LE(done.latency.value, before + transfers * 1000)
            << "seed " << seed << ' ' << dram << ' ' << mhz;
        before = done.latency.value;
      }
    }
  }
}

TEST(Sanity, BytesAreConservedAndNothingIsBusierThanItCanBe) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const isa::Program program = program_of(RandomProgram(seed).listing());
    for (const std::string_view dram : {"simple", "reference-hbm2", "hbm2", "ddr3-1600-x16"}) {
      EmulationOptions options = small_options();
      options.timing = seed % 2 == 0 ? TimingMode::kSerial : TimingMode::kOverlap;
      const Emulation done = run(program, options, memory_of(std::string(dram)));
      std::uint64_t read = 0;
      std::uint64_t written = 0;
      std::uint64_t count = 0;
      for (const InstructionAccount& account : done.by_instruction) {
        read += account.bytes_read;
        written += account.bytes_written;
        count += account.count;
        EXPECT_GE(account.stalled, Picoseconds{});
      }
      EXPECT_EQ(read, done.bytes_read);
      EXPECT_EQ(written, done.bytes_written);
      EXPECT_EQ(count, done.instructions);
      const memory::ModelStatistics& outside = done.memory.front();
      EXPECT_EQ(static_cast<std::uint64_t>(outside.traffic.bytes_read.value), done.bytes_read);
      EXPECT_EQ(static_cast<std::uint64_t>(outside.traffic.bytes_written.value), done.bytes_written);
      for (const memory::ChannelStatistics& channel : outside.channels) EXPECT_LE(channel.utilisation(), 1.0);
      for (const UnitAccount& unit : done.accounts.units) EXPECT_LE(unit.busy(), done.latency);
    }
  }
}

TEST(Sanity, ContentsDependOnNoTimingAndRunsRepeat) {
  const boards::WeightManifest manifest = layers();
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const isa::Program program = program_of(RandomProgram(seed).listing());
    const std::vector<std::byte> image = random_image(seed);
    const Images images{.external = image};
    const Emulation alone = run(program, small_options(), memory_of("reference-hbm2"), images);
    for (const std::string_view model : memory_model_names()) {
      for (const Semantics semantics : {Semantics::kRight, Semantics::kReference}) {
        SCOPED_TRACE(fmt::format("seed {} {}", seed, model));
        MemoryWishes wishes;
        wishes.model = *memory_model_named(model);
        wishes.semantics = semantics;
        wishes.manifest = &manifest;
        wishes.dram = wishes.model.streaming ? "simple-window" : "reference-hbm2";
        if (wishes.model.streaming) wishes.capacity = kSixLayers;
        EmulationOptions options = small_options();
        const Emulation done = run(program, options, std::move(set_up_memory(wishes)->timing), images);
        EXPECT_TRUE(same_contents(done.core->state(), alone.core->state()));
        if (!wishes.model.streaming) {
          EXPECT_EQ(done.latency, alone.latency) << "whether or not there is a manifest";
        }
        const Emulation again = run(program, options, std::move(set_up_memory(wishes)->timing), images);
        EXPECT_EQ(again.latency, done.latency);
        EXPECT_EQ(again.accounts, done.accounts);
        EXPECT_EQ(again.by_instruction, done.by_instruction);
        EXPECT_EQ(again.memory, done.memory);
        options.timing = TimingMode::kOverlap;
        const Emulation overlap = run(program, options, std::move(set_up_memory(wishes)->timing), images);
        EXPECT_TRUE(same_contents(overlap.core->state(), alone.core->state()));
        EXPECT_TRUE(accounts_close(overlap.accounts));
      }
    }
  }
}

}  // namespace
}  // namespace accelscope::emulator
