// Helpers of the tests: traces from text, and rows by name.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/output.h"
#include "formats/chrome_json/reader.h"
#include "formats/chrome_json/writer.h"

namespace accelscope::formats::chrome_json {

using base::Ticks;
using trace::ArgId;
using trace::SliceFlag;
using trace::SliceId;
using trace::Trace;
using trace::TrackId;
using trace::Value;
using trace::ValueType;

inline base::Result<Trace> read_text(std::string_view json, const Options& options = {}) {
  return read(base::MappedFile::from_memory("test.json", json), options);
}

inline Trace must_read(std::string_view json, const Options& options = {}) {
  auto trace = read_text(json, options);
  if (!trace) {
    ADD_FAILURE() << trace.error().to_string();
    return *read_text("[]");
  }
  return *std::move(trace);
}

// The events in the object form, between brackets.
inline Trace must_read_events(std::string_view events) {
  return must_read("{\"traceEvents\":[" + std::string(events) + "]}");
}

inline SliceId slice_named(const Trace& trace, std::string_view name) {
  for (std::uint32_t row = 0; row < trace.slices().size(); ++row)
    if (trace.text(trace.slices().name[row]) == name) return SliceId{row};
  return SliceId::kNone;
}

inline TrackId track_named(const Trace& trace, std::string_view name) {
  for (std::uint32_t track = 0; track < trace.tracks().size(); ++track)
    if (trace.text(trace.tracks()[track].name) == name) return TrackId{track};
  return TrackId::kNone;
}

inline Ticks start_of(const Trace& trace, SliceId slice) {
  return trace.slices().start[index(slice)];
}
inline Ticks duration_of(const Trace& trace, SliceId slice) {
  return trace.slices().duration[index(slice)];
}
inline SliceFlag flags_of(const Trace& trace, SliceId slice) {
  return trace.slices().flags[index(slice)];
}

inline Value arg_of(const Trace& trace, SliceId slice, std::string_view name) {
  return trace.find_arg(trace.slices().first_arg[index(slice)], name);
}
inline std::string_view text_arg(const Trace& trace, SliceId slice, std::string_view name) {
  const Value value = arg_of(trace, slice, name);
  return value.holds_text() ? trace.text(value.as_text()) : std::string_view("(no text)");
}

inline std::string written(const Trace& trace) {
  base::MemoryOutput out;
  const auto notes = write(trace, out);
  EXPECT_TRUE(notes.has_value());
  return std::string(out.bytes());
}

}  // namespace accelscope::formats::chrome_json
