#include "formats/chip_run/clock_alignment.h"

#include <algorithm>
#include <vector>

namespace accelscope::formats::chip_run {
namespace {

using base::Frequency;
using base::Int128;
using chip_swimlane::Capture;
using chip_swimlane::ClockAnchor;
using chip_swimlane::ClockAnchors;
using trace::Ticks;

constexpr std::string_view kCycles = "syscnt_cycles";
constexpr std::string_view kMicroseconds = "device_uptime_us";
constexpr std::int64_t kMicrosecondNs = 1000;

struct Reading {
  std::int64_t host_ns = 0;  // in the middle of the round trip
  std::int64_t device = 0;
  std::int64_t round_trip_ns = 0;
  ClockAnchor::Position position = ClockAnchor::Position::kBefore;
};

std::optional<Reading> reading_of(const ClockAnchor& anchor) {
  if (!anchor.usable || anchor.round_trip_ns < 0 || anchor.host_after_ns < anchor.host_before_ns)
    return std::nullopt;
  const auto middle = base::checked_add(anchor.host_before_ns, anchor.round_trip_ns / 2);
  if (!middle) return std::nullopt;
  return Reading{*middle, anchor.device_cycles, anchor.round_trip_ns, anchor.position};
}

// The first of those with the shortest round trip.
std::optional<Reading> best_at(const std::vector<Reading>& readings, ClockAnchor::Position position) {
  std::optional<Reading> best;
  for (const Reading& reading : readings)
    if (reading.position == position && (!best || reading.round_trip_ns < best->round_trip_ns))
      best = reading;
  return best;
}

// Rounded up: an uncertainty is never made smaller.
Ticks ticks_for(Int128 nanoseconds, Frequency frequency) {
  const Int128 scaled = nanoseconds * frequency.ticks;
  const Int128 second = static_cast<Int128>(1'000'000'000) * frequency.seconds;
  return {base::floor_divide(scaled + second - 1, second)};
}

struct BestReadings {
  std::optional<Reading> before = std::nullopt;
  std::optional<Reading> after = std::nullopt;
};

// Why the clocks cannot be aligned; empty when they can.
std::string_view trouble_with(const Capture& capture, const std::optional<DeviceSpan>& span,
                              const BestReadings& best) {
  if (!capture.clock_anchors) return "the file has no readings of both clocks";
  const ClockAnchors& anchors = *capture.clock_anchors;
  if (anchors.samples.empty()) return "its list of clock readings is empty";
  if (anchors.device_unit != kCycles) return "the unit of the device's readings is not known";
  if (anchors.raw_device_unit != kCycles && anchors.raw_device_unit != kMicroseconds)
    return "the unit of the device's raw readings is not known";
  if (!best.before) return "no reading before the host's orchestration is valid";
  if (!best.after) return "no reading after the device's execution is valid";
  if (best.after->host_ns <= best.before->host_ns)
    return "the host's time does not advance between the readings";
  if (best.after->device <= best.before->device)
    return "the device's time does not advance between the readings";
  if (span && (span->first < best.before->device || span->last > best.after->device))
    return "the device recorded times outside of the readings";
  if (!capture.frequency.known()) return "the frequency of the device's counter is not valid";
  if (capture.host_quantization_ns < 0) return "the resolution of the host's times is not valid";
  return {};
}

}  // namespace

ClockAlignment align_clocks(const Capture& capture, const std::optional<DeviceSpan>& span,
                            std::int64_t host_time, ClockPair clocks) {
  std::vector<Reading> readings;
  if (capture.clock_anchors)
    for (const ClockAnchor& anchor : capture.clock_anchors->samples)
      if (const auto reading = reading_of(anchor)) readings.push_back(*reading);
  const BestReadings best{best_at(readings, ClockAnchor::Position::kBefore),
                          best_at(readings, ClockAnchor::Position::kAfter)};

  ClockAlignment alignment;
  alignment.reason = trouble_with(capture, span, best);
  if (alignment.measured()) {
    alignment.relation = {clocks.host, clocks.device, {}, {}, {}};
    alignment.relation.knots = {{Ticks{best.before->host_ns}, Ticks{best.before->device}},
                                {Ticks{best.after->host_ns}, Ticks{best.after->device}}};
    const Int128 round_trip = std::max(best.before->round_trip_ns, best.after->round_trip_ns);
    const Int128 coarse = capture.clock_anchors->raw_device_unit == kMicroseconds ? kMicrosecondNs : 0;
    alignment.relation.uncertainty =
        ticks_for((round_trip + 1) / 2 + coarse + capture.host_quantization_ns, capture.frequency);
  } else {
    const std::int64_t first = span ? span->first : 0;
    alignment.relation =
        trace::fit_clock_relation(clocks.host, clocks.device, {{Ticks{host_time}, Ticks{first}, Ticks{0}}},
                                  Frequency::nanoseconds(), capture.frequency);
    alignment.relation.samples.clear();
    alignment.relation.uncertainty = Ticks::max();
  }
  for (const Reading& reading : readings)
    alignment.relation.samples.push_back(
        {Ticks{reading.host_ns}, Ticks{reading.device},
         capture.frequency.known() ? ticks_for(reading.round_trip_ns, capture.frequency) : Ticks{0}});
  return alignment;
}

}  // namespace accelscope::formats::chip_run
