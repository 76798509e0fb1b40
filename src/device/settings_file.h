// Files of settings: one JSON object with a fixed set of keys, each given at most once.
//
// What chip_file.h and cost_file.h have in common. Plain functions; safe from any thread.
//
//   ACCELSCOPE_CHECK(read_settings(file, "chip", keys, [&](std::size_t which, base::JsonCursor& json) {
//     ...the value of keys[which]
//   }));
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.h"
#include "base/json_cursor.h"
#include "base/mapped_file.h"
#include "base/result.h"

namespace accelscope::device {

using ReadSetting = std::function<void(std::size_t which, base::JsonCursor& json)>;

// `what` is what the file describes, for messages. Errors name their key; an unknown one comes with the known
// key that is nearest.
base::Status read_settings(const base::MappedFile& file, std::string_view what,
                           std::span<const std::string_view> keys, const ReadSetting& read);

// Numbers within bounds; outside of them an error of the cursor.
std::uint64_t integer_setting(base::JsonCursor& json, std::uint64_t least, std::uint64_t most);
double number_setting(base::JsonCursor& json, double least, double most);

// One of the files that are part of the program, else the file at a path.
base::Result<base::MappedFile> open_settings(const std::string& name_or_path, std::string_view what,
                                             std::span<const base::EmbeddedFile> presets);

}  // namespace accelscope::device
