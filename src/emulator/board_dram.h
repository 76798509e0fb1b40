// Which DRAM preset stands for the memory of a board.
//
// Pure functions, safe from any thread.
//
//   ACCELSCOPE_TRY(const BoardDram dram, dram_of(board));
//   dram.reason   // "the board nexys_video has DDR3-1600 of 16 bits"
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "boards/board.h"

namespace accelscope::emulator {

struct BoardDram {
  std::string preset;
  std::uint32_t channels = 0;  // 0: as many as the preset has
  std::string reason;
};

// Fails where no preset fits.
base::Result<BoardDram> dram_of(const boards::Board& board);

}  // namespace accelscope::emulator
