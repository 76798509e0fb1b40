#include "trace/trace_builder.h"

#include <algorithm>

namespace accelscope::trace {
namespace {

constexpr std::uint16_t kMaxCategories = 0xFFFE;

}  // namespace

TraceBuilder::TraceBuilder() = default;

CategoryId TraceBuilder::category(StringId name) {
  if (name == StringId::kEmpty) return CategoryId::kNone;
  if (category_of_string_.size() <= index(name)) category_of_string_.resize(std::size_t{index(name)} + 64, 0);
  std::uint16_t& known = category_of_string_[index(name)];
  if (known != 0) return static_cast<CategoryId>(known);
  if (trace_.categories_.size() >= kMaxCategories) {
    quality().add({.id = "trace.too_many_categories",
                   .severity = Severity::kWarning,
                   .sentence = "More than 65 000 categories: the rest are shown as 'other categories'."});
    if (trace_.categories_.size() == kMaxCategories) trace_.categories_.push_back(intern("other categories"));
    return static_cast<CategoryId>(kMaxCategories);
  }
  known = static_cast<std::uint16_t>(trace_.categories_.size());
  trace_.categories_.push_back(name);
  return static_cast<CategoryId>(known);
}

ClockId TraceBuilder::add_clock(ClockDomain clock) {
  trace_.clocks_.push_back(clock);
  return static_cast<ClockId>(trace_.clocks_.size() - 1);
}

ResourceId TraceBuilder::add_resource(Resource resource) {
  trace_.resources_.push_back(resource);
  return static_cast<ResourceId>(trace_.resources_.size() - 1);
}

TrackId TraceBuilder::add_track(Track track, Nesting nesting) {
  trace_.tracks_.push_back(track);
  nesting_.push_back(nesting);
  return static_cast<TrackId>(trace_.tracks_.size() - 1);
}

RunId TraceBuilder::add_run(Run run) {
  trace_.runs_.push_back(run);
  return static_cast<RunId>(trace_.runs_.size() - 1);
}

TaskId TraceBuilder::add_task(const NewTask& task) {
  TaskTable& tasks = trace_.tasks_;
  if (!has_room(tasks.size(), 1)) return TaskId::kNone;
  tasks.external_id.push_back(task.external_id);
  tasks.name.push_back(task.name);
  tasks.kind.push_back(task.kind);
  tasks.blocks.push_back(task.blocks);
  tasks.parent.push_back(task.parent);
  tasks.flags.push_back(task.flags);
  return static_cast<TaskId>(tasks.size() - 1);
}

TaskId TraceBuilder::add_tasks(std::span<const std::uint64_t> external_ids) {
  TaskTable& tasks = trace_.tasks_;
  const TaskId first{tasks.size()};
  if (external_ids.empty() || !has_room(tasks.size(), external_ids.size())) return TaskId::kNone;
  const NewTask unknown;
  tasks.external_id.append(external_ids);
  tasks.name.append(external_ids.size(), unknown.name);
  tasks.kind.append(external_ids.size(), unknown.kind);
  tasks.blocks.append(external_ids.size(), unknown.blocks);
  tasks.parent.append(external_ids.size(), unknown.parent);
  tasks.flags.append(external_ids.size(), unknown.flags);
  return first;
}

void TraceBuilder::add_task_edge(TaskId from, TaskId to, StringId kind) {
  TaskEdgeTable& edges = trace_.task_edges_;
  if (!has_room(edges.size(), 1)) return;
  edges.from.push_back(from);
  edges.to.push_back(to);
  edges.kind.push_back(kind);
}

Ticks TraceBuilder::checked_duration(Ticks start, Ticks duration, bool& corrected) {
  corrected = false;
  if (duration.value < 0) {
    corrected = true;
    quality().add(
        {.id = "trace.negative_duration",
         .severity = Severity::kWarning,
         .sentence = "Slices that end before they begin: their duration is unknown and shown as zero."});
    return Ticks{0};
  }
  if (!base::checked_add(start.value, duration.value)) {
    corrected = true;
    quality().add(
        {.id = "trace.time_overflow",
         .severity = Severity::kWarning,
         .sentence = "Slices whose end is beyond 64 bits: their duration is unknown and shown as zero."});
    return Ticks{0};
  }
  return duration;
}

bool TraceBuilder::has_room(std::uint32_t rows, std::size_t more) {
  const bool fits = more <= kMaxRows - rows;
  too_many_rows_ = too_many_rows_ || !fits;
  return fits;
}

bool TraceBuilder::make_room_for_slice() {
  if (!has_room(trace_.slices_.size(), 1)) return false;
  for_each_column(trace_.slices_, [](const ColumnInfo&, auto& column) { column.ensure_room(); });
  return true;
}

SliceId TraceBuilder::add_slices(const NewSlices& added) {
  SliceTable& slices = trace_.slices_;
  const std::size_t count = added.start.size();
  const SliceId first{slices.size()};
  if (count == 0 || !has_room(slices.size(), count)) return SliceId::kNone;
  slices_sorted_ =
      slices_sorted_ &&
      (last_track_ < added.track || (last_track_ == added.track && last_start_ <= added.start.front())) &&
      std::is_sorted(added.start.begin(), added.start.end());
  last_track_ = added.track;
  last_start_ = added.start.back();
  slices.start.append(added.start);
  slices.duration.append(added.duration);
  slices.name.append(added.name);
  slices.track.append(count, added.track);
  slices.parent.append(count, SliceId::kNone);
  if (added.owner.empty())
    slices.owner.append(count, SliceId::kNone);
  else
    slices.owner.append(added.owner);
  slices.task.append(added.task);
  slices.run.append(count, RunId::kNone);
  slices.first_arg.append(count, ArgId::kNone);
  slices.category.append(count, added.category);
  slices.flags.append(added.flags);
  for (std::size_t i = 0; i < count; ++i)
    if (added.duration[i].value < 0 || added.start[i].value > Ticks::max().value - added.duration[i].value)
        [[unlikely]]
      set_duration(SliceId{index(first) + static_cast<std::uint32_t>(i)}, added.duration[i]);
  return first;
}

void TraceBuilder::set_duration(SliceId slice, Ticks duration) {
  bool corrected = false;
  trace_.slices_.duration[index(slice)] =
      checked_duration(trace_.slices_.start[index(slice)], duration, corrected);
  if (corrected) add_flag(slice, SliceFlag::kEndUnknown);
}

std::uint32_t TraceBuilder::add_instant(const NewInstant& instant) {
  InstantTable& instants = trace_.instants_;
  const std::uint32_t row = instants.size();
  if (!has_room(row, 1)) return row - 1;
  instants.track.push_back(instant.track);
  instants.time.push_back(instant.time);
  instants.name.push_back(instant.name);
  instants.run.push_back(instant.run);
  instants.first_arg.push_back(ArgId::kNone);
  instants.category.push_back(instant.category);
  return row;
}

bool TraceBuilder::make_room_for_arg() {
  if (!has_room(trace_.args_.size(), 1)) return false;
  for_each_column(trace_.args_, [](const ColumnInfo&, auto& column) { column.ensure_room(); });
  return true;
}

void TraceBuilder::link_arg(Column<ArgId>& heads, std::uint32_t owner, ArgId added) {
  if (heads[owner] == ArgId::kNone) {
    heads[owner] = added;
    return;
  }
  // An earlier owner's list, which is short, is walked.
  Column<ArgId>& next = trace_.args_.next;
  ArgId last = heads[owner];
  while (next[index(last)] != ArgId::kNone) last = next[index(last)];
  next[index(last)] = added;
}

void TraceBuilder::add_instant_arg(std::uint32_t instant, StringId name, Value value) {
  append_arg(trace_.instants_.first_arg, instant, instant_args_, name, value);
}

void TraceBuilder::add_flow(SliceId from, SliceId to, StringId type, StringId label) {
  FlowTable& flows = trace_.flows_;
  if (!has_room(flows.size(), 1)) return;
  flows.from.push_back(from);
  flows.to.push_back(to);
  flows.type.push_back(type);
  flows.label.push_back(label);
}

void TraceBuilder::add_flow_end(SliceId slice, std::uint64_t flow, StringId type, bool leaves) {
  FlowEndTable& ends = trace_.flow_ends_;
  if (!has_room(ends.size(), 1)) return;
  ends.slice.push_back(slice);
  ends.flow.push_back(flow);
  ends.type.push_back(type);
  ends.leaves.push_back(leaves);
}

void TraceBuilder::add_counter_bits(TrackId track, Ticks time, std::uint64_t bits) {
  CounterTable& counters = trace_.counters_;
  if (!has_room(counters.size(), 1)) return;
  counters.track.push_back(track);
  counters.time.push_back(time);
  counters.bits.push_back(bits);
}

void TraceBuilder::add_state(TrackId track, Ticks start, Ticks duration, StringId state, StringId cause) {
  StateTable& states = trace_.states_;
  if (!has_room(states.size(), 1)) return;
  bool corrected = false;
  states.track.push_back(track);
  states.start.push_back(start);
  states.duration.push_back(checked_duration(start, duration, corrected));
  states.state.push_back(state);
  states.cause.push_back(cause);
}

void TraceBuilder::add_stage(SliceId slice, StringId stage, Ticks offset) {
  StageTable& stages = trace_.stages_;
  if (!has_room(stages.size(), 1)) return;
  stages.slice.push_back(slice);
  stages.stage.push_back(stage);
  stages.offset.push_back(offset);
}

void TraceBuilder::add_stages(StageTable stages) {
  StageTable& table = trace_.stages_;
  if (!has_room(table.size(), stages.size())) return;
  if (table.size() == 0) {
    table = std::move(stages);
    return;
  }
  for (std::uint32_t row = 0; row < stages.size(); ++row) {
    table.slice.push_back(stages.slice[row]);
    table.stage.push_back(stages.stage[row]);
    table.offset.push_back(stages.offset[row]);
  }
}

}  // namespace accelscope::trace
