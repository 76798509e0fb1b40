// From nested blocks to rows of a Trace: runs, slices with their arguments, tracks of foreign clocks.
//
// A block's slices are added in the order of their starts, so that the finished Trace needs no sorting.
// Slices of foreign clocks wait until all dumps are read, for the same reason. One thread per object, which
// writes into the builder it is given.
//
//   BlockBuilder blocks(builder, names, remarks, process, unit, file_bytes);
//   blocks.begin_dump(...);  blocks.add(block);  ...  blocks.finish();
#pragma once

#include <array>
#include <string>
#include <vector>

#include "formats/etdump/method_groups.h"
#include "formats/etdump/phases.h"
#include "formats/etdump/remarks.h"
#include "formats/etdump/side_events.h"
#include "formats/etdump/staged_event.h"
#include "formats/etdump/time_unit.h"
#include "trace/trace_builder.h"

namespace accelscope::formats::etdump {

class BlockBuilder {
 public:
  BlockBuilder(trace::TraceBuilder& builder, NameTable& names, Remarks& remarks, trace::TrackId process,
               const TimeUnit& unit, std::size_t file_bytes);

  void begin_dump(const char* data, std::uint64_t dump_offset);
  // The block's events are unwrapped and nested; one may be appended.
  void add(StagedBlock& block);
  // Adds what waits: foreign tracks, methods of the runs.
  void finish();

  std::size_t method_count() const { return methods_.group_count(); }

 private:
  struct ArgNames {
    trace::StringId record, chain, instruction, delegate_id, metadata, backend, backend_source, unit;
  };
  struct StartOrder {
    trace::Ticks start;
    std::uint32_t position;
  };
  // One clock of one backend in one dump.
  struct ForeignTrack {
    std::uint32_t dump;
    Backend backend;
    ValueUnit unit;
    bool operator==(const ForeignTrack&) const = default;
  };
  struct ForeignSlice {
    std::uint32_t track;  // position in foreign_tracks_
    trace::SliceId owner;
    trace::RunId run;
    StagedEvent event;
  };

  void add_runs(const StagedBlock& block, const std::vector<Phase>& phases);
  void collect_methods(const StagedBlock& block, const std::vector<Phase>& phases);
  void add_host_slices(const StagedBlock& block, const std::vector<Phase>& phases);
  void add_foreign(const StagedBlock& block);
  void add_side_events(const StagedBlock& block, const std::vector<Phase>& phases);
  void add_arguments(trace::SliceId slice, const StagedEvent& event);
  trace::CategoryId category_of(const StagedEvent& event) const;
  std::uint32_t foreign_track_of(const StagedEvent& event);
  trace::TrackId make_foreign_track(const ForeignTrack& track);
  std::string dump_label(std::uint32_t dump) const;

  trace::TraceBuilder& builder_;
  Remarks& remarks_;
  trace::TrackId process_;
  TimeUnit unit_;
  SideEvents side_events_;
  MethodGroups methods_;
  ArgNames args_;
  std::array<trace::CategoryId, trace::kEventRoleCount> category_of_role_ = {};
  trace::StringId around_steps_;
  trace::StringId inferred_;

  std::uint32_t dumps_ = 0;
  std::uint64_t dump_offset_ = 0;
  trace::TrackId host_ = trace::TrackId::kNone;
  trace::Ticks latest_ = {};

  std::vector<trace::RunId> runs_of_phases_;
  std::vector<StartOrder> order_;
  std::vector<trace::SliceId> slice_of_event_;
  std::vector<ForeignTrack> foreign_tracks_;
  std::vector<ForeignSlice> foreign_slices_;
};

}  // namespace accelscope::formats::etdump
