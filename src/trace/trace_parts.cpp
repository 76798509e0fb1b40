// Rows from outside become a Trace: what a builder makes sure of while it is filled is checked here.
#include "trace/trace_parts.h"

#include <type_traits>

#include "trace/trace_builder.h"

namespace accelscope::trace {
namespace {

using base::ErrorCode;
using base::Status;

template <class Table>
constexpr bool kIsVector = requires(Table& table) {
  table.push_back(table.front());
};

// Calls visit(info, value) for every value of a table, column by column or row by row.
template <class Table, class Visit>
void for_each_value(Table& table, Visit&& visit) {
  if constexpr (kIsVector<std::remove_const_t<Table>>) {
    for (auto& row : table) for_each_column(row, visit);
  } else {
    for_each_column(table, [&](const ColumnInfo& info, auto& column) {
      for (std::uint32_t row = 0; row < column.size(); ++row) visit(info, column[row]);
    });
  }
}

// How many rows the parts have for an id of this type.
std::size_t rows_for(const TraceParts& parts, SliceId) {
  return parts.slices.size();
}
std::size_t rows_for(const TraceParts& parts, TrackId) {
  return parts.tracks.size();
}
std::size_t rows_for(const TraceParts& parts, ClockId) {
  return parts.clocks.size();
}
std::size_t rows_for(const TraceParts& parts, TaskId) {
  return parts.tasks.size();
}
std::size_t rows_for(const TraceParts& parts, RunId) {
  return parts.runs.size();
}
std::size_t rows_for(const TraceParts& parts, ArgId) {
  return parts.args.size();
}
std::size_t rows_for(const TraceParts& parts, ResourceId) {
  return parts.resources.size();
}

template <class T>
constexpr bool kNamesRow = requires(const TraceParts& parts, T id) {
  rows_for(parts, id);
};

// Whether a value can be what its type says, seen by itself. Ids of rows are left to finish().
bool sound(const TraceParts& parts, StringId id) {
  return index(id) < parts.strings.size();
}
bool sound(const TraceParts& parts, CategoryId id) {
  return index(id) < parts.categories.size();
}
bool sound(const TraceParts& parts, ArgId id) {
  return id == ArgId::kNone || index(id) < parts.args.size();
}
bool sound(const TraceParts& parts, const Value& value) {
  return value.type <= ValueType::kTask && (!value.holds_text() || value.bits < parts.strings.size());
}
bool sound(const TraceParts&, const base::Frequency& frequency) {
  return frequency.ticks >= 0 && frequency.seconds > 0;
}
bool sound(const TraceParts&, TrackLevel level) {
  return level <= TrackLevel::kLane;
}
bool sound(const TraceParts&, TrackKind kind) {
  return kind <= TrackKind::kCounter;
}
bool sound(const TraceParts&, CounterType type) {
  return type <= CounterType::kDouble;
}
bool sound(const TraceParts&, RunKind kind) {
  return kind <= RunKind::kOther;
}
bool sound(const TraceParts&, RunStatus status) {
  return status <= RunStatus::kEmpty;
}
template <class T>
constexpr bool kCanBeUnsound = requires(const TraceParts& parts, const T& value) {
  sound(parts, value);
};

Status check_values(const TraceParts& parts) {
  Status status;
  for_each_table([&](std::string_view name, auto, auto part) {
    for_each_value(parts.*part, [&](const ColumnInfo& info, const auto& value) {
      if constexpr (kCanBeUnsound<std::remove_cvref_t<decltype(value)>>)
        if (status && !sound(parts, value))
          status = base::fail(ErrorCode::kMalformed, "a value of {} '{}' is out of range", name, info.name);
    });
  });
  return status;
}

Status check_categories(const TraceParts& parts) {
  if (parts.categories.empty() || parts.categories.front() != StringId::kEmpty)
    return base::fail(ErrorCode::kMalformed, "the first category has a name");
  if (parts.categories.size() > 0x10000) return base::fail(ErrorCode::kMalformed, "too many categories");
  for (const StringId name : parts.categories)
    if (!sound(parts, name)) return base::fail(ErrorCode::kMalformed, "a category's name is out of range");
  return {};
}

// Lists run forwards, so that every walk along one ends.
Status check_args(const TraceParts& parts) {
  const ArgTable& args = parts.args;
  for (std::uint32_t row = 0; row < args.size(); ++row) {
    if (args.next[row] != ArgId::kNone && index(args.next[row]) <= row)
      return base::fail(ErrorCode::kMalformed, "a list of arguments runs backwards");
    if (!sound(parts, args.value(ArgId{row})))
      return base::fail(ErrorCode::kMalformed, "the value of an argument is out of range");
  }
  return {};
}

bool ends_in_range(const Column<Ticks>& starts, const Column<Ticks>& durations) {
  for (std::uint32_t row = 0; row < starts.size(); ++row)
    if (durations[row].value < 0 || starts[row].value > Ticks::max().value - durations[row].value)
      return false;
  return true;
}

Status check_times(const TraceParts& parts) {
  if (!ends_in_range(parts.slices.start, parts.slices.duration) ||
      !ends_in_range(parts.states.start, parts.states.duration))
    return base::fail(ErrorCode::kMalformed, "a duration is negative, or its end beyond 64 bits");
  for (std::uint32_t row = 0; row < parts.stages.size(); ++row) {
    const SliceId slice = parts.stages.slice[row];
    if (index(slice) < parts.slices.size() &&
        !base::checked_add(parts.slices.start[index(slice)].value, parts.stages.offset[row].value))
      return base::fail(ErrorCode::kMalformed, "a stage lies beyond 64 bits");
  }
  for (const ClockRelation& relation : parts.clock_relations)
    if (relation.knots.size() == 1)
      return base::fail(ErrorCode::kMalformed, "a clock relation has a single knot");
  return {};
}

}  // namespace

void forget_missing_rows(TraceParts& parts) {
  for_each_table([&](std::string_view, auto, auto part) {
    for_each_value(parts.*part, [&](const ColumnInfo&, auto& value) {
      using Id = std::remove_reference_t<decltype(value)>;
      if constexpr (kNamesRow<Id>)
        if (index(value) >= rows_for(parts, value)) value = Id::kNone;
    });
  });
}

base::Result<Trace> TraceBuilder::restore(TraceParts parts) {
  TraceBuilder builder;
  Trace& trace = builder.trace_;
  trace.strings_ = std::move(parts.strings);
  trace.categories_ = std::move(parts.categories);
  trace.sources_ = std::move(parts.sources);
  trace.accounting_ = std::move(parts.accounting);
  trace.facts_ = std::move(parts.facts);
  trace.clocks_ = std::move(parts.clocks);
  trace.clock_relations_ = std::move(parts.clock_relations);
  trace.resources_ = std::move(parts.resources);
  trace.tracks_ = std::move(parts.tracks);
  trace.runs_ = std::move(parts.runs);
  trace.tasks_ = std::move(parts.tasks);
  trace.task_edges_ = std::move(parts.task_edges);
  trace.args_ = std::move(parts.args);
  trace.slices_ = std::move(parts.slices);
  trace.stages_ = std::move(parts.stages);
  trace.flows_ = std::move(parts.flows);
  trace.flow_ends_ = std::move(parts.flow_ends);
  trace.instants_ = std::move(parts.instants);
  trace.counters_ = std::move(parts.counters);
  trace.states_ = std::move(parts.states);
  trace.quality_ = std::move(parts.quality);
  builder.nesting_.assign(trace.tracks_.size(), Nesting::kExplicit);
  builder.slices_sorted_ = false;
  return std::move(builder).finish();
}

base::Result<Trace> trace_from(TraceParts parts) {
  ACCELSCOPE_CHECK(check_categories(parts));
  ACCELSCOPE_CHECK(check_values(parts));
  ACCELSCOPE_CHECK(check_args(parts));
  ACCELSCOPE_CHECK(check_times(parts));
  base::Result<Trace> trace = TraceBuilder::restore(std::move(parts));
  // To a builder a bad id is a fault of the program that fills it; here it is one of the input.
  if (!trace && trace.error().code == ErrorCode::kInternal) trace.error().code = ErrorCode::kMalformed;
  return trace;
}

}  // namespace accelscope::trace
