// A data file that is part of the program, put there by accelscope_embed() (cmake/embed.cmake).
//
// Plain constants, safe from any thread.
//
//   for (const EmbeddedFile& preset : chip_presets()) show(preset.name);
#pragma once

#include <span>
#include <string_view>

namespace accelscope::base {

struct EmbeddedFile {
  std::string_view name;  // without its ending
  std::string_view text;
};

// nullptr when there is none of that name.
constexpr const EmbeddedFile* find_embedded(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files)
    if (file.name == name) return &file;
  return nullptr;
}

}  // namespace accelscope::base
