#include "memory/dram_pieces.h"

namespace accelscope::memory {

void DramPieces::grow() {
  std::vector<DramPiece> larger(ring_.size() * 2);
  for (std::size_t i = first_; i != end_; ++i) larger[i & (larger.size() - 1)] = ring_[i & mask_];
  ring_.swap(larger);
  mask_ = ring_.size() - 1;
}

}  // namespace accelscope::memory
