// Samples of counter events, kept until the file is read: only then is it known which counters have
// fractions, and a counter's samples are all integers or all doubles.
//
// One thread uses one; what it refers to must outlive it.
//
//   CounterSamples counters(builder, tracks, troubles);
//   counters.add(event, time);     // one sample per member of the event's args
//   counters.finish();             // into the builder
#pragma once

#include "formats/chrome_json/track_map.h"
#include "formats/chrome_json/troubles.h"
#include "trace/column.h"

namespace accelscope::formats::chrome_json {

class CounterSamples {
 public:
  CounterSamples(trace::TraceBuilder& builder, TrackMap& tracks, Troubles& troubles)
      : builder_(builder), tracks_(tracks), troubles_(troubles), value_(builder.intern("value")) {}

  void add(const Event& event, Ticks time);
  void finish();

 private:
  struct Key {
    std::uint32_t process;
    StringId name;
    StringId series;
    ExternalId id;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Counter {
    TrackId track = TrackId::kNone;
    bool has_fractions = false;
    std::size_t first_offset = 0;
  };

  std::uint32_t counter_of(const Event& event, StringId series, bool only_series);
  bool as_number(const trace::Value& value, trace::Value& number) const;

  trace::TraceBuilder& builder_;
  TrackMap& tracks_;
  Troubles& troubles_;
  StringId value_;
  std::vector<Counter> counters_;
  tsl::robin_map<Key, std::uint32_t, KeyHash> index_;
  trace::Column<std::uint32_t> counter_;
  trace::Column<Ticks> time_;
  trace::Column<trace::ValueType> type_;
  trace::Column<std::uint64_t> bits_;
};

}  // namespace accelscope::formats::chrome_json
