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
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>
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

// How many parts are worked on at a time.
std::uint32_t parts_at_a_time();

// For every part but the first, which is there already: encode(part, number), which answers with a Result, in
// other threads, several at once; then use(encoded, number), which answers with a Status, in this thread and
// in the order of the parts.
template <class Encode, class Use>
base::Status for_each_further_part(const Picture& picture, const Encode& encode, Use&& use) {
  using Encoded = std::invoke_result_t<const Encode&, trace::Trace, std::uint32_t>;
  const auto make = [&](std::uint32_t number) -> Encoded {
    ACCELSCOPE_TRY(trace::Trace part, picture.make_part(number));
    return encode(std::move(part), number);
  };
  std::deque<std::future<Encoded>> made;
  std::uint32_t started = 0;
  for (std::uint32_t number = 1; number <= picture.more_parts; ++number) {
    // Where no thread can be had, a part is made when it is asked for.
    while (started < picture.more_parts && made.size() < parts_at_a_time())
      made.push_back(std::async(std::launch::async | std::launch::deferred, make, ++started));
    ACCELSCOPE_TRY(auto encoded, made.front().get());
    made.pop_front();
    ACCELSCOPE_CHECK(use(std::move(encoded), number));
  }
  return {};
}

// Calls use(part, number), which answers with a Status, for all parts; 0 is the first. Other threads make the
// next ones.
template <class Use>
base::Status for_each_part(const Picture& picture, Use&& use) {
  ACCELSCOPE_CHECK(use(*picture.first, std::uint32_t{0}));
  const auto as_it_is = [](trace::Trace part, std::uint32_t) -> base::Result<trace::Trace> { return part; };
  return for_each_further_part(picture, as_it_is, use);
}

}  // namespace accelscope::views
