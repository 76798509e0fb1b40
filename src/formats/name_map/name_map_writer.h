// Writes name_map_*.json.
//
// One thread; keeps nothing.
//
//   write_name_map({.functions = {{0, "MATMUL"}, {1, "ADD"}}}, out);
#pragma once

#include "base/output.h"
#include "formats/name_map/name_map.h"

namespace accelscope::formats::name_map {

void write_name_map(const NameMap& names, base::Output& out);

}  // namespace accelscope::formats::name_map
