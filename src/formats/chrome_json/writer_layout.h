// Which process and thread of the file each track becomes.
//
// A root track is a process, every other track that holds slices, states or instants a thread of its root. An
// id of the source is kept where no other track of the same kind claims it. Pure; the layout owns its
// strings.
//
//   const Layout layout = lay_out(trace);
//   layout.places[index(track)].process
#pragma once

#include <string>
#include <vector>

#include "trace/trace.h"

namespace accelscope::formats::chrome_json {

struct Place {
  std::int64_t process = 0;
  std::int64_t thread = 0;       // with is_thread
  std::uint64_t counter = 0;     // an id for counters whose name is not unique in their process; 0 without
  std::uint32_t sort_index = 0;  // among processes, or among the threads of a process
  bool is_process = false;
  bool is_thread = false;
};

struct Layout {
  std::vector<Place> places;          // by track
  std::vector<trace::TrackId> order;  // as drawn: each process before its threads
};

Layout lay_out(const trace::Trace& trace);

// The track's name, behind those of the groups between it and its process.
std::string thread_name(const trace::Trace& trace, trace::TrackId track);

}  // namespace accelscope::formats::chrome_json
