#include "cli/files_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace accelscope::cli {

std::string files_text(const std::vector<jobs::WrittenFile>& files, std::size_t indent) {
  std::size_t widest = 0;
  for (const jobs::WrittenFile& file : files) widest = std::max(widest, file.path.size());
  std::string text;
  for (const jobs::WrittenFile& file : files)
    text += fmt::format("{:{}}{:<{}}  {}\n", "", indent, file.path, widest, file.what);
  return text;
}

}  // namespace accelscope::cli
