// Metadata events: names and order of tracks.
#include <fmt/core.h>

#include <limits>

#include "formats/chrome_json/assembler.h"

namespace accelscope::formats::chrome_json {
namespace {

using trace::Value;
using trace::ValueType;

Value find_argument(const Event& event, StringId name) {
  for (const Argument& argument : event.arguments)
    if (argument.name == name) return argument.value;
  return Value::null();
}

StringId as_text(trace::TraceBuilder& builder, const Value& value) {
  switch (value.type) {
    case ValueType::kString:
      return value.as_text();
    case ValueType::kInt:
      return builder.intern(fmt::format("{}", value.as_int()));
    case ValueType::kUint:
      return builder.intern(fmt::format("{}", value.as_uint()));
    default:
      return StringId::kEmpty;
  }
}

}  // namespace

void Assembler::add_metadata(const Event& event) {
  if (event.name == words_.process_name) {
    builder_.track(tracks_.process_track(tracks_.process(event.process))).name =
        as_text(builder_, find_argument(event, words_.name));
  } else if (event.name == words_.thread_name) {
    builder_.track(tracks_.thread(event.process, event.thread).track).name =
        as_text(builder_, find_argument(event, words_.name));
  } else if (event.name == words_.process_sort_index) {
    set_order(tracks_.process_track(tracks_.process(event.process)), event);
  } else if (event.name == words_.thread_sort_index) {
    set_order(tracks_.thread(event.process, event.thread).track, event);
  } else if (event.name == words_.process_labels) {
    const TrackId track = tracks_.process_track(tracks_.process(event.process));
    builder_.add_fact(fmt::format("labels of process {}", builder_.track(track).external_id),
                      find_argument(event, words_.labels));
  } else {
    troubles_.note(Trouble::kIgnoredMetadata, event.offset);
  }
}

void Assembler::set_order(TrackId track, const Event& event) {
  const Value index = find_argument(event, words_.sort_index);
  if (index.type != ValueType::kInt) return;
  using Limits = std::numeric_limits<std::int32_t>;
  builder_.track(track).order =
      static_cast<std::int32_t>(std::clamp<std::int64_t>(index.as_int(), Limits::min(), Limits::max()));
}

}  // namespace accelscope::formats::chrome_json
