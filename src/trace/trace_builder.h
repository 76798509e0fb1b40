// Makes a Trace. Readers add rows in the order they meet them; finish() sorts, nests, checks and gives the
// final ids.
//
// Threads: one builder is one thread's. A track belongs to one builder, so tracks can be built in parallel by
// several builders, whose traces are then joined with append(). Until finish(), SliceIds are the order of
// adding; finish() makes them the position by (track, start, order of adding) and rewrites every reference,
// so do not keep ids across it. The builder owns what is added and hands all of it to the Trace.
//
//   TraceBuilder builder;
//   ClockId clock = builder.add_clock({builder.intern("host"), Frequency::nanoseconds()});
//   TrackId track = builder.add_track({.name = builder.intern("main"), .clock = clock}, Nesting::kByStart);
//   builder.add_slice({.track = track, .start = Ticks{10}, .duration = Ticks{5}});
//   ACCELSCOPE_TRY(const Trace trace, std::move(builder).finish());
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "trace/trace.h"

namespace accelscope::trace {

struct TraceParts;

// How finish() finds the parents of a track's slices. A parent set explicitly is never changed.
enum class Nesting : std::uint8_t {
  kExplicit,      // only set_parent() counts
  kByStart,       // from the times; of two with equal bounds the first added encloses
  kByCompletion,  // slices were added as they ended; of two with equal bounds the last added encloses
};

struct NewSlice {
  TrackId track = TrackId::kNone;
  Ticks start = {};
  Ticks duration = {};
  StringId name = StringId::kEmpty;
  CategoryId category = CategoryId::kNone;
  SliceFlag flags = SliceFlag::kNone;
  SliceId parent = SliceId::kNone;
  SliceId owner = SliceId::kNone;
  TaskId task = TaskId::kNone;
  RunId run = RunId::kNone;
};

// Slices of one track, in the order of their starts where they are; columns of equal length.
struct NewSlices {
  TrackId track = TrackId::kNone;
  CategoryId category = CategoryId::kNone;
  std::span<const Ticks> start = {};
  std::span<const Ticks> duration = {};
  std::span<const StringId> name = {};
  std::span<const TaskId> task = {};
  std::span<const SliceFlag> flags = {};
  std::span<const SliceId> owner = {};  // may be left out: nobody's
};

struct NewTask {
  std::uint64_t external_id = 0;
  StringId name = StringId::kEmpty;
  StringId kind = StringId::kEmpty;
  std::uint32_t blocks = 1;
  TaskId parent = TaskId::kNone;
  TaskFlag flags = TaskFlag::kNone;
};

struct NewInstant {
  TrackId track = TrackId::kNone;
  Ticks time = {};
  StringId name = StringId::kEmpty;
  CategoryId category = CategoryId::kNone;
  RunId run = RunId::kNone;
};

class TraceBuilder {
 public:
  TraceBuilder();

  StringId intern(std::string_view text) { return trace_.strings_.intern(text); }
  std::string_view text(StringId id) const { return trace_.strings_.text(id); }
  // More than 65 534 categories share one called "other categories", and Quality says so.
  CategoryId category(StringId name);
  CategoryId category(std::string_view name) { return category(intern(name)); }

  ClockId add_clock(ClockDomain clock);
  const ClockDomain& clock(ClockId id) const { return trace_.clocks_[index(id)]; }
  void add_clock_relation(ClockRelation relation) { trace_.clock_relations_.push_back(std::move(relation)); }
  ResourceId add_resource(Resource resource);
  TrackId add_track(Track track, Nesting nesting = Nesting::kExplicit);
  Track& track(TrackId id) { return trace_.tracks_[index(id)]; }
  RunId add_run(Run run);
  Run& run(RunId id) { return trace_.runs_[index(id)]; }
  TaskId add_task(const NewTask& task);
  // Tasks of which nothing else is known yet. The first one's id; kNone, and nothing added, when they are too
  // many.
  TaskId add_tasks(std::span<const std::uint64_t> external_ids);
  // Rows added so far, for late changes.
  TaskTable& tasks() { return trace_.tasks_; }
  void add_task_edge(TaskId from, TaskId to, StringId kind);
  void add_fact(std::string_view key, Value value) { trace_.facts_.push_back({intern(key), value}); }
  void add_accounting(Accounting row) { trace_.accounting_.push_back(row); }
  void add_source(SourceFile source) { trace_.sources_.push_back(std::move(source)); }
  QualityTable& quality() { return trace_.quality_; }

  // A negative duration, or an end beyond 64 bits, is corrected at once: flagged kEndUnknown and counted in
  // Quality.
  SliceId add_slice(const NewSlice& slice);
  // The same for many at once. The first one's id; kNone, and nothing added, when they are too many.
  SliceId add_slices(const NewSlices& slices);
  std::uint32_t slice_count() const { return trace_.slices_.size(); }
  // Rows added so far, for reading and late changes; never change the columns track and start through it.
  SliceTable& slices() { return trace_.slices_; }
  void set_parent(SliceId child, SliceId parent) { trace_.slices_.parent[index(child)] = parent; }
  void set_owner(SliceId slice, SliceId owner) { trace_.slices_.owner[index(slice)] = owner; }
  void set_track(SliceId slice, TrackId track) {
    trace_.slices_.track[index(slice)] = track;
    slices_sorted_ = false;
  }
  void set_duration(SliceId slice, Ticks duration);
  void add_flag(SliceId slice, SliceFlag flag) {
    trace_.slices_.flags[index(slice)] = trace_.slices_.flags[index(slice)] | flag;
  }

  std::uint32_t add_instant(const NewInstant& instant);
  // Arguments keep the order in which they are added.
  void add_slice_arg(SliceId slice, StringId name, Value value) {
    append_arg(trace_.slices_.first_arg, index(slice), slice_args_, name, value);
  }
  void add_instant_arg(std::uint32_t instant, StringId name, Value value);
  void add_slice_arg(SliceId slice, std::string_view name, Value value) {
    add_slice_arg(slice, intern(name), value);
  }

  void add_flow(SliceId from, SliceId to, StringId type, StringId label = StringId::kEmpty);
  // One end of an arrow between two traces of one picture.
  void add_flow_end(SliceId slice, std::uint64_t flow, StringId type, bool leaves);
  void add_counter(TrackId track, Ticks time, std::int64_t value) {
    add_counter_bits(track, time, static_cast<std::uint64_t>(value));
  }
  void add_counter(TrackId track, Ticks time, double value) {
    add_counter_bits(track, time, std::bit_cast<std::uint64_t>(value));
  }
  void add_state(TrackId track, Ticks start, Ticks duration, StringId state, StringId cause);
  void add_stage(SliceId slice, StringId stage, Ticks offset);
  // Rows that were made elsewhere, perhaps by another thread, with this builder's ids.
  void add_stages(StageTable stages);

  // Adds all rows of another trace. Its tracks without a parent are renamed "<label>: <name>" when a label is
  // given. Slice n of `other` becomes slice slice_count() + n of this builder; tracks, runs and tasks
  // likewise.
  struct Offsets {
    std::uint32_t slices = 0;
    std::uint32_t tracks = 0;
    std::uint32_t runs = 0;
  };
  Offsets append(const Trace& other, std::string_view label = {});

  // An id that names no row, a clock that is missing or a relation that runs backwards is a kInternal error:
  // whoever reads the trace may rely on them.
  base::Result<Trace> finish() &&;

 private:
  friend base::Result<Trace> trace_from(TraceParts parts);
  static base::Result<Trace> restore(TraceParts parts);

  class Appender;
  // A little below 2^32, so that no id collides with kNone and no column's size wraps.
  static constexpr std::uint32_t kMaxRows = 0xFFFF0000U;
  struct ArgTail {
    std::uint32_t owner = 0xFFFFFFFF;  // the slice or instant that got the latest argument
    ArgId last = ArgId::kNone;
  };

  void add_counter_bits(TrackId track, Ticks time, std::uint64_t bits);
  bool make_room_for_slice();
  bool make_room_for_arg();
  bool has_room(std::uint32_t rows, std::size_t more);
  void append_arg(Column<ArgId>& heads, std::uint32_t owner, ArgTail& tail, StringId name, Value value);
  void link_arg(Column<ArgId>& heads, std::uint32_t owner, ArgId added);
  Ticks checked_duration(Ticks start, Ticks duration, bool& corrected);
  void nest_by_completion();
  void sort_slices();
  void rewrite_slice_references(std::span<const std::uint32_t> new_position);
  void sort_side_tables();
  void index_tracks();
  base::Status check() const;
  base::Status check_small_tables() const;
  base::Status check_parents() const;
  base::Status check_columns() const;
  base::Status check_clocks_of_rows() const;  // after index_tracks()

  Trace trace_;
  std::vector<Nesting> nesting_;
  std::vector<std::uint16_t> category_of_string_;
  ArgTail slice_args_;
  ArgTail instant_args_;
  bool slices_sorted_ = true;
  TrackId last_track_{0};  // of the slice added last
  Ticks last_start_ = Ticks::min();
  bool too_many_rows_ = false;
};

// Here, because pictures add millions of slices and arguments, most of whose columns are constants.
inline SliceId TraceBuilder::add_slice(const NewSlice& slice) {
  SliceTable& slices = trace_.slices_;
  const std::uint32_t row = slices.size();
  if (slices.start.is_full() && !make_room_for_slice()) [[unlikely]]
    return SliceId{row - 1};
  slices_sorted_ = slices_sorted_ &&
                   (last_track_ < slice.track || (last_track_ == slice.track && last_start_ <= slice.start));
  last_track_ = slice.track;
  last_start_ = slice.start;
  bool corrected = false;
  Ticks duration = slice.duration;
  if (duration.value < 0 || slice.start.value > Ticks::max().value - duration.value) [[unlikely]]
    duration = checked_duration(slice.start, duration, corrected);
  slices.start.put(slice.start);
  slices.duration.put(duration);
  slices.name.put(slice.name);
  slices.track.put(slice.track);
  slices.parent.put(slice.parent);
  slices.owner.put(slice.owner);
  slices.task.put(slice.task);
  slices.run.put(slice.run);
  slices.first_arg.put(ArgId::kNone);
  slices.category.put(slice.category);
  slices.flags.put(corrected ? slice.flags | SliceFlag::kEndUnknown : slice.flags);
  return SliceId{row};
}

inline void TraceBuilder::append_arg(Column<ArgId>& heads, std::uint32_t owner, ArgTail& tail, StringId name,
                                     Value value) {
  ArgTable& args = trace_.args_;
  const ArgId added{args.size()};
  if (args.name.is_full() && !make_room_for_arg()) [[unlikely]]
    return;
  args.name.put(name);
  args.next.put(ArgId::kNone);
  args.bits.put(value.bits);
  args.type.put(value.type);
  // The latest owner's last argument is remembered.
  if (tail.owner == owner)
    args.next[index(tail.last)] = added;
  else
    link_arg(heads, owner, added);
  tail = {owner, added};
}

}  // namespace accelscope::trace
