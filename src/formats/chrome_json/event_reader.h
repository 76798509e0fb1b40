// From tokens to an Event, and to typed values.
//
// One thread uses one reader; the builder, into which texts are interned, must outlive it.
//
//   EventReader reader(builder, keep_args);
//   if (reader.read(walker, event) == Step::kDone) use(event);   // the walker stands behind the event
#pragma once

#include "formats/chrome_json/event.h"
#include "formats/chrome_json/json_walker.h"
#include "formats/chrome_json/text_cache.h"

namespace accelscope::formats::chrome_json {

class EventReader {
 public:
  EventReader(trace::TraceBuilder& builder, bool keep_arguments)
      : builder_(builder),
        texts_(builder),
        keep_arguments_(keep_arguments),
        thread_time_name_(builder.intern("tts")),
        thread_duration_name_(builder.intern("tdur")) {}

  // The walker must stand on a '{'.
  Step read(JsonWalker& walker, Event& event);
  // Any value: nested ones become their JSON text, integers beyond 64 bits their digits.
  Step read_value(JsonWalker& walker, trace::Value& value);

 private:
  enum class Field : std::uint8_t;
  static Field field_of(std::string_view key);

  bool read_usual_field(const JsonWalker& walker, std::uint32_t token, Field field, Event& event);
  Step read_field(JsonWalker& walker, Field field, Event& event);
  Step read_rare_field(JsonWalker& walker, Field field, Event& event);
  Step read_text(JsonWalker& walker, StringId& text);
  Step read_phase(JsonWalker& walker, Event& event);
  Step read_time(JsonWalker& walker, PreciseTime& time, Event::Presence presence, Event& event);
  Step read_id(JsonWalker& walker, ExternalId& id, bool& found);
  Step read_id2(JsonWalker& walker, Event& event);
  Step read_boolean(JsonWalker& walker, Event::Presence presence, Event& event);
  Step read_arguments(JsonWalker& walker, Event& event);
  Step finish_arguments(JsonWalker& walker, Event& event);
  Step read_number(JsonWalker& walker, trace::Value& value);
  StringId intern(const JsonWalker& walker, std::string_view text);

  trace::TraceBuilder& builder_;
  ShortTextCache texts_;
  bool keep_arguments_;
  StringId thread_time_name_;
  StringId thread_duration_name_;
};

}  // namespace accelscope::formats::chrome_json
