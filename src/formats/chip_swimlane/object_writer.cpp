#include "formats/chip_swimlane/object_writer.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/json_writer.h"
#include "formats/chip_swimlane/object_limits.h"
#include "formats/chip_swimlane/row_text.h"

namespace accelscope::formats::chip_swimlane {
namespace {

using base::Output;

// One dispatch, by the id of its task.
struct Place {
  std::uint64_t task = 0;
  std::uint32_t core = 0;
  std::uint32_t row = 0;

  auto operator<=>(const Place&) const = default;
};

std::vector<Place> by_task(const std::vector<CoreRows>& cores) {
  std::vector<Place> places;
  for (std::uint32_t core = 0; core < cores.size(); ++core)
    for (std::uint32_t row = 0; row < cores[core].task.size(); ++row)
      places.push_back({cores[core].task[row], core, row});
  std::sort(places.begin(), places.end());
  return places;
}

std::string_view quoted_type(CoreType type) {
  return type == CoreType::kCube ? "\"aic\"" : type == CoreType::kVector ? "\"aiv\"" : "\"unknown\"";
}

class ObjectWriter {
 public:
  ObjectWriter(const Capture& capture, int version, Output& out)
      : capture_(capture), version_(version), out_(out), zero_(first_time(capture, version)) {}

  void write() {
    put_number(out_, "{\n  \"version\": ", version_);
    write_tasks();
    if (version_ >= 2) {
      write_phases();
      if (has_device_submits(capture_)) write_orchestrators();
      write_core_to_thread();
    }
    write_cores();
    out_.append("\n}\n");
  }

 private:
  std::int64_t nanoseconds(std::int64_t time) const {
    std::int64_t elapsed = 0;
    if (__builtin_sub_overflow(time, zero_, &elapsed)) return base::Ticks::max().value;
    return capture_.frequency.to_nanoseconds(base::Ticks{elapsed}).value;
  }

  void put_microseconds(std::string_view key, std::int64_t nanoseconds) {
    out_.append(key);
    if (nanoseconds < 0) out_.append('-');
    const auto size = nanoseconds < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(nanoseconds)
                                      : static_cast<std::uint64_t>(nanoseconds);
    char* const start = out_.reserve(kMaxDigits + 4);
    char* place = put(start, size / 1000);
    *place++ = '.';
    for (const std::uint64_t digit : {size / 100, size / 10, size})
      *place++ = static_cast<char>('0' + digit % 10);
    out_.advance(static_cast<std::size_t>(place - start));
  }

  // An end that is not known stands before its start, by as little as these files can say.
  void put_times(std::int64_t start, std::int64_t end, bool end_unknown, std::string_view key) {
    const std::int64_t begin = nanoseconds(start);
    put_microseconds(key, begin);
    put_microseconds(", \"end_time_us\": ", end_unknown ? begin - 1 : nanoseconds(end));
  }

  void write_tasks() {
    out_.append(",\n  \"tasks\": [");
    const std::vector<Place> places = by_task(capture_.cores);
    std::vector<FanoutEdge> edges;
    if (version_ >= 1) edges = listed_edges(capture_, version_);
    auto edge = edges.begin();
    for (std::size_t i = 0; i < places.size(); ++i) {
      out_.append(i == 0 ? "\n    " : ",\n    ");
      write_task(places[i]);
      if (version_ >= 1) {
        write_scheduler_times(places[i]);
        while (edge != edges.end() && edge->from < places[i].task) ++edge;
        const auto first = edge;
        while (edge != edges.end() && edge->from == places[i].task) ++edge;
        write_fanout({first, edge});
      }
      out_.append('}');
    }
    out_.append(places.empty() ? "]" : "\n  ]");
  }

  void write_task(const Place& place) {
    const CoreRows& core = capture_.cores[place.core];
    const bool end_unknown = !core.end_unknown.empty() && core.end_unknown[place.row] != 0;
    put_number(out_, "{\"task_id\": ", place.task);
    put_number(out_, ", \"func_id\": ", core.function.empty() ? kNoFunction : core.function[place.row]);
    put_number(out_, ", \"core_id\": ", place.core);
    out_.append(", \"core_type\": ");
    out_.append(quoted_type(core.type));
    put_number(out_, ", \"ring_id\": ", place.task >> 32U);
    put_times(core.start[place.row], core.end[place.row], end_unknown, ", \"start_time_us\": ");
    put_microseconds(", \"duration_us\": ",
                     end_unknown ? 0 : nanoseconds(core.end[place.row]) - nanoseconds(core.start[place.row]));
  }

  void write_scheduler_times(const Place& place) {
    const CoreRows& core = capture_.cores[place.core];
    if (core.dispatch.empty()) return;
    if (core.dispatch[place.row] != kNoTime)
      put_microseconds(", \"dispatch_time_us\": ", nanoseconds(core.dispatch[place.row]));
    if (core.finish[place.row] != kNoTime)
      put_microseconds(", \"finish_time_us\": ", nanoseconds(core.finish[place.row]));
  }

  // The first part of a task lists its consumers, so that many parts with many consumers stay a short list.
  void write_fanout(std::span<const FanoutEdge> edges) {
    out_.append(", \"fanout\": [");
    for (std::size_t i = 0; i < edges.size(); ++i) put_number(out_, i == 0 ? "" : ", ", edges[i].to);
    put_number(out_, "], \"fanout_count\": ", edges.size());
  }

  // Calls write_row(row) between the brackets of every thread.
  template <class Row, class WriteRow>
  void write_threads(std::string_view key, const std::vector<std::vector<Row>>& threads,
                     WriteRow&& write_row) {
    out_.append(key);
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      out_.append(thread == 0 ? "\n    [" : ",\n    [");
      for (std::size_t row = 0; row < threads[thread].size(); ++row) {
        out_.append(row == 0 ? "\n      {" : ",\n      {");
        write_row(threads[thread][row]);
        out_.append('}');
      }
      out_.append(threads[thread].empty() ? "]" : "\n    ]");
    }
    out_.append(threads.empty() ? "]" : "\n  ]");
  }

  void write_phases() {
    write_threads(",\n  \"aicpu_scheduler_phases\": [", capture_.scheduler_threads, [&](const PhaseRow& row) {
      put_times(row.start, row.end, row.end_unknown, "\"start_time_us\": ");
      out_.append(", \"phase\": ");
      base::append_json_string(out_, capture_.phase_kinds[row.kind]);
      put_number(out_, ", \"loop_iter\": ", row.loop);
      put_number(out_, ", \"tasks_processed\": ", row.tasks_processed);
      if (row.pop_hits) put_number(out_, ", \"pop_hit\": ", *row.pop_hits);
      if (row.pop_misses) put_number(out_, ", \"pop_miss\": ", *row.pop_misses);
      if (row.task) put_number(out_, ", \"task_id\": ", *row.task);
      if (row.queues_at_start) put_queues(out_, ", \"shared_at_start\": [", *row.queues_at_start);
      if (row.queues_at_end) put_queues(out_, ", \"shared_at_end\": [", *row.queues_at_end);
    });
  }

  void write_orchestrators() {
    write_totals(totals_of(capture_, zero_));
    write_threads(",\n  \"aicpu_orchestrator_phases\": [", capture_.orchestrators, [&](const SubmitRow& row) {
      out_.append("\"phase\": ");
      base::append_json_string(out_, capture_.phase_kinds[row.phase]);
      put_times(row.start, row.end, row.end_unknown, ", \"start_time_us\": ");
      put_number(out_, ", \"submit_idx\": ", row.submit_index);
      put_number(out_, ", \"task_id\": ", row.task);
    });
  }

  void write_totals(const OrchestratorTotals& totals) {
    put_times(totals.start, totals.end, false, ",\n  \"aicpu_orchestrator\": {\"start_time_us\": ");
    put_number(out_, ", \"submit_count\": ", totals.submits);
    out_.append(", \"phase_us\": {");
    bool first = true;
    for (const auto& [name, length] : totals.phases) {
      if (!first) out_.append(", ");
      first = false;
      base::append_json_string(out_, name);
      put_microseconds(": ", length);
    }
    out_.append("}}");
  }

  void write_core_to_thread() {
    if (capture_.core_to_thread.empty()) return;
    out_.append(",\n  \"core_to_thread\": [");
    for (std::size_t core = 0; core < capture_.core_to_thread.size(); ++core)
      put_number(out_, core == 0 ? "" : ", ", capture_.core_to_thread[core]);
    out_.append(']');
  }

  // Objects say which cores there are, but for idle ones.
  void write_cores() {
    if (std::none_of(capture_.cores.begin(), capture_.cores.end(),
                     [](const CoreRows& core) { return core.exists && core.task.empty(); }))
      return;
    put_number(out_, ",\n  \"metadata\": {\"num_cores\": ", capture_.cores.size());
    out_.append(", \"core_types\": [");
    for (std::size_t core = 0; core < capture_.cores.size(); ++core) {
      if (core > 0) out_.append(", ");
      out_.append(quoted_type(capture_.cores[core].type));
    }
    out_.append("]}");
  }

  const Capture& capture_;
  const int version_;
  Output& out_;
  const std::int64_t zero_;
};

}  // namespace

base::Result<trace::QualityTable> write_objects(const Capture& capture, Output& out) {
  if (!capture.frequency.known())
    return base::fail(
        base::ErrorCode::kUsage,
        "this generation of swimlane files counts microseconds, and nothing tells how many ticks of "
        "this run's clock a second has");
  trace::QualityTable remarks;
  const int version = object_version(capture, remarks);
  ObjectWriter(capture, version, out).write();
  add_object_remarks(capture, version, remarks);
  return remarks;
}

}  // namespace accelscope::formats::chip_swimlane
