#include "emulator/pending_blocks.h"

namespace accelscope::emulator {

// How many, from the first on, are columns of the same products.
std::size_t PendingBlocks::neighbours() const {
  const auto& first = factors_[0];
  for (std::size_t i = 1; i < count_; ++i) {
    if (lengths_[i] != lengths_[0]) return i;
    for (std::size_t step = 0; step < lengths_[0]; ++step)
      if (factors_[i][step].a != first[step].a || factors_[i][step].b != first[step].b + i * kSide) return i;
  }
  return count_;
}

void PendingBlocks::multiply(const Kernels& kernels, const Product& shape, float* accumulator) {
  const std::size_t together = neighbours();
  if (together > 1) multiply_together(together, kernels, shape, accumulator);
  for (std::size_t i = together > 1 ? together : 0; i < count_; ++i)
    multiply_one(i, kernels, shape, accumulator);
}

// The first ones, as one block.
void PendingBlocks::multiply_together(std::size_t count, const Kernels& kernels, const Product& shape,
                                      float* accumulator) {
  sums_.fill(0);
  for (std::size_t row = 0; row < kSide; ++row)
    std::copy_n(accumulator + row * kSide, kSide, sums_.data() + row * kRow);
  Product product = shape;
  product.columns = count * kSide;
  product.c = sums_.data();
  product.c_row_step = kRow;
  for (std::size_t step = 0; step < lengths_[0]; ++step) {
    product.a = factors_[0][step].a;
    product.b = factors_[0][step].b;
    kernels.multiply(product);
  }
  std::fill_n(accumulator, kSide * kSide, 0.0F);
  if (count == closed() + 1)
    for (std::size_t row = 0; row < kSide; ++row)
      std::copy_n(sums_.data() + row * kRow + (count - 1) * kSide, kSide, accumulator + row * kSide);
}

// From the sums in `block`, where they stay if it is open.
void PendingBlocks::multiply_one(std::size_t i, const Kernels& kernels, const Product& shape, float* block) {
  Product product = shape;
  product.c = block;
  for (std::size_t step = 0; step < lengths_[i]; ++step) {
    product.a = factors_[i][step].a;
    product.b = factors_[i][step].b;
    kernels.multiply(product);
  }
  if (i >= closed()) return;
  for (std::size_t row = 0; row < kSide; ++row)
    std::copy_n(block + row * kSide, kSide, sums_.data() + row * kRow + i * kSide);
  std::fill_n(block, kSide * kSide, 0.0F);
}

void PendingBlocks::clear() {
  count_ = 0;
  open_ = false;
  first_row_ = ~std::uint64_t{0};
  last_row_ = 0;
}

}  // namespace accelscope::emulator
