// Pipe schedules of usual kernels: loops over tiles that pass through one pipe after the other.
//
// Between two stages lie `buffers` buffers: with one, a stage waits until the next has emptied it; with two,
// the next tile is prepared meanwhile. A pipe works on one tile at a time. Pure functions.
//
//   const PipeSchedule slow = gemm_schedule({.tiles = 8, .buffers = 1});
//   const PipeSchedule fast = gemm_schedule({.tiles = 8, .buffers = 2});
#pragma once

#include <cstdint>
#include <span>

#include "device/pipe_schedule.h"

namespace accelscope::device {

struct PipeStage {
  Pipe pipe = Pipe::kSu;
  std::int64_t cycles = 0;  // for one tile
};

// `scalar`: cycles of the scalar unit for each tile, before its first stage.
PipeSchedule tile_loop(std::span<const PipeStage> stages, std::uint32_t tiles, std::uint32_t buffers,
                       std::int64_t scalar = 0);

// Of a cube core: from memory to L1, to L0, multiplied, taken out, to memory.
struct GemmTiles {
  std::uint32_t tiles = 8;
  std::uint32_t buffers = 2;
  std::int64_t scalar = 4;
  std::int64_t load = 64;      // MTE2
  std::int64_t move = 32;      // MTE1
  std::int64_t multiply = 80;  // CUBE
  std::int64_t take_out = 16;  // FIXP
  std::int64_t store = 24;     // MTE3
};
PipeSchedule gemm_schedule(const GemmTiles& tiles);

// Of a vector core.
struct VectorTiles {
  std::uint32_t tiles = 8;
  std::uint32_t buffers = 2;
  std::int64_t scalar = 4;
  std::int64_t load = 48;     // MTE2
  std::int64_t compute = 40;  // VEC
  std::int64_t store = 48;    // MTE3
};
PipeSchedule vector_schedule(const VectorTiles& tiles);

// The scalar unit alone, as before and behind loops.
PipeSchedule scalar_schedule(std::int64_t cycles);

}  // namespace accelscope::device
