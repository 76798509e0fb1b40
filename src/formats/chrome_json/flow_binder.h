// From flow events, which name a thread and a time, to flows between slices.
//
// A flow event binds to the innermost slice that runs at its time; an end without bp "e" to the next slice
// that begins. Events of one flow are joined in the order of their times, so start, steps and end make a
// chain; a flow with several ends fans out from the last event before them. Where a flow has one start, it
// comes first whatever its time: clocks of host and device may disagree. One thread uses one binder.
//
//   FlowBinder flows;
//   flows.add({.key = key, .phase = 's', .track = track, .time = time});
//   flows.finish(builder, troubles);
#pragma once

#include <vector>

#include "formats/chrome_json/track_map.h"
#include "formats/chrome_json/troubles.h"

namespace accelscope::formats::chrome_json {

struct FlowPoint {
  SharedKey key;
  char phase = 's';  // s, t or f
  bool binds_to_next = false;
  std::uint16_t levels_up = 0;  // how many enclosing slices above the innermost one, as our writer says it
  TrackId track = TrackId::kNone;
  Ticks time = {};
  SliceId slice = SliceId::kNone;  // known at once for bind_id flows
  std::size_t offset = 0;
};

class FlowBinder {
 public:
  void add(const FlowPoint& point) { points_.push_back(point); }
  // Adds the flows to the builder, in the order in which their ends were logged.
  void finish(trace::TraceBuilder& builder, Troubles& troubles);

 private:
  void bind(trace::TraceBuilder& builder);
  void join(trace::TraceBuilder& builder, Troubles& troubles);

  std::vector<FlowPoint> points_;
};

}  // namespace accelscope::formats::chrome_json
