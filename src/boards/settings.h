// The settings of an accelerator: dimensions, memories, number formats and latencies, as
// `plena_settings.toml` has them. A file has two trees of the same shape: ANALYTIC, for models on paper, and
// TRANSACTIONAL, for the emulator. Read by settings_file.h.
//
// Plain data, safe from any thread.
//
//   const Settings settings = default_settings();
//   settings.transactional.config.mlen          // 64
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/units.h"
#include "boards/number_format.h"

namespace accelscope::boards {

struct SettingsConfig {
  bool dc_enabled = true;  // which column of the latencies counts
  std::uint64_t max_loop_instructions = 100'000;
  std::uint64_t blen = 4;
  std::uint64_t hlen = 16;
  std::uint64_t mlen = 64;
  std::uint64_t vlen = 64;
  std::uint64_t broadcast_amount = 4;
  base::Bytes hbm_size{17'179'869'184};
  std::uint64_t hbm_width_bits = 512;
  std::uint64_t matrix_sram_rows = 4096;
  std::uint64_t vector_sram_rows = 4'194'304;
  std::uint64_t matrix_prefetch_rows = 64;
  std::uint64_t vector_prefetch_rows = 4;
  std::uint64_t vector_writeback_rows = 4;
  std::string latency_profile = {};  // "" for none

  bool operator==(const SettingsConfig&) const = default;
};

struct SettingsPrecision {
  NumberFormat matrix_sram{kBf16};
  NumberFormat vector_sram{kBf16};
  NumberFormat matrix_weights = kPlenaMx;
  NumberFormat matrix_kv = kPlenaMx;
  NumberFormat vector_activations = kPlenaMx;
  NumberFormat vector_kv = kPlenaMx;
  NumberFormat vector_integers{ElementType::integer(32)};
  NumberFormat scalar_fp{kBf16};

  bool operator==(const SettingsPrecision&) const = default;
};

// Cycles with the vendor's arithmetic library and without.
struct SettingsLatency {
  std::uint64_t enabled = 0;
  std::uint64_t disabled = 0;

  constexpr std::uint64_t by(bool dc_enabled) const { return dc_enabled ? enabled : disabled; }
  bool operator==(const SettingsLatency&) const = default;
};

struct SettingsLatencies {
  SettingsLatency systolic_processing_overhead{0, 0};
  SettingsLatency vector_longest_operate{10, 20};
  SettingsLatency vector_basic{1, 2};
  SettingsLatency vector_add{1, 2};
  SettingsLatency vector_mul{1, 5};
  SettingsLatency vector_exp{1, 6};
  SettingsLatency vector_prefix_scan{9, 9};
  SettingsLatency vector_shift{1, 1};
  SettingsLatency vector_reci{2, 7};
  SettingsLatency vector_max{4, 4};
  SettingsLatency vector_sum{8, 20};
  SettingsLatency scalar_fp_longest_operate{4, 4};
  SettingsLatency scalar_fp_basic{1, 1};
  SettingsLatency scalar_fp_exp{1, 2};
  SettingsLatency scalar_fp_sqrt{1, 2};
  SettingsLatency scalar_fp_reci{1, 2};
  SettingsLatency scalar_int_basic{1, 1};

  bool operator==(const SettingsLatencies&) const = default;
};

struct SettingsTree {
  SettingsConfig config = {};
  SettingsPrecision precision = {};
  SettingsLatencies latency = {};

  bool operator==(const SettingsTree&) const = default;
};

struct Settings {
  std::string active_mode = "transactional";  // or "analytic"
  SettingsTree analytic = {};
  SettingsTree transactional = {};

  bool operator==(const Settings&) const = default;
};

// The values of the shipped file, which is data/settings/plena.toml.
Settings default_settings();

// The latencies under a profile that tools know by name, which takes the place of some of the column without
// the library: "nexys_a7_150mhz", also called "nexys_video_150mhz". "", "default" and "dc_lib_dis" change
// nothing.
base::Result<SettingsLatencies> with_profile(const SettingsLatencies& latencies, std::string_view profile);

}  // namespace accelscope::boards
