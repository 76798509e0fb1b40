// DRAM presets as files: one JSON object with exactly the keys of data/dram/*.json. A missing key is an error
// as an unknown one is, and so is an organisation that contradicts itself.
//
// Pure functions, safe from any thread; they own what they return.
//
//   ACCELSCOPE_TRY(const DramPreset preset, load_dram_preset("hbm2"));       // or the path of a file
//   for (const std::string_view name : dram_preset_names()) show(name);
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/embedded_file.h"
#include "base/mapped_file.h"
#include "base/output.h"
#include "base/result.h"
#include "memory/dram_preset.h"

namespace accelscope::memory {

// The files that are part of the program.
std::span<const base::EmbeddedFile> dram_presets();
std::vector<std::string_view> dram_preset_names();

// The name of what is read is the file's name without folder and ending.
base::Result<DramPreset> read_dram_preset(const base::MappedFile& file);
base::Result<DramPreset> load_dram_preset(const std::string& name_or_path);
// As a file that reads back as the same preset.
void write_dram_preset(const DramPreset& preset, base::Output& out);

// Every parameter as key and text, in the order of the file, with a word on what it is.
struct DramParameter {
  std::string_view key;
  std::string value;
  std::string_view meaning;
};
std::vector<DramParameter> parameters_of(const DramPreset& preset);

}  // namespace accelscope::memory
