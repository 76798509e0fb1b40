// What Quality says of a capture file as such: how it ends, and what of it this version does not know.
//
// Pure functions on the caller's table; one thread.
//
//   note_ending(reader, file.path(), quality);
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "formats/capture/container_reader.h"
#include "trace/quality.h"

namespace accelscope::formats::capture {

// Once next() has given nothing.
void note_ending(const ContainerReader& reader, const std::string& path, trace::QualityTable& quality);
void note_unknown_chunks(std::uint64_t count, const base::Location& place, trace::QualityTable& quality);

}  // namespace accelscope::formats::capture
