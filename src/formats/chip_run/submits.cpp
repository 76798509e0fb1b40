// The calls of an orchestrator as slices.
#include <algorithm>

#include "formats/chip_run/control_lanes.h"
#include "formats/chip_run/times.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::SubmitRow;
using trace::SliceId;
using trace::Ticks;
using trace::TrackId;

// One call: a row of its own, or the steps that an old recording lists with the same submit index.
struct Call {
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::size_t first = 0;
  std::size_t last = 0;  // one past
  bool ours = false;     // made from its steps
  bool submits = true;   // false for steps that belong to no task
};

std::vector<Call> calls_of(const std::vector<SubmitRow>& rows, const Capture& capture) {
  std::vector<Call> calls;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string_view phase = capture.phase_kinds[rows[i].phase];
    const bool whole = phase == trace::category::kSubmit;
    const bool alone = !belongs_to_call(phase);
    const bool continues = !whole && !alone && !calls.empty() && calls.back().ours && calls.back().submits &&
                           rows[calls.back().first].submit_index == rows[i].submit_index;
    if (!continues) calls.push_back({rows[i].start, rows[i].end, i, i, !whole, !alone});
    calls.back().start = std::min(calls.back().start, rows[i].start);
    calls.back().end = std::max(calls.back().end, rows[i].end);
    calls.back().last = i + 1;
  }
  std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
  return calls;
}

}  // namespace

void add_submits(const Capture& capture, const std::vector<SubmitRow>& rows, TrackId track,
                 const RunTasks& tasks, trace::TraceBuilder& builder) {
  const trace::CategoryId submit = builder.category(trace::category::kSubmit);
  const trace::CategoryId step = builder.category(trace::category::kOrchestratorPhase);
  const trace::StringId name = builder.intern(trace::category::kSubmit);
  const trace::StringId submit_index = builder.intern(trace::arg::kSubmitIndex);
  for (const Call& call : calls_of(rows, capture)) {
    const SubmitRow& first = rows[call.first];
    if (call.submits) {
      const SliceId slice = builder.add_slice(
          {.track = track,
           .start = Ticks{call.start},
           .duration = duration_between(call.start, call.end),
           .name = name,
           .category = submit,
           .flags = call.ours ? trace::SliceFlag::kSynthetic : flag_of_end(first.end_unknown),
           .task = tasks.index.find(first.task)});
      builder.add_slice_arg(slice, submit_index, trace::Value::of_uint(first.submit_index));
    }
    if (!call.ours) continue;
    for (std::size_t i = call.first; i < call.last; ++i)
      builder.add_slice({.track = track,
                         .start = Ticks{rows[i].start},
                         .duration = duration_between(rows[i].start, rows[i].end),
                         .name = builder.intern(capture.phase_kinds[rows[i].phase]),
                         .category = step,
                         .flags = flag_of_end(rows[i].end_unknown)});
  }
}

}  // namespace accelscope::formats::chip_run
