#include <gtest/gtest.h>

#include <cmath>

#include "base/splitmix.h"
#include "emulator/core_fixture.h"

namespace accelscope::emulator {
namespace {

using Row = std::vector<float>;
using ByteVector = std::vector<std::uint8_t>;

constexpr std::uint8_t kOne = 0x38;  // E4M3
constexpr std::uint8_t kUnit = 127;  // E8M0
constexpr std::uint32_t kScales = 4096;

void put(TestCore& core, std::uint64_t address, const ByteVector& bytes) {
  ASSERT_TRUE(core.state().external.write(address, std::as_bytes(std::span(bytes))));
}

ByteVector bytes_at(TestCore& core, std::uint64_t address, std::size_t size) {
  ByteVector made(size);
  EXPECT_TRUE(core.state().external.read(address, std::as_writable_bytes(std::span(made))));
  return made;
}

// Elements 1, 2, 3, ... of 2^k for k from 0 on would not be told apart by their scales: elements are of one
// kind, scales differ.
TestCore with_tensor(Rules rules) {
  TestCore core(rules);
  put(core, 1024, ByteVector(512, kOne));
  ByteVector scales;
  for (std::uint8_t i = 0; i < 64; ++i) scales.push_back(static_cast<std::uint8_t>(kUnit + i % 16));
  put(core, 1024 + kScales, scales);
  core.registers().a[2] = 1024;
  core.registers().scale = kScales;
  core.registers().stride = 24;
  core.registers().gp[1] = 8;
  core.registers().gp[2] = 16;
  return core;
}

TEST(CoreTransfer, PrefetchesRowsWithTheirScales) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_tensor(rules);
    EXPECT_EQ(core.run("H_PREFETCH_V gp1, gp2, a2, 1, 0"), "");
    EXPECT_EQ(core.row(1), Row(8, 4)) << "block 2: 16 bytes of elements before it";
    EXPECT_EQ(core.row(2), Row(8, 32)) << "24 bytes on is block 5";
    EXPECT_EQ(core.row(3), Row(8)) << "two rows, not more";
    EXPECT_EQ(core.run("H_PREFETCH_V gp1, gp2, a2, 0, 0"), "");
    EXPECT_EQ(core.row(2), Row(8, 8)) << "without stride the next block";
    EXPECT_EQ(core.run("H_PREFETCH_M gp0, gp0, a2, 1, 0"), "");
    for (std::uint64_t i = 0; i < 8; ++i)
      EXPECT_EQ(core.state().matrices.tile(0)[8 * i], std::exp2(static_cast<float>(3 * i % 16)));
  }
}

TEST(CoreTransfer, TakesTheFormatOfItsPrecision) {
  for (const Rules rules : kBothRules) {
    isa::Machine machine = small_machine();
    machine.formats.vector_kv = {boards::ElementType::integer(8)};
    TestCore core(rules, machine);
    put(core, 0, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    EXPECT_EQ(core.run("H_PREFETCH_V gp0, gp0, a0, 0, 1"), "");
    EXPECT_EQ(core.row(0), (Row{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(core.row(1)[0], 9.0F);
  }
}

TEST(CoreTransfer, RoundsVectorsAndLeavesMatricesAlone) {
  isa::Machine machine = small_machine();
  machine.formats.vector_activations =
      machine.formats.matrix_weights = {boards::ElementType::floating(true, 8, 23)};
  TestCore core(Rules::kCompat, machine);
  const Row values(16, 1 + 0x1p-12F);
  ASSERT_TRUE(core.state().external.write(0, std::as_bytes(std::span(values))));
  core.registers().stride = 32;
  EXPECT_EQ(core.run("H_PREFETCH_V gp0, gp0, a0, 1, 0"), "");
  EXPECT_EQ(core.row(0)[0], 1.0F);
  EXPECT_EQ(core.run("H_PREFETCH_M gp0, gp0, a0, 1, 0"), "");
  EXPECT_EQ(core.state().matrices.tile(0)[0], 1 + 0x1p-12F);
}

TEST(CoreTransfer, StoresAndReadsBack) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.set_row(3, {.1F, -.2F, .3F, -.4F, .5F, -.6F, .7F, -.8F});
    core.set_row(4, {});
    core.registers().gp[1] = 24;
    core.registers().gp[2] = 40;
    core.registers().gp[3] = 64;
    core.registers().scale = kScales;
    put(core, 32, ByteVector(32, 0xEE));
    put(core, kScales, ByteVector(16, 0xEE));
    EXPECT_EQ(core.run("H_STORE_V gp1, gp2, a0, 0, 0"), "");
    EXPECT_EQ(bytes_at(core, 40, 16),
              (ByteVector{0x25, 0xAD, 0x32, 0xB5, 0x38, 0xBA, 0x3B, 0xBD, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(bytes_at(core, kScales + 4, 4), (ByteVector{0xEE, 126, 0, 0xEE})) << "neighbours stay";
    EXPECT_EQ(bytes_at(core, 39, 1), ByteVector{0xEE});
    EXPECT_EQ(bytes_at(core, 56, 1), ByteVector{0xEE});
    EXPECT_EQ(core.run("H_PREFETCH_V gp3, gp2, a0, 0, 0"), "");
    EXPECT_EQ(core.row(8), (Row{.1015625F, -.203125F, .3125F, -.40625F, .5F, -.625F, .6875F, -.8125F}));
  }
}

TEST(CoreTransfer, FillsSeveralTiles) {
  isa::Machine machine = small_machine();
  machine.matrix_prefetch_rows = 16;
  TestCore core(Rules::kStrict, machine);
  put(core, 0, ByteVector(128, kOne));
  put(core, kScales, ByteVector(16, kUnit));
  core.registers().scale = kScales;
  core.registers().gp[1] = 64;
  core.registers().gp[2] = 192;
  EXPECT_EQ(core.run("H_PREFETCH_M gp1, gp0, a0, 0, 0"), "");
  EXPECT_EQ(core.state().matrices.tile(1)[0], 1.0F);
  EXPECT_EQ(core.state().matrices.tile(2)[63], 1.0F);
  EXPECT_FALSE(core.state().matrices.written[0]);
  EXPECT_TRUE(core.state().matrices.written[2]);
  EXPECT_EQ(core.run("H_PREFETCH_M gp2, gp0, a0, 0, 0"),
            "2 tiles from matrix address 192 in gp2 on reach behind the end of the matrix memory (4 tiles of "
            "8 x 8)");
}

TEST(CoreTransfer, StopsAtPlacesOnTheChipThatItCannotTake) {
  for (const Rules rules : kBothRules) {
    TestCore core = with_tensor(rules);
    core.registers().gp[3] = 4;
    core.registers().gp[4] = 256;
    EXPECT_EQ(core.run("H_PREFETCH_V gp3, gp0, a2, 0, 0"),
              "vector address 4 in gp3 is not a multiple of VLEN (8)");
    EXPECT_EQ(core.run("H_STORE_V gp3, gp0, a2, 0, 0"),
              "vector address 4 in gp3 is not a multiple of VLEN (8)");
    EXPECT_EQ(core.run("H_PREFETCH_M gp3, gp0, a2, 0, 0"),
              "matrix address 4 in gp3 is not the beginning of a tile (8 x 8 elements)");
    EXPECT_EQ(
        core.run("H_PREFETCH_M gp4, gp0, a2, 0, 0"),
        "1 tiles from matrix address 256 in gp4 on reach behind the end of the matrix memory (4 tiles of 8 x "
        "8)");
  }
}

TEST(CoreTransfer, NeverWritesBehindTheEnd) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.set_row(0, Row(8, 1));
    core.set_row(1, Row(8, 1));
    core.registers().a[1] = 65'536 - 8;
    EXPECT_EQ(
        core.run("H_STORE_V gp0, gp0, a1, 0, 0"),
        "the elements of row 1, 8 bytes at address 0x10000, lie behind the end of external memory (65536 "
        "bytes)");
    EXPECT_EQ(bytes_at(core, 65'528, 8), ByteVector(8)) << "nothing of it was written";
    core.registers().a[1] = 0;
    core.registers().scale = 65'535;
    EXPECT_EQ(core.run("H_STORE_V gp0, gp0, a1, 0, 0"),
              "the scales of row 1, 1 bytes at address 0x10000, lie behind the end of external memory (65536 "
              "bytes)");
    core.registers().a[1] = ~std::uint64_t{0};
    EXPECT_NE(core.run("H_STORE_V gp0, gp0, a1, 0, 0"), "");
  }
}

TEST(CoreTransfer, ReadsZerosBehindTheEndUnlessStrict) {
  TestCore compat(Rules::kCompat);
  put(compat, 65'532, ByteVector(4, kOne));
  put(compat, 0, {kUnit, kUnit});
  compat.registers().a[1] = 65'532;
  compat.registers().scale = static_cast<std::uint32_t>(-65'532);
  compat.registers().gp[1] = 0;
  // The scales are at 2^32, behind the end as well.
  EXPECT_EQ(compat.run("H_PREFETCH_V gp0, gp0, a1, 0, 0"), "");
  EXPECT_EQ(compat.row(0), Row(8));
  isa::Machine machine = small_machine();
  machine.formats.vector_activations = {boards::ElementType::integer(8)};
  TestCore plain(Rules::kCompat, machine);
  put(plain, 65'532, {1, 2, 3, 4});
  plain.registers().a[1] = 65'532;
  EXPECT_EQ(plain.run("H_PREFETCH_V gp0, gp0, a1, 0, 0"), "");
  EXPECT_EQ(plain.row(0), (Row{1, 2, 3, 4, 0, 0, 0, 0}));
  EXPECT_EQ(plain.row(1), Row(8));

  TestCore strict(Rules::kStrict, machine);
  strict.registers().a[1] = 65'528;
  EXPECT_EQ(strict.run("H_PREFETCH_V gp0, gp0, a1, 0, 0"),
            "the elements of row 1, 8 bytes at address 0x10000, lie behind the end of external memory (65536 "
            "bytes)");
}

TEST(CoreTransfer, StopsSilentlyAtTheEndOfTheVectorMemoryUnlessStrict) {
  TestCore compat = with_tensor(Rules::kCompat);
  compat.registers().gp[3] = 63 * 8;
  compat.registers().gp[4] = 64 * 8;
  EXPECT_EQ(compat.run("H_PREFETCH_V gp3, gp0, a2, 0, 0"), "");
  EXPECT_EQ(compat.row(63), Row(8, 1));
  EXPECT_EQ(compat.run("H_PREFETCH_V gp4, gp0, a2, 0, 0"), "");
  EXPECT_EQ(compat.run("H_STORE_V gp3, gp0, a2, 0, 0"), "");

  TestCore strict = with_tensor(Rules::kStrict);
  strict.registers().gp[3] = 63 * 8;
  EXPECT_EQ(
      strict.run("H_PREFETCH_V gp3, gp0, a2, 0, 0"),
      "2 rows from vector address 504 in gp3 on reach behind the end of the vector memory (64 rows of 8)");
}

TEST(CoreTransfer, ReadsCutOffScalesAsZeroUnlessStrict) {
  isa::Machine machine = small_machine();
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = 16;
  machine.blen = machine.hlen = 4;
  machine.broadcast = 4;
  for (const Rules rules : kBothRules) {
    TestCore core(rules, machine);
    put(core, 0, ByteVector(512, kOne));
    put(core, 4096, ByteVector(256, kUnit));
    core.registers().scale = 4096 + 63;
    const std::string fault = core.run("H_PREFETCH_V gp0, gp0, a0, 0, 0");
    if (rules == Rules::kStrict) {
      EXPECT_EQ(
          fault,
          "the 2 bytes of scales of row 0, at address 0x103f, cross a block of 64 bytes: those behind it are "
          "never read");
      continue;
    }
    EXPECT_EQ(fault, "");
    EXPECT_EQ(core.row(0), (Row{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(core.row(1), Row(16, 1)) << "its scales lie in one block";
  }
}

}  // namespace
}  // namespace accelscope::emulator
