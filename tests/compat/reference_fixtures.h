// Captures of a chip with what the reference made of them beside: where they lie, and how to read them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "formats/gzip/gzip.h"
#include "formats/open/open.h"

namespace accelscope::compat {

// A file, or the packed one of the same name; "" when there is neither.
inline std::string file_in(const std::filesystem::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz"})
    if (std::filesystem::exists(folder / (name + ending))) return (folder / (name + ending)).string();
  return {};
}

inline base::Result<base::MappedFile> read_unpacked(const std::string& path) {
  ACCELSCOPE_TRY(base::MappedFile file, base::MappedFile::open(path));
  if (!formats::gzip::looks_like_gzip(file.text())) return file;
  return formats::gzip::gunzip(file);
}

// Folders of runs, sorted; none when the conformance data is not beside this checkout.
inline std::vector<std::filesystem::path> chip_captures() {
  const std::filesystem::path root = std::filesystem::path(ACCELSCOPE_FIXTURES_DIR) / "swimlane";
  std::vector<std::filesystem::path> folders;
  if (!std::filesystem::exists(root)) return folders;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
    if (entry.is_directory() && !file_in(entry.path(), "chip_swimlane_records.json").empty())
      folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

// The run in this folder of captures: "mixed_L4/TestMixedExample_case1".
inline std::filesystem::path chip_capture(const std::string& part) {
  for (const std::filesystem::path& folder : chip_captures())
    if (folder.string().find(part) != std::string::npos) return folder;
  return {};
}

inline base::Result<trace::Trace> open_capture(const std::filesystem::path& folder) {
  return formats::open::open_trace(file_in(folder, "chip_swimlane_records.json"), {});
}

}  // namespace accelscope::compat
