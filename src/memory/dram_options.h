// How a DRAM is used: by which controller, with which map, with how much of everything.
//
// Plain data.
//
//   DramOptions options{.channels = 16, .map = MapKind::kRoBaRaCoCh, .refresh = RefreshKind::kNone};
//   ACCELSCOPE_TRY(const std::unique_ptr<Timing> memory, make_dram(preset, options));
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "memory/address_map.h"
#include "memory/dram_command.h"
#include "memory/dram_constraints.h"

namespace accelscope::memory {

enum class RefreshKind : std::uint8_t { kNone, kAllBank, kPerBank };
enum class PagePolicy : std::uint8_t {
  kOpen,   // rows stay open until another one is wanted
  kClosed  // rows are closed with the last request that the queue holds for them
};
enum class Fidelity : std::uint8_t { kClosedForm, kEvent };

std::string_view name_of(RefreshKind kind);
std::string_view name_of(PagePolicy policy);
std::string_view name_of(Fidelity fidelity);
// Errors with the list for names that are none.
base::Result<RefreshKind> refresh_kind_of(std::string_view name);
base::Result<PagePolicy> page_policy_of(std::string_view name);
base::Result<Fidelity> fidelity_of(std::string_view name);
std::span<const std::string_view> refresh_kind_names();
std::span<const std::string_view> page_policy_names();
std::span<const std::string_view> fidelity_names();

struct DramOptions {
  std::uint32_t channels = 0;  // 0: as many as the preset has
  MapKind map = MapKind::kMop4ClXor;
  bool hash_rows = false;
  RefreshKind refresh = RefreshKind::kAllBank;
  PagePolicy page = PagePolicy::kOpen;
  std::uint32_t read_queue = 32;   // entries of a channel
  std::uint32_t write_queue = 32;  // of writes
  // Writes drain when more than `high` of their queue is full, or when no reads wait, until less than `low`
  // is.
  double high_watermark = 0.8;
  double low_watermark = 0.2;
  base::Picoseconds controller_latency{};  // controller, PHY and network on chip, for every request
  bool reasons = true;                     // why the buses are idle; costs some speed
  // Where every command is noted, for checks; not owned. Grows without bound.
  std::vector<IssuedCommand>* log = nullptr;
};

}  // namespace accelscope::memory
