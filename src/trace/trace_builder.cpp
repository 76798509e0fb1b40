#include "trace/trace_builder.h"

#include <limits>

namespace accelscope::trace {
namespace {

// A little below 2^32, so that no id collides with kNone and no column's size wraps.
constexpr std::uint32_t kMaxRows = 0xFFFF0000U;
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
  if (tasks.size() >= kMaxRows) {
    too_many_rows_ = true;
    return TaskId::kNone;
  }
  tasks.external_id.push_back(task.external_id);
  tasks.name.push_back(task.name);
  tasks.kind.push_back(task.kind);
  tasks.blocks.push_back(task.blocks);
  tasks.parent.push_back(task.parent);
  tasks.flags.push_back(task.flags);
  return static_cast<TaskId>(tasks.size() - 1);
}

void TraceBuilder::add_task_edge(TaskId from, TaskId to, StringId kind) {
  TaskEdgeTable& edges = trace_.task_edges_;
  if (edges.size() >= kMaxRows) {
    too_many_rows_ = true;
    return;
  }
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

SliceId TraceBuilder::add_slice(const NewSlice& slice) {
  SliceTable& slices = trace_.slices_;
  const std::uint32_t row = slices.size();
  if (row >= kMaxRows) {
    too_many_rows_ = true;
    return SliceId{row - 1};
  }
  if (row > 0 && slices_sorted_) {
    const TrackId last_track = slices.track[row - 1];
    slices_sorted_ =
        last_track < slice.track || (last_track == slice.track && slices.start[row - 1] <= slice.start);
  }
  bool corrected = false;
  Ticks duration = slice.duration;
  if (duration.value < 0 || slice.start.value > Ticks::max().value - duration.value) [[unlikely]]
    duration = checked_duration(slice.start, duration, corrected);
  slices.start.push_back(slice.start);
  slices.duration.push_back(duration);
  slices.name.push_back(slice.name);
  slices.track.push_back(slice.track);
  slices.parent.push_back(slice.parent);
  slices.owner.push_back(slice.owner);
  slices.task.push_back(slice.task);
  slices.run.push_back(slice.run);
  slices.first_arg.push_back(ArgId::kNone);
  slices.category.push_back(slice.category);
  slices.flags.push_back(corrected ? slice.flags | SliceFlag::kEndUnknown : slice.flags);
  return SliceId{row};
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
  if (row >= kMaxRows) {
    too_many_rows_ = true;
    return row - 1;
  }
  instants.track.push_back(instant.track);
  instants.time.push_back(instant.time);
  instants.name.push_back(instant.name);
  instants.run.push_back(instant.run);
  instants.first_arg.push_back(ArgId::kNone);
  instants.category.push_back(instant.category);
  return row;
}

ArgId TraceBuilder::append_arg(Column<ArgId>& heads, std::uint32_t owner, ArgTail& tail, StringId name,
                               Value value) {
  ArgTable& args = trace_.args_;
  const std::uint32_t row = args.size();
  if (row >= kMaxRows) {
    too_many_rows_ = true;
    return ArgId::kNone;
  }
  args.name.push_back(name);
  args.next.push_back(ArgId::kNone);
  args.bits.push_back(value.bits);
  args.type.push_back(value.type);
  const ArgId added{row};
  if (tail.owner == owner) {
    // The latest owner's last argument is remembered.
    args.next[index(tail.last)] = added;
  } else if (heads[owner] == ArgId::kNone) {
    heads[owner] = added;
  } else {
    // An earlier owner's list, which is short, is walked.
    ArgId last = heads[owner];
    while (args.next[index(last)] != ArgId::kNone) last = args.next[index(last)];
    args.next[index(last)] = added;
  }
  tail = {owner, added};
  return added;
}

void TraceBuilder::add_slice_arg(SliceId slice, StringId name, Value value) {
  append_arg(trace_.slices_.first_arg, index(slice), slice_args_, name, value);
}

void TraceBuilder::add_instant_arg(std::uint32_t instant, StringId name, Value value) {
  append_arg(trace_.instants_.first_arg, instant, instant_args_, name, value);
}

void TraceBuilder::add_flow(SliceId from, SliceId to, StringId type, StringId label) {
  FlowTable& flows = trace_.flows_;
  if (flows.size() >= kMaxRows) {
    too_many_rows_ = true;
    return;
  }
  flows.from.push_back(from);
  flows.to.push_back(to);
  flows.type.push_back(type);
  flows.label.push_back(label);
}

void TraceBuilder::add_flow_end(SliceId slice, std::uint64_t flow, StringId type, bool leaves) {
  FlowEndTable& ends = trace_.flow_ends_;
  if (ends.size() >= kMaxRows) {
    too_many_rows_ = true;
    return;
  }
  ends.slice.push_back(slice);
  ends.flow.push_back(flow);
  ends.type.push_back(type);
  ends.leaves.push_back(leaves);
}

void TraceBuilder::add_counter_bits(TrackId track, Ticks time, std::uint64_t bits) {
  CounterTable& counters = trace_.counters_;
  if (counters.size() >= kMaxRows) {
    too_many_rows_ = true;
    return;
  }
  counters.track.push_back(track);
  counters.time.push_back(time);
  counters.bits.push_back(bits);
}

void TraceBuilder::add_state(TrackId track, Ticks start, Ticks duration, StringId state, StringId cause) {
  StateTable& states = trace_.states_;
  if (states.size() >= kMaxRows) {
    too_many_rows_ = true;
    return;
  }
  bool corrected = false;
  states.track.push_back(track);
  states.start.push_back(start);
  states.duration.push_back(checked_duration(start, duration, corrected));
  states.state.push_back(state);
  states.cause.push_back(cause);
}

void TraceBuilder::add_stage(SliceId slice, StringId stage, Ticks offset) {
  StageTable& stages = trace_.stages_;
  if (stages.size() >= kMaxRows) {
    too_many_rows_ = true;
    return;
  }
  stages.slice.push_back(slice);
  stages.stage.push_back(stage);
  stages.offset.push_back(offset);
}

}  // namespace accelscope::trace
