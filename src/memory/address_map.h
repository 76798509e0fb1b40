// From the bytes of a memory to channels, banks, rows and columns. Which bits mean what is a first-order
// matter: the same stream takes half the bandwidth under another map.
//
//   mop4clxor     four bursts of a row, then the next bank; banks are mixed with column bits
//   robaracoch    a whole row, then the next bank; channels change with every burst
//   chrabaroco    a whole bank, then the next one; channels last
//
// A map is a value made once for a preset; its functions are pure and safe from any thread.
//
//   ACCELSCOPE_TRY(const MapKind kind, map_kind_of("robaracoch"));
//   const AddressMap map(preset, {.channels = 8, .kind = kind, .hash_rows = true});
//   map.place_of(map.channel_of(burst).local)
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/dram_command.h"
#include "memory/dram_preset.h"

namespace accelscope::memory {

enum class MapKind : std::uint8_t { kMop4ClXor, kRoBaRaCoCh, kChRaBaRoCo };
std::string_view name_of(MapKind kind);
std::span<const std::string_view> map_kind_names();
// An error with the list for a name that is none; upper and lower case are the same.
base::Result<MapKind> map_kind_of(std::string_view name);

struct MapOptions {
  std::uint32_t channels = 1;
  MapKind kind = MapKind::kMop4ClXor;
  bool hash_rows =
      false;  // mix row bits into banks and groups, so that powers of two do not meet in one bank
};

class AddressMap {
 public:
  AddressMap(const DramPreset& preset, const MapOptions& options);

  struct Local {
    std::uint32_t channel;
    std::uint64_t burst;  // of the channel
  };
  // What lies beyond the memory wraps around.
  Local channel_of(std::uint64_t burst) const {
    if (options_.kind == MapKind::kChRaBaRoCo)
      return {static_cast<std::uint32_t>(burst / bursts_of_channel_ % options_.channels),
              burst % bursts_of_channel_};
    if (channel_shift_ >= 0)
      return {static_cast<std::uint32_t>(burst & (options_.channels - 1)), burst >> channel_shift_};
    return {static_cast<std::uint32_t>(burst % options_.channels), burst / options_.channels};
  }
  // The burst of the whole memory that is this one of a channel.
  std::uint64_t burst_of(std::uint32_t channel, std::uint64_t local) const {
    return options_.kind == MapKind::kChRaBaRoCo ? channel * bursts_of_channel_ + local
                                                 : local * options_.channels + channel;
  }
  // Where a burst of a channel is, as a controller counts: banks of the whole channel, those of a group, a
  // rank and a pseudo channel side by side.
  struct Spot {
    std::uint32_t bank;
    std::uint32_t row;
    std::uint32_t column;  // in bursts
  };
  Spot spot_of(std::uint64_t local) const {
    const std::uint32_t column = low_column_.of(local) | high_column_.of(local) << low_column_bits_;
    const std::uint32_t row = row_.of(local);
    std::uint32_t bank = bank_of_bits_[bank_.of(local) ^ (column & mixed_)];
    if (options_.hash_rows) bank ^= folded(row);
    return {.bank = bank, .row = row, .column = column};
  }
  DramPlace place_of(std::uint64_t local) const;

  std::uint32_t channels() const { return options_.channels; }
  MapKind kind() const { return options_.kind; }
  std::uint64_t bursts_of_channel() const { return bursts_of_channel_; }

 private:
  // All bits of a row, folded to as many as choose among the banks of a rank.
  std::uint32_t folded(std::uint32_t row) const;

  MapOptions options_;
  std::uint64_t bursts_of_channel_;
  int channel_shift_ = -1;
  // Where the bits of a field are.
  struct Field {
    std::uint32_t shift = 0;
    std::uint32_t mask = 0;
    std::uint32_t of(std::uint64_t word) const { return static_cast<std::uint32_t>(word >> shift) & mask; }
  };
  // Of a burst of the channel. The bits that choose a bank lie together, in an order of the map's own.
  Field bank_, row_, low_column_, high_column_;
  std::vector<std::uint16_t> bank_of_bits_;
  std::uint32_t mixed_ = 0;  // bits of a column that are mixed into those of the bank
  std::uint32_t low_column_bits_ = 0;
  std::uint32_t rank_bits_ = 0;
  std::uint32_t group_bits_ = 0;
  std::uint32_t bank_bits_ = 0;
};

}  // namespace accelscope::memory
