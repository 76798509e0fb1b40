#include "formats/chip_swimlane/remarks.h"

#include <fmt/core.h>

namespace accelscope::formats::chip_swimlane {
namespace {

using base::Location;
using trace::Severity;

class Remarks {
 public:
  Remarks(Capture& capture, const std::string& path) : capture_(capture), path_(path) {}

  void add(std::string_view id, Severity severity, std::uint64_t count, std::string sentence) {
    if (count == 0) return;
    capture_.quality.add({.id = std::string(id),
                          .severity = severity,
                          .sentence = std::move(sentence),
                          .count = count,
                          .first_place = Location::of_file(path_)});
  }
  void add(std::string_view id, Severity severity, const Oddity& oddity, std::string sentence) {
    if (oddity.count == 0) return;
    capture_.quality.add({.id = std::string(id),
                          .severity = severity,
                          .sentence = std::move(sentence),
                          .count = oddity.count,
                          .first_place = Location::byte(path_, oddity.first_offset.value_or(0))});
  }

 private:
  Capture& capture_;
  const std::string& path_;
};

void add_row_trouble(Remarks& remarks, const RowTrouble& rows) {
  remarks.add("chip_swimlane.phantom_row", Severity::kWarning, rows.phantoms,
              "A row that another core left in this core's buffer: rejected, the other core has it.");
  remarks.add("chip_swimlane.duplicate_row", Severity::kWarning, rows.duplicates,
              "A core has two rows with one sequence number: the one that fits is kept, the other rejected.");
  remarks.add("chip_swimlane.overlapping_rows", Severity::kWarning, rows.overlaps,
              "A row begins before the one in front of it on its core ended.");
  remarks.add("chip_swimlane.lost_rows", Severity::kError, rows.lost,
              "A sequence number is missing on a core: the recorder lost that row.");
}

void add_join_trouble(Remarks& remarks, const JoinTrouble& join) {
  remarks.add("chip_swimlane.unmatched_core_row", Severity::kWarning, join.core_rows_unmatched,
              "A row of a core has no row of a scheduler: its dispatch and finish are not known.");
  remarks.add("chip_swimlane.unmatched_scheduler_row", Severity::kWarning, join.scheduler_rows_unmatched,
              "A row of a scheduler has no row of a core: it is left out.");
  remarks.add("chip_swimlane.duplicate_scheduler_row", Severity::kWarning, join.duplicate_scheduler_rows,
              "A scheduler has two rows for one dispatch: the first is kept.");
}

void add_oddities(Remarks& remarks, const Draft& draft) {
  constexpr auto kWarning = Severity::kWarning;
  remarks.add("chip_swimlane.end_before_start", kWarning, draft.end_before_start,
              "A row of a core ends before it starts: it is shown with a duration of zero.");
  remarks.add("chip_swimlane.end_before_start", kWarning, draft.phase_end_before_start,
              "A scheduler phase ends before it starts: it is shown with a duration of zero.");
  remarks.add("chip_swimlane.end_before_start", kWarning, draft.submit_end_before_start,
              "A submission or upload ends before it starts: it is shown with a duration of zero.");
  remarks.add("chip_swimlane.receive_too_early", kWarning, draft.receive_too_early,
              "A row's time from receive to start is longer than its start: its receive is not known.");
  for (const Oddity& zero_times : {draft.zero_times, draft.scheduler.zero_times})
    remarks.add("chip_swimlane.time_not_taken", kWarning, zero_times,
                "A dispatch or finish time is 0, which stands for a time that was not taken.");
  remarks.add("chip_swimlane.empty_slot", kWarning, draft.empty_slots,
              "A row of a core has neither a start nor an end: a slot that was never written, rejected.");
  remarks.add("chip_swimlane.impossible_core", Severity::kError, draft.impossible_cores,
              "A row's core number is 65536 or more: rejected.");
  remarks.add("chip_swimlane.impossible_core", Severity::kError, draft.scheduler.impossible_cores,
              "A scheduler row's core number is 65536 or more: rejected.");
  remarks.add("chip_swimlane.impossible_core", Severity::kError, draft.impossible_cores_named,
              "The metadata list more than 65536 cores: the rest is ignored.");
  remarks.add("chip_swimlane.unknown_phase", Severity::kInfo, draft.unknown_kinds,
              "A phase of a kind that is not known here: kept under its name.");
  remarks.add("chip_swimlane.core_type_conflict", kWarning, draft.core_type_conflicts,
              "Rows of one core disagree about its type: the first counts.");
}

// Times of one dispatch that contradict each other. They are kept: which of two clocks' readings is wrong is
// not known.
void add_order_remarks(Remarks& remarks, const Capture& capture) {
  std::uint64_t late_dispatches = 0;
  std::uint64_t early_finishes = 0;
  for (const CoreRows& core : capture.cores) {
    if (core.dispatch.empty()) continue;
    for (std::size_t row = 0; row < core.start.size(); ++row) {
      const bool received = !core.receive.empty() && core.receive[row] != kNoTime;
      late_dispatches += core.dispatch[row] > (received ? core.receive[row] : core.start[row]) ? 1U : 0U;
      early_finishes += core.finish[row] != kNoTime && core.finish[row] < core.end[row] ? 1U : 0U;
    }
  }
  remarks.add("chip_swimlane.dispatch_after_receive", Severity::kWarning, late_dispatches,
              "A core received or started a task before its scheduler dispatched it: times as recorded.");
  remarks.add("chip_swimlane.finish_before_end", Severity::kWarning, early_finishes,
              "A scheduler saw the end of a task before its core did: times as recorded.");
}

void add_core_remarks(Remarks& remarks, const Draft& draft) {
  const Capture& capture = draft.capture;
  std::uint64_t beyond = 0;
  std::uint64_t without_type = 0;
  for (std::size_t core = 0; core < capture.cores.size(); ++core) {
    if (draft.num_cores && core >= *draft.num_cores) beyond += capture.cores[core].sequence.size();
    if (capture.cores[core].exists && capture.cores[core].type == CoreType::kUnknown) ++without_type;
  }
  remarks.add("chip_swimlane.core_out_of_range", Severity::kWarning, beyond,
              "A row's core is beyond the number of cores in the metadata: it is kept.");
  if (capture.era == Era::kRawCycles)
    remarks.add("chip_swimlane.core_without_type", Severity::kWarning, without_type,
                "The file does not say whether a core is cube or vector.");
  if (draft.num_cores && *draft.num_cores > kMaxCores)
    remarks.add(
        "chip_swimlane.impossible_core", Severity::kError, 1,
        fmt::format("The metadata speak of {} cores: only those with rows are shown.", *draft.num_cores));
}

void add_host_remarks(Remarks& remarks, const Draft& draft) {
  const Capture& capture = draft.capture;
  if (draft.has_submits && draft.has_host_submits)
    remarks.add(
        "chip_swimlane.two_orchestrators", Severity::kWarning, 1,
        "The file has submissions of the device and of the host, which no recorder writes: both are kept.");
  if (!capture.host_capture) return;
  const HostCapture& host = *capture.host_capture;
  if (host.status == "complete" && host.dropped == 0 && host.recorded >= host.expected) return;
  const std::uint64_t lost = host.expected > host.recorded ? host.expected - host.recorded : host.dropped;
  remarks.add(
      "chip_swimlane.host_capture_incomplete", Severity::kWarning, lost == 0 ? 1 : lost,
      fmt::format("The host's record of its submissions is not complete (status \"{}\"): {} of {} are there.",
                  host.status, host.recorded, host.expected));
}

}  // namespace

void add_remarks(Draft& draft, const RowTrouble& rows, const JoinTrouble& join, const std::string& path) {
  Remarks remarks(draft.capture, path);
  if (draft.capture.counts.core_rows == 0)
    remarks.add("chip_swimlane.no_rows", Severity::kWarning, 1, "The file has no rows of cores.");
  add_row_trouble(remarks, rows);
  add_join_trouble(remarks, join);
  add_oddities(remarks, draft);
  add_order_remarks(remarks, draft.capture);
  add_core_remarks(remarks, draft);
  add_host_remarks(remarks, draft);
}

}  // namespace accelscope::formats::chip_swimlane
