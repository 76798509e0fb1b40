#include "emulator/accounts.h"

#include <algorithm>

namespace accelscope::emulator {

std::string_view name_of(Cause cause) {
  constexpr std::array<std::string_view, kCauses> kNames{"busy",     "issue", "matrix",  "vector",   "scalar",
                                                         "transfer", "link",  "refresh", "recovery", "drain"};
  return kNames[index(cause)];
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

}  // namespace accelscope::emulator
