#include "emulator/accounts.h"

#include <algorithm>

namespace accelscope::emulator {

std::string_view name_of(Cause cause) {
  constexpr std::array<std::string_view, kCauses> kNames{"busy",     "issue", "matrix",  "vector",   "scalar",
                                                         "transfer", "link",  "refresh", "recovery", "drain"};
  return kNames[index(cause)];
}

Cause cause_of_waiting_for(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::kMatrix:
      return Cause::kMatrix;
    case isa::Unit::kVector:
      return Cause::kVector;
    case isa::Unit::kScalar:
      return Cause::kScalar;
    case isa::Unit::kControl:
      return Cause::kIssue;
    case isa::Unit::kMemory:
      return Cause::kTransfer;
  }
  return Cause::kIssue;
}

base::Picoseconds UnitAccount::total() const {
  base::Picoseconds sum{};
  for (const base::Picoseconds part : time) sum += part;
  return sum;
}

bool accounts_close(const Accounts& accounts) {
  return std::all_of(accounts.units.begin(), accounts.units.end(), [&](const UnitAccount& unit) {
    const auto negative = [](base::Picoseconds part) { return part.value < 0; };
    return unit.total() == accounts.total && std::none_of(unit.time.begin(), unit.time.end(), negative);
  });
}

void split_transfers(Accounts& accounts, base::Picoseconds link, base::Picoseconds refresh,
                     base::Picoseconds transfers) {
  if (transfers.value <= 0) return;
  for (UnitAccount& unit : accounts.units) {
    const base::Int128 waited = unit.time[index(Cause::kTransfer)].value;
    const base::Picoseconds for_link{base::floor_divide(waited * link.value, transfers.value)};
    const base::Picoseconds for_refresh{base::floor_divide(waited * refresh.value, transfers.value)};
    unit.time[index(Cause::kLink)] += for_link;
    unit.time[index(Cause::kRefresh)] += for_refresh;
    unit.time[index(Cause::kTransfer)] -= for_link + for_refresh;
  }
}

}  // namespace accelscope::emulator
