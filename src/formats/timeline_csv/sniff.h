// Is this one of the profiling kit's CSV files? Decided by the header line, never by the name of the file.
//
// Pure functions over the first bytes of a file (64 KiB are enough, all of it is fine); safe from any thread;
// nothing is kept.
//
//   if (looks_like_timeline_csv(file.text())) return read_timeline(file);
//   if (looks_like_ops_stats_csv(file.text())) return read_ops_stats(file);
#pragma once

#include <string_view>

namespace accelscope::formats::timeline_csv {

bool looks_like_timeline_csv(std::string_view bytes);
bool looks_like_ops_stats_csv(std::string_view bytes);

}  // namespace accelscope::formats::timeline_csv
