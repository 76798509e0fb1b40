// name_map_*.json: the names of a run's functions and of its orchestrator.
//
// Plain data; one thread reads.
//
//   ACCELSCOPE_TRY(const NameMap names, read_name_map(file));
//   if (const auto found = names.functions.find(3); found != names.functions.end()) use(found->second);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/mapped_file.h"
#include "base/result.h"

namespace accelscope::formats::name_map {

struct NameMap {
  std::map<std::int64_t, std::string> functions = {};
  std::string orchestrator = {};  // "" when the file has none
};

bool looks_like_name_map(std::string_view bytes);

base::Result<NameMap> read_name_map(const base::MappedFile& file);

}  // namespace accelscope::formats::name_map
