// Reads a Perfetto file back the way Perfetto's importer does: sequences with interned texts and delta
// clocks, events sorted by time (file order among equals), a stack of open slices per track, flows bound to
// slices and directed by their starts. Independent of the writer; built on protobuf's own decoder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perfetto_subset.pb.h"

namespace accelscope::test {

struct ReplayedSlice {
  std::uint64_t track = 0;
  std::string name;
  std::string category;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::optional<std::size_t> parent;        // position in Replay::slices
  std::map<std::string, std::string> args;  // "int 5", "string conv", "dict {a: int 1}", ...
  bool is_instant = false;
};

struct ReplayedFlow {
  std::size_t from = 0;
  std::size_t to = 0;
  std::uint64_t id = 0;  // of the file
};

struct ReplayedSample {
  std::uint64_t track = 0;
  std::uint64_t time = 0;
  std::optional<std::int64_t> integer;
  std::optional<double> real;
};

struct Replay {
  std::map<std::uint64_t, perfetto_subset::TrackDescriptor> tracks;
  std::vector<ReplayedSlice> slices;  // in the order in which they begin
  std::vector<ReplayedFlow> flows;
  std::map<std::uint64_t, std::size_t> flow_ends;  // how many the file has of each
  std::vector<ReplayedSample> samples;
  std::vector<std::string> errors;  // everything that Perfetto would complain about

  const perfetto_subset::TrackDescriptor* track_named(std::string_view name) const;
  // The only slice of that name; fails the test and returns an empty one when there is not exactly one.
  const ReplayedSlice& slice(std::string_view name) const;
};

std::string track_name(const perfetto_subset::TrackDescriptor& track);

Replay replay(std::string_view file);

}  // namespace accelscope::test
