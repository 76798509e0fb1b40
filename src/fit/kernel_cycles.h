// What the kernels of a transformer cost on the array, in cycles: products of matrices block by block, and
// the rows of the vector unit that lie between them. docs/fit.md derives every count.
//
// Plain data and pure functions, safe from any thread. Counts that do not fit 64 bits stay marked so.
//
//   const KernelCycles kernels(machine);
//   kernels.product(1, 576, 1536).matrix
#pragma once

#include <cstdint>

#include "base/checked.h"
#include "fit/machine.h"

namespace accelscope::fit {

// Cycles by the unit that is busy; one behind the other, as a program's instructions are.
struct UnitCycles {
  base::Checked matrix;
  base::Checked vector;
  base::Checked scalar;  // and control: addresses and loops around the matrix instructions
  base::Checked macs;    // multiply-accumulates that are asked for, padding left out

  base::Checked total() const { return matrix + vector + scalar; }
  UnitCycles& operator+=(const UnitCycles& other);
  friend UnitCycles operator+(UnitCycles a, const UnitCycles& b) { return a += b; }
  friend UnitCycles operator*(const UnitCycles& a, base::Checked times) {
    return {a.matrix * times, a.vector * times, a.scalar * times, a.macs * times};
  }
};

class KernelCycles {
 public:
  explicit KernelCycles(const Machine& machine);

  // rows x inner by inner x columns.
  UnitCycles product(std::uint64_t rows, std::uint64_t inner, std::uint64_t columns) const;
  // Of tokens, each of so many elements.
  UnitCycles rms_norm(std::uint64_t tokens, std::uint64_t elements) const;
  UnitCycles layer_norm(std::uint64_t tokens, std::uint64_t elements) const;
  UnitCycles rotation(std::uint64_t tokens, std::uint64_t elements) const;
  UnitCycles addition(std::uint64_t tokens, std::uint64_t elements) const;
  UnitCycles silu(std::uint64_t tokens, std::uint64_t elements, bool gated) const;
  UnitCycles gelu(std::uint64_t tokens, std::uint64_t elements) const;
  UnitCycles routing(std::uint64_t tokens, std::uint64_t experts, std::uint64_t per_token,
                     std::uint64_t hidden) const;
  // Rows of queries of one head's keys and values against `keys` of them, at most MLEN, with the running
  // softmax of flash attention.
  UnitCycles attention_tile(std::uint64_t rows, std::uint64_t keys, std::uint64_t head_dim) const;
  // What ends a row of queries: the division by the sum.
  UnitCycles attention_end(std::uint64_t rows, std::uint64_t head_dim) const;

 private:
  struct Vector {
    std::uint64_t add = 0;
    std::uint64_t multiply = 0;
    std::uint64_t exponential = 0;
    std::uint64_t reciprocal = 0;
    std::uint64_t sum = 0;
    std::uint64_t maximum = 0;
  };
  struct Scalar {
    std::uint64_t basic = 0;
    std::uint64_t exponential = 0;
    std::uint64_t reciprocal = 0;
    std::uint64_t root = 0;
    std::uint64_t integer = 0;
  };

  std::uint64_t rows_of(std::uint64_t elements) const { return base::divide_up(elements, vlen_); }

  std::uint64_t mlen_;
  std::uint64_t blen_;
  std::uint64_t vlen_;
  std::uint64_t matrix_matrix_ = 0;
  std::uint64_t matrix_out_ = 0;
  std::uint64_t matrix_vector_ = 0;
  std::uint64_t vector_out_ = 0;
  std::uint64_t control_ = 0;  // beside each matrix instruction
  Vector vector_;
  Scalar scalar_;
};

}  // namespace accelscope::fit
