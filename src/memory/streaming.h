// Layers that come over a link while others calculate: when each transfer and each calculation begins and
// ends, with a number of buffers between them. The recurrence is exact, in picoseconds.
//
//   transfer i begins when the one before it ended and a buffer is free (calculation i - D ended);
//   calculation i begins when the one before it and its own transfer ended.
//
// A layer without bytes from the host needs no transfer and no buffer. All layers are gone through again and
// again (once a token) until the times repeat: that is the steady state. Pure functions, safe from any
// thread; they own what they return.
//
//   const Streaming result = stream(layers, {.buffers = 2});
//   result.steady_pass       // picoseconds from one pass (token) to the next
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"

namespace accelscope::memory {

struct StreamedLayer {
  base::Picoseconds transfer{};  // of its bytes over the link, without latency
  base::Picoseconds compute{};   // once they are there
  bool streamed = true;          // false: it is resident, and `transfer` means nothing
};

struct StreamingOptions {
  std::uint32_t buffers = 2;    // D: at least 1
  base::Picoseconds latency{};  // of the link, for every transfer
};

struct LayerTimes {
  base::Picoseconds transfer_start{};  // 0 for a resident layer, as the end
  base::Picoseconds transfer_end{};
  base::Picoseconds compute_start{};
  base::Picoseconds compute_end{};
  base::Picoseconds exposed{};  // how long the calculation waited for the layer's transfer

  bool operator==(const LayerTimes&) const = default;
};

struct Streaming {
  std::vector<LayerTimes> last_pass;  // one a layer, in the steady state; times from the beginning of all
  base::Picoseconds first_pass{};     // from the beginning to the end of the first pass, filling included
  base::Picoseconds
      steady_pass{};  // from the end of a pass to the end of the next; the mean, where they take turns
};

// No layers: nothing takes any time.
Streaming stream(std::span<const StreamedLayer> layers, const StreamingOptions& options);

// How long bytes take over a link, rounded up to a picosecond; nothing where that does not fit or the
// bandwidth is not above zero.
std::optional<base::Picoseconds> transfer_time(base::Bytes bytes, base::BytesPerSecond bandwidth);

}  // namespace accelscope::memory
