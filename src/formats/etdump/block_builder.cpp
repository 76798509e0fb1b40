#include "formats/etdump/block_builder.h"

#include <fmt/core.h>

#include <algorithm>

#include "formats/etdump/block_nesting.h"
#include "trace/vocabulary.h"

namespace accelscope::formats::etdump {

using trace::EventRole;
using trace::RunKind;
using trace::RunStatus;
using trace::SliceFlag;
using trace::SliceId;
using trace::StringId;
using trace::Ticks;
using trace::Value;

namespace {

// Events come as they ended: nearly in the order of their starts, but for parents, which come after their
// children. Insertion moves each event once per ancestor; only absurdly deep or disordered blocks are worth a
// real sort.
template <class StartOrder>
void sort_by_start(std::vector<StartOrder>& order) {
  std::size_t moves_left = order.size() * 16 + 64;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const StartOrder moved = order[i];
    std::size_t place = i;
    for (; place > 0 && moved.start < order[place - 1].start; --place) order[place] = order[place - 1];
    order[place] = moved;
    if (i - place > moves_left) {
      std::sort(order.begin(), order.end(), [](const StartOrder& a, const StartOrder& b) {
        return a.start != b.start ? a.start < b.start : a.position < b.position;
      });
      return;
    }
    moves_left -= i - place;
  }
}

}  // namespace

BlockBuilder::BlockBuilder(trace::TraceBuilder& builder, NameTable& names, Remarks& remarks,
                           trace::TrackId process, const TimeUnit& unit, std::size_t file_bytes)
    : builder_(builder),
      remarks_(remarks),
      process_(process),
      unit_(unit),
      side_events_(builder, names, remarks, file_bytes) {
  args_ = {builder.intern(trace::arg::kRecord),           builder.intern(trace::arg::kChain),
           builder.intern(trace::arg::kInstruction),      builder.intern(trace::arg::kDelegateId),
           builder.intern(trace::arg::kDelegateMetadata), builder.intern(trace::arg::kBackend),
           builder.intern(trace::arg::kBackendSource),    builder.intern(trace::arg::kUnit)};
  for (std::size_t role = 0; role < trace::kEventRoleCount; ++role)
    category_of_role_[role] = builder.category(trace::category_of(static_cast<EventRole>(role)));
  around_steps_ = builder.intern("Method::step, all steps");
  inferred_ = builder.intern(trace::backend_source::kInferred);
}

std::string BlockBuilder::dump_label(std::uint32_t dump) const {
  return dump == 1 ? std::string() : fmt::format(" of dump {}", dump);
}

void BlockBuilder::begin_dump(const char* data, std::uint64_t dump_offset) {
  ++dumps_;
  dump_offset_ = dump_offset;
  latest_ = {};
  const std::string label = dump_label(dumps_);
  // Every dump has a clock of its own: dumps of two processes cannot be compared.
  const trace::ClockId clock =
      builder_.add_clock({builder_.intern(fmt::format("host clock{}", label)), unit_.frequency});
  host_ = builder_.add_track({.name = builder_.intern(fmt::format("host{}", label)),
                              .parent = process_,
                              .level = trace::TrackLevel::kThread,
                              .kind = trace::TrackKind::kSlices,
                              .clock = clock});
  side_events_.begin_dump(process_, clock, data, dump_offset, label);
}

void BlockBuilder::add(StagedBlock& block) {
  const std::vector<Phase> phases = find_phases(block.events, builder_.text(block.name), around_steps_);
  sum_children(block.events, remarks_, dump_offset_);
  add_runs(block, phases);
  collect_methods(block, phases);
  add_host_slices(block, phases);
  add_foreign(block);
  add_side_events(block, phases);
}

void BlockBuilder::add_runs(const StagedBlock& block, const std::vector<Phase>& phases) {
  if (phases.size() > 1) remarks_.note(Remark::kSplitBlock, block.file_offset);
  runs_of_phases_.clear();
  for (const Phase& phase : phases) {
    if (phase.status == RunStatus::kAborted) remarks_.note(Remark::kAbortedRun, block.file_offset);
    if (phase.status == RunStatus::kEmpty) remarks_.note(Remark::kEmptyRun, block.file_offset);
    if (phase.root != kNoEvent && trace::has_flag(block.events[phase.root].flags, SliceFlag::kSynthetic))
      remarks_.note(Remark::kSteppedRun, block.file_offset);
    runs_of_phases_.push_back(
        builder_.add_run({.name = block.name, .kind = phase.kind, .status = phase.status}));
  }
}

void BlockBuilder::collect_methods(const StagedBlock& block, const std::vector<Phase>& phases) {
  std::vector<std::vector<MethodGroups::Key>> keys(phases.size());
  for (const StagedEvent& event : block.events) {
    if (event.delegated || phases[event.phase].kind == RunKind::kLoad) continue;
    keys[event.phase].push_back(methods_.key(event.chain, event.instruction, event.name));
  }
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].kind == RunKind::kLoad)
      methods_.add_load(runs_of_phases_[i]);
    else
      methods_.add(runs_of_phases_[i], phases[i].status, std::move(keys[i]));
  }
}

void BlockBuilder::add_host_slices(const StagedBlock& block, const std::vector<Phase>& phases) {
  const std::vector<StagedEvent>& events = block.events;
  order_.clear();
  for (std::uint32_t position = 0; position < events.size(); ++position)
    if (events[position].placement == Placement::kHost) order_.push_back({events[position].start, position});
  sort_by_start(order_);
  slice_of_event_.assign(events.size(), SliceId::kNone);
  std::uint32_t next = builder_.slice_count();
  for (const StartOrder& entry : order_) slice_of_event_[entry.position] = SliceId{next++};

  trace::Track& track = builder_.track(host_);
  for (const StartOrder& entry : order_) {
    const StagedEvent& event = events[entry.position];
    const SliceId slice = builder_.add_slice(
        {.track = host_,
         .start = event.start,
         .duration = event.duration,
         .name = event.name,
         .category = category_of(event),
         .flags = event.flags,
         .parent = event.parent == kNoEvent ? SliceId::kNone : slice_of_event_[event.parent],
         .run = runs_of_phases_[event.phase]});
    add_arguments(slice, event);
    track.covered_from = track.coverage_known ? std::min(track.covered_from, event.start) : event.start;
    track.covered_to = track.coverage_known ? std::max(track.covered_to, event.end()) : event.end();
    track.coverage_known = true;
  }
  for (std::size_t i = 0; i < phases.size(); ++i)
    if (phases[i].root != kNoEvent) builder_.run(runs_of_phases_[i]).root = slice_of_event_[phases[i].root];
}

void BlockBuilder::add_arguments(SliceId slice, const StagedEvent& event) {
  if (trace::has_flag(event.flags, SliceFlag::kSynthetic)) return;
  builder_.add_slice_arg(slice, args_.record, Value::of_uint(event.record));
  if (event.chain != 0) builder_.add_slice_arg(slice, args_.chain, Value::of_int(event.chain));
  builder_.add_slice_arg(slice, args_.instruction, Value::of_int(event.instruction));
  if (event.delegate_id != -1)
    builder_.add_slice_arg(slice, args_.delegate_id, Value::of_int(event.delegate_id));
  if (event.metadata != StringId::kEmpty)
    builder_.add_slice_arg(slice, args_.metadata, Value::of_bytes(event.metadata));
  if (event.role == EventRole::kDelegateCall && event.backend != Backend::kUnknown) {
    builder_.add_slice_arg(slice, args_.backend,
                           Value::of_string(builder_.intern(backend_name(event.backend))));
    builder_.add_slice_arg(slice, args_.backend_source, Value::of_string(inferred_));
  }
}

trace::CategoryId BlockBuilder::category_of(const StagedEvent& event) const {
  EventRole role = event.role;
  const bool of_backend = event.delegated || event.backend == Backend::kEthosU;
  // A DELEGATE_CALL carries the backend of what it called.
  if (of_backend && role != EventRole::kDelegateCall)
    role = EventRole::kDelegateOperator;
  else if (role == EventRole::kOther && event.chain >= 0)
    role = EventRole::kOperator;
  return category_of_role_[static_cast<std::size_t>(role)];
}

std::uint32_t BlockBuilder::foreign_track_of(const StagedEvent& event) {
  const ForeignTrack wanted{dumps_, event.backend, event.unit};
  // Few per dump, and those of earlier dumps are not searched.
  for (std::size_t i = foreign_tracks_.size(); i-- > 0 && foreign_tracks_[i].dump == dumps_;)
    if (foreign_tracks_[i] == wanted) return static_cast<std::uint32_t>(i);
  foreign_tracks_.push_back(wanted);
  return static_cast<std::uint32_t>(foreign_tracks_.size() - 1);
}

void BlockBuilder::add_foreign(const StagedBlock& block) {
  for (const StagedEvent& event : block.events) {
    if (event.placement != Placement::kForeign) continue;
    const std::uint64_t offset = dump_offset_ + event.file_offset;
    remarks_.note(is_time(event.unit) ? Remark::kForeignClock : Remark::kNotATime, offset);
    foreign_slices_.push_back({foreign_track_of(event),
                               event.parent == kNoEvent ? SliceId::kNone : slice_of_event_[event.parent],
                               runs_of_phases_[event.phase], event});
  }
}

void BlockBuilder::add_side_events(const StagedBlock& block, const std::vector<Phase>& phases) {
  const std::vector<StagedEvent>& events = block.events;
  // Foreign events do not tell the host's time.
  Ticks time = latest_;
  if (!order_.empty()) time = order_.front().start;
  std::uint32_t passed = 0;
  std::uint32_t phase = 0;
  for (const StagedSideEvent& side : block.side_events) {
    for (; passed < side.events_before; ++passed) {
      if (events[passed].placement != Placement::kHost) continue;
      time = events[passed].end();
      phase = events[passed].phase;
    }
    side_events_.add(block, side, time, runs_of_phases_[std::min<std::size_t>(phase, phases.size() - 1)]);
  }
  for (const StartOrder& entry : order_) latest_ = std::max(latest_, events[entry.position].end());
}

trace::TrackId BlockBuilder::make_foreign_track(const ForeignTrack& track) {
  const std::string_view backend =
      track.backend == Backend::kUnknown ? std::string_view("delegate") : backend_name(track.backend);
  const std::string_view unit =
      track.unit == ValueUnit::kNotSaid ? std::string_view("own clock") : unit_name(track.unit);
  const StringId name = builder_.intern(fmt::format("{} ({}){}", backend, unit, dump_label(track.dump)));
  const base::Frequency frequency = track.unit == ValueUnit::kNanoseconds    ? base::Frequency::nanoseconds()
                                    : track.unit == ValueUnit::kMicroseconds ? base::Frequency::mhz(1)
                                                                             : base::Frequency::unknown();
  const trace::ClockId clock = builder_.add_clock({name, frequency});
  return builder_.add_track({.name = name,
                             .parent = process_,
                             .level = trace::TrackLevel::kThread,
                             .kind = trace::TrackKind::kSlices,
                             .clock = clock});
}

void BlockBuilder::finish() {
  std::stable_sort(foreign_slices_.begin(), foreign_slices_.end(),
                   [](const ForeignSlice& a, const ForeignSlice& b) {
                     return a.track != b.track ? a.track < b.track : a.event.start < b.event.start;
                   });
  std::vector<trace::TrackId> tracks;
  for (const ForeignTrack& track : foreign_tracks_) tracks.push_back(make_foreign_track(track));
  for (const ForeignSlice& foreign : foreign_slices_) {
    const StagedEvent& event = foreign.event;
    const SliceId slice =
        builder_.add_slice({.track = tracks[foreign.track],
                            .start = event.start,
                            .duration = event.duration,
                            .name = event.name,
                            .category = category_of(event),
                            .flags = is_time(event.unit) ? event.flags : event.flags | SliceFlag::kMarker,
                            .owner = foreign.owner,
                            .run = foreign.run});
    add_arguments(slice, event);
    if (event.unit != ValueUnit::kNotSaid)
      builder_.add_slice_arg(slice, args_.unit, Value::of_string(builder_.intern(unit_name(event.unit))));
  }
  foreign_slices_.clear();
  methods_.assign(builder_);
}

}  // namespace accelscope::formats::etdump
