// Products and write-outs: small ones by hand, and all shapes against plain loops, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/half_float.h"
#include "base/splitmix.h"
#include "emulator/core_fixture.h"

namespace accelscope::emulator {
namespace {

using Row = std::vector<float>;

float bf16(float value) {
  return base::float_of_bfloat16(base::bfloat16_bits(value));
}

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}

  std::uint64_t word() { return base::splitmix(state_ += base::kSplitmixStep); }
  std::uint64_t below(std::uint64_t bound) { return word() % bound; }
  // Of many sizes, so that the order of a sum shows.
  float value() {
    const std::uint64_t drawn = word();
    const float fraction = 1 + static_cast<float>(base::fraction_of(drawn));
    return std::ldexp((drawn & 1U) != 0 ? fraction : -fraction, static_cast<int>((drawn >> 1U) % 13) - 6);
  }
  Row row(std::uint64_t length) {
    Row made(length);
    for (float& one : made) one = bf16(value());
    return made;
  }
  // Of the matrix memory, which does not round.
  Row tile(std::uint64_t side) {
    Row made(side * side);
    for (float& one : made) one = value();
    return made;
  }

 private:
  std::uint64_t state_;
};

// The state of the test's own machine: rows, tiles and accumulators as plain arrays.
struct Plain {
  std::vector<Row> rows;
  std::vector<Row> tiles;
  std::vector<Row> block;
  Row line;
  std::vector<std::vector<Row>> heads;
  std::vector<Row> head_row;
};

isa::Machine matrix_machine(std::uint64_t mlen, std::uint64_t blen, std::uint64_t hlen) {
  isa::Machine machine = small_machine();
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = mlen;
  machine.blen = blen;
  machine.hlen = hlen;
  machine.broadcast = mlen / hlen;
  machine.vector_rows = 4 * mlen + machine.broadcast * mlen;
  machine.matrix_tiles = 3;
  return machine;
}

class MatrixAgainstLoops {
 public:
  MatrixAgainstLoops(const isa::Machine& machine, Rules rules, std::uint64_t seed)
      : core_(rules, machine), numbers_(seed), mlen_(machine.mlen), blen_(machine.blen), hlen_(machine.hlen) {
    for (std::uint64_t i = 0; i < machine.vector_rows; ++i) {
      plain_.rows.push_back(numbers_.row(mlen_));
      core_.set_row(i, plain_.rows.back());
    }
    for (std::uint64_t i = 0; i < machine.matrix_tiles; ++i) {
      plain_.tiles.push_back(numbers_.tile(mlen_));
      core_.set_tile(i, plain_.tiles.back());
    }
    plain_.block.assign(blen_, Row(blen_));
    plain_.line.assign(blen_, 0);
    plain_.heads.assign(machine.broadcast, std::vector<Row>(mlen_, Row(mlen_)));
    plain_.head_row.assign(machine.broadcast, Row(mlen_));
  }

  void block_product(bool turned) {
    const std::uint64_t t = numbers_.below(3);
    const std::uint64_t column = numbers_.below(mlen_ / blen_) * blen_;
    const std::uint64_t row = numbers_.below(2 * mlen_);
    for (std::uint64_t i = 0; i < blen_; ++i)
      for (std::uint64_t j = 0; j < blen_; ++j)
        for (std::uint64_t k = 0; k < mlen_; ++k) {
          const float product = plain_.rows[row + i][k] * element(t, turned, k, column + j);
          plain_.block[i][j] = plain_.block[i][j] + product;
        }
    set(1, t * mlen_ * mlen_ + column * mlen_);
    set(2, row * mlen_);
    EXPECT_EQ(core_.run(turned ? "M_TMM 0, gp2, gp1" : "M_MM 0, gp1, gp2"), "");
  }

  void write_block() {
    const std::uint64_t column = numbers_.below(mlen_ / blen_) * blen_;
    const std::uint64_t row = numbers_.below(mlen_);
    const std::uint64_t step = 1 + numbers_.below(3);
    for (std::uint64_t i = 0; i < blen_; ++i)
      for (std::uint64_t j = 0; j < blen_; ++j)
        plain_.rows[row + i * step][column + j] = bf16(plain_.block[i][j]);
    plain_.block.assign(blen_, Row(blen_));
    set(3, row * mlen_);
    set(4, step);
    EXPECT_EQ(core_.run("M_MM_WO gp3, gp4, " + std::to_string(column)), "");
  }

  void row_product(bool turned) {
    const std::uint64_t t = numbers_.below(3);
    const std::uint64_t column = turned ? 0 : numbers_.below(mlen_ / blen_) * blen_;
    const std::uint64_t row = numbers_.below(3 * mlen_);
    for (std::uint64_t j = 0; j < blen_; ++j)
      for (std::uint64_t k = 0; k < mlen_; ++k) {
        const float product = plain_.rows[row][k] * element(t, turned, k, column + j);
        plain_.line[j] = plain_.line[j] + product;
      }
    set(1, t * mlen_ * mlen_ + column);
    set(2, row * mlen_);
    EXPECT_EQ(core_.run(turned ? "M_TMV 0, gp1, gp2" : "M_MV 0, gp1, gp2"), "");
  }

  void write_line() {
    const std::uint64_t column = numbers_.below(mlen_ / blen_) * blen_;
    const std::uint64_t row = numbers_.below(3 * mlen_);
    for (std::uint64_t j = 0; j < blen_; ++j) plain_.rows[row][column + j] = bf16(plain_.line[j]);
    plain_.line.assign(blen_, 0);
    set(3, row * mlen_);
    EXPECT_EQ(core_.run("M_MV_WO gp3, " + std::to_string(column)), "");
  }

  void heads_product(bool turned) {
    const std::uint64_t t = numbers_.below(3);
    const std::uint64_t head = numbers_.below(mlen_ / hlen_) * hlen_;
    const std::uint64_t row = numbers_.below(2 * mlen_);
    const std::uint64_t heads = plain_.heads.size();
    for (std::uint64_t b = 0; b < heads; ++b)
      for (std::uint64_t i = 0; i < mlen_; ++i)
        for (std::uint64_t j = 0; j < mlen_; ++j)
          for (std::uint64_t k = 0; k < hlen_; ++k) {
            // Heads count fastest in a row for the one, slowest for the other.
            const float a = plain_.rows[row + i][turned ? b * hlen_ + k : k * heads + b];
            const float product = 0.25F * a * element(t, turned, head + k, j);
            plain_.heads[b][i][j] = plain_.heads[b][i][j] + product;
          }
    set(1, t * mlen_ * mlen_ + head);
    set(2, row * mlen_);
    EXPECT_EQ(core_.run(turned ? "M_BTMM 0, gp1, gp2" : "M_BMM 0, gp1, gp2"), "");
  }

  void write_heads() {
    const std::uint64_t row = numbers_.below(mlen_);
    for (std::uint64_t b = 0; b < plain_.heads.size(); ++b)
      for (std::uint64_t i = 0; i < mlen_; ++i)
        for (std::uint64_t j = 0; j < mlen_; ++j)
          plain_.rows[row + b * mlen_ + i][j] = bf16(plain_.heads[b][i][j]);
    plain_.heads.assign(plain_.heads.size(), std::vector<Row>(mlen_, Row(mlen_)));
    set(3, row * mlen_);
    EXPECT_EQ(core_.run("M_BMM_WO gp3, 0"), "");
  }

  void head_row_product() {
    const std::uint64_t t = numbers_.below(3);
    const std::uint64_t head = numbers_.below(mlen_ / hlen_) * hlen_;
    const std::uint64_t row = numbers_.below(2 * mlen_);
    for (std::uint64_t b = 0; b < plain_.head_row.size(); ++b)
      for (std::uint64_t j = 0; j < mlen_; ++j)
        for (std::uint64_t k = 0; k < hlen_; ++k) {
          const float product = 0.25F * plain_.rows[row][b * hlen_ + k] * element(t, true, head + k, j);
          plain_.head_row[b][j] = plain_.head_row[b][j] + product;
        }
    // The address is the sum of two registers.
    set(1, t * mlen_ * mlen_);
    set(2, row * mlen_);
    set(5, head);
    EXPECT_EQ(core_.run("M_BTMV gp5, gp1, gp2"), "");
  }

  void write_head_row() {
    const std::uint64_t row = numbers_.below(mlen_);
    for (std::uint64_t b = 0; b < plain_.head_row.size(); ++b)
      for (std::uint64_t j = 0; j < mlen_; ++j) plain_.rows[row + b][j] = bf16(plain_.head_row[b][j]);
    plain_.head_row.assign(plain_.head_row.size(), Row(mlen_));
    set(3, row * mlen_);
    EXPECT_EQ(core_.run("M_BMV_WO gp3, 0"), "");
  }

  // Another tile in the place of one: what was kept of it turned is of no use.
  void replace_tile() {
    const std::uint64_t t = numbers_.below(3);
    plain_.tiles[t] = numbers_.tile(mlen_);
    core_.set_tile(t, plain_.tiles[t]);
  }

  void expect_same_rows() {
    for (std::uint64_t i = 0; i < plain_.rows.size(); ++i)
      for (std::uint64_t j = 0; j < mlen_; ++j)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(plain_.rows[i][j]),
                  std::bit_cast<std::uint32_t>(core_.state().vectors.row(i)[j]))
            << i << ' ' << j;
  }

 private:
  void set(std::size_t gp, std::uint64_t value) {
    core_.registers().gp[gp] = static_cast<std::uint32_t>(value);
  }
  float element(std::uint64_t tile, bool turned, std::uint64_t row, std::uint64_t column) const {
    return plain_.tiles[tile][turned ? column * mlen_ + row : row * mlen_ + column];
  }

  TestCore core_;
  Numbers numbers_;
  Plain plain_;
  std::uint64_t mlen_;
  std::uint64_t blen_;
  std::uint64_t hlen_;
};

TEST(CoreMatrix, EqualsPlainLoopsInAllShapes) {
  std::uint64_t seed = 1;
  for (const std::uint64_t mlen : {16U, 32U, 64U})
    for (const std::uint64_t blen : {4U, 8U, 16U})
      for (const Rules rules : kBothRules) {
        MatrixAgainstLoops both(matrix_machine(mlen, blen, mlen / 4), rules, seed++);
        for (int round = 0; round < 6; ++round) {
          both.block_product(false);
          both.block_product(true);
          both.block_product(round % 2 == 0);
          both.write_block();
          both.row_product(false);
          both.row_product(true);
          both.write_line();
          both.head_row_product();
          both.write_head_row();
          both.replace_tile();
        }
        both.heads_product(false);
        both.heads_product(true);
        both.write_heads();
        both.expect_same_rows();
      }
}

TEST(CoreMatrix, EqualsPlainLoopsInOddShapes) {
  std::uint64_t seed = 100;
  for (const std::uint64_t mlen : {3U, 6U, 12U, 15U, 36U})
    for (const std::uint64_t blen : {1U, 3U}) {
      MatrixAgainstLoops both(matrix_machine(mlen, blen, 3), Rules::kStrict, seed++);
      for (int round = 0; round < 4; ++round) {
        both.block_product(false);
        both.block_product(true);
        both.write_block();
        both.row_product(true);
        both.write_line();
        both.heads_product(round % 2 == 0);
        both.write_heads();
        both.replace_tile();
      }
      both.expect_same_rows();
    }
}

// A tile whose element (i, j) is 10 i + j.
Row counted_tile() {
  Row made;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) made.push_back(static_cast<float>(10 * i + j));
  return made;
}

TEST(CoreMatrix, SelectsColumnsByRowsOfTheTile) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.set_tile(1, counted_tile());
    for (std::uint64_t i = 0; i < 4; ++i) {
      Row unit(8);
      unit[i + 2] = 1;
      core.set_row(i, unit);
    }
    for (std::uint64_t i = 8; i < 20; ++i) core.set_row(i, Row(8, -1));
    core.registers().gp[1] = 64 + 4 * 8;
    core.registers().gp[3] = 8 * 8;
    EXPECT_EQ(core.run("M_MM 0, gp1, gp0"), "");
    EXPECT_EQ(core.run("M_MM 0, gp1, gp0"), "") << "sums go on until they are written out";
    EXPECT_EQ(core.run("M_MM_WO gp3, gp0, 4"), "");
    EXPECT_EQ(core.row(8), (Row{-1, -1, -1, -1, 48, 50, 52, 54}));
    EXPECT_EQ(core.row(11), (Row{-1, -1, -1, -1, 108, 110, 112, 114}));
    EXPECT_EQ(core.row(12), Row(8, -1));
    EXPECT_EQ(core.run("M_TMM 0, gp0, gp1"), "");
    core.registers().gp[4] = 2;
    EXPECT_EQ(core.run("M_MM_WO gp3, gp4, 0"), "");
    EXPECT_EQ(core.row(8), (Row{42, 52, 62, 72, 48, 50, 52, 54})) << "column 2 of rows 4 to 7";
    EXPECT_EQ(core.row(10), (Row{43, 53, 63, 73, 88, 90, 92, 94}));
    EXPECT_EQ(core.row(14), (Row{45, 55, 65, 75, -1, -1, -1, -1}));
  }
}

TEST(CoreMatrix, StopsAtAddressesThatItCannotTake) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    for (std::uint64_t i = 0; i < 4; ++i) core.set_tile(i, counted_tile());
    for (std::uint64_t i = 0; i < 64; ++i) core.set_row(i, {});
    auto& gp = core.registers().gp;
    gp[1] = 4;
    gp[2] = 16;
    gp[3] = 256;
    gp[4] = 61 * 8;
    gp[5] = 8;
    gp[6] = 1;
    EXPECT_EQ(core.run("M_MM 0, gp1, gp0"),
              "matrix address 4 in gp1 lies 4 elements behind its tile's beginning, which is not a multiple "
              "of MLEN "
              "(8)");
    EXPECT_EQ(core.run("M_MM 0, gp2, gp0"),
              "matrix address 16 in gp2 selects column 2, which is not a multiple of BLEN (4)");
    EXPECT_EQ(core.run("M_MM 0, gp3, gp0"),
              "matrix address 256 in gp3 lies behind the end of the matrix memory (4 tiles of 8 x 8)");
    EXPECT_EQ(core.run("M_MM 0, gp0, gp1"), "vector address 4 in gp1 is not a multiple of VLEN (8)");
    EXPECT_EQ(
        core.run("M_MM 0, gp0, gp4"),
        "4 rows from vector address 488 in gp4 on reach behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(
        core.run("M_TMM 0, gp4, gp0"),
        "4 rows from vector address 488 in gp4 on reach behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(core.run("M_MV 0, gp5, gp0"),
              "matrix address 8 in gp5 lies 8 elements behind its tile's beginning; of M_MV that selects the "
              "column "
              "and must be a multiple of BLEN (4) below MLEN (8)");
    EXPECT_EQ(core.run("M_TMV 0, gp1, gp0"),
              "matrix address 4 in gp1 is not the beginning of a tile (8 x 8 elements)");
    EXPECT_EQ(core.run("M_BMM 0, gp6, gp0"),
              "matrix address 1 in gp6 selects head offset 1, which is not a multiple of HLEN (4)");
    EXPECT_EQ(
        core.run("M_BTMM 0, gp5, gp0"),
        "matrix address 8 in gp5 lies 8 elements behind its tile's beginning; of a product by heads that "
        "selects the head and must be below MLEN (8)");
    EXPECT_EQ(core.run("M_BTMV gp6, gp0, gp0"),
              "matrix address 1 (gp0 + gp6) selects head offset 1, which is not a multiple of HLEN (4)");
    EXPECT_EQ(core.run("M_BMV gp0, gp0, gp0"),
              "M_BMV cannot be carried out: the reference stops at it, for the shapes do not match");
    EXPECT_EQ(core.run_word(0x03U | (1U << 6U)), "rd of M_BMM must be 0, not 1");
    EXPECT_EQ(core.run_word(0x04U | (2U << 6U)), "rd of M_BTMM must be 0, not 2");
  }
}

TEST(CoreMatrix, StopsAtWriteOutsThatLeaveTheMemory) {
  for (const Rules rules : kBothRules) {
    TestCore core(rules);
    core.set_tile(0, counted_tile());
    for (std::uint64_t i = 0; i < 64; ++i) core.set_row(i, {});
    for (const std::string_view line :
         {"M_MM 0, gp0, gp0", "M_MV 0, gp0, gp0", "M_BMM 0, gp0, gp0", "M_BTMV gp0, gp0, gp0"})
      EXPECT_EQ(core.run(line), "");
    auto& gp = core.registers().gp;
    gp[1] = 61 * 8;
    gp[2] = 50;
    gp[3] = 64 * 8;
    EXPECT_EQ(core.run("M_MM_WO gp0, gp0, 2"),
              "vector address 2 (gp0 + 2) selects column 2, which is not a multiple of BLEN (4)");
    EXPECT_EQ(core.run("M_MM_WO gp1, gp0, 0"),
              "4 rows from vector address 488 in gp1 on, 1 apart, reach behind the end of the vector memory "
              "(64 rows "
              "of 8)");
    EXPECT_EQ(core.run("M_MM_WO gp0, gp2, 0"),
              "4 rows from vector address 0 in gp0 on, 50 apart, reach behind the end of the vector memory "
              "(64 rows "
              "of 8)");
    EXPECT_EQ(core.run("M_MV_WO gp0, 5"),
              "4 elements from vector address 5 (gp0 + 5) on reach behind the end of their row");
    EXPECT_EQ(core.run("M_MV_WO gp3, 0"),
              "vector address 512 in gp3 lies behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(
        core.run("M_BMM_WO gp1, 0"),
        "16 rows from vector address 488 in gp1 on reach behind the end of the vector memory (64 rows of 8)");
    EXPECT_EQ(core.run("M_BMM_WO gp0, 4"), "vector address 4 (gp0 + 4) is not a multiple of VLEN (8)");
    EXPECT_EQ(core.run("M_BMV_WO gp3, 0"),
              "vector address 512 in gp3 lies behind the end of the vector memory (64 rows of 8)");
    // Nothing was lost by trying.
    EXPECT_EQ(core.run("M_MM_WO gp0, gp0, 0"), "");
    EXPECT_EQ(core.run("M_MV_WO gp0, 4"), "");
    EXPECT_EQ(core.run("M_BMM_WO gp0, 0"), "");
    EXPECT_EQ(core.run("M_BMV_WO gp0, 0"), "");
  }
}

TEST(CoreMatrix, NeedsRowsAsLongAsTiles) {
  isa::Machine machine = small_machine();
  machine.vlen = 16;
  TestCore core(Rules::kCompat, machine);
  EXPECT_EQ(core.run("M_MM 0, gp0, gp0"),
            "rows of VLEN (16) elements cannot be multiplied with tiles of MLEN (8)");
  EXPECT_EQ(core.run("M_MM_WO gp0, gp0, 0"),
            "blocks of tiles of MLEN (8) cannot be written into rows of VLEN (16)");
  EXPECT_EQ(core.run("V_ADD_VV gp0, gp0, gp0"), "");
  machine = small_machine();
  machine.broadcast = 3;
  TestCore heads(Rules::kCompat, machine);
  EXPECT_EQ(heads.run("M_BMM 0, gp0, gp0"),
            "BROADCAST_AMOUNT (3) x HLEN (4) must be MLEN (8) for products by heads");
}

TEST(CoreMatrix, RefusesMachinesThatCannotBe) {
  const auto fails = [](const auto& change) {
    isa::Machine machine = small_machine();
    change(machine);
    return !Core::make(machine, Rules::kStrict);
  };
  EXPECT_FALSE(fails([](isa::Machine&) {}));
  EXPECT_TRUE(fails([](isa::Machine& machine) { machine.hlen = 0; }));
  EXPECT_TRUE(fails([](isa::Machine& machine) { machine.blen = 3; }));
  EXPECT_TRUE(fails([](isa::Machine& machine) { machine.matrix_prefetch_rows = 12; }));
  EXPECT_TRUE(fails([](isa::Machine& machine) { machine.vector_rows = std::uint64_t{1} << 60U; }));
  EXPECT_TRUE(fails([](isa::Machine& machine) { machine.formats.vector_sram = boards::kPlenaMx; }));
  EXPECT_TRUE(fails([](isa::Machine& machine) {
    machine.formats.vector_kv = {boards::ElementType::floating(true, 11, 52)};
  }));
}

}  // namespace
}  // namespace accelscope::emulator
