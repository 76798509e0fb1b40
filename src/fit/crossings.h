// Where the memory regime changes: the last context and the last batch that are resident, to the token and
// the sequence, and the capacity that the next better regime needs.
//
// Pure functions, safe from any thread.
//
//   const Crossings crossings = crossings_of(model, formats, workload, weights.total, capacity);
//   if (crossings.context.last) ... // 24820 tokens; the next one is swapped
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "fit/footprint.h"
#include "memory/regime.h"

namespace accelscope::fit {

memory::Regime regime_of(const Footprint& footprint, base::Bytes capacity);

// Contexts and batches beyond this are not looked at: nobody has them.
inline constexpr std::uint64_t kLargestCount = std::uint64_t{1} << 40;

// The last value that is resident while everything else stays.
struct LastResident {
  std::optional<std::uint64_t> last;  // nothing: not even 1 is
  bool always = false;                // every value up to kLargestCount is: a window ends the growth

  bool operator==(const LastResident&) const = default;
};

struct Crossings {
  LastResident context;
  LastResident batch;
  memory::Regime beyond = memory::Regime::kKvSwap;  // what follows the last resident one
  base::Bytes capacity_for_resident{};              // for this workload
  base::Bytes capacity_for_weights{};               // so that they need not be streamed

  bool operator==(const Crossings&) const = default;
};

Crossings crossings_of(const boards::Model& model, const Formats& formats, const Workload& workload,
                       const Footprint& footprint, base::Bytes capacity);

}  // namespace accelscope::fit
