// Parts of programs that work on whole rows of tensors in the vector memory: norms, softmax, rotary
// positions, activations. For the generators only.
//
// Addresses are of tensors in columns of tiles (generator_parts.h). Registers and scalars are those of the
// parts; float registers f1 to f3 are free between calls. All functions add to a builder.
//
//   softmax_rows(build, layout, rows, columns, at);
#pragma once

#include <cstdint>
#include <optional>

#include "isa/generator_parts.h"

namespace accelscope::isa {

// Rows divided by the root of their mean square; `centred`: their mean is taken off first, in place.
struct RowNorm {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::uint32_t input = 0;
  std::uint32_t output = 0;                             // may be the input
  std::uint32_t work = 0;                               // a row to work in
  std::optional<std::uint32_t> weights = std::nullopt;  // of [blen, columns], of which the first row counts
  bool centred = false;
};
void norm_rows(ProgramBuilder& build, const Layout& layout, const RowNorm& norm);

// Each row divided by the sum of its exponentials, in place; the largest of a row is taken off first.
void softmax_rows(ProgramBuilder& build, const Layout& layout, std::uint32_t rows, std::uint32_t columns,
                  std::uint32_t at);

// Element by element, over so many pieces of mlen elements.

// first += second.
void add_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t first,
                std::uint32_t second);
// at *= the scalar.
void scale_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t at,
                  unsigned scalar);
// x = x cos + turned sin; `turned` is overwritten.
struct Rotation {
  std::uint32_t x = 0;
  std::uint32_t turned = 0;
  std::uint32_t cosine = 0;
  std::uint32_t sine = 0;
};
void rotate_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces,
                   const Rotation& rotation);
// gate = silu(gate) * up = up * gate / (1 + exp(-gate)), with a row to work in.
void gate_pieces(ProgramBuilder& build, const Layout& layout, std::uint32_t pieces, std::uint32_t gate,
                 std::uint32_t up, std::uint32_t work);

}  // namespace accelscope::isa
