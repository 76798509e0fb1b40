// Products of blocks that are put off give the same bits as those that are carried out at once.
#include "emulator/pending_blocks.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "base/splitmix.h"
#include "emulator/core_fixture.h"
#include "emulator/every_processor.h"

namespace accelscope::emulator {
namespace {

constexpr std::uint64_t kSide = 64;
constexpr std::uint64_t kRows = 64;
constexpr std::uint64_t kTiles = 4;

isa::Machine machine_of_blocks() {
  isa::Machine machine = small_machine();
  machine.mlen = machine.vlen = machine.matrix_prefetch_rows = kSide;
  machine.hlen = 16;
  machine.broadcast = 4;
  machine.vector_rows = kRows;
  machine.matrix_tiles = kTiles;
  return machine;
}

// Two cores that get the same instructions; one of them may put them off.
class TwoCores {
 public:
  TwoCores(Rules rules, std::uint64_t seed)
      : at_once_(rules, machine_of_blocks()), soon_(rules, machine_of_blocks()), seed_(seed) {
    for (std::uint64_t tile = 0; tile < kTiles; ++tile) {
      std::vector<float> values(kSide * kSide);
      for (float& value : values) value = number();
      at_once_.set_tile(tile, values);
      soon_.set_tile(tile, values);
    }
    new_rows();
  }

  std::uint64_t below(std::uint64_t bound) { return word() % bound; }

  void run(std::string_view line, std::uint64_t gp1, std::uint64_t gp2) {
    for (TestCore* core : {&at_once_, &soon_}) {
      core->registers().gp[1] = static_cast<std::uint32_t>(gp1);
      core->registers().gp[2] = static_cast<std::uint32_t>(gp2);
    }
    const isa::Assembly assembly = isa::assemble("test", line, isa::Dialect::kStrict);
    const Operation operation = decode(assembly.words.front(), soon_.machine(), CostTable::kReference);
    const Fault expected = at_once_.core().carry_out(operation);
    const Fault fault = soon_.core().carry_out_soon(operation);
    ASSERT_EQ(fault.found(), expected.found()) << line;
    carried_out += fault.found() ? 0 : 1;
    if (fault.found()) {
      ASSERT_EQ(fault.text(), expected.text());
    }
  }

  void expect_same() {
    soon_.core().settle();
    for (std::uint64_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(bits(soon_.row(row)), bits(at_once_.row(row))) << row;
      ASSERT_EQ(soon_.state().vectors.written.rows[row], at_once_.state().vectors.written.rows[row]) << row;
    }
    const Accumulator& block = soon_.state().accumulators.block;
    const Accumulator& expected = at_once_.state().accumulators.block;
    ASSERT_EQ(block.filled, expected.filled);
    for (std::size_t i = 0; i < 16; ++i)
      ASSERT_EQ(std::bit_cast<std::uint32_t>(block.sums[i]), std::bit_cast<std::uint32_t>(expected.sums[i]));
  }

  // So that sums stay finite; some of them unwritten.
  void new_rows() {
    for (std::uint64_t row = 0; row < kRows; ++row) {
      std::vector<float> values(kSide);
      for (float& value : values) value = number();
      const bool written = below(16) != 0;
      for (TestCore* core : {&at_once_, &soon_}) {
        core->set_row(row, values);
        if (!written) core->state().vectors.written.rows[row] = 0;
      }
    }
  }

  std::uint64_t carried_out = 0;

 private:
  static std::vector<std::uint32_t> bits(const std::vector<float>& row) {
    std::vector<std::uint32_t> result;
    for (const float value : row) result.push_back(std::bit_cast<std::uint32_t>(value));
    return result;
  }
  std::uint64_t word() { return base::splitmix(seed_ += base::kSplitmixStep); }
  float number() {
    const auto fraction = static_cast<float>(base::fraction_of(word()) - 0.5);
    return std::ldexp(fraction, static_cast<int>(below(9)));
  }

  TestCore at_once_;
  TestCore soon_;
  std::uint64_t seed_;
};

// As programs do it: block after block of the same rows, each the sum over a few tiles; now and then
// something else comes between.
void run_sweep(TwoCores& cores) {
  const std::uint64_t row = cores.below(12) * 4;
  const std::uint64_t to = cores.below(4) == 0 ? row : 48 + cores.below(13);
  const std::uint64_t tiles = 1 + cores.below(3);
  const std::uint64_t blocks = 1 + cores.below(16);
  const bool turned = cores.below(4) == 0;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    for (std::uint64_t tile = 0; tile < tiles; ++tile)
      cores.run(turned ? "M_TMM 0, gp2, gp1" : "M_MM 0, gp1, gp2", (tile * kSide + block * 4) * kSide,
                row * kSide);
    switch (cores.below(24)) {
      case 0:
        cores.run("V_ADD_VV gp1, gp2, gp2", 60 * kSide, row * kSide);
        break;
      case 1:
        cores.run("M_MM 0, gp1, gp2", cores.below(16) * 4 * kSide, cores.below(60) * kSide);
        break;
      case 2:
        cores.run("M_MM_WO gp1, gp2, 0", 20 * kSide, 1 + cores.below(14));
        break;
      case 3:
        cores.run("M_MM 0, gp1, gp2", 3, row * kSide);
        break;
      case 4:
        continue;
      default:
        break;
    }
    cores.run("M_MM_WO gp1, gp0, 0", to * kSide + block * 4, 0);
  }
}

TEST(PendingBlocks, GiveTheSameBits) {
  for_every_processor([&](std::string_view name) {
    SCOPED_TRACE(name);
    for (const Rules rules : kBothRules) {
      TwoCores cores(rules, 17);
      for (int round = 0; round < 300 && !testing::Test::HasFatalFailure(); ++round) {
        run_sweep(cores);
        if (cores.below(2) == 0) cores.expect_same();
        if (cores.below(2) == 0) {
          cores.expect_same();
          cores.new_rows();
        }
      }
      EXPECT_GT(cores.carried_out, 2000U);
    }
  });
}

TEST(PendingBlocks, LongSumsAreCarriedOutInBetween) {
  TwoCores cores(Rules::kCompat, 5);
  for (std::uint64_t i = 0; i < 200; ++i)
    cores.run("M_MM 0, gp1, gp2", cores.below(16) * 4 * kSide, cores.below(60) * kSide);
  cores.expect_same();
  cores.run("M_MM_WO gp1, gp0, 0", 0, 0);
  cores.expect_same();
}

}  // namespace
}  // namespace accelscope::emulator
