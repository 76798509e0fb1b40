// Chips as files: JSON objects with the fields of Chip. docs/costs.md describes both presets and the file.
//
// Plain functions; safe from any thread.
//
//   ACCELSCOPE_TRY(const Chip chip, load_chip("a2a3"));        // a preset
//   ACCELSCOPE_TRY(const Chip mine, load_chip("mine.json"));
//   write_chip(mine, out);
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "device/chip.h"

namespace accelscope::device {

// Chips that are part of the program: a2a3, a5.
std::span<const base::EmbeddedFile> chip_presets();

// Clusters, scheduler threads and the counter are needed; the rest has the values of a new Chip. Unknown keys
// are errors.
base::Result<Chip> read_chip(const base::MappedFile& file);
// The name of a preset, else the path of a file.
base::Result<Chip> load_chip(const std::string& name_or_path);

void write_chip(const Chip& chip, base::Output& out);

}  // namespace accelscope::device
