// The timing constraints of a DRAM as a table: this command, then that one, in the same bank (bank group,
// rank, pseudo channel, channel), not before so many ticks. The controller's state is made from it, and so
// is, on its own, the checker of the tests.
//
// A pure function of a preset, safe from any thread; the caller owns the table.
//
//   for (const DramConstraint& constraint : constraints_of(preset))
//     show(constraint.name, constraint.before, constraint.after, constraint.ticks);
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "memory/dram_command.h"
#include "memory/dram_preset.h"

namespace accelscope::memory {

enum class DramScope : std::uint8_t {
  kChannel,
  kPseudoChannel,
  kRank,
  kOtherRank,  // another rank of the same pseudo channel
  kBankGroup,
  kBank,
};
std::string_view name_of(DramScope scope);

struct DramConstraint {
  std::string_view name;  // of the parameter that says it: "nFAW"
  DramScope scope = DramScope::kBank;
  DramCommand before = DramCommand::kActivate;
  DramCommand after = DramCommand::kActivate;
  std::int64_t ticks = 0;
  std::uint32_t window = 1;  // 4: between a command and the fourth one after it

  bool operator==(const DramConstraint&) const = default;
};

// Commands count from their first tick on the bus; the DRAM counts from the last one. Constraints between
// commands of different length are adjusted for that.
std::vector<DramConstraint> constraints_of(const DramPreset& preset);

}  // namespace accelscope::memory
