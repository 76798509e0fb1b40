#include "device/pipe_patterns.h"

#include <algorithm>
#include <array>
#include <vector>

namespace accelscope::device {

PipeSchedule tile_loop(std::span<const PipeStage> stages, std::uint32_t tiles, std::uint32_t buffers,
                       std::int64_t scalar) {
  PipeSchedule schedule;
  const std::size_t columns = stages.size();
  // When stage `s` was done with tile `t`: what later tiles and stages wait for.
  std::vector<std::int64_t> done(columns * tiles);
  const auto end_of = [&](std::uint32_t tile, std::size_t stage) { return done[tile * columns + stage]; };
  std::int64_t scalar_done = 0;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    // The scalar unit hands a tile out once its first stage could take it.
    std::int64_t ready = tile == 0 ? 0 : std::max(scalar_done, end_of(tile - 1, 0));
    if (tile >= buffers && columns > 1) ready = std::max(ready, end_of(tile - buffers, 1));
    if (scalar > 0) schedule.phases.push_back({Pipe::kSu, ready, ready + scalar});
    scalar_done = ready + scalar;
    std::int64_t before = scalar_done;
    for (std::size_t stage = 0; stage < columns; ++stage) {
      std::int64_t begin = before;
      if (tile > 0) begin = std::max(begin, end_of(tile - 1, stage));
      if (tile >= buffers && stage + 1 < columns) begin = std::max(begin, end_of(tile - buffers, stage + 1));
      before = begin + stages[stage].cycles;
      done[tile * columns + stage] = before;
      if (before > begin) schedule.phases.push_back({stages[stage].pipe, begin, before});
    }
    schedule.length = std::max(schedule.length, before);
  }
  return schedule;
}

PipeSchedule gemm_schedule(const GemmTiles& tiles) {
  const std::array<PipeStage, 5> stages{{{Pipe::kMte2, tiles.load},
                                         {Pipe::kMte1, tiles.move},
                                         {Pipe::kCube, tiles.multiply},
                                         {Pipe::kFixp, tiles.take_out},
                                         {Pipe::kMte3, tiles.store}}};
  return tile_loop(stages, tiles.tiles, tiles.buffers, tiles.scalar);
}

PipeSchedule vector_schedule(const VectorTiles& tiles) {
  const std::array<PipeStage, 3> stages{
      {{Pipe::kMte2, tiles.load}, {Pipe::kVec, tiles.compute}, {Pipe::kMte3, tiles.store}}};
  return tile_loop(stages, tiles.tiles, tiles.buffers, tiles.scalar);
}

PipeSchedule scalar_schedule(std::int64_t cycles) {
  return {.length = cycles, .phases = {{Pipe::kSu, 0, cycles}}};
}

}  // namespace accelscope::device
