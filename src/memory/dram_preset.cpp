#include "memory/dram_preset.h"

#include <algorithm>
#include <array>

namespace accelscope::memory {

std::string_view name_of(DramFamily family) {
  constexpr std::array<std::string_view, 3> kNames{"ddr", "hbm", "reference"};
  return kNames[static_cast<std::size_t>(family)];
}

base::Bytes DramPreset::channel_capacity() const {
  return {std::int64_t{organisation.pseudo_channels} * banks_per_pseudo_channel() * organisation.rows *
          organisation.columns * (organisation.bus_bits / 8)};
}

base::BytesPerSecond DramPreset::peak_bandwidth(std::uint32_t channels) const {
  const base::Int128 burst_time = base::Int128{ticks(times.bus)} * tick_femtoseconds();
  if (burst_time <= 0) return {};
  constexpr base::Int128 kFemtosecondsPerSecond = 1'000'000'000'000'000;
  const base::Int128 bytes =
      base::Int128{burst_bytes().value} * organisation.pseudo_channels * channels * kFemtosecondsPerSecond;
  return {base::floor_divide(bytes, burst_time)};
}

}  // namespace accelscope::memory
