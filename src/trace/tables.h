// The tables of a Trace that may have millions of rows: one Column per attribute, rows in the order given
// below.
//
// Plain data, filled by TraceBuilder and read-only in a Trace. Each table names its columns once, for the
// schema.
//
//   const SliceTable& slices = trace.slices();
//   Ticks end = slices.start[row] + slices.duration[row];
#pragma once

#include "trace/schema.h"

namespace accelscope::trace {

using base::Ticks;

// What is known and not known about a slice's times.
enum class SliceFlag : std::uint16_t {
  kNone = 0,
  kBeginUnknown = 1U << 0U,  // began before the recording did
  kEndUnknown = 1U << 1U,    // still open when the recording ended, or its end makes no sense
  kEstimated = 1U << 2U,     // the source computed or quantised its times instead of reading a clock for each
  kSynthetic = 1U << 3U,     // made by us, not recorded
  kWrapped = 1U << 4U,       // the counter overflowed inside; the times are corrected
  kMarker = 1U << 5U,        // drawn as an interval, but stands for a moment
};
constexpr SliceFlag operator|(SliceFlag a, SliceFlag b) {
  return static_cast<SliceFlag>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has_flag(SliceFlag flags, SliceFlag flag) {
  return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
}

// Ordered by track, start, then the order they were logged in.
struct SliceTable {
  Column<Ticks> start;
  Column<Ticks> duration;
  Column<StringId> name;
  Column<TrackId> track;
  Column<SliceId> parent;
  Column<SliceId> owner;
  Column<TaskId> task;
  Column<RunId> run;
  Column<ArgId> first_arg;
  Column<CategoryId> category;
  Column<SliceFlag> flags;

  static constexpr std::size_t kRowBytes = 48;
  std::uint32_t size() const { return start.size(); }

  static constexpr auto columns() {
    return std::make_tuple(
        column("start", &SliceTable::start, "ticks", "first moment, in ticks of the track's clock"),
        column("duration", &SliceTable::duration, "ticks", "length; never negative"),
        column("name", &SliceTable::name, "", "what ran"),
        column("track", &SliceTable::track, "", "where it ran"),
        column("parent", &SliceTable::parent, "", "the slice of the same track that encloses it"),
        column("owner", &SliceTable::owner, "",
               "a slice of another track that it belongs to: a pipe interval's task, a foreign-clock event's "
               "call"),
        column("task", &SliceTable::task, "", "the task it carried out"),
        column("run", &SliceTable::run, "", "the execution it is part of"),
        column("first_arg", &SliceTable::first_arg, "", "head of its list of arguments"),
        column("category", &SliceTable::category, "", "what kind of thing it is (vocabulary.h)"),
        column("flags", &SliceTable::flags, "",
               "bits: 1 begin unknown, 2 end unknown, 4 estimated, 8 synthetic, 16 wrapped, 32 marker"));
  }
};

// Arguments of slices and instants: singly linked lists through `next`.
struct ArgTable {
  Column<StringId> name;
  Column<ArgId> next;
  Column<std::uint64_t> bits;
  Column<ValueType> type;

  std::uint32_t size() const { return name.size(); }
  Value value(ArgId id) const { return {type[index(id)], bits[index(id)]}; }

  static constexpr auto columns() {
    return std::make_tuple(
        column("name", &ArgTable::name, "", "name of the argument"),
        column("next", &ArgTable::next, "", "the owner's next argument"),
        column("bits", &ArgTable::bits, "", "the value: an integer, a double's bits, 0 or 1, or a string id"),
        column("type", &ArgTable::type, "",
               "0 null, 1 int, 2 uint, 3 double, 4 bool, 5 string, 6 JSON text, 7 raw bytes, 8 task id"));
  }
};

// Directed edges between slices, in the order they were logged.
struct FlowTable {
  Column<SliceId> from;
  Column<SliceId> to;
  Column<StringId> type;
  Column<StringId> label;

  std::uint32_t size() const { return from.size(); }

  static constexpr auto columns() {
    return std::make_tuple(column("from", &FlowTable::from, "", "the slice it leaves"),
                           column("to", &FlowTable::to, "", "the slice it reaches"),
                           column("type", &FlowTable::type, "", "what kind of edge it is (vocabulary.h)"),
                           column("label", &FlowTable::label, "", "text beside the arrow"));
  }
};

// Ends of arrows whose other end may be in another trace of the same picture (views/picture.h), ordered by
// slice, then as logged. Both ends name the same flow; the one that leaves is drawn earlier.
struct FlowEndTable {
  Column<SliceId> slice;
  Column<std::uint64_t> flow;
  Column<StringId> type;
  Column<bool> leaves;

  std::uint32_t size() const { return slice.size(); }

  static constexpr auto columns() {
    return std::make_tuple(
        column("slice", &FlowEndTable::slice, "", "the slice it leaves or reaches"),
        column("flow", &FlowEndTable::flow, "", "number of the arrow, the same at both ends"),
        column("type", &FlowEndTable::type, "", "what kind of edge it is (vocabulary.h)"),
        column("leaves", &FlowEndTable::leaves, "", "whether the arrow begins here"));
  }
};

// Samples of counter tracks, ordered by track and time. The track says whether the bits are an integer or a
// double.
struct CounterTable {
  Column<TrackId> track;
  Column<Ticks> time;
  Column<std::uint64_t> bits;

  std::uint32_t size() const { return track.size(); }

  static constexpr auto columns() {
    return std::make_tuple(column("track", &CounterTable::track, "", "the counter"),
                           column("time", &CounterTable::time, "ticks", "when the value was taken"),
                           column("bits", &CounterTable::bits, "the track's",
                                  "the value: an int64, or a double's bits where the track is of doubles"));
  }
};

// Moments, ordered by track and time.
struct InstantTable {
  Column<TrackId> track;
  Column<Ticks> time;
  Column<StringId> name;
  Column<RunId> run;
  Column<ArgId> first_arg;
  Column<CategoryId> category;

  std::uint32_t size() const { return track.size(); }

  static constexpr auto columns() {
    return std::make_tuple(column("track", &InstantTable::track, "", "where it happened"),
                           column("time", &InstantTable::time, "ticks", "when"),
                           column("name", &InstantTable::name, "", "what happened"),
                           column("run", &InstantTable::run, "", "the execution it is part of"),
                           column("first_arg", &InstantTable::first_arg, "", "head of its list of arguments"),
                           column("category", &InstantTable::category, "", "what kind of thing it is"));
  }
};

// Intervals of state tracks, which tile a resource's time; ordered by track and start.
struct StateTable {
  Column<TrackId> track;
  Column<Ticks> start;
  Column<Ticks> duration;
  Column<StringId> state;
  Column<StringId> cause;

  std::uint32_t size() const { return track.size(); }

  static constexpr auto columns() {
    return std::make_tuple(column("track", &StateTable::track, "", "the resource"),
                           column("start", &StateTable::start, "ticks", "first moment"),
                           column("duration", &StateTable::duration, "ticks", "length"),
                           column("state", &StateTable::state, "", "what the resource did"),
                           column("cause", &StateTable::cause, "", "the one reason for it (vocabulary.h)"));
  }
};

// Named moments inside a slice, ordered by slice, then as logged.
struct StageTable {
  Column<SliceId> slice;
  Column<StringId> stage;
  Column<Ticks> offset;

  std::uint32_t size() const { return slice.size(); }

  static constexpr auto columns() {
    return std::make_tuple(
        column("slice", &StageTable::slice, "", "whose stage it is"),
        column("stage", &StageTable::stage, "", "submit, ready, dispatch, receive, ... (vocabulary.h)"),
        column("offset", &StageTable::offset, "ticks", "from the slice's start; negative before it"));
  }
};

// What is known of a task beside its times.
enum class TaskFlag : std::uint8_t {
  kNone = 0,
  kEarlyDispatch = 1U << 0U,  // may be handed to a core before its producers have ended; the core waits
  kManualOrder = 1U << 1U,    // its dependencies were given by hand, not found from its data
};
constexpr TaskFlag operator|(TaskFlag a, TaskFlag b) {
  return static_cast<TaskFlag>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has_flag(TaskFlag flags, TaskFlag flag) {
  return (static_cast<unsigned>(flags) & static_cast<unsigned>(flag)) != 0;
}

// Work that was asked for; a task may have no slice.
struct TaskTable {
  Column<std::uint64_t> external_id;
  Column<StringId> name;
  Column<StringId> kind;
  Column<std::uint32_t> blocks;
  Column<TaskId> parent;
  Column<TaskFlag> flags;

  std::uint32_t size() const { return external_id.size(); }

  static constexpr auto columns() {
    return std::make_tuple(
        column("external_id", &TaskTable::external_id, "", "the id its producer gave it"),
        column("name", &TaskTable::name, "", "the function it runs"),
        column("kind", &TaskTable::kind, "", "the engine or sort of work"),
        column("blocks", &TaskTable::blocks, "", "how many parts it runs as; 1 when it is not split"),
        column("parent", &TaskTable::parent, "", "the task of a whole graph that it is a node of"),
        column("flags", &TaskTable::flags, "", "bits: 1 early dispatch, 2 manual order"));
  }
};

// Dependencies: `to` may not begin before `from` has ended.
struct TaskEdgeTable {
  Column<TaskId> from;
  Column<TaskId> to;
  Column<StringId> kind;

  std::uint32_t size() const { return from.size(); }

  static constexpr auto columns() {
    return std::make_tuple(column("from", &TaskEdgeTable::from, "", "the task that must end first"),
                           column("to", &TaskEdgeTable::to, "", "the task that waits for it"),
                           column("kind", &TaskEdgeTable::kind, "", "why: data, order, ..."));
  }
};

}  // namespace accelscope::trace
