#include "formats/perfetto/replay.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace accelscope::test {
namespace {

using perfetto_subset::DebugAnnotation;
using perfetto_subset::TracePacket;
using perfetto_subset::TrackDescriptor;

using Texts = std::map<std::uint64_t, std::string>;

// What one sequence has announced since its state was cleared.
struct Sequence {
  bool valid = false;
  Texts names, categories, annotation_names, annotation_strings;
  std::uint64_t default_track = 0;
  std::uint32_t default_clock = 0;
  std::map<std::uint32_t, std::uint64_t> clock_now;   // incremental clocks, in their own time
  std::map<std::uint32_t, std::uint64_t> clock_base;  // boot time less the clock's time
};

struct Event {
  std::uint64_t time;
  std::uint64_t track;
  std::string name, category;
  std::map<std::string, std::string> args;
  perfetto_subset::TrackEvent event;
};

class Reader {
 public:
  Replay read(std::string_view file) {
    perfetto_subset::Trace trace;
    if (!trace.ParseFromArray(file.data(), static_cast<int>(file.size()))) error("not a protobuf message");
    for (const TracePacket& packet : trace.packet()) read_packet(packet);
    std::stable_sort(events_.begin(), events_.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    for (const Event& event : events_) play(event);
    for (const auto& [track, open] : open_)
      if (!open.empty()) error("a slice is never closed");
    return std::move(replay_);
  }

 private:
  void error(std::string text) { replay_.errors.push_back(std::move(text)); }

  void read_packet(const TracePacket& packet) {
    if (!packet.has_trusted_packet_sequence_id() || packet.trusted_packet_sequence_id() == 0)
      return error("a packet without a sequence");
    Sequence& sequence = sequences_[packet.trusted_packet_sequence_id()];
    if (packet.sequence_flags() & 1U) {
      sequence = {};
      sequence.valid = true;
    }
    if (packet.has_trace_packet_defaults()) {
      sequence.default_clock = packet.trace_packet_defaults().timestamp_clock_id();
      sequence.default_track = packet.trace_packet_defaults().track_event_defaults().track_uuid();
    }
    if (packet.has_interned_data()) read_interned(packet.interned_data(), sequence);
    // As the importer does, nothing else of a packet with a snapshot is looked at.
    if (packet.has_clock_snapshot()) return read_snapshot(packet.clock_snapshot(), sequence);
    if ((packet.sequence_flags() & 2U) && !sequence.valid) return error("needs state that is not there");
    if (packet.has_track_descriptor()) read_descriptor(packet.track_descriptor());
    if (packet.has_track_event()) read_event(packet, sequence);
  }

  void read_interned(const perfetto_subset::InternedData& data, Sequence& sequence) {
    const auto take = [&](const auto& entries, Texts& texts) {
      for (const auto& entry : entries) {
        if (entry.iid() == 0) error("interned id 0");
        if (!texts.emplace(entry.iid(), entry.name()).second) error("an interned id is used twice");
      }
    };
    take(data.event_names(), sequence.names);
    take(data.event_categories(), sequence.categories);
    take(data.debug_annotation_names(), sequence.annotation_names);
    take(data.debug_annotation_string_values(), sequence.annotation_strings);
  }

  void read_snapshot(const perfetto_subset::ClockSnapshot& snapshot, Sequence& sequence) {
    std::optional<std::uint64_t> boot_time;
    for (const auto& clock : snapshot.clocks())
      if (clock.clock_id() == 6) boot_time = clock.timestamp();
    if (!boot_time) return error("a snapshot without boot time");
    for (const auto& clock : snapshot.clocks()) {
      if (clock.clock_id() == 6) continue;
      if (!clock.is_incremental() || clock.clock_id() < 64 || clock.clock_id() > 127)
        error("an unexpected clock");
      sequence.clock_now[clock.clock_id()] = clock.timestamp();
      sequence.clock_base[clock.clock_id()] = *boot_time - clock.timestamp();
    }
  }

  void read_descriptor(const TrackDescriptor& descriptor) {
    if (!descriptor.has_uuid()) error("a track without uuid");
    if (!replay_.tracks.emplace(descriptor.uuid(), descriptor).second) error("a track is described twice");
    if (descriptor.has_parent_uuid() && replay_.tracks.count(descriptor.parent_uuid()) == 0)
      error("a parent is not described");
  }

  void read_event(const TracePacket& packet, Sequence& sequence) {
    if (!packet.has_timestamp()) return error("an event without time");
    const std::uint32_t clock =
        packet.has_timestamp_clock_id() ? packet.timestamp_clock_id() : sequence.default_clock;
    if (sequence.clock_now.count(clock) == 0) return error("an event on an unknown clock");
    sequence.clock_now[clock] += packet.timestamp();
    const auto& event = packet.track_event();
    Event read{sequence.clock_now[clock] + sequence.clock_base[clock],
               event.has_track_uuid() ? event.track_uuid() : sequence.default_track,
               event.has_name() ? event.name() : "",
               "",
               {},
               event};
    if (static_cast<std::int64_t>(read.time) < 0) error("a negative time");
    if (event.has_name_iid()) read.name = look_up(sequence.names, event.name_iid());
    for (const std::uint64_t iid : event.category_iids()) read.category += look_up(sequence.categories, iid);
    for (const DebugAnnotation& annotation : event.debug_annotations())
      read.args[name_of(annotation, sequence)] = value_of(annotation, sequence);
    events_.push_back(std::move(read));
  }

  std::string look_up(const Texts& texts, std::uint64_t iid) {
    const auto found = texts.find(iid);
    if (found != texts.end()) return found->second;
    error("an unknown interned id");
    return "?";
  }

  std::string name_of(const DebugAnnotation& annotation, const Sequence& sequence) {
    if (annotation.has_name_iid()) return look_up(sequence.annotation_names, annotation.name_iid());
    if (!annotation.has_name()) error("an annotation without name");
    return annotation.name();
  }

  std::string value_of(const DebugAnnotation& value, const Sequence& sequence) {
    std::string text;
    if (value.dict_entries_size() > 0) {
      for (const DebugAnnotation& entry : value.dict_entries())
        text += (text.empty() ? "" : ", ") + name_of(entry, sequence) + ": " + value_of(entry, sequence);
      return "dict {" + text + "}";
    }
    if (value.array_values_size() > 0) {
      for (const DebugAnnotation& entry : value.array_values())
        text += (text.empty() ? "" : ", ") + value_of(entry, sequence);
      return "list [" + text + "]";
    }
    if (value.has_bool_value()) return value.bool_value() ? "bool true" : "bool false";
    if (value.has_int_value()) return "int " + std::to_string(value.int_value());
    if (value.has_uint_value()) return "uint " + std::to_string(value.uint_value());
    if (value.has_double_value()) return "double " + std::to_string(value.double_value());
    if (value.has_string_value()) return "string " + value.string_value();
    if (value.has_string_value_iid())
      return "string " + look_up(sequence.annotation_strings, value.string_value_iid());
    error("an annotation without value");
    return "";
  }

  void play(const Event& event) {
    if (replay_.tracks.count(event.track) == 0) return error("an event on an unknown track");
    std::vector<std::size_t>& open = open_[event.track];
    switch (event.event.type()) {
      case 1:
      case 3:
        replay_.slices.push_back({event.track, event.name, event.category, event.time, event.time,
                                  open.empty() ? std::nullopt : std::optional(open.back()), event.args,
                                  event.event.type() == 3});
        bind_flows(event, replay_.slices.size() - 1);
        if (event.event.type() == 1) open.push_back(replay_.slices.size() - 1);
        break;
      case 2:
        if (open.empty()) return error("an end without begin");
        replay_.slices[open.back()].end = event.time;
        bind_flows(event, open.back());
        open.pop_back();
        break;
      case 4:
        if (!replay_.tracks[event.track].has_counter()) error("a sample on a track that is no counter");
        replay_.samples.push_back({event.track, event.time, {}, {}});
        if (event.event.has_counter_value()) replay_.samples.back().integer = event.event.counter_value();
        if (event.event.has_double_counter_value())
          replay_.samples.back().real = event.event.double_counter_value();
        break;
      default:
        error("an event of unknown type");
    }
  }

  void connect(std::uint64_t id, std::size_t known, std::size_t added) {
    const bool forwards = replay_.slices[known].start <= replay_.slices[added].start;
    replay_.flows.push_back(forwards ? ReplayedFlow{known, added, id} : ReplayedFlow{added, known, id});
  }

  void bind_flows(const Event& event, std::size_t slice) {
    for (const std::uint64_t id : event.event.flow_ids()) {
      ++replay_.flow_ends[id];
      const auto active = active_flows_.find(id);
      if (active != active_flows_.end()) connect(id, active->second, slice);
      active_flows_[id] = slice;
    }
    for (const std::uint64_t id : event.event.terminating_flow_ids()) {
      ++replay_.flow_ends[id];
      const auto active = active_flows_.find(id);
      if (active == active_flows_.end()) {
        error("a flow ends that has not begun");
        continue;
      }
      connect(id, active->second, slice);
      active_flows_.erase(active);
    }
  }

  Replay replay_;
  std::map<std::uint32_t, Sequence> sequences_;
  std::vector<Event> events_;
  std::map<std::uint64_t, std::vector<std::size_t>> open_;
  std::map<std::uint64_t, std::size_t> active_flows_;
};

}  // namespace

std::string track_name(const TrackDescriptor& track) {
  if (track.has_process()) return track.process().process_name();
  return track.has_thread() ? track.thread().thread_name() : track.name();
}

const TrackDescriptor* Replay::track_named(std::string_view name) const {
  for (const auto& [uuid, track] : tracks)
    if (track_name(track) == name) return &track;
  return nullptr;
}

const ReplayedSlice& Replay::slice(std::string_view name) const {
  static const ReplayedSlice missing;
  const ReplayedSlice* found = nullptr;
  for (const ReplayedSlice& candidate : slices) {
    if (candidate.name != name) continue;
    if (found) ADD_FAILURE() << "two slices are called " << name;
    found = &candidate;
  }
  if (!found) ADD_FAILURE() << "no slice is called " << name;
  return found ? *found : missing;
}

Replay replay(std::string_view file) {
  return Reader().read(file);
}

}  // namespace accelscope::test
