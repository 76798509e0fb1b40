// What of a model lies in a board's memory, and what comes over the link in every pass: the regime's rule,
// made concrete.
//
// Weights that do not fit can come in three ways (Streaming); with kPinned as many stages as fit stay, and
// those that come are spread evenly between them, so that each transfer hides behind several calculations.
// Pure functions, safe from any thread; they own what they return.
//
//   const std::optional<Placement> placement = place(work, footprint, machine, Streaming::kPinned);
//   placement->pinned
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fit/footprint.h"
#include "fit/machine.h"
#include "fit/pass_work.h"
#include "memory/regime.h"

namespace accelscope::fit {

struct Placement {
  memory::Regime regime = memory::Regime::kResident;
  Streaming streaming = Streaming::kBest;  // of kWeightStream: which way; else kBest
  std::vector<bool> streamed = {};         // one for each layer of the text model, and one for the output
  bool embedding_at_host = false;          // its rows come one by one
  std::uint64_t pinned = 0;                // layers and output that stay, of a kWeightStream
  base::Bytes pinned_bytes{};
  base::Bytes buffer_bytes{};         // in external memory
  base::Bytes kv_swapped{};           // of keys and values at the context
  base::Bytes activations_swapped{};  // what does not even fit then

  bool through_memory() const { return streaming == Streaming::kSwap || streaming == Streaming::kPinned; }
};

// `largest_at_once` is the largest stage that a buffer must hold besides layers and output: that of a vision
// tower. Nothing where the buffers themselves do not fit.
std::optional<Placement> place(const PassWork& decode, const Footprint& footprint, const Machine& machine,
                               Streaming streaming, base::Bytes largest_besides);

// Of `count` stages, which `streamed` are spread evenly: the j-th stands in the middle of the j-th part.
std::vector<bool> spread_evenly(std::size_t count, std::size_t streamed);

}  // namespace accelscope::fit
