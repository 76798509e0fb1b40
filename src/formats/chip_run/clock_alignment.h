// How the host's clock runs against the device's, from readings of both.
//
// Of each of the two positions (before the host builds the graph, after the device has run it) the reading
// with the shortest round trip makes a knot. Where readings are missing or make no sense, the device's times
// are laid out after the host's, because that is their order, and nothing may be measured across.
// Pure; safe from any thread.
//
//   const ClockAlignment alignment = align_clocks(capture, span, last_host_time, host, device);
//   if (!alignment.measured()) say(alignment.reason);
#pragma once

#include <optional>
#include <string_view>

#include "formats/chip_run/core_lanes.h"
#include "trace/clock.h"

namespace accelscope::formats::chip_run {

struct ClockAlignment {
  trace::ClockRelation relation = {};  // from the host's clock to the device's
  std::string_view reason = {};        // why it was not measured, in words; empty when it was

  bool measured() const { return reason.empty(); }
};

struct ClockPair {
  trace::ClockId host = trace::ClockId::kNone;
  trace::ClockId device = trace::ClockId::kNone;
};

// `host_time` is where the device's first moment is put on the host's clock when nothing was measured.
ClockAlignment align_clocks(const chip_swimlane::Capture& capture, const std::optional<DeviceSpan>& span,
                            std::int64_t host_time, ClockPair clocks);

}  // namespace accelscope::formats::chip_run
