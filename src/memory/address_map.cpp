#include "memory/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <numeric>
#include <string>

#include "base/closest_name.h"

namespace accelscope::memory {
namespace {

constexpr std::array<std::string_view, 3> kMapNames{"mop4clxor", "robaracoch", "chrabaroco"};

std::uint32_t bits_of(std::uint32_t size) {
  return static_cast<std::uint32_t>(std::countr_zero(size));
}

}  // namespace

std::string_view name_of(MapKind kind) {
  return kMapNames[static_cast<std::size_t>(kind)];
}

std::span<const std::string_view> map_kind_names() {
  return kMapNames;
}

base::Result<MapKind> map_kind_of(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (std::size_t i = 0; i < kMapNames.size(); ++i)
    if (kMapNames[i] == lower) return static_cast<MapKind>(i);
  return base::fail(base::ErrorCode::kUsage, "there is no address map `{}`: {}{}", name,
                    fmt::join(kMapNames, ", "), base::suggestion(lower, kMapNames));
}

AddressMap::AddressMap(const DramPreset& preset, const MapOptions& options)
    : options_(options),
      bursts_of_channel_(
          static_cast<std::uint64_t>(preset.channel_capacity().value / preset.burst_bytes().value)) {
  if (std::has_single_bit(options.channels)) channel_shift_ = std::countr_zero(options.channels);
  const DramOrganisation& o = preset.organisation;
  const std::uint32_t columns = bits_of(preset.bursts_per_row());
  const std::uint32_t pseudo_channel_bits = bits_of(o.pseudo_channels);
  rank_bits_ = bits_of(o.ranks);
  group_bits_ = bits_of(o.bank_groups);
  bank_bits_ = bits_of(o.banks_per_group);
  const std::uint32_t all_bits = pseudo_channel_bits + rank_bits_ + group_bits_ + bank_bits_;
  std::uint32_t at = 0;
  const auto take = [&](std::uint32_t bits) {
    const Field field{at, (1U << bits) - 1};
    at += bits;
    return field;
  };
  bank_of_bits_.resize(std::size_t{1} << all_bits);
  low_column_bits_ = options.kind == MapKind::kMop4ClXor ? 2 : columns;
  low_column_ = take(low_column_bits_);
  if (options.kind == MapKind::kChRaBaRoCo) {
    row_ = take(bits_of(o.rows));
    bank_ = take(all_bits);
    std::iota(bank_of_bits_.begin(), bank_of_bits_.end(), std::uint16_t{0});
    return;
  }
  bank_ = take(all_bits);
  high_column_ = take(columns - low_column_bits_);
  row_ = take(bits_of(o.rows));
  if (options.kind == MapKind::kMop4ClXor) mixed_ = bank_.mask;
  // The pseudo channel changes first, then the rank, the group, the bank.
  for (std::uint32_t bits = 0; bits < bank_of_bits_.size(); ++bits) {
    std::uint32_t bank = 0;
    std::uint32_t rest = bits;
    for (const std::uint32_t field : {pseudo_channel_bits, rank_bits_, group_bits_, bank_bits_}) {
      bank = bank << field | (rest & ((1U << field) - 1));
      rest >>= field;
    }
    bank_of_bits_[bits] = static_cast<std::uint16_t>(bank);
  }
}

DramPlace AddressMap::place_of(std::uint64_t local) const {
  const Spot spot = spot_of(local);
  std::uint32_t rest = spot.bank;
  const auto take = [&](std::uint32_t bits) {
    const std::uint32_t field = rest & ((1U << bits) - 1);
    rest >>= bits;
    return field;
  };
  DramPlace place{.row = spot.row, .column = spot.column};
  place.bank = take(bank_bits_);
  place.group = take(group_bits_);
  place.rank = take(rank_bits_);
  place.pseudo_channel = rest;
  return place;
}

std::uint32_t AddressMap::folded(std::uint32_t row) const {
  const std::uint32_t bits = bank_bits_ + group_bits_;
  if (bits == 0) return 0;
  std::uint32_t result = 0;
  for (; row != 0; row >>= bits) result ^= row;
  return result & ((1U << bits) - 1);
}

}  // namespace accelscope::memory
