// Clock domains and how two of them relate.
//
// Every track's times are ticks of one domain. A relation keeps the raw samples (the same moment read on both
// clocks, with the round trip that bounds the error) beside the piecewise-linear fit made from them, so that
// later work can fit again. Plain data and pure functions; safe to read from many threads.
//
//   ClockRelation relation = fit_clock_relation(device, host, samples, device_frequency, host_frequency);
//   MappedTime time = map_time(relation, Ticks{123456});    // time.value in host ticks, give or take
//   time.uncertainty
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trace/entities.h"

namespace accelscope::trace {

struct ClockDomain {
  StringId name = StringId::kEmpty;
  base::Frequency frequency = base::Frequency::unknown();  // unknown: ticks have no length in seconds

  static constexpr auto columns() {
    return std::make_tuple(
        field("name", &ClockDomain::name, "", "as shown"),
        field("frequency", &ClockDomain::frequency, "ticks/s", "0 ticks: the unit is unknown"));
  }
};

struct ClockSample {
  Ticks from;        // reading of the first clock
  Ticks to;          // reading of the second clock at the same moment
  Ticks round_trip;  // in ticks of the second clock: the true moment lies within plus or minus half of it

  static constexpr auto columns() {
    return std::make_tuple(field("from", &ClockSample::from, "ticks", "reading of the first clock"),
                           field("to", &ClockSample::to, "ticks", "reading of the second at the same moment"),
                           field("round_trip", &ClockSample::round_trip, "ticks",
                                 "of the second clock: the moment is known to plus or minus half of it"));
  }
};

// Two knots span a segment; times between them are interpolated, times outside are extrapolated from the
// nearest segment.
struct ClockKnot {
  Ticks from;
  Ticks to;

  static constexpr auto columns() {
    return std::make_tuple(field("from", &ClockKnot::from, "ticks", "time on the first clock"),
                           field("to", &ClockKnot::to, "ticks", "time on the second clock"));
  }
};

struct ClockRelation {
  ClockId from = ClockId::kNone;
  ClockId to = ClockId::kNone;
  std::vector<ClockSample> samples;
  std::vector<ClockKnot> knots;  // increasing in both; at least two, or empty when the samples are unusable
  Ticks uncertainty;  // in ticks of the second clock; the largest there is when nothing was measured

  static constexpr auto columns() {
    return std::make_tuple(field("from", &ClockRelation::from, "", "the first clock"),
                           field("to", &ClockRelation::to, "", "the second clock"),
                           field("uncertainty", &ClockRelation::uncertainty, "ticks", "of the second clock"));
  }
};

struct MappedTime {
  Ticks value;
  Ticks uncertainty;
};

// Samples whose round trip is over three times the best are kept but do not make knots; neither do samples
// that run backwards. One usable sample is continued with the ratio of the two frequencies, when both are
// known.
ClockRelation fit_clock_relation(ClockId from, ClockId to, std::vector<ClockSample> samples,
                                 base::Frequency from_frequency, base::Frequency to_frequency);

// Nothing when the relation has no knots. Rounds down, and stops at the ends of the range.
std::optional<MappedTime> map_time(const ClockRelation& relation, Ticks time);

}  // namespace accelscope::trace
