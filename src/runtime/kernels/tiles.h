// Into how many tiles a built-in kernel cuts up a call: as many as usual, unless there are fewer steps.
//
// Tiles are for pictures of the pipes (runtime/kernel_pipes.h) and change no time as long as nobody says how
// many buffers there are. Pure functions, safe from any thread.
//
//   work.tiles = tiles_of_steps(lines);   // a line is not cut up
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/kernel_pipes.h"

namespace accelscope::runtime {

// What one instruction takes: of a vector core in bytes, of a cube along the inner dimension.
inline constexpr double kVectorBytes = 256;
inline constexpr double kCubeDepth = 16;

inline std::uint32_t tiles_of_steps(double steps) {
  return static_cast<std::uint32_t>(std::clamp<double>(std::ceil(steps), 1, kUsualTiles));
}
inline std::uint32_t tiles_of_bytes(double bytes) {
  return tiles_of_steps(bytes / kVectorBytes);
}

}  // namespace accelscope::runtime
