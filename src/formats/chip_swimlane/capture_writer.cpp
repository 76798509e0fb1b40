#include "formats/chip_swimlane/capture_writer.h"

#include <array>

#include "base/json_writer.h"
#include "formats/chip_swimlane/metadata_writer.h"
#include "formats/chip_swimlane/row_text.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::Output;

// The columns of one row between brackets, with one check of the room.
template <class... Columns>
void put_row(Output& out, Columns... columns) {
  char* const start = out.reserve(sizeof...(columns) * (kMaxDigits + 2) + 2);
  char* place = start;
  *place++ = '[';
  bool first = true;
  const auto put_column = [&](auto column) {
    if (!first) place = put(place, std::string_view(", "));
    first = false;
    place = put(place, column);
  };
  (put_column(columns), ...);
  *place++ = ']';
  out.advance(static_cast<std::size_t>(place - start));
}

// Before every start, which is how these files say that there is no end.
constexpr std::int64_t kEndUnknown = 0;

constexpr std::array<std::string_view, 7> kKeys{
    "",
    "aicore_tasks",
    "aicpu_tasks",
    "aicpu_scheduler_phases",
    "aicpu_orchestrator_phases",
    "host_orchestrator_phases",
    "host_device_uploads",
};

}  // namespace

CaptureWriter::CaptureWriter(const Capture& facts, Output& out) : facts_(facts), out_(out) {
  put_number(out_, "{\n  \"chip_swimlane_level\": ", facts.level);
  out_.append(",\n  \"metadata\": ");
  write_metadata(facts, out_);
}

void CaptureWriter::leave() {
  if (in_thread_) out_.append(has_rows_ ? "\n    ]" : "]");
  in_thread_ = false;
  if (stream_ != Stream::kNone) out_.append(has_rows_ || has_threads_ ? "\n  ]" : "]");
}

void CaptureWriter::enter(Stream stream) {
  if (stream_ == stream) return;
  // Streams of the level are there, rows or not.
  if (stream_ == Stream::kNone && stream > Stream::kCores) enter(Stream::kCores);
  if (stream_ == Stream::kCores && stream > Stream::kSchedulers) enter(Stream::kSchedulers);
  if (stream_ == Stream::kSchedulers && stream > Stream::kPhases && facts_.level >= 3) enter(Stream::kPhases);
  leave();
  stream_ = stream;
  has_threads_ = false;
  has_rows_ = false;
  out_.append(",\n  \"");
  out_.append(kKeys[static_cast<std::size_t>(stream)]);
  out_.append("\": [");
}

void CaptureWriter::begin_row(std::string_view indentation) {
  if (has_rows_) out_.append(',');
  has_rows_ = true;
  out_.append(indentation);
}

void CaptureWriter::begin_thread() {
  if (in_thread_) out_.append(has_rows_ ? "\n    ]" : "]");
  out_.append(has_threads_ ? ",\n    [" : "\n    [");
  in_thread_ = true;
  has_threads_ = true;
  has_rows_ = false;
}

void CaptureWriter::add_core_rows(std::size_t core, const CoreRows& rows) {
  enter(Stream::kCores);
  for (std::size_t row = 0; row < rows.sequence.size(); ++row) {
    begin_row("\n    ");
    const bool received = !rows.receive.empty() && rows.receive[row] != kNoTime;
    const bool end_unknown = !rows.end_unknown.empty() && rows.end_unknown[row] != 0;
    const std::int64_t end = end_unknown ? kEndUnknown : rows.end[row];
    if (received)
      put_row(out_, core, rows.task[row], rows.sequence[row], rows.start[row], end,
              rows.start[row] - rows.receive[row]);
    else
      put_row(out_, core, rows.task[row], rows.sequence[row], rows.start[row], end);
  }
}

void CaptureWriter::add_scheduler_rows(std::size_t core, const CoreRows& rows) {
  enter(Stream::kSchedulers);
  // 0 is the recorder's word for a time that was not taken.
  const auto ticks = [](std::int64_t time) { return time == kNoTime ? 0 : time; };
  for (std::size_t row = 0; row < rows.dispatch.size(); ++row) {
    if (rows.dispatch[row] == kNoTime && rows.finish[row] == kNoTime) continue;
    begin_row("\n    ");
    put_row(out_, core, rows.sequence[row], ticks(rows.dispatch[row]), ticks(rows.finish[row]));
  }
}

void CaptureWriter::begin_scheduler_thread() {
  enter(Stream::kPhases);
  begin_thread();
}

void CaptureWriter::add_phase(const PhaseRow& row) {
  begin_row("\n      ");
  out_.append("{\"kind\": ");
  base::append_json_string(out_, facts_.phase_kinds[row.kind]);
  put_number(out_, ", \"start_cycles\": ", row.start);
  put_number(out_, ", \"end_cycles\": ", row.end_unknown ? kEndUnknown : row.end);
  put_number(out_, ", \"loop_iter\": ", row.loop);
  put_number(out_, ", \"tasks_processed\": ", row.tasks_processed);
  if (row.pop_hits) put_number(out_, ", \"pop_hit\": ", *row.pop_hits);
  if (row.pop_misses) put_number(out_, ", \"pop_miss\": ", *row.pop_misses);
  if (row.task) put_number(out_, ", \"task_id\": ", *row.task);
  if (row.queues_at_start) put_queues(out_, ", \"shared_at_start\": [", *row.queues_at_start);
  if (row.queues_at_end) put_queues(out_, ", \"shared_at_end\": [", *row.queues_at_end);
  out_.append('}');
}

void CaptureWriter::write_submit(const SubmitRow& row, std::string_view unit) {
  begin_row("\n      ");
  put_number(out_, "{\"submit_idx\": ", row.submit_index);
  put_number(out_, ", \"task_id\": ", row.task);
  out_.append(", \"start_");
  out_.append(unit);
  put_number(out_, "\": ", row.start);
  out_.append(", \"end_");
  out_.append(unit);
  put_number(out_, "\": ", row.end_unknown ? kEndUnknown : row.end);
  // Today's files have one kind of record here, and do not name it.
  if (row.phase < facts_.phase_kinds.size() && facts_.phase_kinds[row.phase] != "submit") {
    out_.append(", \"phase\": ");
    base::append_json_string(out_, facts_.phase_kinds[row.phase]);
  }
  out_.append('}');
}

void CaptureWriter::begin_orchestrator() {
  enter(Stream::kSubmits);
  begin_thread();
}

void CaptureWriter::add_submit(const SubmitRow& row) {
  write_submit(row, "cycles");
}

void CaptureWriter::begin_host_orchestrator() {
  enter(Stream::kHostSubmits);
  begin_thread();
}

void CaptureWriter::add_host_submit(const SubmitRow& row) {
  write_submit(row, "host_ns");
}

void CaptureWriter::add_upload(const UploadRow& row) {
  enter(Stream::kUploads);
  begin_row("\n    ");
  out_.append("{\"phase\": ");
  base::append_json_string(out_, row.phase);
  put_number(out_, ", \"start_host_ns\": ", row.start_ns);
  put_number(out_, ", \"end_host_ns\": ", row.end_ns);
  put_number(out_, ", \"detail\": ", row.bytes);
  out_.append('}');
}

void CaptureWriter::finish() {
  if (stream_ < Stream::kSchedulers) enter(Stream::kSchedulers);
  if (stream_ < Stream::kPhases && facts_.level >= 3) enter(Stream::kPhases);
  if (stream_ < Stream::kSubmits && facts_.level >= 4) enter(Stream::kSubmits);
  leave();
  out_.append("\n}\n");
}

void write_capture(const Capture& capture, Output& out) {
  CaptureWriter writer(capture, out);
  for (std::size_t core = 0; core < capture.cores.size(); ++core)
    writer.add_core_rows(core, capture.cores[core]);
  for (std::size_t core = 0; core < capture.cores.size(); ++core)
    writer.add_scheduler_rows(core, capture.cores[core]);
  for (const std::vector<PhaseRow>& thread : capture.scheduler_threads) {
    writer.begin_scheduler_thread();
    for (const PhaseRow& row : thread) writer.add_phase(row);
  }
  for (const std::vector<SubmitRow>& thread : capture.orchestrators) {
    writer.begin_orchestrator();
    for (const SubmitRow& row : thread) writer.add_submit(row);
  }
  for (const std::vector<SubmitRow>& thread : capture.host_orchestrators) {
    writer.begin_host_orchestrator();
    for (const SubmitRow& row : thread) writer.add_host_submit(row);
  }
  for (const UploadRow& row : capture.uploads) writer.add_upload(row);
  writer.finish();
}

}  // namespace accelscope::formats::chip_swimlane
