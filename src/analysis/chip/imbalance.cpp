#include "analysis/chip/imbalance.h"

namespace accelscope::analysis::chip {

double EngineBalance::busy_mean() const {
  return cores == 0 ? 0 : static_cast<double>(busy_total.value) / static_cast<double>(cores);
}

double EngineBalance::imbalance() const {
  return busy_total > Ticks{0} ? static_cast<double>(busy_max.value) / busy_mean() : 0;
}

std::vector<EngineBalance> imbalance(const trace::ChipRun& chip, const CoreTime& core_time) {
  std::vector<EngineBalance> balances;
  for (const EngineTime& engine : core_time.engines) {
    EngineBalance& balance = balances.emplace_back();
    balance.engine = engine.engine;
    for (std::uint32_t core = 0; core < chip.cores.size(); ++core) {
      if (chip.cores[core].engine != engine.engine) continue;
      const Ticks busy = core_time.cores[core][CoreClass::kBusy];
      if (balance.cores == 0 || busy < balance.busy_min) balance.busy_min = busy;
      if (balance.cores == 0 || busy > balance.busy_max) {
        balance.busy_max = busy;
        balance.busiest = core;
      }
      balance.busy_total += busy;
      ++balance.cores;
      if (core_time.parts[core] == 0) balance.idle_cores.push_back(core);
    }
  }
  return balances;
}

}  // namespace accelscope::analysis::chip
