// Allocations and debug values of a block, as instants on tracks of their own.
//
// They have no time: each is put where the profile event logged before it ends, or where the block's first
// one starts; Quality says so, and the argument "record" keeps the true order. One thread per object, which
// writes into the builder it is given.
//
//   side_events.begin_dump(process, clock, data, dump_offset, "");
//   side_events.add(block, event, time, run);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/etdump/remarks.h"
#include "formats/etdump/staged_event.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::etdump {

class SideEvents {
 public:
  SideEvents(trace::TraceBuilder& builder, NameTable& names, Remarks& remarks, std::size_t file_bytes);

  // From here on tracks are made for this dump. `label` tells several dumps apart: "" or " of dump 2".
  void begin_dump(trace::TrackId process, trace::ClockId clock, const char* data, std::uint64_t dump_offset,
                  std::string label);
  // `time` and `run` are those of the moment at which the event is shown.
  void add(const StagedBlock& block, const StagedSideEvent& event, trace::Ticks time, trace::RunId run);

 private:
  struct ArgNames {
    trace::StringId record, chain, instruction, delegate_id, value, output, allocator, bytes;
  };

  void add_allocation(const StagedBlock& block, const StagedSideEvent& event, trace::Ticks time,
                      trace::RunId run);
  void add_debug_value(const StagedSideEvent& event, trace::Ticks time, trace::RunId run);
  trace::Value value_of(const FlatTable& value, std::uint64_t offset);
  void describe_tensor(const FlatTable& tensor, std::uint64_t offset, std::string& json);
  void list_integers(FlatVector numbers, std::uint64_t offset, std::string& json);
  trace::TrackId track(trace::TrackId& known, std::string_view name);
  std::uint64_t offset_of(const FlatTable& table) const;

  trace::TraceBuilder& builder_;
  NameTable& names_;
  Remarks& remarks_;
  std::uint64_t text_budget_;
  ArgNames args_;
  trace::TrackId process_ = trace::TrackId::kNone;
  trace::ClockId clock_ = trace::ClockId::kNone;
  const char* data_ = nullptr;
  std::uint64_t dump_offset_ = 0;
  std::string label_;
  trace::TrackId allocations_ = trace::TrackId::kNone;
  trace::TrackId debug_values_ = trace::TrackId::kNone;
};

}  // namespace accelscope::formats::etdump
