#include "formats/chip_run/captured_host.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "formats/chip_run/core_lanes.h"

namespace accelscope::formats::chip_run {
namespace {

using base::Int128;
using chip_swimlane::Capture;
using chip_swimlane::ClockAnchor;
using chip_swimlane::ClockAnchors;
using trace::ClockRelation;
using trace::ClockSample;
using trace::Ticks;
using trace::Trace;

constexpr std::int64_t kMicrosecond = 1000;

const ClockRelation* measured_relation(const Trace& trace, const trace::ChipRun& chip) {
  for (const trace::TrackId orchestrator : chip.orchestrators)
    for (const ClockRelation& relation : trace.clock_relations())
      if (trace.track(orchestrator).clock != chip.clock && relation.from == trace.track(orchestrator).clock &&
          relation.to == chip.clock && relation.knots.size() >= 2 && relation.uncertainty != Ticks::max())
        return &relation;
  return nullptr;
}

bool is_knot(const ClockRelation& relation, const ClockSample& sample) {
  return std::any_of(relation.knots.begin(), relation.knots.end(), [&](const trace::ClockKnot& knot) {
    return knot.from == sample.from && knot.to == sample.to;
  });
}

// The longest time that is this many ticks when rounded up to them, or the shortest.
std::int64_t nanoseconds_of(Ticks ticks, base::Frequency frequency, bool shortest) {
  if (!shortest || ticks.value == 0) return frequency.to_nanoseconds(ticks).value;
  return frequency.to_nanoseconds(ticks - Ticks{1}).value + 1;
}

// Round trips were rounded up to ticks of the device. Those that count get the shortest that they can have
// been, so that a reader chooses them again. Nothing for times that no clock shows.
std::optional<ClockAnchor> anchor_of(const ClockSample& sample, bool counts, base::Frequency frequency,
                                     const DeviceSpan& span) {
  ClockAnchor anchor;
  anchor.position =
      sample.to.value <= span.first ? ClockAnchor::Position::kBefore : ClockAnchor::Position::kAfter;
  anchor.round_trip_ns = nanoseconds_of(sample.round_trip, frequency, counts);
  anchor.device_cycles = sample.to.value;
  anchor.raw_device_timestamp = sample.to.value;
  if (sample.round_trip.value < 0 || sample.from.value < anchor.round_trip_ns || sample.to.value < 0 ||
      __builtin_sub_overflow(sample.from.value, anchor.round_trip_ns / 2, &anchor.host_before_ns) ||
      __builtin_add_overflow(anchor.host_before_ns, anchor.round_trip_ns, &anchor.host_after_ns))
    return std::nullopt;
  return anchor;
}

// The readings that a relation was made of, or its ends where it does not have them.
std::vector<ClockSample> samples_of(const ClockRelation& relation) {
  if (!relation.samples.empty()) return relation.samples;
  const trace::ClockKnot& first = relation.knots.front();
  const trace::ClockKnot& last = relation.knots.back();
  return {{first.from, first.to, relation.uncertainty}, {last.from, last.to, relation.uncertainty}};
}

// What the relation's uncertainty has beyond the round trips: the resolution of either clock.
std::int64_t coarseness_of(const ClockRelation& relation, std::int64_t round_trip_ns,
                           base::Frequency frequency) {
  const std::int64_t explained = round_trip_ns / 2 + round_trip_ns % 2;
  // As much as rounding to ticks made of it is explained, too.
  const Int128 second = static_cast<Int128>(1'000'000'000) * frequency.seconds;
  const std::int64_t explained_ticks =
      base::floor_divide(static_cast<Int128>(explained) * frequency.ticks + second - 1, second);
  if (relation.uncertainty.value <= explained_ticks) return 0;
  return frequency.to_nanoseconds(relation.uncertainty).value - explained;
}

void add_anchors(const ClockRelation& relation, const DeviceSpan& span, Capture& capture) {
  ClockAnchors anchors{
      .device_unit = "syscnt_cycles", .raw_device_unit = "syscnt_cycles", .provider = "unknown"};
  std::int64_t round_trip_ns = 0;
  for (const ClockSample& sample : samples_of(relation)) {
    const bool counts = is_knot(relation, sample);
    const std::optional<ClockAnchor> anchor = anchor_of(sample, counts, capture.frequency, span);
    if (!anchor) continue;
    if (counts) round_trip_ns = std::max(round_trip_ns, anchor->round_trip_ns);
    anchors.samples.push_back(*anchor);
  }
  capture.host_quantization_ns = coarseness_of(relation, round_trip_ns, capture.frequency);
  if (capture.host_quantization_ns >= kMicrosecond) {
    anchors.raw_device_unit = "device_uptime_us";
    capture.host_quantization_ns -= kMicrosecond;
    for (ClockAnchor& anchor : anchors.samples)
      anchor.raw_device_timestamp =
          capture.frequency.to_nanoseconds(Ticks{anchor.device_cycles}).value / kMicrosecond;
  }
  capture.clock_anchors = std::move(anchors);
}

void add_host_capture(const Trace& trace, Capture& capture) {
  for (const trace::Accounting& row : trace.accounting()) {
    if (trace.text(row.producer) != "host orchestrator") continue;
    const bool whole = row.dropped == 0 && row.collected >= row.produced;
    capture.host_capture = {.status = whole ? "complete" : "partial",
                            .expected = row.produced,
                            .recorded = row.collected,
                            .pool = row.collected,
                            .dropped = row.dropped,
                            .error = whole ? std::string() : std::string(trace.text(row.drop_reason))};
  }
}

}  // namespace

void add_host_facts(const Trace& trace, const trace::ChipRun& chip, Capture& capture) {
  if (capture.host_orchestrators.empty() && capture.uploads.empty()) return;
  const std::optional<DeviceSpan> span = device_span(capture);
  const ClockRelation* relation = measured_relation(trace, chip);
  if (relation != nullptr && span && capture.frequency.known()) add_anchors(*relation, *span, capture);
  add_host_capture(trace, capture);
}

}  // namespace accelscope::formats::chip_run
