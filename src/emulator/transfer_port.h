// The one port to external memory: asks for the blocks of a transfer and says when it is over.
//
// All blocks of a prefetch are asked for at once, and it ends with the last. A store goes block by block:
// each is read, changed, and written; the write is over as soon as the memory has taken it. Transfers come
// one after the other; each begins no sooner than the one before it ended.
//
// Used by one thread; the memory belongs to whoever made it and outlives the port. Nothing is allocated for a
// transfer once the largest was seen.
//
//   const Transferred done = port.carry_out(plan_transfer(operation, registers, machine), now);
#pragma once

#include <cstdint>
#include <vector>

#include "base/units.h"
#include "emulator/transfer_plan.h"
#include "memory/timing.h"

namespace accelscope::emulator {

struct Transferred {
  base::Picoseconds start{};
  base::Picoseconds end{};
  std::uint64_t bytes_read = 0;  // whole blocks
  std::uint64_t bytes_written = 0;

  base::Picoseconds duration() const { return end - start; }
};

class TransferPort {
 public:
  explicit TransferPort(memory::Timing& memory) : memory_(memory) {}

  Transferred carry_out(const TransferPlan& plan, base::Picoseconds now);

  // When everything is done that the memory was asked for, what nobody waits for included.
  base::Picoseconds quiet_from(base::Picoseconds end);

  // Of all transfers.
  base::Picoseconds time() const { return time_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  const memory::Timing& memory() const { return memory_; }

 private:
  base::Picoseconds read_all(base::Picoseconds now);
  base::Picoseconds change_one_by_one(base::Picoseconds now);

  memory::Timing& memory_;
  std::vector<std::uint64_t> blocks_;
  base::Picoseconds time_{};
  std::uint64_t bytes_read_ = 0;
  std::uint64_t bytes_written_ = 0;
};

// Of the time that transfers took, how much went to the host link and to refreshes, as the memory counts it.
struct TransferShares {
  base::Picoseconds link{};
  base::Picoseconds refresh{};
};
// Both together are at most `transfers`.
TransferShares shares_of(const std::vector<memory::ModelStatistics>& statistics, base::Picoseconds transfers);

}  // namespace accelscope::emulator
