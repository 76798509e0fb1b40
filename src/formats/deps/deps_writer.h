// Writes deps.json: tasks and edges, ids as strings, an edge per reason. Arguments and tensors, which nobody
// here keeps, are not in it.
//
// One thread; keeps nothing.
//
//   write_dependencies(deps, out);
#pragma once

#include "base/output.h"
#include "formats/deps/deps.h"

namespace accelscope::formats::deps {

void write_dependencies(const Dependencies& dependencies, base::Output& out);

}  // namespace accelscope::formats::deps
