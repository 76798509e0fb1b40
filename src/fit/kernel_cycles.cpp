#include "fit/kernel_cycles.h"

#include <algorithm>
#include <bit>

namespace accelscope::fit {
namespace {

using base::Checked;
using base::divide_up;

// Of the compiler's linear program X[64,128] @ W[128,256] with MLEN 64 and BLEN 4: 2048 products and 1024
// write-outs among 15954 instructions.
constexpr std::uint64_t kControlOfProduct = 6;

}  // namespace

UnitCycles& UnitCycles::operator+=(const UnitCycles& other) {
  matrix += other.matrix;
  vector += other.vector;
  scalar += other.scalar;
  macs += other.macs;
  return *this;
}

KernelCycles::KernelCycles(const Machine& machine)
    : mlen_(machine.mlen), blen_(machine.blen), vlen_(machine.vlen) {
  const boards::BoardLatency& l = machine.latency;
  if (machine.costs == Costs::kReference) {
    matrix_matrix_ = l.systolic_processing_overhead + mlen_;
    matrix_out_ = 1;
    matrix_vector_ = mlen_;
    vector_out_ = 1;
    control_ = kControlOfProduct * l.scalar_int_basic;
    vector_ = {l.vector_add, l.vector_mul, l.vector_exp, l.vector_reci, l.vector_sum, l.vector_max};
    scalar_ = {l.scalar_fp_basic, l.scalar_fp_exp, l.scalar_fp_reci, l.scalar_fp_sqrt, l.scalar_int_basic};
    return;
  }
  // Measured on the hardware description: element by element a row a cycle, reductions not pipelined; one
  // instruction a cycle is issued while the array works, so that control costs only what it does not hide.
  const auto levels = static_cast<std::uint64_t>(std::bit_width(vlen_));
  matrix_matrix_ = std::max(blen_ + 4, kControlOfProduct + 1);
  matrix_out_ = 2 * blen_ + 13;
  matrix_vector_ = mlen_ + 4;
  vector_out_ = 4;
  control_ = 0;
  vector_ = {1, 1, 1, 1, 5 + 7 * levels, 5 + 2 * levels};
  scalar_ = {10, 20, 10, 6, 1};
}

// Rows of a batch that do not fill a block cost a whole one; row by row may be cheaper.
UnitCycles KernelCycles::product(std::uint64_t rows, std::uint64_t inner, std::uint64_t columns) const {
  const Checked blocks = divide_up(columns, blen_);
  const Checked steps = divide_up(inner, mlen_);
  const Checked of_blocks = Checked(divide_up(rows, blen_)) * blocks;
  const Checked of_rows = Checked(rows) * blocks;
  const Checked by_blocks = of_blocks * (steps * matrix_matrix_ + matrix_out_);
  const Checked by_rows = of_rows * (steps * matrix_vector_ + vector_out_);
  const bool in_blocks = by_blocks.value_or(UINT64_MAX) <= by_rows.value_or(UINT64_MAX);
  UnitCycles cycles;
  cycles.matrix = in_blocks ? by_blocks : by_rows;
  cycles.scalar = (in_blocks ? of_blocks : of_rows) * steps * control_;
  cycles.macs = Checked(rows) * inner * columns;
  return cycles;
}

// Square, sum, root and reciprocal, scale by both.
UnitCycles KernelCycles::rms_norm(std::uint64_t tokens, std::uint64_t elements) const {
  const Checked rows = Checked(tokens) * rows_of(elements);
  UnitCycles cycles;
  cycles.vector = rows * (3 * vector_.multiply + vector_.sum);
  cycles.scalar = Checked(tokens) * (2 * scalar_.basic + scalar_.root + scalar_.reciprocal);
  return cycles;
}

// And the mean, taken off, and a bias.
UnitCycles KernelCycles::layer_norm(std::uint64_t tokens, std::uint64_t elements) const {
  UnitCycles cycles = rms_norm(tokens, elements);
  cycles.vector += Checked(tokens) * rows_of(elements) * (vector_.sum + 2 * vector_.add);
  cycles.scalar += Checked(tokens) * scalar_.basic;
  return cycles;
}

// x cos + shifted(x) sin.
UnitCycles KernelCycles::rotation(std::uint64_t tokens, std::uint64_t elements) const {
  UnitCycles cycles;
  cycles.vector = Checked(tokens) * rows_of(elements) * (3 * vector_.multiply + vector_.add);
  return cycles;
}

UnitCycles KernelCycles::addition(std::uint64_t tokens, std::uint64_t elements) const {
  UnitCycles cycles;
  cycles.vector = Checked(tokens) * rows_of(elements) * vector_.add;
  return cycles;
}

// x / (1 + exp(-x)), times what the gate lets through.
UnitCycles KernelCycles::silu(std::uint64_t tokens, std::uint64_t elements, bool gated) const {
  UnitCycles cycles;
  cycles.vector =
      Checked(tokens) * rows_of(elements) *
      ((gated ? 3 : 2) * vector_.multiply + vector_.add + vector_.exponential + vector_.reciprocal);
  return cycles;
}

// By its tangent: a cube, two sums, exp and reciprocal.
UnitCycles KernelCycles::gelu(std::uint64_t tokens, std::uint64_t elements) const {
  UnitCycles cycles;
  cycles.vector = Checked(tokens) * rows_of(elements) *
                  (4 * vector_.multiply + 2 * vector_.add + vector_.exponential + vector_.reciprocal);
  return cycles;
}

// The best of the experts, and what they say weighed and added up.
UnitCycles KernelCycles::routing(std::uint64_t tokens, std::uint64_t experts, std::uint64_t per_token,
                                 std::uint64_t hidden) const {
  UnitCycles cycles;
  cycles.vector = Checked(tokens) * (Checked(experts) * vector_.maximum +
                                     Checked(per_token) * rows_of(hidden) * (vector_.multiply + vector_.add));
  return cycles;
}

UnitCycles KernelCycles::attention_tile(std::uint64_t rows, std::uint64_t keys,
                                        std::uint64_t head_dim) const {
  UnitCycles cycles = product(rows, head_dim, keys) + product(rows, keys, head_dim);
  // Scale, maximum, difference, exp, sum; then what is there already is scaled and added to.
  cycles.vector +=
      Checked(rows) * (Checked(rows_of(keys)) * (vector_.multiply + vector_.maximum + vector_.add +
                                                 vector_.exponential + vector_.sum) +
                       Checked(rows_of(head_dim)) * (vector_.multiply + vector_.add));
  cycles.scalar += Checked(rows) * (3 * scalar_.basic + scalar_.exponential);
  return cycles;
}

UnitCycles KernelCycles::attention_end(std::uint64_t rows, std::uint64_t head_dim) const {
  UnitCycles cycles;
  cycles.vector = Checked(rows) * rows_of(head_dim) * vector_.multiply;
  cycles.scalar = Checked(rows) * scalar_.reciprocal;
  return cycles;
}

}  // namespace accelscope::fit
