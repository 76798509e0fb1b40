// A program made to order with everything that is needed to run it: where its tensors lie, what each of them
// holds before and after, and which scalars it counts on.
//
// In external memory a tensor lies row by row, elements of 8 bits (boards::kPlenaMx), its scales behind it.
// In the vector memory [rows, columns] lies as [columns / mlen][rows][mlen]. A tensor that lies in both
// memories is listed twice under one name. Plain data, safe from any thread.
//
//   ACCELSCOPE_TRY(const GeneratedProgram program, generate("linear:rows=128,in=64,out=256"));
//   for (const ProgramTensor& tensor : program.tensors) ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/parameters.h"
#include "boards/weight_manifest.h"

namespace accelscope::isa {

enum class TensorPlace : std::uint8_t { kExternal, kVector };

enum class TensorRole : std::uint8_t {
  kInput,   // there before the program runs
  kOutput,  // there when it has ended
  kWork     // overwritten, or of no interest
};

// What an input must hold for the program to compute what it says.
enum class TensorContent : std::uint8_t {
  kValues,       // any numbers
  kWeights,      // any numbers, of a size that keeps products as large as their inputs
  kNormWeights,  // one row of numbers about 1; further rows are never looked at
  kTurned,       // X with the halves of a row turned: [-right, left]
  kCosine,       // of the angle by which a pair of columns is turned, at each row
  kSine,
  kRotation,   // the square matrix that turns the halves of a row: X R = X'
  kCausalMask  // 0 where a column's number is at most its row's, else very negative
};

struct ProgramTensor {
  std::string name;
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  TensorPlace place = TensorPlace::kExternal;
  std::uint32_t address = 0;  // bytes of external memory, elements of the vector memory
  TensorRole role = TensorRole::kInput;
  TensorContent content = TensorContent::kValues;
  boards::RegionKind kind = boards::RegionKind::kActivation;
  std::uint32_t layer = 0;

  std::uint64_t elements() const { return std::uint64_t{rows} * columns; }
};

enum class ScalarMeaning : std::uint8_t {
  kOne,
  kLowest,     // what a maximum starts from
  kPerColumn,  // 1 / columns
  kEpsilon,
  kScoreScale  // 1 / sqrt(dim)
};

// A word of the scalar memory of floats.
struct ProgramScalar {
  unsigned address = 0;
  double value = 0;
  ScalarMeaning meaning = ScalarMeaning::kOne;
};

struct GeneratedProgram {
  std::string name = {};  // of the generator
  base::ParameterValues parameters{{}};
  std::string listing = {};
  std::vector<ProgramTensor> tensors = {};
  std::vector<ProgramScalar> scalars = {};
  // What the machine must have.
  std::uint32_t mlen = 0;
  std::uint32_t blen = 0;
  std::uint64_t matrix_tiles = 0;
  std::uint64_t vector_elements = 0;
  std::uint64_t external_bytes = 0;
};

// nullptr where there is none.
const ProgramTensor* find_tensor(const GeneratedProgram& program, std::string_view name, TensorPlace place);

}  // namespace accelscope::isa
