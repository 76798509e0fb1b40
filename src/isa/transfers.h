// What transfers move: how many blocks of 64 bytes of external memory an instruction touches.
//
// A row of elements is split at 64 bytes; each block it touches is one access, and in formats with scales one
// more for the row's scales. Nothing is joined across rows. A store reads, changes and writes every block.
// Pure functions, safe from any thread.
//
//   const Transfer transfer = transfer_of(word, machine);
//   accesses_of(transfer, first_block_bytes)
#pragma once

#include <array>
#include <cstdint>

#include "isa/machine.h"
#include "isa/register_flow.h"

namespace accelscope::isa {

inline constexpr std::uint64_t kBlockBytes = 64;

// One transfer, as long as it does not matter where it goes.
struct Transfer {
  std::uint64_t rows = 0;
  std::uint64_t row_elements = 0;
  std::uint64_t row_bytes = 0;    // elements only, rounded up
  std::uint64_t scale_bytes = 0;  // of a row; 0 for formats without scales
  bool stores = false;
  bool strided = false;  // by the stride register; else rows lie behind each other
};

// Of an H_* instruction.
Transfer transfer_of(std::uint32_t word, const Machine& machine);

struct Accesses {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  bool operator==(const Accesses&) const = default;
};

// Of one transfer whose rows begin at the beginning of a block.
Accesses aligned_accesses(const Transfer& transfer);

// Of one transfer for each round of the loops around it.
struct TransferAccesses {
  // Saturates at the largest number.
  Accesses total = {};
  bool proven = false;  // false: the address is not known, and rows are assumed to begin with a block
  // Rows that touch one block more than rows that begin with one.
  std::uint64_t crossing_rows = 0;
};
TransferAccesses accesses_in_all_rounds(const Transfer& transfer, std::uint32_t word,
                                        const RegisterState& state, std::uint64_t rounds);

}  // namespace accelscope::isa
