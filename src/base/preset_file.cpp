#include "base/preset_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <vector>

#include "base/closest_name.h"

namespace accelscope::base {

Result<MappedFile> open_preset(const std::string& name_or_path, std::string_view what,
                               std::span<const EmbeddedFile> presets, std::size_t max_bytes) {
  if (const EmbeddedFile* preset = find_embedded(presets, name_or_path); preset != nullptr)
    return MappedFile::from_memory(name_or_path, preset->text);
  std::error_code ignored;
  if (std::filesystem::exists(name_or_path, ignored)) return MappedFile::open(name_or_path, max_bytes);
  std::vector<std::string_view> names;
  for (const EmbeddedFile& preset : presets) names.push_back(preset.name);
  return fail(ErrorCode::kNotFound, "`{}` is neither a {} of this program ({}) nor a file{}", name_or_path,
              what, fmt::join(names, ", "), suggestion(name_or_path, names));
}

}  // namespace accelscope::base
