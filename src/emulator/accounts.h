// Where the time of a run went: every picosecond of every unit has exactly one cause.
//
// Units are those of the instruction set; isa::Unit::kMemory is the engine of transfers. A unit is busy while
// an operation of its own is in flight; at every other moment it waits for what the run as a whole waits for
// then. Plain data, owned by whoever holds it; accounts_close() is the identity that tests and reports check.
//
//   accounts.units[index(isa::Unit::kMatrix)].time[index(Cause::kTransfer)]
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "isa/instruction.h"

namespace accelscope::emulator {

enum class Cause : std::uint8_t {
  kBusy,      // an operation of the unit's own is in flight
  kIssue,     // instructions of other units are issued, one after the other
  kMatrix,    // the next instruction waits for a matrix operation: its result, its unit, or a place it uses
  kVector,    // for a vector operation
  kScalar,    // for a scalar operation
  kTransfer,  // for a transfer from or to external memory
  kLink,      // for a transfer, and that for the host link
  kRefresh,   // for a transfer, and that for a refresh of the memory
  kRecovery,  // the cycle that issue needs after a stall
  kDrain      // nothing is left to issue; operations of other units end
};
inline constexpr std::size_t kCauses = 10;
std::string_view name_of(Cause cause);
// Of whoever waits while this unit works.
Cause cause_of_waiting_for(isa::Unit unit);

template <class Enum>
constexpr std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

struct UnitAccount {
  std::array<base::Picoseconds, kCauses> time{};
  std::uint64_t operations = 0;

  base::Picoseconds busy() const { return time[index(Cause::kBusy)]; }
  base::Picoseconds total() const;
  bool operator==(const UnitAccount&) const = default;
};

struct Accounts {
  base::Picoseconds total{};
  std::array<UnitAccount, isa::kUnits> units{};

  bool operator==(const Accounts&) const = default;
};

// Each unit's times sum to the total, and none is below zero.
bool accounts_close(const Accounts& accounts);

// Of the time that units waited for transfers, the parts that the transfers themselves spent on the host link
// and on refreshes: `link` and `refresh` of `transfers`, in proportion, rounded down. Sums stay as they are.
void split_transfers(Accounts& accounts, base::Picoseconds link, base::Picoseconds refresh,
                     base::Picoseconds transfers);

// What one instruction of the listing did in all its rounds.
struct InstructionAccount {
  std::uint64_t count = 0;
  base::Picoseconds busy{};     // its unit was busy with it; of a transfer: how long it took
  base::Picoseconds stalled{};  // overlap: how long issue waited in front of it
  std::uint64_t bytes_read = 0;
  std::uint64_t bytes_written = 0;

  bool operator==(const InstructionAccount&) const = default;
};

}  // namespace accelscope::emulator
