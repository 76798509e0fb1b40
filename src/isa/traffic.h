// What a program moves between external and on-chip memory, without running it.
//
// Accesses of 64 bytes, counted as the emulator counts them (transfers.h). Where the address of a transfer is
// certain (register_flow.h) the count is exact; where not, its rows are assumed to begin with a block. Pure
// functions, safe from any thread.
//
//   const std::vector<Traffic> traffic = traffic_of(program, machines);
//   traffic[0].total().accesses.reads * kBlockBytes
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/machine.h"
#include "isa/program.h"
#include "isa/transfers.h"

namespace accelscope::isa {

struct TransferTraffic {
  std::uint64_t transfers = 0;         // carried out
  std::uint64_t proven_transfers = 0;  // of those, with a certain address
  std::uint64_t crossing_rows = 0;     // rows that touch a block more than they need to
  Accesses accesses = {};

  bool operator==(const TransferTraffic&) const = default;
};

struct Traffic {
  TransferTraffic prefetch_matrix = {};
  TransferTraffic prefetch_vector = {};
  TransferTraffic store_vector = {};

  TransferTraffic total() const;
};

// One for each machine. Sums saturate at the largest number.
std::vector<Traffic> traffic_of(const Program& program, std::span<const Machine> machines);

}  // namespace accelscope::isa
