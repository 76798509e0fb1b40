// What the tests of this folder share: reading from memory, and looking things up in a Trace.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/etdump/etdump_reader.h"
#include "formats/etdump/etdump_writer.h"

namespace accelscope::formats::etdump {

inline constexpr const char* kTestFile = "folder/test.etdump";

inline base::Result<trace::Trace> read_bytes(std::string_view bytes, const Options& options = {}) {
  return read(base::MappedFile::from_memory(kTestFile, bytes), options);
}

// The trace of a dump that must be readable.
inline trace::Trace read_dump(const Dump& dump, const Options& options = {}) {
  base::Result<trace::Trace> result = read_bytes(write_etdump(dump), options);
  if (!result) ADD_FAILURE() << result.error().to_string();
  return std::move(result).value();
}

inline std::string name_of(const trace::Trace& trace, std::uint32_t slice) {
  return std::string(trace.text(trace.slices().name[slice]));
}

inline trace::Value arg_of(const trace::Trace& trace, std::uint32_t slice, std::string_view name) {
  return trace.find_arg(trace.slices().first_arg[slice], name);
}

// The first slice of this name, which must exist.
inline std::uint32_t slice_named(const trace::Trace& trace, std::string_view name) {
  for (std::uint32_t slice = 0; slice < trace.slices().size(); ++slice)
    if (trace.text(trace.slices().name[slice]) == name) return slice;
  ADD_FAILURE() << "no slice is called " << name;
  return 0;
}

// Name of the parent, or of the owner on another track, or "" for a root.
inline std::string parent_name(const trace::Trace& trace, std::uint32_t slice) {
  trace::SliceId parent = trace.slices().parent[slice];
  if (parent == trace::SliceId::kNone) parent = trace.slices().owner[slice];
  return parent == trace::SliceId::kNone ? "" : name_of(trace, index(parent));
}

inline std::uint64_t quality_count(const trace::Trace& trace, std::string_view id) {
  return trace.quality().count(id);
}

inline ProfileEvent event(std::string name, std::int32_t instruction, std::uint64_t start,
                          std::uint64_t end) {
  return {.name = std::move(name), .instruction = instruction, .start = start, .end = end};
}

inline ProfileEvent execute(std::uint64_t start, std::uint64_t end) {
  return {.name = "Method::execute", .chain = -1, .instruction = 0, .start = start, .end = end};
}

inline ProfileEvent reported(std::string name, std::int32_t instruction, std::uint64_t start,
                             std::uint64_t end) {
  return {.instruction = instruction, .delegate_name = std::move(name), .start = start, .end = end};
}

inline Block execute_block(std::vector<Event> events) {
  return {.name = "Execute", .events = std::move(events)};
}

// Sum of the self times below (and of) a slice; on its own track.
std::int64_t sum_of_self_times(const trace::Trace& trace, trace::SliceId root);

}  // namespace accelscope::formats::etdump
