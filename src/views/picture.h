// What the writers of pictures draw: one trace, or a trace and more of them that are made while they are
// written, so that a picture with more rows than the recording never is in memory as a whole.
//
// All parts have the same clocks and the same tracks, in the same order; the first part also holds the facts,
// sources, accounting and Quality of the whole. Rows of one track may be spread over several parts, each of
// which nests by itself. Arrows from part to part are flow ends (trace/tables.h): their numbers are 2^32 or
// more, so that they differ from those of the first part's own flows, and their source is drawn in an earlier
// nanosecond than their target, whatever the stretch.
//
// A picture owns its first part, or refers to the trace that it was made of, which then must outlive it.
// Parts may be made in any order and from several threads at once.
//
//   const Picture picture = picture_of(trace);
//   ACCELSCOPE_CHECK(for_each_part(picture, [&](const Trace& part, std::uint32_t number) { return ...; }));
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::views {

struct Picture {
  std::shared_ptr<const trace::Trace> first = {};
  std::uint32_t more_parts = 0;
  // Makes part number 1, 2, ..., more_parts.
  std::function<base::Result<trace::Trace>(std::uint32_t)> make_part = {};
  // The earliest time of all parts, by clock; Ticks::max() for clocks that no row uses.
  std::vector<trace::Ticks> first_times = {};
};

// A trace as it is: a picture of one part.
Picture picture_of(const trace::Trace& trace);

// Of the rows of a trace, by clock.
std::vector<trace::Ticks> first_times_of(const trace::Trace& trace);

// Calls use(part, number), which answers with a Status, for one part after the other but the first, which is
// there already. While one part is in use another thread makes the next.
template <class Use>
base::Status for_each_further_part(const Picture& picture, Use&& use) {
  const auto start_making = [&](std::uint32_t number) {
    // Where no thread can be had, it is made when it is asked for.
    return std::async(std::launch::async | std::launch::deferred, picture.make_part, number);
  };
  std::future<base::Result<trace::Trace>> next;
  if (picture.more_parts > 0) next = start_making(1);
  for (std::uint32_t number = 1; number <= picture.more_parts; ++number) {
    ACCELSCOPE_TRY(const trace::Trace part, next.get());
    if (number < picture.more_parts) next = start_making(number + 1);
    ACCELSCOPE_CHECK(use(part, number));
  }
  return {};
}

// The same for all parts; 0 is the first.
template <class Use>
base::Status for_each_part(const Picture& picture, Use&& use) {
  ACCELSCOPE_CHECK(use(*picture.first, std::uint32_t{0}));
  return for_each_further_part(picture, use);
}

}  // namespace accelscope::views
