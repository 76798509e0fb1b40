#include "boards/board.h"

namespace accelscope::boards {

std::optional<base::Bytes> BoardMemory::capacity() const {
  if (capacity_size) return capacity_size;
  return physical_size ? physical_size : hbm_size;
}

std::optional<base::BytesPerSecond> BoardMemory::bandwidth() const {
  if (effective_bandwidth) return effective_bandwidth;
  return hbm_bandwidth ? hbm_bandwidth : peak_bandwidth;
}

std::optional<base::Bytes> BoardResources::on_chip_memory() const {
  constexpr std::uint64_t kBytesOfBlock = 36 * 1024 / 8;
  constexpr std::uint64_t kBytesOfUltra = 288 * 1024 / 8;
  if (!bram_36k && !uram) return std::nullopt;
  return base::Bytes{
      static_cast<std::int64_t>(bram_36k.value_or(0) * kBytesOfBlock + uram.value_or(0) * kBytesOfUltra)};
}

}  // namespace accelscope::boards
