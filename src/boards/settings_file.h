// Reads `plena_settings.toml` as it is: both trees, every key, and BEHAVIOR as the older name of
// TRANSACTIONAL.
//
// A key that must be there and is not, a wrong type and a value out of range are errors with the line and the
// dotted key, all of a file at once. Unknown keys are listed, not refused: the file belongs to somebody else.
// A tree that is missing has the values of the shipped file, and that is listed, too. Plain functions, safe
// from any thread.
//
//   ACCELSCOPE_TRY(const ReadSettings read, load_settings("plena_settings.toml"));
//   for (const std::string& remark : read.remarks) ...
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "boards/settings.h"

namespace accelscope::boards {

struct ReadSettings {
  Settings settings;
  std::vector<std::string> remarks;  // whole sentences: keys that were not known, trees that were not there
};

base::Result<ReadSettings> read_settings(const base::MappedFile& file);
// The path of a file, or "plena", which is part of the program.
base::Result<ReadSettings> load_settings(const std::string& path);
std::span<const base::EmbeddedFile> settings_presets();

// The shipped file with other dimensions and sizes in its tree TRANSACTIONAL (all but HBM_SIZE, DC_EN and
// LATENCY_PROFILE, which stay as they are): for whoever runs a program that was made for them.
void write_settings(const SettingsConfig& transactional, base::Output& out);

}  // namespace accelscope::boards
