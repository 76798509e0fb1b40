#include "formats/chrome_json/assembler.h"

namespace accelscope::formats::chrome_json {

using trace::SliceFlag;

Assembler::Assembler(trace::TraceBuilder& builder, Troubles& troubles)
    : builder_(builder), troubles_(troubles), tracks_(builder), counters_(builder, tracks_, troubles) {
  words_ = {.process_name = builder.intern("process_name"),
            .thread_name = builder.intern("thread_name"),
            .process_sort_index = builder.intern("process_sort_index"),
            .thread_sort_index = builder.intern("thread_sort_index"),
            .process_labels = builder.intern("process_labels"),
            .name = builder.intern("name"),
            .sort_index = builder.intern("sort_index"),
            .labels = builder.intern("labels"),
            .scope = builder.intern("scope"),
            .process = builder.intern("process"),
            .global = builder.intern("global"),
            .bind_id = builder.intern("bind_id")};
}

void Assembler::add(const Event& event) {
  if (event.has(Event::kIgnoredFields)) troubles_.note(Trouble::kIgnoredFields, event.offset);
  if (event.has(Event::kTimeOutOfRange)) troubles_.note(Trouble::kTimeOutOfRange, event.offset);
  if (event.phase == Event::kNoPhase) return troubles_.note(Trouble::kMissingPhase, event.offset);
  if (event.phase == 'M') return add_metadata(event);
  if (!event.has(Event::kTime)) {
    if (!event.has(Event::kTimeOutOfRange)) troubles_.note(Trouble::kMissingTime, event.offset);
    return;
  }
  switch (event.phase) {
    case 'X':
      return add_complete(event);
    case 'B':
      return begin(tracks_.thread(event.process, event.thread), event);
    case 'E':
      return end(tracks_.thread(event.process, event.thread), event);
    case 'i':
    case 'I':
    case 'R':
      return add_instant(tracks_.thread(event.process, event.thread), event);
    case 'C':
      return counters_.add(event, time_of(event));
    case 's':
    case 't':
    case 'f':
      return add_flow(event);
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'F':
    case 'T':
    case 'p':
      return add_async(event);
    default:
      return troubles_.note_ignored_phase(event.phase, event.offset);
  }
}

Ticks Assembler::time_of(const Event& event) {
  if (event.time.billionths != 0) troubles_.note(Trouble::kRoundedTime, event.offset);
  return rounded(event.time);
}

void Assembler::add_complete(const Event& event) {
  Lane& lane = tracks_.thread(event.process, event.thread);
  const Ticks start = rounded(event.time);
  Ticks end = start;
  SliceFlag flags = SliceFlag::kNone;
  if (event.has(Event::kDuration)) {
    if ((event.time.billionths | event.duration.billionths) != 0)
      troubles_.note(Trouble::kRoundedTime, event.offset);
    if (const auto exact_end = sum(event.time, event.duration)) {
      // Both ends are rounded, never the length: a child's end then stays within its parent's.
      end = rounded(*exact_end);
    } else {
      flags = SliceFlag::kEndUnknown;
      troubles_.note(Trouble::kTimeOutOfRange, event.offset);
    }
  } else {
    flags = SliceFlag::kEndUnknown;
    if (!event.has(Event::kTimeOutOfRange)) troubles_.note(Trouble::kMissingDuration, event.offset);
  }
  const SliceId slice = builder_.add_slice({.track = lane.track,
                                            .start = start,
                                            .duration = end - start,
                                            .name = event.name,
                                            .category = builder_.category(event.category),
                                            .flags = flags});
  lane.see(start);
  lane.see(end);
  add_arguments(slice, event);
}

void Assembler::add_arguments(SliceId slice, const Event& event) {
  for (const Argument& argument : event.arguments)
    builder_.add_slice_arg(slice, argument.name, argument.value);
  if (event.has(Event::kBindId)) add_slice_flows(slice, event);
}

void Assembler::begin(Lane& lane, const Event& event) {
  const Ticks time = time_of(event);
  const SliceId slice = builder_.add_slice({.track = lane.track,
                                            .start = time,
                                            .name = event.name,
                                            .category = builder_.category(event.category)});
  lane.see(time);
  lane.open.push_back({slice, event.offset});
  add_arguments(slice, event);
}

void Assembler::end(Lane& lane, const Event& event) {
  const Ticks time = time_of(event);
  lane.see(time);
  if (lane.open.empty()) return end_without_begin(lane, event, time);
  const SliceId slice = lane.open.back().slice;
  lane.open.pop_back();
  builder_.set_duration(slice, time - builder_.slices().start[index(slice)]);
  add_arguments(slice, event);
}

// What began before the recording did is shown from its first moment on.
void Assembler::end_without_begin(Lane& lane, const Event& event, Ticks time) {
  troubles_.note(Trouble::kEndWithoutBegin, event.offset);
  const SliceId slice = builder_.add_slice({.track = lane.track,
                                            .start = lane.first,
                                            .duration = time - lane.first,
                                            .name = event.name,
                                            .category = builder_.category(event.category),
                                            .flags = SliceFlag::kBeginUnknown});
  add_arguments(slice, event);
}

void Assembler::add_instant(Lane& lane, const Event& event) {
  const Ticks time = time_of(event);
  lane.see(time);
  const std::uint32_t instant = builder_.add_instant(
      {.track = lane.track, .time = time, .name = event.name, .category = builder_.category(event.category)});
  if (event.scope == 'p' || event.scope == 'g')
    builder_.add_instant_arg(instant, words_.scope,
                             trace::Value::of_string(event.scope == 'p' ? words_.process : words_.global));
  for (const Argument& argument : event.arguments)
    builder_.add_instant_arg(instant, argument.name, argument.value);
}

SharedKey Assembler::shared_key(const Event& event, StringId name) {
  SharedKey key{.category = event.category, .name = name, .scope = event.id_scope, .id = event.id};
  if (event.has(Event::kIdIsLocal)) key.process = tracks_.process(event.process);
  return key;
}

void Assembler::add_async(const Event& event) {
  if (!event.has(Event::kId)) return troubles_.note(Trouble::kMissingId, event.offset);
  const SharedKey key = shared_key(event, StringId::kEmpty);
  Lane& lane = tracks_.async(key, tracks_.process(event.process), event.name);
  if (event.phase == 'b' || event.phase == 'S') return begin(lane, event);
  if (event.phase != 'e' && event.phase != 'F') return add_instant(lane, event);
  // Async slices of one id may overlap, so the name decides which one ends. Only the latest few are searched.
  constexpr std::size_t kSearched = 64;
  const auto& names = builder_.slices().name;
  for (std::size_t i = 0; i < std::min(kSearched, lane.open.size()); ++i) {
    const auto candidate = lane.open.end() - 1 - static_cast<std::ptrdiff_t>(i);
    if (names[index(candidate->slice)] != event.name) continue;
    std::rotate(candidate, candidate + 1, lane.open.end());
    break;
  }
  end(lane, event);
}

void Assembler::add_flow(const Event& event) {
  if (!event.has(Event::kId)) return troubles_.note(Trouble::kMissingId, event.offset);
  const bool encloses = event.phase != 'f' || event.has(Event::kBindsEnclosing);
  flows_.add({.key = shared_key(event, event.name),
              .phase = event.phase,
              .binds_to_next = !encloses,
              .levels_up = static_cast<std::uint16_t>(event.levels_up),
              .track = tracks_.thread(event.process, event.thread).track,
              .time = time_of(event),
              .offset = event.offset});
}

// The later kind of flows, which slices carry themselves.
void Assembler::add_slice_flows(SliceId slice, const Event& event) {
  const bool in = event.has(Event::kFlowIn);
  const bool out = event.has(Event::kFlowOut);
  if (!in && !out) return;
  flows_.add({.key = {.scope = words_.bind_id, .id = event.bind_id},
              .phase = in && out ? 't'
                       : in      ? 'f'
                                 : 's',
              .time = rounded(event.time),
              .slice = slice,
              .offset = event.offset});
}

void Assembler::finish() {
  for (Lane& lane : tracks_.lanes()) {
    for (const auto& [slice, offset] : lane.open) {
      builder_.set_duration(slice, lane.last - builder_.slices().start[index(slice)]);
      builder_.add_flag(slice, SliceFlag::kEndUnknown);
      troubles_.note(Trouble::kBeginWithoutEnd, offset);
    }
  }
  counters_.finish();
  flows_.finish(builder_, troubles_);
  tracks_.name_nameless_tracks();
}

}  // namespace accelscope::formats::chrome_json
