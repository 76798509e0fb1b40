// Arguments and other facts about an event, as Perfetto's debug annotations.
//
// Values keep their type. JSON text becomes nested dictionaries and lists (beyond 32 levels it stays text,
// and so do empty ones, which Perfetto has no form for); raw bytes become hexadecimal text; null becomes the
// text "null". Names and strings of the trace are interned in the current sequence; literal names are not.
//
// One thread uses one Annotations; the writer and the trace must outlive it.
//
//   Annotations annotations(trace, events);
//   wire::Message& event = events.open(EventType::kSliceBegin, name, category);
//   annotations.add_list(event, slices.first_arg[row]);
//   event.message(track_event::kAnnotations, text_annotation("note", "made by us"));
#pragma once

#include <memory>
#include <string_view>

#include "formats/perfetto/sequence_writer.h"
#include "formats/perfetto/wire.h"
#include "trace/trace.h"

namespace accelscope::formats::perfetto {

// Annotations with a literal name, for dictionaries and for events outside the trace.
wire::Message text_annotation(std::string_view name, std::string_view value);
wire::Message int_annotation(std::string_view name, std::int64_t value);
wire::Message uint_annotation(std::string_view name, std::uint64_t value);

class Annotations {
 public:
  Annotations(const trace::Trace& trace, SequenceWriter& events);
  ~Annotations();
  Annotations(const Annotations&) = delete;
  Annotations& operator=(const Annotations&) = delete;

  // All arguments of a list, in order.
  void add_list(wire::Message& event, trace::ArgId first);
  void add(wire::Message& event, trace::StringId name, trace::Value value);
  // A value under a literal name.
  wire::Message literal(std::string_view name, trace::Value value);

 private:
  class JsonEncoder;

  void add_small(wire::Message& event, trace::StringId name, trace::Value value);
  void put_value(wire::Message& annotation, trace::Value value, bool intern_strings);

  const trace::Trace& trace_;
  SequenceWriter& events_;
  std::unique_ptr<JsonEncoder> json_;
  wire::Message annotation_;
};

}  // namespace accelscope::formats::perfetto
