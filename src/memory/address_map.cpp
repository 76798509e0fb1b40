#include "memory/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <string>

#include "base/closest_name.h"

namespace accelscope::memory {
namespace {

constexpr std::array<std::string_view, 3> kNames{"mop4clxor", "robaracoch", "chrabaroco"};

std::uint32_t bits_of(std::uint32_t size) {
  return static_cast<std::uint32_t>(std::countr_zero(size));
}

}  // namespace

std::string_view name_of(MapKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const std::string_view> map_kind_names() {
  return kNames;
}

base::Result<MapKind> map_kind_of(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == lower) return static_cast<MapKind>(i);
  return base::fail(base::ErrorCode::kUsage, "there is no address map `{}`: {}{}", name,
                    fmt::join(kNames, ", "), base::suggestion(lower, kNames));
}

AddressMap::AddressMap(const DramPreset& preset, const MapOptions& options)
    : options_(options),
      bursts_of_channel_(
          static_cast<std::uint64_t>(preset.channel_capacity().value / preset.burst_bytes().value)) {
  if (std::has_single_bit(options.channels)) channel_shift_ = std::countr_zero(options.channels);
  const DramOrganisation& o = preset.organisation;
  const std::uint32_t columns = bits_of(preset.bursts_per_row());
  bank_bits_ = bits_of(o.banks_per_group);
  group_bits_ = bits_of(o.bank_groups);
  std::uint32_t at = 0;
  const auto take = [&](std::uint32_t bits) {
    const Field field{at, (1U << bits) - 1};
    at += bits;
    return field;
  };
  low_column_bits_ = options.kind == MapKind::kMop4ClXor ? 2 : columns;
  low_column_ = take(low_column_bits_);
  if (options.kind == MapKind::kChRaBaRoCo) {
    row_ = take(bits_of(o.rows));
    bank_ = take(bank_bits_);
    group_ = take(group_bits_);
    rank_ = take(bits_of(o.ranks));
    pseudo_channel_ = take(bits_of(o.pseudo_channels));
    return;
  }
  pseudo_channel_ = take(bits_of(o.pseudo_channels));
  rank_ = take(bits_of(o.ranks));
  group_ = take(group_bits_);
  bank_ = take(bank_bits_);
  high_column_ = take(columns - low_column_bits_);
  row_ = take(bits_of(o.rows));
  if (options.kind != MapKind::kMop4ClXor) return;
  at = 0;
  mixed_pseudo_channel_ = take(bits_of(o.pseudo_channels));
  mixed_rank_ = take(bits_of(o.ranks));
  mixed_group_ = take(group_bits_);
  mixed_bank_ = take(bank_bits_);
}

void AddressMap::mix_row(DramPlace& place) const {
  if (bank_bits_ + group_bits_ == 0) return;
  // All bits of the row count, folded to as many as there are banks.
  std::uint32_t folded = 0;
  for (std::uint32_t rest = place.row; rest != 0; rest >>= bank_bits_ + group_bits_) folded ^= rest;
  place.bank ^= folded & ((1U << bank_bits_) - 1);
  place.group ^= folded >> bank_bits_ & ((1U << group_bits_) - 1);
}

}  // namespace accelscope::memory
