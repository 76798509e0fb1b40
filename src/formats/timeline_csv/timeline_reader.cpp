#include "formats/timeline_csv/timeline_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/csv.h"
#include "formats/timeline_csv/cell_text.h"
#include "formats/timeline_csv/decimal_time.h"
#include "formats/timeline_csv/run_nesting.h"
#include "formats/timeline_csv/timeline_runs.h"
#include "formats/timeline_csv/timeline_table.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::timeline_csv {
namespace {

using base::ErrorCode;
using base::Location;
using trace::EventRole;
using trace::RunId;
using trace::Severity;
using trace::SliceFlag;
using trace::SliceId;
using trace::StringId;
using trace::Ticks;
using trace::TrackId;
using trace::Value;

class TimelineTraceMaker {
 public:
  TimelineTraceMaker(const base::MappedFile& file, trace::TraceBuilder& builder, const TimelineTable& table)
      : file_(file), builder_(builder), table_(table), extras_reader_(file.path(), file.text()) {
    for (std::size_t role = 0; role < trace::kEventRoleCount; ++role)
      categories_[role] = builder_.category(trace::category_of(static_cast<EventRole>(role)));
    for (const ExtraColumn& extra : table_.header.extras)
      extra_names_.push_back(intern_cell(builder_, extra.name));
  }

  base::Status make() {
    const RunList runs = find_runs(table_, builder_.quality(), file_.path());
    clock_ = builder_.add_clock({builder_.intern("host"), table_.resolution});
    for (const RunRows& run : runs.runs) ACCELSCOPE_CHECK(add_run(run, runs.rows_of(run)));
    number_runs();
    report();
    return {};
  }

 private:
  struct Process {
    TrackId group = TrackId::kNone;
    TrackId host = TrackId::kNone;
    TrackId foreign = TrackId::kNone;
    Ticks end = {};  // of the runs so far, where starts count from each run's beginning
  };

  Process& process_of(StringId model) {
    const auto known = processes_.find(index(model));
    if (known != processes_.end()) return known->second;
    const StringId name = model == StringId::kEmpty ? builder_.intern("model") : model;
    if (processes_.empty()) builder_.add_fact(trace::fact::kModel, Value::of_string(name));
    const TrackId group = builder_.add_track({.name = name,
                                              .level = trace::TrackLevel::kProcess,
                                              .kind = trace::TrackKind::kGroup,
                                              .clock = clock_,
                                              .order = static_cast<std::int32_t>(processes_.size())});
    const TrackId host =
        builder_.add_track({.name = builder_.intern("host"), .parent = group, .clock = clock_});
    return processes_.emplace(index(model), Process{group, host, TrackId::kNone, {}}).first->second;
  }

  TrackId foreign_track(Process& process) {
    if (process.foreign != TrackId::kNone) return process.foreign;
    const trace::ClockId clock = builder_.add_clock({builder_.intern("delegate"), table_.resolution});
    process.foreign = builder_.add_track(
        {.name = builder_.intern("delegate clock"), .parent = process.group, .clock = clock, .order = 1});
    return process.foreign;
  }

  base::Status add_run(const RunRows& rows, std::span<const std::uint32_t> order) {
    Process& process = process_of(rows.model);
    ACCELSCOPE_TRY(const Ticks shift, shift_of(process, rows, order));
    const RunId run = builder_.add_run({.name = rows.block,
                                        .index = static_cast<std::uint32_t>(std::max(rows.run_index, 0)),
                                        .kind = rows.kind,
                                        .status = rows.status});
    runs_.push_back(run);
    const SliceId first{builder_.slice_count()};
    roles_.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const TimelineRecord& record = table_.rows[order[i]];
      roles_.push_back(record.role);
      add_slice(record, process.host, shift, run, static_cast<std::int64_t>(i));
    }
    if (builder_.slice_count() - index(first) != order.size())
      return base::fail(ErrorCode::kTooLarge, "more rows than a trace can hold");
    nest(first, order, process);
    builder_.run(run).root = root_of(first);
    if (rows.kind == trace::RunKind::kExecution) builder_.run(run).method = method_of(first);
    if (rows.kind == trace::RunKind::kLoad) builder_.run(run).method = builder_.intern("load");
    return {};
  }

  // Where starts count from the beginning of their run, runs are laid end to end.
  base::Result<Ticks> shift_of(Process& process, const RunRows& rows, std::span<const std::uint32_t> order) {
    if (!table_.starts_relative_to_run) return Ticks{0};
    const Ticks shift = process.end - std::min(rows.first_start, Ticks{0});
    Ticks length{};
    for (const std::uint32_t row : order)
      length = std::max(length,
                        table_.ticks_of(table_.rows[row].start) + table_.ticks_of(table_.rows[row].duration));
    const auto end = base::checked_add(shift.value, length.value);
    if (!end || *end > Ticks::max().value / 2)
      return base::fail_at(Location::of_file(file_.path()), ErrorCode::kTooLarge,
                           "the runs, laid end to end, are longer than 64 bits can count");
    process.end = Ticks{*end};
    return shift;
  }

  void add_slice(const TimelineRecord& record, TrackId track, Ticks shift, RunId run, std::int64_t position) {
    SliceFlag flags = record.duration_unknown ? SliceFlag::kEndUnknown : SliceFlag::kNone;
    const bool delegated = record.role == EventRole::kDelegateOperator;
    if (delegated && trace::is_numbered_name(builder_.text(record.name)))
      flags = flags | SliceFlag::kEstimated;
    const SliceId slice = builder_.add_slice({.track = track,
                                              .start = table_.ticks_of(record.start) + shift,
                                              .duration = table_.ticks_of(record.duration),
                                              .name = record.name,
                                              .category = categories_[static_cast<std::size_t>(record.role)],
                                              .flags = flags,
                                              .run = run});
    builder_.add_slice_arg(slice, names_.record, Value::of_int(position));
    if (table_.header.has(Field::kNodeId))
      builder_.add_slice_arg(slice, names_.node_id, Value::of_int(record.node_id));
    if (record.type != StringId::kEmpty)
      builder_.add_slice_arg(slice, names_.type, Value::of_string(record.type));
    add_backend(slice, record);
    if (!extra_names_.empty()) add_extras(slice, record);
  }

  void add_backend(SliceId slice, const TimelineRecord& record) {
    // "delegated" is what the kit writes when it does not know the backend.
    if (record.backend != StringId::kEmpty && record.backend != names_.delegated) {
      // The kit has backend names from nowhere else.
      set_backend(slice, record.backend, names_.from_etrecord);
      return;
    }
    const std::string_view prefix = backend_of_prefix(builder_.text(record.name));
    if (!prefix.empty()) set_backend(slice, builder_.intern(prefix), names_.inferred);
  }

  void set_backend(SliceId slice, StringId backend, StringId source) {
    builder_.add_slice_arg(slice, names_.backend, Value::of_string(backend));
    builder_.add_slice_arg(slice, names_.backend_source, Value::of_string(source));
  }

  void add_extras(SliceId slice, const TimelineRecord& record) {
    extras_reader_.seek(record.offset, record.line);
    if (!extras_reader_.next()) return;
    const std::span<const std::string_view> cells = extras_reader_.cells();
    for (std::size_t i = 0; i < extra_names_.size(); ++i) {
      const std::size_t position = table_.header.extras[i].position;
      if (position >= cells.size() || cells[position].empty()) continue;
      const std::optional<double> number = parse_number(cells[position]);
      builder_.add_slice_arg(
          slice, extra_names_[i],
          number ? Value::of_double(*number) : Value::of_string(intern_cell(builder_, cells[position])));
    }
  }

  void nest(SliceId first, std::span<const std::uint32_t> order, Process& process) {
    const bool explicit_parents = table_.header.has(Field::kParentId) && table_.header.has(Field::kNodeId);
    if (explicit_parents) {
      std::vector<std::int32_t> nodes;
      std::vector<std::int32_t> parents;
      for (const std::uint32_t row : order) {
        nodes.push_back(table_.rows[row].node_id);
        parents.push_back(table_.rows[row].parent_id);
      }
      useless_parents_ += nest_by_parent_id(builder_, first, nodes, parents);
      return;
    }
    RunNester nester(builder_, first, roles_);
    nester.nest();
    for (const SliceId slice : nester.foreign()) builder_.set_track(slice, foreign_track(process));
    foreign_ += nester.foreign().size();
    orphans_ += nester.orphans();
    for (const SliceId call : nester.xnnpack_calls())
      if (table_.rows[order[index(call) - index(first)]].backend == StringId::kEmpty)
        set_backend(call, names_.xnnpack, names_.inferred);
  }

  // The method's slice, or the only outermost slice there is.
  SliceId root_of(SliceId first) const {
    SliceId method = SliceId::kNone;
    SliceId outermost = SliceId::kNone;
    std::size_t outermost_count = 0;
    for (std::uint32_t i = 0; i < roles_.size(); ++i) {
      const SliceId slice{index(first) + i};
      if (roles_[i] == EventRole::kMethodExecute) method = slice;
      const trace::SliceTable& slices = builder_.slices();
      if (slices.parent[index(slice)] != SliceId::kNone || slices.owner[index(slice)] != SliceId::kNone)
        continue;
      outermost = slice;
      ++outermost_count;
    }
    if (method != SliceId::kNone) return method;
    return outermost_count == 1 ? outermost : SliceId::kNone;
  }

  // Runs of the same events in the same order are runs of one method.
  StringId method_of(SliceId first) {
    std::vector<std::uint32_t> events;
    events.reserve(roles_.size());
    for (std::uint32_t i = 0; i < roles_.size(); ++i)
      events.push_back(index(builder_.slices().name[index(first) + i]));
    const auto known = methods_.find(events);
    if (known != methods_.end()) return known->second;
    const StringId name = builder_.intern(fmt::format("method {}", methods_.size() + 1));
    methods_.emplace(std::move(events), name);
    return name;
  }

  // run_index is the position within a method already, unless the file was put together from several.
  void number_runs() {
    std::map<std::tuple<std::uint32_t, trace::RunKind, std::uint32_t>, std::uint32_t> runs_at;
    bool unique = true;
    for (const RunId run : runs_) {
      const trace::Run& row = builder_.run(run);
      if (runs_at[{index(row.method), row.kind, row.index}]++ > 0) unique = false;
    }
    if (unique) return;
    std::map<std::tuple<std::uint32_t, trace::RunKind>, std::uint32_t> next;
    for (const RunId run : runs_) {
      trace::Run& row = builder_.run(run);
      row.index = next[{index(row.method), row.kind}]++;
    }
  }

  void report() {
    const auto add = [&](std::string_view id, Severity severity, std::string sentence, std::uint64_t count) {
      if (count > 0)
        builder_.quality().add({.id = std::string(id),
                                .severity = severity,
                                .sentence = std::move(sentence),
                                .count = count,
                                .first_place = Location::of_file(file_.path())});
    };
    add("timeline_csv.foreign_clock", Severity::kInfo,
        "Backend events whose times are not inside their DELEGATE_CALL: they are from another clock and are "
        "shown on a track of their own.",
        foreign_);
    add("timeline_csv.orphan_delegate_event", Severity::kWarning,
        "Backend events that no DELEGATE_CALL follows: it is not known which call made them.", orphans_);
    add("timeline_csv.useless_parent_id", Severity::kWarning,
        "parent_id names no row of the same run, or goes in a circle: such rows are shown without a parent.",
        useless_parents_);
    add("timeline_csv.relative_starts", Severity::kWarning,
        "timestamp_ms counts from the start of each run: runs are shown one after another, and the gaps "
        "between them are not known.",
        table_.starts_relative_to_run && !table_.rows.empty() ? 1 : 0);
    std::string extras;
    for (const ExtraColumn& extra : table_.header.extras)
      extras += (extras.empty() ? "'" : "', '") + extra.name;
    add("timeline_csv.extra_columns", Severity::kInfo,
        fmt::format("Columns that are not the kit's are kept as arguments: {}'.", extras),
        extra_names_.size());
  }

  struct Names {
    explicit Names(trace::TraceBuilder& builder)
        : record(builder.intern(trace::arg::kRecord)),
          node_id(builder.intern(arg::kNodeId)),
          type(builder.intern(arg::kType)),
          backend(builder.intern(trace::arg::kBackend)),
          backend_source(builder.intern(trace::arg::kBackendSource)),
          delegated(builder.intern("delegated")),
          from_etrecord(builder.intern(trace::backend_source::kEtRecord)),
          inferred(builder.intern(trace::backend_source::kInferred)),
          xnnpack(builder.intern("XNNPACK")) {}
    StringId record, node_id, type, backend, backend_source, delegated, from_etrecord, inferred, xnnpack;
  };

  const base::MappedFile& file_;
  trace::TraceBuilder& builder_;
  const TimelineTable& table_;
  base::CsvReader extras_reader_;
  const Names names_{builder_};
  std::array<trace::CategoryId, trace::kEventRoleCount> categories_{};
  std::vector<StringId> extra_names_;
  trace::ClockId clock_ = trace::ClockId::kNone;
  std::map<std::uint32_t, Process> processes_;
  std::map<std::vector<std::uint32_t>, StringId> methods_;
  std::vector<EventRole> roles_;
  std::vector<RunId> runs_;
  std::uint64_t foreign_ = 0;
  std::uint64_t orphans_ = 0;
  std::uint64_t useless_parents_ = 0;
};

}  // namespace

base::Result<trace::Trace> read_timeline(const base::MappedFile& file) {
  trace::TraceBuilder builder;
  ACCELSCOPE_TRY(const TimelineTable table, parse_timeline_table(file, builder));
  ACCELSCOPE_CHECK(TimelineTraceMaker(file, builder, table).make());
  builder.add_source({.path = file.path(), .format = "timeline-csv", .detail = {}, .bytes = file.size()});
  return std::move(builder).finish();
}

}  // namespace accelscope::formats::timeline_csv
