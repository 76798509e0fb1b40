// Which parts of the on-chip memories an instruction reads and writes, and what its addresses must be.
//
// Pure functions, safe from any thread.
//
//   MemoryAccesses accesses;
//   find_accesses(word, state, machine, accesses);
//   for (const MemoryAccess& access : accesses.all()) ...
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "isa/machine.h"
#include "isa/register_flow.h"

namespace accelscope::isa {

struct MemoryAccess {
  // What an address must be besides being in the memory.
  enum class Form : std::uint8_t {
    kMultiple,      // a multiple of `unit`
    kInFirstOfTile  // in a tile, among the first MLEN elements, and there a multiple of `unit`
  };

  bool matrix = false;  // else the vector memory
  bool writes = false;  // else reads
  bool prefetch = false;
  Form form = Form::kMultiple;
  std::uint8_t operand = 0;    // from 1
  std::uint8_t register_ = 0;  // the integer register with the address
  FlowValue address;           // in elements, of the first element
  std::uint64_t unit = 1;
  std::uint64_t pieces = 1;  // rows of VLEN elements, or tiles
  std::uint64_t step = 1;    // from piece to piece, in pieces
};

class MemoryAccesses {
 public:
  void clear() { count_ = 0; }
  void add(const MemoryAccess& access) { accesses_[count_++] = access; }
  std::span<const MemoryAccess> all() const { return {accesses_.data(), count_}; }

 private:
  std::array<MemoryAccess, 4> accesses_;
  std::size_t count_ = 0;
};

void find_accesses(std::uint32_t word, const RegisterState& state, const Machine& machine,
                   MemoryAccesses& accesses);

}  // namespace accelscope::isa
