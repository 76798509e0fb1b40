// From events to a trace: what each phase means.
//
// One thread feeds it, in the order of the file; the builder and the troubles must outlive it.
//
//   Assembler assembler(builder, troubles);
//   assembler.add(event);     // for every event
//   assembler.finish();       // closes what is open, binds flows
#pragma once

#include "formats/chrome_json/counter_samples.h"
#include "formats/chrome_json/flow_binder.h"

namespace accelscope::formats::chrome_json {

class Assembler {
 public:
  Assembler(trace::TraceBuilder& builder, Troubles& troubles);

  void add(const Event& event);
  void finish();

 private:
  struct Words {
    StringId process_name, thread_name, process_sort_index, thread_sort_index, process_labels;
    StringId name, sort_index, labels;
    StringId scope, process, global;
    StringId bind_id;
  };

  void add_complete(const Event& event);
  void begin(Lane& lane, const Event& event);
  void end(Lane& lane, const Event& event);
  void end_without_begin(Lane& lane, const Event& event, Ticks time);
  void add_instant(Lane& lane, const Event& event);
  void add_async(const Event& event);
  void add_flow(const Event& event);
  void add_metadata(const Event& event);
  void set_order(trace::TrackId track, const Event& event);

  Ticks time_of(const Event& event);
  void add_arguments(SliceId slice, const Event& event);
  void add_slice_flows(SliceId slice, const Event& event);
  SharedKey shared_key(const Event& event, StringId name);

  trace::TraceBuilder& builder_;
  Troubles& troubles_;
  TrackMap tracks_;
  CounterSamples counters_;
  FlowBinder flows_;
  Words words_;
};

}  // namespace accelscope::formats::chrome_json
