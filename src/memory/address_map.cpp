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

// The bits of a word, lowest first.
class Bits {
 public:
  explicit Bits(std::uint64_t word) : word_(word) {}
  std::uint32_t take(std::uint32_t bits) {
    const auto value = static_cast<std::uint32_t>(word_ & ((std::uint64_t{1} << bits) - 1));
    word_ >>= bits;
    return value;
  }

 private:
  std::uint64_t word_;
};

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
          static_cast<std::uint64_t>(preset.channel_capacity().value / preset.burst_bytes().value)),
      pseudo_channel_(bits_of(preset.organisation.pseudo_channels)),
      rank_(bits_of(preset.organisation.ranks)),
      group_(bits_of(preset.organisation.bank_groups)),
      bank_(bits_of(preset.organisation.banks_per_group)),
      row_(bits_of(preset.organisation.rows)),
      column_(bits_of(preset.bursts_per_row())) {
  if (std::has_single_bit(options.channels)) channel_shift_ = std::countr_zero(options.channels);
}

DramPlace AddressMap::place_of(std::uint64_t local) const {
  DramPlace place;
  Bits bits(local);
  if (options_.kind == MapKind::kChRaBaRoCo) {
    place.column = bits.take(column_);
    place.row = bits.take(row_);
    place.bank = bits.take(bank_);
    place.group = bits.take(group_);
    place.rank = bits.take(rank_);
    place.pseudo_channel = bits.take(pseudo_channel_);
  } else {
    const std::uint32_t low_columns = options_.kind == MapKind::kMop4ClXor ? 2 : column_;
    place.column = bits.take(low_columns);
    place.pseudo_channel = bits.take(pseudo_channel_);
    place.rank = bits.take(rank_);
    place.group = bits.take(group_);
    place.bank = bits.take(bank_);
    place.column |= bits.take(column_ - low_columns) << low_columns;
    place.row = bits.take(row_);
  }
  if (options_.kind == MapKind::kMop4ClXor) {
    Bits mixed(place.column);
    place.pseudo_channel ^= mixed.take(pseudo_channel_);
    place.rank ^= mixed.take(rank_);
    place.group ^= mixed.take(group_);
    place.bank ^= mixed.take(bank_);
  }
  if (options_.hash_rows) {
    // All bits of the row count, folded to as many as there are banks.
    const std::uint32_t banks = bank_ + group_;
    std::uint32_t folded = 0;
    for (std::uint32_t rest = place.row; banks > 0 && rest != 0; rest >>= banks) folded ^= rest;
    Bits mixed(folded);
    place.bank ^= mixed.take(bank_);
    place.group ^= mixed.take(group_);
  }
  return place;
}

}  // namespace accelscope::memory
