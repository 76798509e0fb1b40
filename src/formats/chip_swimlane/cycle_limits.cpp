#include "formats/chip_swimlane/cycle_limits.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace accelscope::formats::chip_swimlane {
namespace {

using base::ErrorCode;
using trace::Severity;

// Calls visit(time) for every time of the device that is written as it stands.
template <class Visit>
void for_each_time(Capture& capture, Visit&& visit) {
  for (CoreRows& core : capture.cores)
    for (auto* column : {&core.start, &core.end, &core.receive, &core.dispatch, &core.finish})
      for (std::int64_t& time : *column)
        if (time != kNoTime) visit(time);
  for (auto& thread : capture.scheduler_threads)
    for (PhaseRow& row : thread) {
      visit(row.start);
      visit(row.end);
    }
  for (auto& stream : capture.orchestrators)
    for (SubmitRow& row : stream) {
      visit(row.start);
      visit(row.end);
    }
  if (capture.clock_anchors)
    for (ClockAnchor& anchor : capture.clock_anchors->samples) visit(anchor.device_cycles);
}

// Whether a time of 0 would be taken for one that was not taken, or a row of zeros for none.
bool zero_misleads(const Capture& capture) {
  const auto is_zero = [](std::int64_t time) { return time == 0; };
  for (const CoreRows& core : capture.cores) {
    if (std::any_of(core.dispatch.begin(), core.dispatch.end(), is_zero) ||
        std::any_of(core.finish.begin(), core.finish.end(), is_zero))
      return true;
    for (std::size_t row = 0; row < core.start.size(); ++row)
      if (core.start[row] == 0 && core.end[row] == 0) return true;
  }
  const auto begins_at_zero = [](const auto& row) { return row.end_unknown && row.start == 0; };
  const auto any = [&](const auto& threads) {
    return std::any_of(threads.begin(), threads.end(), [&](const auto& rows) {
      return std::any_of(rows.begin(), rows.end(), begins_at_zero);
    });
  };
  return any(capture.scheduler_threads) || any(capture.orchestrators);
}

base::Status shift_times(Capture& capture, trace::QualityTable& remarks) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  for_each_time(capture, [&](std::int64_t time) {
    first = std::min(first, time);
    last = std::max(last, time);
  });
  if (first > 0 || (first == 0 && !zero_misleads(capture))) return {};
  std::int64_t shift = 0;
  std::int64_t end = 0;
  if (__builtin_sub_overflow(std::int64_t{1}, first, &shift) || __builtin_add_overflow(last, shift, &end))
    return base::fail(
        ErrorCode::kTooLarge,
        "the times of this run, from {} to {}, do not fit the 63 bits that a swimlane file has for them",
        first, last);
  for_each_time(capture, [&](std::int64_t& time) { time += shift; });
  if (capture.clock_anchors)
    for (ClockAnchor& anchor : capture.clock_anchors->samples)
      anchor.raw_device_timestamp = std::max<std::int64_t>(anchor.raw_device_timestamp, 0);
  remarks.add(
      {.id = "chip_swimlane.times_shifted",
       .severity = Severity::kInfo,
       .sentence = fmt::format("A swimlane's 0 stands for a time that was not taken: all times of the "
                               "device are written {} ticks later, so that the first is 1.",
                               shift)});
  return {};
}

void drop_late_receives(Capture& capture, trace::QualityTable& remarks) {
  std::uint64_t late = 0;
  for (CoreRows& core : capture.cores)
    for (std::size_t row = 0; row < core.receive.size(); ++row)
      if (core.receive[row] > core.start[row]) {
        core.receive[row] = kNoTime;
        ++late;
      }
  if (late > 0)
    remarks.add({.id = "chip_swimlane.not_written",
                 .severity = Severity::kWarning,
                 .sentence =
                     "A swimlane says how long before its start a dispatch was received, and cannot say "
                     "that it was after it: these are left out.",
                 .count = late});
}

base::Status check_host_times(const Capture& capture) {
  const auto is_early = [](const SubmitRow& row) {
    return row.start < 0 || (row.start == 0 && row.end_unknown);
  };
  const bool early =
      std::any_of(capture.host_orchestrators.begin(), capture.host_orchestrators.end(),
                  [&](const auto& rows) { return std::any_of(rows.begin(), rows.end(), is_early); }) ||
      std::any_of(capture.uploads.begin(), capture.uploads.end(),
                  [](const UploadRow& row) { return row.start_ns < 0; });
  if (early)
    return base::fail(ErrorCode::kTooLarge,
                      "the host's times begin before 0, which a swimlane file cannot say");
  return {};
}

}  // namespace

base::Result<trace::QualityTable> fit_to_cycles(Capture& capture) {
  constexpr std::int64_t kMaxHz = 1'000'000'000'000'000;
  if (capture.frequency.known()) capture.frequency = capture.frequency.reduced();
  if (capture.frequency.known() && (capture.frequency.seconds != 1 || capture.frequency.ticks > kMaxHz))
    return base::fail(ErrorCode::kTooLarge,
                      "a swimlane file counts whole ticks a second, up to 10^15; this clock has {} in {} s",
                      capture.frequency.ticks, capture.frequency.seconds);
  ACCELSCOPE_CHECK(check_host_times(capture));
  trace::QualityTable remarks;
  drop_late_receives(capture, remarks);
  ACCELSCOPE_CHECK(shift_times(capture, remarks));
  if (capture.orchestrator_totals)
    remarks.add({.id = "chip_swimlane.not_written",
                 .severity = Severity::kInfo,
                 .sentence = "The totals of the orchestrator, which only old swimlanes have: left out."});
  return remarks;
}

}  // namespace accelscope::formats::chip_swimlane
