// One profile event between the file and the Trace: decoded, then unwrapped, then nested.
//
// A block's events are staged together, because an event's parent is logged after it. Plain data.
//
//   StagedBlock block;
//   decoder.decode(run, block);
//   unwrapper.apply(block.events);
//   nester.nest(block.events, unwrapper.overflowed(), dump_offset);
#pragma once

#include <cstdint>
#include <vector>

#include "formats/etdump/flat_view.h"
#include "formats/etdump/names.h"
#include "trace/tables.h"

namespace accelscope::formats::etdump {

inline constexpr std::uint32_t kNoEvent = 0xFFFFFFFF;

enum class Placement : std::uint8_t {
  kHost,     // on the host's track, below its parent
  kForeign,  // on another clock: a track of its own, owned by its parent
};

struct StagedEvent {
  // As stored.
  std::uint64_t raw_start = 0;
  std::uint64_t raw_end = 0;
  trace::StringId name = trace::StringId::kEmpty;
  trace::StringId metadata = trace::StringId::kEmpty;
  std::int32_t chain = 0;
  std::int32_t instruction = -1;
  std::int32_t delegate_id = -1;
  std::uint32_t record = 0;       // position in the block, other kinds of events counted
  std::uint32_t file_offset = 0;  // from the start of the dump
  bool delegated = false;
  // Found out.
  trace::EventRole role = trace::EventRole::kOther;
  Placement placement = Placement::kHost;
  ValueUnit unit = ValueUnit::kNotSaid;
  Backend backend = Backend::kUnknown;
  trace::SliceFlag flags = trace::SliceFlag::kNone;
  std::uint32_t parent = kNoEvent;  // or owner, of a foreign event; always logged later
  std::uint32_t phase = 0;          // which run of the block it is part of
  trace::Ticks start = {};
  trace::Ticks duration = {};
  std::uint64_t children_ticks = 0;  // of the children on the same track; saturates

  trace::Ticks end() const { return start + duration; }
};

// An allocation or a debug value: no time of its own, kept in its place among the others.
struct StagedSideEvent {
  FlatTable table;
  bool is_allocation = false;
  std::uint32_t record = 0;
  std::uint32_t events_before = 0;  // how many profile events of the block were logged before it
};

struct StagedBlock {
  trace::StringId name = trace::StringId::kEmpty;
  std::uint64_t file_offset = 0;
  FlatVector allocators;
  std::vector<StagedEvent> events;
  std::vector<StagedSideEvent> side_events;
};

}  // namespace accelscope::formats::etdump
