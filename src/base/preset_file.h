// Files that somebody names either by a preset of the program or by a path.
//
// A plain function, safe from any thread; what it returns owns its bytes.
//
//   ACCELSCOPE_TRY(const MappedFile file, open_preset("a5", "chip", chip_presets(), kMaxBytes));
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/result.h"

namespace accelscope::base {

// One of the files that are part of the program, else the file at a path; `what` it describes is for the
// message that lists the presets. `max_bytes`: what is read at most from something that cannot be mapped.
Result<MappedFile> open_preset(const std::string& name_or_path, std::string_view what,
                               std::span<const EmbeddedFile> presets, std::size_t max_bytes);

}  // namespace accelscope::base
