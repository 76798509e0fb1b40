// YAML as a tree of ConfigNode: one document of maps, lists and scalars. Anchors, aliases and tags are
// refused (nothing here needs them, and aliases are how small files become huge trees), and so are files and
// nestings beyond the limits of config_node.h.
//
// A plain function, safe from any thread; the tree owns its texts.
//
//   ACCELSCOPE_TRY(const ConfigNode root, read_yaml(file));
#pragma once

#include "base/mapped_file.h"
#include "base/result.h"
#include "boards/config_node.h"

namespace accelscope::boards {

base::Result<ConfigNode> read_yaml(const base::MappedFile& file);

}  // namespace accelscope::boards
