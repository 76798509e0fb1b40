// Which memory regime a model is in on a board, by the documented rule: all of it resident; weights resident
// and keys and values swapped; weights streamed.
//
// A pure function, safe from any thread.
//
//   choose_regime({.weights = weights, .total = weights + kv + activations}, capacity)
#pragma once

#include <cstdint>
#include <string_view>

#include "base/units.h"

namespace accelscope::memory {

enum class Regime : std::uint8_t { kResident, kKvSwap, kWeightStream };
// "resident", "kv-swap", "weight-stream".
std::string_view name_of(Regime regime);

struct Demand {
  base::Bytes weights{};
  base::Bytes total{};  // weights, keys and values, activations
};

constexpr Regime choose_regime(const Demand& demand, base::Bytes capacity) {
  if (demand.total <= capacity) return Regime::kResident;
  return demand.weights <= capacity ? Regime::kKvSwap : Regime::kWeightStream;
}

}  // namespace accelscope::memory
