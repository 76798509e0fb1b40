// TOML as a tree of ConfigNode. Files beyond the limits of config_node.h are refused.
//
// A plain function, safe from any thread; the tree owns its texts.
//
//   ACCELSCOPE_TRY(const ConfigNode root, read_toml(file));
#pragma once

#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/config_node.h"

namespace accelscope::boards {

base::Result<ConfigNode> read_toml(const base::MappedFile& file);

}  // namespace accelscope::boards
