#include "fit/crossings.h"

#include "base/last_true.h"

namespace accelscope::fit {
namespace {

using boards::Model;

// The footprint grows with the context and with the batch, in steps where windows fill, so that halving finds
// the last resident one. What does not fit 63 bits is not resident.
template <class With>
LastResident last_resident(const Model& model, const Formats& formats, const Footprint& now,
                           base::Bytes capacity, With with) {
  const auto last = base::last_true(kLargestCount, [&](std::uint64_t value) {
    const auto footprint = footprint_of(model, formats, with(value), now.weights);
    return footprint && regime_of(*footprint, capacity) == memory::Regime::kResident;
  });
  return {last, last == kLargestCount};
}

}  // namespace

memory::Regime regime_of(const Footprint& footprint, base::Bytes capacity) {
  return memory::choose_regime({footprint.weights, footprint.total()}, capacity);
}

Crossings crossings_of(const Model& model, const Formats& formats, const Workload& workload,
                       const Footprint& footprint, base::Bytes capacity) {
  Crossings crossings;
  crossings.context = last_resident(model, formats, footprint, capacity, [&](std::uint64_t context) {
    Workload other = workload;
    other.context = context;
    return other;
  });
  crossings.batch = last_resident(model, formats, footprint, capacity, [&](std::uint64_t batch) {
    Workload other = workload;
    other.batch = batch;
    return other;
  });
  crossings.beyond = footprint.weights <= capacity ? memory::Regime::kKvSwap : memory::Regime::kWeightStream;
  crossings.capacity_for_resident = footprint.total();
  crossings.capacity_for_weights = footprint.weights;
  return crossings;
}

}  // namespace accelscope::fit
