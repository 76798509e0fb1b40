// Where the bytes of one transfer lie: what both its contents and its timing go by.
//
// A plan is made from an H_* operation and the registers before it. Row i has its elements at
// element_address(i) and its scales at scale_address(i); each block of 64 bytes that the elements touch is
// one access, and one more is the row's scales (docs/emulator.md). Plain data and pure functions, safe from
// any thread.
//
//   const TransferPlan plan = plan_transfer(operation, registers, machine);
//   append_reads(plan, now, requests);
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "boards/number_format.h"
#include "emulator/operation.h"
#include "emulator/state.h"
#include "isa/machine.h"
#include "memory/timing.h"

namespace accelscope::emulator {

inline constexpr std::uint64_t kBlockBytes = 64;

struct TransferPlan {
  const boards::NumberFormat* format = nullptr;  // of the machine, which must outlive the plan
  bool matrix = false;                           // else vectors
  bool stores = false;
  std::uint64_t on_chip = 0;  // element address in the matrix or the vector memory
  std::uint64_t rows = 0;
  std::uint64_t row_elements = 0;
  std::uint64_t row_bytes = 0;    // of elements, rounded up
  std::uint64_t scale_bytes = 0;  // of a row; 0 for formats without scales
  std::uint64_t elements_base = 0;
  std::uint64_t scales_base = 0;
  std::uint64_t row_step = 0;  // bytes from row to row
  float scale_step = 0;        // bytes of scales from row to row; rows begin at the floor of its multiples

  std::uint64_t element_address(std::uint64_t row) const { return elements_base + row * row_step; }
  std::uint64_t scale_address(std::uint64_t row) const;
  // Bytes of a row's scales up to the end of the block that they begin in: the rest is never read.
  std::uint64_t scale_bytes_read(std::uint64_t row) const;
};

// Rows of vectors that would lie beyond the end of the memory are left out, as the hardware does.
TransferPlan plan_transfer(const Operation& operation, const Registers& registers,
                           const isa::Machine& machine);

// A block for each 64 bytes, row by row, elements ascending and then scales. All of a prefetch are asked for
// at once; a store goes through the same blocks one after the other, each read, changed and written.
void append_blocks(const TransferPlan& plan, std::vector<std::uint64_t>& addresses);

}  // namespace accelscope::emulator
