#include "capture/collector_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/human.h"
#include "capture/record_traits.h"

namespace accelscope::capture {
namespace {

using base::format_count;
using recorder::DropReason;
using recorder::kDropReasons;
using trace::QualityRow;
using trace::Severity;
using Rows = std::vector<QualityRow>;

std::string milliseconds(std::chrono::milliseconds limit) {
  return base::format_duration({std::chrono::nanoseconds(limit).count()});
}

std::uint64_t sum_of(const CollectorReport& report, std::uint64_t LaneReport::*field) {
  return std::accumulate(report.lanes.begin(), report.lanes.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const LaneReport& lane) { return sum + lane.*field; });
}

std::uint64_t dropped_for(const CollectorReport& report, DropReason reason) {
  std::uint64_t sum = 0;
  for (const LaneReport& lane : report.lanes) sum += lane.dropped[static_cast<std::size_t>(reason)];
  return sum;
}

void remark_on_failures(const CollectorReport& report, Rows& rows) {
  const std::string what = report.error ? report.error->to_string() : "no reason is known";
  const std::uint64_t lost = dropped_for(report, DropReason::kSinkFailed);
  if (report.sink_failed)
    rows.push_back(
        {.id = "collector.sink_failed",
         .severity = Severity::kError,
         .sentence = fmt::format("Writing what was recorded failed ({}). What was written before is "
                                 "kept; {} records that arrived later are lost.",
                                 what, format_count(lost)),
         .count = std::max<std::uint64_t>(lost, 1)});
  if (report.collector_died || report.manager_died)
    rows.push_back(
        {.id = "collector.thread_ended",
         .severity = Severity::kError,
         .sentence = fmt::format("The collector's {} thread ended before the run did ({}). What was "
                                 "collected before is kept.",
                                 report.collector_died ? "collecting" : "managing", what)});
}

void remark_on_limits(const CollectorReport& report, const CollectorLimits& limits, Rows& rows) {
  if (report.drain_limit_fired)
    rows.push_back(
        {.id = "collector.drain_limit",
         .severity = Severity::kWarning,
         .sentence = fmt::format("The sink did not take all that had arrived within {} of the end: the "
                                 "rest is counted as dropped.",
                                 milliseconds(limits.drain))});
  const auto has_flushed = [](const LaneReport& lane) { return lane.flushed(); };
  if (report.flush_limit_fired && std::all_of(report.lanes.begin(), report.lanes.end(), has_flushed))
    rows.push_back({.id = "collector.not_flushed",
                    .severity = Severity::kWarning,
                    .sentence = fmt::format("A producer flushed later than {} after the end.",
                                            milliseconds(limits.flush))});
  if (report.freeze_limits_fired > 0)
    rows.push_back(
        {.id = "collector.freeze_limit",
         .severity = Severity::kWarning,
         .sentence = fmt::format("All producers were held up while the host fell behind, and let go "
                                 "after the limit of {} although it had not caught up.",
                                 milliseconds(limits.freeze)),
         .count = report.freeze_limits_fired});
  if (const std::uint64_t timeouts = sum_of(report, &LaneReport::timeouts); timeouts > 0)
    rows.push_back({.id = "collector.wait_limit",
                    .severity = Severity::kWarning,
                    .sentence =
                        "A producer waited for an empty buffer until its time limit, and then dropped "
                        "records until it got one.",
                    .count = timeouts});
}

std::string unflushed_text(const LaneReport& lane, const CollectorLimits& limits) {
  std::string text = fmt::format(
      "{} did not flush within {} of the end. It had handed over {} records in {} "
      "buffers, which are kept",
      name_of(lane), milliseconds(limits.flush), format_count(lane.collected), format_count(lane.buffers));
  if (lane.missing() > 0)
    text += fmt::format("; its account names {} more, which came too late", format_count(lane.missing()));
  if (lane.unfinished_records > 0)
    text += fmt::format("; it stopped in the middle of a buffer, and up to {} records in it are lost",
                        format_count(lane.unfinished_records));
  return text + ".";
}

void remark_on_lane(const LaneReport& lane, const CollectorLimits& limits, Rows& rows) {
  if (!lane.flushed()) {
    rows.push_back({.id = "collector.not_flushed",
                    .severity = Severity::kWarning,
                    .sentence = unflushed_text(lane, limits)});
  } else if (!lane.adds_up()) {
    rows.push_back(
        {.id = "collector.missing",
         .severity = Severity::kError,
         .sentence = fmt::format("{} says that it made {} records, but {} were collected and {} dropped.",
                                 name_of(lane), format_count(lane.produced), format_count(lane.collected),
                                 format_count(lane.all_dropped())),
         .count = std::max<std::uint64_t>(lane.missing(), 1)});
  }
  if (lane.refused_buffers > 0)
    rows.push_back(
        {.id = "collector.refused_buffer",
         .severity = Severity::kError,
         .sentence = fmt::format("{} handed over buffers of another run or producer, or out of order: "
                                 "they were refused.",
                                 name_of(lane)),
         .count = lane.refused_buffers});
  if (lane.clock_backwards > 0)
    rows.push_back({.id = "collector.clock_backwards",
                    .severity = Severity::kWarning,
                    .sentence = fmt::format("{}: the clock went backwards.", name_of(lane)),
                    .count = lane.clock_backwards});
}

// One sentence for all producers of a kind: a chip has a hundred cores.
void remark_on_drops(const CollectorReport& report, Rows& rows) {
  std::map<std::pair<recorder::RecordKind, std::size_t>, std::pair<std::uint64_t, std::uint64_t>> drops;
  for (const LaneReport& lane : report.lanes)
    for (std::size_t reason = 0; reason < kDropReasons; ++reason) {
      if (lane.dropped[reason] == 0) continue;
      auto& [records, producers] = drops[{lane.kind, reason}];
      records += lane.dropped[reason];
      ++producers;
    }
  for (const auto& [what, how_many] : drops) {
    const auto reason = static_cast<DropReason>(what.second);
    rows.push_back(
        {.id = "collector.dropped",
         .severity = reason == DropReason::kOverwritten ? Severity::kInfo : Severity::kWarning,
         .sentence = fmt::format("Records ({}) of {} producers are not in the recording: {}.",
                                 name_of(what.first), format_count(how_many.second), text_of(reason)),
         .count = how_many.first});
  }
}

void remark_on_pauses(const CollectorReport& report, Rows& rows) {
  const std::uint64_t pauses = sum_of(report, &LaneReport::pauses);
  if (pauses > 0)
    rows.push_back(
        {.id = "collector.paused",
         .severity = Severity::kInfo,
         .sentence = fmt::format("Producers waited for the host, {} ticks in sum; the waits are in the "
                                 "recording, and work that ended in them is reported late.",
                                 format_count(sum_of(report, &LaneReport::paused_ticks))),
         .count = pauses});
}

}  // namespace

std::uint64_t LaneReport::all_dropped() const {
  return std::accumulate(dropped.begin(), dropped.end(), std::uint64_t{0});
}

std::uint64_t LaneReport::missing() const {
  const std::uint64_t known = collected + all_dropped();
  return produced > known ? produced - known : 0;
}

bool CollectorReport::adds_up() const {
  return std::all_of(lanes.begin(), lanes.end(), [](const LaneReport& lane) { return lane.adds_up(); });
}

std::string name_of(const LaneReport& lane) {
  return fmt::format("Producer {} ({})", lane.producer, name_of(lane.kind));
}

std::vector<QualityRow> remarks_on(const CollectorReport& report, const CollectorLimits& limits) {
  Rows rows;
  remark_on_failures(report, rows);
  remark_on_limits(report, limits, rows);
  for (const LaneReport& lane : report.lanes) remark_on_lane(lane, limits, rows);
  remark_on_drops(report, rows);
  remark_on_pauses(report, rows);
  return rows;
}

}  // namespace accelscope::capture
