// What programs of neural networks are made of: tensors moved between the memories, products of tiles, and
// loops over the rows of a tensor. For the generators only.
//
// In external memory a tensor lies row by row, elements of 8 bits in blocks of 8, its scales behind it. In
// the vector memory [rows, columns] lies as [columns / mlen][rows][mlen]. All functions add to a builder.
//
//   Layout layout{.mlen = 64, .blen = 4};
//   const ExternalTensor x = layout.external({.name = "X", .rows = rows, .columns = columns});
//   fetch(build, layout, x, 0, "X");
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isa/generated_program.h"
#include "isa/program_builder.h"

namespace accelscope::isa {

struct ExternalTensor {
  std::uint32_t base = 0;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
};

// A tensor that wants a place.
struct Wanted {
  std::string_view name;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  TensorRole role = TensorRole::kInput;
  TensorContent content = TensorContent::kValues;
  boards::RegionKind kind = boards::RegionKind::kActivation;
};

// The same tensor where the program works on it.
inline Wanted working(Wanted wanted) {
  wanted.role = TensorRole::kWork;
  return wanted;
}

// Where things lie, and how large the hardware's pieces are.
struct Layout {
  static constexpr std::uint32_t kElementsPerScale = 8;

  std::uint32_t mlen = 64;  // side of a tile, and length of a row of vectors
  std::uint32_t blen = 4;   // rows and columns of one product; rows of a transfer of vectors
  std::uint64_t external_end = 0;
  std::uint64_t vector_end = 0;
  std::uint64_t matrix_tiles = 0;  // that the products so far need at once
  std::vector<ProgramTensor> tensors = {};

  // Behind what was placed before; from a new block of external memory on.
  ExternalTensor external(const Wanted& wanted);
  // The same without a gap.
  ExternalTensor external_next(const Wanted& wanted);
  std::uint32_t vector(const Wanted& wanted);

  // Fails where tiles and blocks do not divide, or where addresses went beyond 32 bits.
  base::Status check() const;
  // Fails where a side of a tensor does not divide into tiles.
  base::Status check_side(std::string_view name, std::uint32_t size) const;
};

// The program that was built, with what lies where.
GeneratedProgram finish(ProgramBuilder& build, Layout&& layout, std::vector<ProgramScalar> scalars = {});

// The registers that the parts use, by what is in them; others are free between calls.
namespace registers {
inline constexpr unsigned kValue = 1;         // for the special registers
inline constexpr unsigned kMatrixColumn = 2;  // column block of the tile
inline constexpr unsigned kOutputColumn = 3;  // where its results begin
inline constexpr unsigned kInputRow = 4;      // row block
inline constexpr unsigned kOutputRow = 5;     // where its results begin
inline constexpr unsigned kMatrixCursor = 6;
inline constexpr unsigned kInputCursor = 7;
inline constexpr unsigned kColumnLoop = 8;
inline constexpr unsigned kRowLoop = 9;
inline constexpr unsigned kInnerLoop = 10;
inline constexpr unsigned kTarget = 11;  // of a transfer
inline constexpr unsigned kOffset = 12;
inline constexpr unsigned kOffsetCursor = 13;
inline constexpr unsigned kTileLoop = 14;
}  // namespace registers

// Who reads what a transfer moves, which decides its number format.
enum class TransferKind : std::uint8_t { kActivations = 0, kKeysAndValues = 1 };

// A whole tensor to the vector memory, and back.
void fetch(ProgramBuilder& build, const Layout& layout, const ExternalTensor& tensor, std::uint32_t to,
           std::string_view name);
void store(ProgramBuilder& build, const Layout& layout, const ExternalTensor& tensor, std::uint32_t from,
           std::string_view name, TransferKind kind = TransferKind::kActivations);

// Y[rows, out] = X[rows, in] W, or X W^T.
struct Product {
  std::uint32_t rows = 0;
  std::uint32_t in = 0;
  std::uint32_t out = 0;
  std::uint32_t input = 0;   // of X, in the vector memory
  std::uint32_t output = 0;  // of Y
  ExternalTensor weights = {};
  std::uint32_t first_column = 0;  // of the weights: the product uses those from here on
  bool transposed = false;         // weights are [out, in]
  bool kv = false;                 // weights are of the format of keys and values
  std::string section = {};        // what a section's name begins with
  std::string_view weights_name = "W";
  std::string_view output_name = "Y";
};
// Tile by tile, all of them in the text; the weights of a tile of columns come anew for each tile of rows.
void multiply(ProgramBuilder& build, Layout& layout, const Product& product);
// The same in loops, so that the text does not grow with the product; weights come once.
void multiply_in_loops(ProgramBuilder& build, Layout& layout, const Product& product);

// The largest number of products of tiles that a listing is made for: about 100 MB of text.
inline constexpr std::uint64_t kMostTiles = 100'000;
base::Status check_tiles(std::uint64_t tiles);
// Fails for more rounds than a loop can count.
base::Status check_loop(std::uint64_t rounds);

// For each row of tensors that lie alike: registers kInputRow and, where there is a second, kOutputRow hold
// the addresses of its first piece. The body must leave both alone.
struct RowLoop {
  std::uint32_t rows = 0;
  std::uint32_t first = 0;   // where the tensor begins
  std::uint32_t second = 0;  // where the other begins
};
void for_each_row(ProgramBuilder& build, const Layout& layout, const RowLoop& loop,
                  const std::function<void()>& body);

// For each piece of a row of mlen elements: kInputCursor runs from kInputRow on.
void for_each_piece(ProgramBuilder& build, const Layout& layout, std::uint32_t rows, std::uint32_t columns,
                    const std::function<void()>& body);

}  // namespace accelscope::isa
