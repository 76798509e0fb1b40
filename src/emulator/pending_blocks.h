// Products of blocks of 4 x 4, and where they are to be written, that a core has looked at but not carried
// out yet.
//
// Each addition of a sum waits for the one before it, and a block of 4 x 4 has too few sums to hide that. But
// programs go through the blocks of a tile one after the other, with the same rows: such neighbours are one
// wider block, whose sums are calculated beside each other, each in the same order as before. So a few blocks
// wait here. The first may continue what an accumulator holds; only the last may still be open. Plain data of
// one core; what it points to must stay as it is until all was multiplied.
//
//   pending.add({a, b});
//   pending.close({row, step, column});
//   pending.multiply(kernels, shape, accumulator);
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/kernels.h"

namespace accelscope::emulator {

class PendingBlocks {
 public:
  static constexpr std::size_t kSide = 4;

  struct Factors {
    const float* a = nullptr;
    const float* b = nullptr;
  };
  struct Target {
    std::uint64_t row = 0;
    std::uint64_t step = 1;  // of rows
    std::uint64_t column = 0;
  };

  bool empty() const { return count_ == 0; }
  bool is_open() const { return open_; }
  // Whether another product of the open block, or of a new one, has a place.
  bool has_room() const { return open_ ? lengths_[count_ - 1] < kLongest : count_ < kTogether; }
  // Whether rows of vectors may still be written; a little more often than they are.
  bool may_write(std::uint64_t row, std::uint64_t count) const {
    return row <= last_row_ && first_row_ < row + count;
  }

  void add(Factors factors) {
    if (!open_) lengths_[count_++] = 0;
    open_ = true;
    factors_[count_ - 1][lengths_[count_ - 1]++] = factors;
  }
  void close(const Target& target) {
    targets_[count_ - 1] = target;
    open_ = false;
    first_row_ = std::min(first_row_, target.row);
    last_row_ = std::max(last_row_, target.row + (kSide - 1) * target.step);
  }

  // All of them, of a shape that is given but for its operands. The first goes on from the accumulator, where
  // the sums of the open one are then, or zeros.
  void multiply(const Kernels& kernels, const Product& shape, float* accumulator);
  // Then: all sums, to be rounded, and each closed block's target with its first row of them.
  float* sums() { return sums_.data(); }
  std::size_t sum_count() const { return sums_.size(); }
  template <class Visit>
  void for_closed(const Visit& visit) const {
    for (std::size_t i = 0; i < closed(); ++i) visit(targets_[i], sums_.data() + i * kSide);
  }
  void clear();

  static constexpr std::size_t kTogether = 8;
  static constexpr std::size_t kRow = kTogether * kSide;  // of sums: all blocks beside each other

 private:
  static constexpr std::size_t kLongest = 32;

  std::size_t closed() const { return open_ ? count_ - 1 : count_; }
  std::size_t neighbours() const;
  void multiply_together(std::size_t count, const Kernels& kernels, const Product& shape, float* accumulator);
  void multiply_one(std::size_t i, const Kernels& kernels, const Product& shape, float* block);

  std::size_t count_ = 0;
  bool open_ = false;
  std::uint64_t first_row_ = ~std::uint64_t{0};
  std::uint64_t last_row_ = 0;
  std::array<std::size_t, kTogether> lengths_{};
  std::array<std::array<Factors, kLongest>, kTogether> factors_{};
  std::array<Target, kTogether> targets_{};
  alignas(64) std::array<float, kSide * kRow> sums_{};
};

}  // namespace accelscope::emulator
