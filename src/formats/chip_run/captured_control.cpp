#include "formats/chip_run/captured_control.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/number_in.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::chip_run {
namespace {

using chip_swimlane::Capture;
using chip_swimlane::PhaseRow;
using chip_swimlane::SubmitRow;
using trace::ArgId;
using trace::CategoryId;
using trace::RowRange;
using trace::StringId;
using trace::TaskId;
using trace::Trace;
using trace::TrackId;
using trace::Value;

std::uint32_t kind_position(std::string_view name, Capture& capture) {
  std::vector<std::string>& kinds = capture.phase_kinds;
  const auto position = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), name) - kinds.begin());
  if (position == kinds.size()) kinds.emplace_back(name);
  return static_cast<std::uint32_t>(position);
}

bool end_is_unknown(const Trace& trace, std::uint32_t slice) {
  return has_flag(trace.slices().flags[slice], trace::SliceFlag::kEndUnknown);
}

std::int64_t end_of(const Trace& trace, std::uint32_t slice) {
  return trace.end_of(trace::SliceId{slice}).value;
}

std::optional<std::uint64_t> task_of(const Trace& trace, std::uint32_t slice) {
  const TaskId task = trace.slices().task[slice];
  if (task == TaskId::kNone) return std::nullopt;
  return trace.tasks().external_id[trace::index(task)];
}

// "[1,0,2]"
std::optional<std::array<std::int64_t, 3>> depths_in(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::array<std::int64_t, 3> depths{};
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const std::size_t comma = i + 1 < depths.size() ? text.find(',') : text.size();
    if (comma == std::string_view::npos) return std::nullopt;
    const auto depth = base::number_in<std::int64_t>(text.substr(0, comma));
    if (!depth) return std::nullopt;
    depths[i] = *depth;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return depths;
}

class PhaseRows {
 public:
  PhaseRows(const Trace& trace, Capture& capture)
      : trace_(trace),
        capture_(capture),
        loop_(trace.strings().find(trace::arg::kLoop)),
        tasks_processed_(trace.strings().find(trace::arg::kTasksProcessed)),
        pop_hits_(trace.strings().find(trace::arg::kPopHits)),
        pop_misses_(trace.strings().find(trace::arg::kPopMisses)),
        queues_at_start_(trace.strings().find(trace::arg::kQueuesAtStart)),
        queues_at_end_(trace.strings().find(trace::arg::kQueuesAtEnd)) {}

  PhaseRow row_of(std::uint32_t slice) {
    PhaseRow row{.kind = kind_of(trace_.slices().name[slice]),
                 .start = trace_.slices().start[slice].value,
                 .end = end_of(trace_, slice),
                 .end_unknown = end_is_unknown(trace_, slice),
                 .task = task_of(trace_, slice)};
    const trace::ArgTable& args = trace_.args();
    for (ArgId arg = trace_.slices().first_arg[slice]; arg != ArgId::kNone;
         arg = args.next[trace::index(arg)])
      take(args.name[trace::index(arg)], args.value(arg), row);
    return row;
  }

 private:
  // A handful of names, each looked up once.
  std::uint32_t kind_of(StringId name) {
    for (const auto& [known, position] : kinds_)
      if (known == name) return position;
    kinds_.emplace_back(name, kind_position(trace_.text(name), capture_));
    return kinds_.back().second;
  }

  void take(StringId name, Value value, PhaseRow& row) const {
    if (name == loop_)
      row.loop = value.as_uint();
    else if (name == tasks_processed_)
      row.tasks_processed = value.as_uint();
    else if (name == pop_hits_)
      row.pop_hits = value.as_uint();
    else if (name == pop_misses_)
      row.pop_misses = value.as_uint();
    else if (name == queues_at_start_ && value.holds_text())
      row.queues_at_start = depths_in(trace_.text(value.as_text()));
    else if (name == queues_at_end_ && value.holds_text())
      row.queues_at_end = depths_in(trace_.text(value.as_text()));
  }

  const Trace& trace_;
  Capture& capture_;
  StringId loop_;
  StringId tasks_processed_;
  StringId pop_hits_;
  StringId pop_misses_;
  StringId queues_at_start_;
  StringId queues_at_end_;
  std::vector<std::pair<StringId, std::uint32_t>> kinds_;
};

// Inside another phase by what it is, not by its times: one of no length at the end of another comes after
// it.
bool is_inner(std::string_view kind) {
  return kind == trace::phase::kResolve || kind == trace::phase::kDrainPrepare ||
         kind == trace::phase::kDrainPublish || kind == trace::control::kDummyTask ||
         kind == trace::control::kPredicatedSkip;
}

void sort_by_end(std::vector<PhaseRow>& rows, const std::vector<std::string>& kinds) {
  std::vector<bool> inner(kinds.size());
  std::transform(kinds.begin(), kinds.end(), inner.begin(), is_inner);
  std::stable_sort(rows.begin(), rows.end(), [&](const PhaseRow& a, const PhaseRow& b) {
    if (a.end != b.end) return a.end < b.end;
    return inner[a.kind] && !inner[b.kind];
  });
}

// The rows of one orchestrator.
class SubmitRows {
 public:
  SubmitRows(const Trace& trace, Capture& capture, LeftOut& left_out)
      : trace_(trace),
        capture_(capture),
        left_out_(left_out),
        submit_(trace.find_category(trace::category::kSubmit)),
        step_(trace.find_category(trace::category::kOrchestratorPhase)) {}

  std::vector<SubmitRow> rows_of(TrackId track) {
    rows_.clear();
    const RowRange range = trace_.slices_of(track);
    for (std::uint32_t slice = range.first; slice < range.end(); ++slice) {
      const CategoryId category = trace_.slices().category[slice];
      if (category == CategoryId::kNone || (category != submit_ && category != step_)) continue;
      ++left_out_.slices_written;
      if (category == step_)
        add_step(slice);
      else if (!has_flag(trace_.slices().flags[slice], trace::SliceFlag::kSynthetic))
        add(slice, slice, trace::category::kSubmit);
    }
    return std::move(rows_);
  }

 private:
  // A step knows its call, which may be around another step, by its place. One that belongs to no call has
  // neither a task nor a number.
  void add_step(std::uint32_t slice) {
    trace::SliceId call = trace_.slices().parent[slice];
    while (call != trace::SliceId::kNone && trace_.slices().category[trace::index(call)] != submit_)
      call = trace_.slices().parent[trace::index(call)];
    const std::string_view name = trace_.text(trace_.slices().name[slice]);
    if (call != trace::SliceId::kNone) return add(slice, trace::index(call), name);
    rows_.push_back({.start = trace_.slices().start[slice].value,
                     .end = end_of(trace_, slice),
                     .phase = kind_position(name, capture_),
                     .end_unknown = end_is_unknown(trace_, slice)});
  }

  void add(std::uint32_t slice, std::uint32_t call, std::string_view name) {
    const std::optional<std::uint64_t> task = task_of(trace_, call);
    if (!task) {
      ++left_out_.rows_without_task;
      return;
    }
    rows_.push_back(
        {.submit_index = trace_.find_arg(trace_.slices().first_arg[call], trace::arg::kSubmitIndex).as_uint(),
         .task = *task,
         .start = trace_.slices().start[slice].value,
         .end = end_of(trace_, slice),
         .phase = kind_position(name, capture_),
         .end_unknown = end_is_unknown(trace_, slice)});
  }

  const Trace& trace_;
  Capture& capture_;
  LeftOut& left_out_;
  CategoryId submit_;
  CategoryId step_;
  std::vector<SubmitRow> rows_;
};

// How many threads the recorder lists, whether they recorded something or not.
std::size_t threads_of_chip(const Trace& trace) {
  for (const trace::Fact& fact : trace.facts()) {
    if (trace.text(fact.key) != trace::fact::kDevice || !fact.value.holds_text()) continue;
    const std::string_view chip = trace.text(fact.value.as_text());
    return chip == "a2a3" ? 4 : chip == "a5" ? 5 : 0;
  }
  return 0;
}

// The place of a thread of this number.
template <class Row>
std::vector<Row>& thread_at(std::vector<std::vector<Row>>& threads, std::int64_t number) {
  const auto place = static_cast<std::size_t>(number);
  if (threads.size() <= place) threads.resize(place + 1);
  return threads[place];
}

}  // namespace

void add_phase_rows(const Trace& trace, const trace::ChipRun& chip, Capture& capture, LeftOut& left_out) {
  const CategoryId phase = trace.find_category(trace::category::kSchedulerPhase);
  const CategoryId control = trace.find_category(trace::category::kControlTask);
  PhaseRows phases(trace, capture);
  for (const TrackId track : chip.schedulers) {
    std::vector<PhaseRow>& rows = thread_at(capture.scheduler_threads, trace.track(track).external_id);
    const RowRange range = trace.slices_of(track);
    for (std::uint32_t slice = range.first; slice < range.end(); ++slice) {
      const CategoryId category = trace.slices().category[slice];
      if (category != CategoryId::kNone && (category == phase || category == control))
        rows.push_back(phases.row_of(slice));
    }
    left_out.slices_written += rows.size();
    sort_by_end(rows, capture.phase_kinds);
  }
  if (!capture.scheduler_threads.empty())
    capture.scheduler_threads.resize(std::max(capture.scheduler_threads.size(), threads_of_chip(trace)));
}

void add_submit_rows(const Trace& trace, const trace::ChipRun& chip, Capture& capture, LeftOut& left_out) {
  SubmitRows submits(trace, capture, left_out);
  for (const TrackId track : chip.orchestrators) {
    const bool on_device = trace.track(track).clock == chip.clock;
    auto& streams = on_device ? capture.orchestrators : capture.host_orchestrators;
    thread_at(streams, trace.track(track).external_id) = submits.rows_of(track);
  }
  if (!capture.host_orchestrators.empty()) capture.orchestrator_source = "host";
}

void add_upload_rows(const Trace& trace, Capture& capture, LeftOut& left_out) {
  const CategoryId upload = trace.find_category(trace::category::kUpload);
  if (upload == CategoryId::kNone) return;
  for (std::uint32_t slice = 0; slice < trace.slices().size(); ++slice) {
    if (trace.slices().category[slice] != upload) continue;
    ++left_out.slices_written;
    capture.uploads.push_back(
        {.phase = std::string(trace.text(trace.slices().name[slice])),
         .start_ns = trace.slices().start[slice].value,
         .end_ns = end_of(trace, slice),
         .bytes = trace.find_arg(trace.slices().first_arg[slice], trace::arg::kBytes).as_uint()});
  }
}

}  // namespace accelscope::formats::chip_run
