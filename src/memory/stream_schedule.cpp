#include "memory/stream_schedule.h"

#include <algorithm>
#include <deque>

namespace accelscope::memory {

using base::Picoseconds;

std::vector<PlannedAccess> plan_passes(const std::vector<bool>& comes, std::uint32_t passes) {
  std::vector<PlannedAccess> plan;
  plan.reserve(comes.size() * passes);
  for (std::uint32_t pass = 0; pass < passes; ++pass)
    for (std::size_t layer = 0; layer < comes.size(); ++layer)
      plan.push_back({.layer = static_cast<std::uint32_t>(layer), .comes = comes[layer]});
  return plan;
}

std::vector<PlannedAccess> plan_passes(Residency residency,
                                       std::span<const std::optional<std::uint32_t>> units,
                                       std::uint32_t passes) {
  std::vector<std::uint32_t> layer_of_unit;
  for (std::size_t layer = 0; layer < units.size(); ++layer) {
    if (!units[layer]) continue;
    if (*units[layer] >= layer_of_unit.size()) layer_of_unit.resize(*units[layer] + 1);
    layer_of_unit[*units[layer]] = static_cast<std::uint32_t>(layer);
  }
  std::vector<PlannedAccess> plan;
  plan.reserve(units.size() * passes);
  for (std::uint32_t pass = 0; pass < passes; ++pass)
    for (std::size_t layer = 0; layer < units.size(); ++layer) {
      PlannedAccess& access = plan.emplace_back();
      access.layer = static_cast<std::uint32_t>(layer);
      if (!units[layer]) continue;
      const Residency::Outcome outcome = residency.access(*units[layer]);
      access.comes = !outcome.hit;
      for (const std::uint32_t unit : outcome.evicted) access.evicted.push_back(layer_of_unit[unit]);
    }
  return plan;
}

std::vector<LayerTimes> schedule_accesses(std::span<const PassLayer> layers,
                                          std::span<const PlannedAccess> plan, std::uint32_t buffers) {
  std::deque<Picoseconds> buffers_free(std::max(1U, buffers));
  std::vector<Picoseconds> last_use(layers.size());
  Picoseconds link_free{};
  Picoseconds computed{};
  std::vector<LayerTimes> result;
  result.reserve(plan.size());
  for (const PlannedAccess& access : plan) {
    const PassLayer& layer = layers[access.layer];
    const Picoseconds transfer = access.comes ? layer.transfer : layer.transfer_here;
    LayerTimes times;
    times.compute_start = computed;
    if (transfer.value > 0) {
      times.transfer_start = std::max(link_free, buffers_free.front());
      for (const std::uint32_t evicted : access.evicted)
        times.transfer_start = std::max(times.transfer_start, last_use[evicted]);
      link_free = times.transfer_end = times.transfer_start + transfer;
      times.compute_start = std::max(computed, times.transfer_end);
      times.exposed = times.compute_start - computed;
      buffers_free.pop_front();
    }
    computed = times.compute_end = times.compute_start + (access.comes ? layer.came : layer.here);
    if (transfer.value > 0) buffers_free.push_back(computed);
    last_use[access.layer] = computed;
    result.push_back(times);
  }
  return result;
}

}  // namespace accelscope::memory
