// JSON as a tree of ConfigNode, for small files; lines are those of the values.
//
// A plain function, safe from any thread; the tree owns its texts.
//
//   ACCELSCOPE_TRY(const ConfigNode root, read_json(file));
#pragma once

#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/config_node.h"

namespace accelscope::boards {

base::Result<ConfigNode> read_json(const base::MappedFile& file);

}  // namespace accelscope::boards
