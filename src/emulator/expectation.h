// What a program is expected to leave in the memories: tensors, each with its place, how it lies there, and
// its values. Kept in two files: a document (JSON, docs/emulator-programs.md) and the values (bf16, little
// endian, row after row), which are mapped and not loaded.
//
// Reading checks that every tensor's values are in the file, so what was read can be compared without further
// thought. An expectation owns its values; immutable once read, safe from any thread.
//
//   ACCELSCOPE_TRY(const Expectation expected, load_expectation("expected.json"));
//   ACCELSCOPE_TRY(const Comparison found, compare(state, expected, {}));      // comparison.h
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "boards/number_format.h"

namespace accelscope::emulator {

enum class ExpectedMemory : std::uint8_t { kVector, kExternal };
// "vram", "hbm".
std::string_view name_of(ExpectedMemory memory);

// In the vector memory element (r, c) lies at address + c / block_columns * block_stride + r * row_stride +
// c % block_columns, all in elements. In external memory the elements of row r begin at address + r *
// row_stride, in bytes, and their scales at scale_address + r * scale_stride().
struct ExpectedTensor {
  std::string name = {};
  ExpectedMemory memory = ExpectedMemory::kVector;
  std::uint64_t address = 0;  // elements of the vector memory, bytes of external memory
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t block_columns = 0;  // columns in external memory
  std::uint64_t block_stride = 0;
  std::uint64_t row_stride = 0;
  boards::NumberFormat format{boards::kBf16};  // of the memory
  std::uint64_t scale_address = 0;             // of formats with scales
  std::uint64_t offset = 0;                    // of its values, in bytes

  std::uint64_t elements() const { return rows * columns; }
  // Bytes from the scales of a row to those of the next; 0 for formats without.
  std::uint64_t scale_stride() const {
    return format.in_blocks() ? row_stride * 8 / (std::uint64_t{format.element.bits()} * format.block) : 0;
  }
  bool operator==(const ExpectedTensor&) const = default;
};

struct Expectation {
  std::vector<ExpectedTensor> tensors;
  base::MappedFile values;

  // The expected value, from bf16.
  float value(const ExpectedTensor& tensor, std::uint64_t row, std::uint64_t column) const;
};

// The document, and the values that it speaks of, whose name is in it.
base::Result<Expectation> load_expectation(const std::string& path);
base::Result<Expectation> read_expectation(const base::MappedFile& document, base::MappedFile values);

// `values_file` is the name of the values' file as the document gives it, beside the document.
void write_expectation(const std::vector<ExpectedTensor>& tensors, std::string_view values_file,
                       base::Output& out);

}  // namespace accelscope::emulator
